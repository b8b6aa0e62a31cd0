"""How contention went, boarding by boarding."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from perdura_core.graph import Graph
from perdura_core.vocabulary import BoardingEnded, Event, NodeId

__all__ = [
    "KEPT",
    "SCALE_AT_LEAST",
    "Contention",
    "HeatRow",
    "Sample",
    "add_samples",
    "domains_are_few",
    "heat_rows",
    "replay",
    "sample",
]

KEPT = 240
"""Samples that are kept: as many columns as a wide terminal can show."""
SCALE_AT_LEAST = 0.6
"""The tallest block stands for this or more: a calm mind must not look disputed."""
_MOST_QUESTIONS = 400
"""Questions of one sample: the most contended, so that a sample stays small in a mind with thousands."""


class Sample(NamedTuple):
    """Contention of the whole, of each domain and of open questions, when a boarding ended."""

    boarding: str
    overall: float
    domains: Mapping[str, float]
    questions: Mapping[NodeId, float]


class HeatRow(NamedTuple):
    """One row of the heatmap. A value is None where the domain or question did not exist yet."""

    key: str
    values: tuple[float | None, ...]
    present: float
    trend: Literal["▲", "▼", " "]
    """Against the mean of the ten boardings before: up, down or still."""


@dataclass(frozen=True, slots=True)
class Contention:
    """The samples, oldest first."""

    samples: tuple[Sample, ...] = ()
    overall: float = 0.0
    """The present contention of the mind."""


def sample(graph: Graph, boarding: str) -> Sample:
    """What the graph says right now."""
    questions = {vertex.id: graph.contention(vertex.id) for vertex in graph.open_questions()}
    if len(questions) > _MOST_QUESTIONS:
        hottest = sorted(questions, key=lambda node: questions[node], reverse=True)[:_MOST_QUESTIONS]
        questions = {node: questions[node] for node in hottest}
    return Sample(boarding, graph.contention_all(), dict(graph.contention_of_domains()), questions)


def replay(graph: Graph, events: Iterable[Event], boardings: int) -> list[Sample]:
    """Move a graph along these events and take a sample at the end of each of the last boardings.

    boardings: how many there are in the whole journal; what is too old to be shown is not sampled.
    """
    samples: list[Sample] = []
    for event in events:
        graph.apply((event,))
        if isinstance(event.what, BoardingEnded) and graph.total_boardings() + KEPT > boardings:
            samples.append(sample(graph, event.what.boarding))
    return samples


def add_samples(state: Contention, samples: Iterable[Sample], overall: float) -> Contention:
    """The history with these at its end."""
    kept = (*state.samples, *samples)[-KEPT:]
    if kept == state.samples and abs(overall - state.overall) < 0.0005:
        return state
    return Contention(kept, overall)


def domains_are_few(state: Contention) -> bool:
    """Whether questions tell more than domains: fewer than three domains were ever disputed or discussed."""
    return len(state.samples[-1].domains) < 3 if state.samples else True


def heat_rows(state: Contention, by: Literal["domain", "question"], columns: int) -> list[HeatRow]:
    """The last `columns` samples, one row per domain or question that lives, hottest first."""
    window = state.samples[-columns:] if columns > 0 else ()
    if not window:
        return []
    of = [entry.domains if by == "domain" else entry.questions for entry in window]
    rows = [
        HeatRow(key, (values := tuple(entry.get(key) for entry in of)), of[-1][key], _trend(values)) for key in of[-1]
    ]
    rows.sort(key=lambda row: (-round(row.present, 3), -max(value or 0.0 for value in row.values)))
    return rows


def _trend(values: tuple[float | None, ...]) -> Literal["▲", "▼", " "]:
    before = [value for value in values[-11:-1] if value is not None]
    now = values[-1]
    if not before or now is None:
        return " "
    mean = sum(before) / len(before)
    if now > mean + 0.02:
        return "▲"
    return "▼" if now < mean - 0.02 else " "
