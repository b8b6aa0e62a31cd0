"""Two models side by side, and records over time."""

from collections.abc import Sequence
from datetime import datetime
from math import erf, sqrt
from typing import NamedTuple

from perdura_core.epistemics import Verdict
from perdura_core.graph import Graph
from perdura_core.routing.records import Records
from perdura_core.vocabulary import Event, ModelId, NodeId, TrackRecord

__all__ = ["Comparison", "PastRecords", "compare", "history"]

_WIDTH_90 = 2 * 1.6448536269514722


class Comparison(NamedTuple):
    """Two models in one domain, or overall, outcome by outcome."""

    one: TrackRecord | None
    other: TrackRecord | None
    chance_one_is_better: float
    """That the one is more reliable than the other, in 0..1; 0.5 when nothing is known of either."""
    outcomes: tuple[tuple[ModelId, NodeId, Verdict], ...]
    """Of both, older nodes first."""


class PastRecords(NamedTuple):
    """All records as they stood after an event."""

    at: datetime
    seq: int
    records: tuple[TrackRecord, ...]


def compare(records: Records, one: ModelId, other: ModelId, domain: str | None = None) -> Comparison:
    """Set two models beside each other.

    The chance is that of two normal distributions with the records' means and 90 % intervals. By hand: 0.7 (0.6 to
    0.8) against 0.6 (0.5 to 0.7): each deviates by 0.2 / 3.29 = 0.0608, their difference 0.1 by 0.0860, which is above
    0 with 0.878.
    """
    known = {record.model: record for record in records.track(domain)}
    sides = known.get(one), known.get(other)
    (mean_one, spread_one), (mean_other, spread_other) = (_normal(record) for record in sides)
    spread = sqrt(spread_one**2 + spread_other**2)
    chance = 0.5 * (1 + erf((mean_one - mean_other) / spread / sqrt(2)))
    told = [(model, node, verdict) for model in (one, other) for node, verdict in records.outcomes(model, domain)]
    told.sort(key=lambda each: (int(each[1][1:]), each[0], each[2]))
    return Comparison(*sides, chance, tuple(told))


def _normal(record: TrackRecord | None) -> tuple[float, float]:
    if record is None:
        return 0.5, 0.9 / _WIDTH_90
    return record.reliability, max(record.high - record.low, 1e-9) / _WIDTH_90


def history(events: Sequence[Event], moments: int = 20, domain: str | None = None) -> list[PastRecords]:
    """How records came to be what they are, at so many moments evenly spread over the events of a whole journal.

    Plays the journal again into a graph of its own: costs by the length of the journal, so run it in a thread.
    """
    if not events:
        return []
    graph = Graph()
    records = Records(graph)
    found: list[PastRecords] = []
    ends = sorted({max(1, round(len(events) * step / moments)) for step in range(1, moments + 1)})
    start = 0
    for end in ends:
        part = events[start:end]
        graph.apply(part)
        records.apply(part)
        found.append(PastRecords(part[-1].at, part[-1].seq, tuple(records.track(domain))))
        start = end
    return found
