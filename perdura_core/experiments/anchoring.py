"""Anchoring: are claims that are shown with a high confidence challenged less, and does masking end it?"""

import asyncio
import random
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.conductor import SessionOrder
from perdura_core.errors import InputError
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table
from perdura_core.mind import Mind
from perdura_core.store import Store
from perdura_core.vocabulary import (
    INGEST,
    BoardingOpened,
    Draft,
    EdgeAdded,
    Event,
    Fact,
    FactRecorded,
    NodeId,
    Occurrence,
)

__all__ = ["Showing", "experiment_anchoring", "measure_anchoring", "planted_showings", "showings_of"]

_TIMES = 1_000
_BANDS = ((0.0, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 1.01))
_PLANTED = -0.25
"""How much less often the planted worker challenges a claim at confidence 1 than at 0."""
_BASE = 0.35
_BOARDINGS = 24
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"])")
_LEAST_WORDS = 5
_READERS = ("reader:support", "reader:doubt", "reader:gather")


class Showing(NamedTuple):
    """One claim in one briefing, and whether whoever read it drew a contradiction at it."""

    confidence: float
    """As it stood; hidden from the worker when masked."""
    is_masked: bool
    was_challenged: bool


def showings_of(events: Iterable[Event], authors: dict[NodeId, str], confidences: dict[NodeId, float]) -> list[Showing]:
    """What boardings were shown and did. authors, confidences: of the mind's claims; one's own do not count.

    A masked briefing tells no confidence: what the claim has today stands for it.
    """
    shown: dict[str, tuple[str, bool, list[tuple[NodeId, float]]]] = {}
    challenged: dict[str, set[NodeId]] = {}
    for event in events:
        match event.what:
            case BoardingOpened(boarding=boarding):
                told = [
                    (one.node, confidences[one.node] if one.confidence is None else one.confidence)
                    for one in boarding.shown
                    if one.node in authors
                ]
                shown[boarding.id] = boarding.model, boarding.masked, told
            case EdgeAdded(edge=edge) if edge.type == "contradicts" and edge.boarding is not None:
                challenged.setdefault(edge.boarding, set()).update((edge.src, edge.dst))
            case _:
                pass
    return [
        Showing(confidence, is_masked, node in challenged.get(name, ()))
        for name, (model, is_masked, told) in shown.items()
        for node, confidence in told
        if authors[node] != model
    ]


def planted_showings(seed: int, count: int = 4_000) -> list[Showing]:
    """Workers of whom it is known how much they are anchored: by `_PLANTED` when they see confidences, else not."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        confidence, is_masked = dice.uniform(0.3, 0.95), number % 2 == 0
        chance = _BASE + (0.0 if is_masked else _PLANTED * confidence)
        found.append(Showing(confidence, is_masked, dice.random() < chance))
    return found


def measure_anchoring(showings: Sequence[Showing], seed: int) -> dict[str, Finding]:
    """Challenge rates with and without mask, and how each changes from confidence 0 to 1, by least squares.

    A slope below 0 is anchoring. Intervals: 95 % of the bootstrap over showings. NaN where there are too few.
    """
    dice = np.random.default_rng(seed)
    found: dict[str, Finding] = {}
    for name, is_masked in (("shown", False), ("masked", True)):
        own = np.array([(s.confidence, s.was_challenged) for s in showings if s.is_masked is is_masked]).reshape(-1, 2)
        rows = [own[dice.integers(0, len(own), len(own))] for _ in range(_TIMES)] if len(own) > 2 else []
        found[f"rate, {name}"] = _interval(_rate(own), [_rate(drawn) for drawn in rows])
        found[f"slope, {name}"] = _interval(_slope(own), [_slope(drawn) for drawn in rows])
    return found


async def experiment_anchoring(path: Path, seed: int = 0) -> Report:
    """Planted workers, the embedded readers on the document sets in this folder, or the boardings of a mind's file.

    Raises InputError for a path that is neither a folder with document sets nor a mind.
    """
    measured: dict[str, list[Showing]] = {"planted": planted_showings(seed)}
    sets = await asyncio.to_thread(_sets, path)
    if sets is None:
        async with Mind.open(path, readonly=True) as mind:
            measured[path.name] = await _of_mind(mind.store)
    else:
        measured["readers"] = []
        for folder, asked in sets.items():
            for masked in (False, True):
                measured["readers"] += await _worked(folder, asked, masked)
    figures = {name: measure_anchoring(showings, seed) for name, showings in measured.items()}
    rows = tuple(
        (name, len(measured[name]), *found.values()) for name, found in figures.items()
    )  # fmt: skip
    columns = ("workers", "claims shown", "challenged, shown", "slope, shown", "challenged, masked", "slope, masked")
    planted = figures["planted"]
    return Report(
        experiment="anchoring",
        data=path.name,
        seed=seed,
        tables=(Table("how often a claim is challenged", columns, rows),),
        chart=_chart(measured["planted"], seed),
        figures={**figures, "planted slope": _PLANTED},
        notes=(
            f"Planted: {_PLANTED:+.2f} when confidences are shown and 0 when masked; found "
            f"{planted['slope, shown'].value:+.2f} and {planted['slope, masked'].value:+.2f}.",
            "Readers do not look at confidences: a slope of theirs is one of what they write, not of what they see. "
            "For language models, name a mind in which some boarded with masks and some without.",
        ),
    )


def _sets(path: Path) -> dict[Path, str] | None:
    """The document sets of a folder and what each asks; None for what is no folder."""
    if not path.is_dir():
        return None
    asked = {file.parent: file.read_text("utf-8") for file in sorted((path / "docsets").glob("*/QUESTION.md"))}
    if not asked:
        raise InputError(f"{path} holds no docsets: name a folder that does, or a mind, with --data")
    return {folder: _first_line(text) for folder, text in asked.items()}


def _sentences(folder: Path) -> list[tuple[str, str]]:
    """The sentences of a set's documents with their sources: enough for readers, who look at each by itself."""
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.txt")):
        for number, sentence in enumerate(_END.split(" ".join(file.read_text("utf-8").split())), 1):
            if len(sentence.split()) >= _LEAST_WORDS:
                found.setdefault(sentence, f"{file.name}#S{number}")
    return list(found.items())


def _fact(number: int, text: str, source: str, now: datetime) -> Draft:
    seen = Occurrence(source=source, recorded_at=now, recorded_by=INGEST)
    fact = Fact(id=f"f{number}", text=text, occurrences=(seen,), created_by=INGEST, created_at=now)
    return Draft(what=FactRecorded(fact=fact), by=INGEST)


def _first_line(text: str) -> str:
    return next(line.lstrip("# ") for line in text.splitlines() if line.strip())


async def _worked(folder: Path, asked: str, masked: bool) -> list[Showing]:
    """A session of the readers on one document set."""
    with TemporaryDirectory(prefix="perdura-anchoring-") as place:
        async with Mind.open(Path(place) / "a.mind") as mind:
            texts = await asyncio.to_thread(_sentences, folder)
            await mind.journal.append([_fact(number, *one, mind.clock.now()) for number, one in enumerate(texts, 1)])
            await mind.ask(asked)
            order = SessionOrder(
                boardings=_BOARDINGS, seats=1, models=_READERS, route="round_robin", mask_confidence=masked
            )
            await mind.conductor.run(order)
            return await _of_mind(mind.store)


async def _of_mind(store: Store) -> list[Showing]:
    claims = [one for one in await store.interpretations() if one.kind == "claim"]
    events = await store.events(kinds=["boarding_opened", "edge_added"])
    return showings_of(events, {one.id: one.created_by for one in claims}, {one.id: one.confidence for one in claims})


def _rate(rows: NDArray[np.float64]) -> float:
    return float(rows[:, 1].mean()) if len(rows) else float("nan")


def _slope(rows: NDArray[np.float64]) -> float:
    if len(rows) < 3 or np.ptp(rows[:, 0]) == 0:
        return float("nan")
    apart = rows[:, 0] - rows[:, 0].mean()
    return float(apart @ rows[:, 1] / (apart @ apart))


def _interval(value: float, drawn: Sequence[float]) -> Finding:
    if not drawn or np.isnan(drawn).all():
        return Finding(value)
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Finding(value, float(low), float(high))


def _chart(showings: Sequence[Showing], seed: int) -> Chart:
    dice = np.random.default_rng(seed)

    def points(is_masked: bool) -> tuple[Point, ...]:
        found = []
        for low, high in _BANDS:
            own = np.array(
                [s.was_challenged for s in showings if s.is_masked is is_masked and low <= s.confidence < high]
            )
            if own.size:
                drawn: list[Any] = [own[dice.integers(0, own.size, own.size)].mean() for _ in range(_TIMES)]
                found.append(Point((low + min(high, 1.0)) / 2, _interval(float(own.mean()), drawn)))
        return tuple(found)

    series = (Series("confidence shown", points(False)), Series("masked", points(True)))
    return Chart("challenges by confidence, planted workers", "confidence", "share challenged", series)
