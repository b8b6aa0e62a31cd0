"""How many elements a second can be merged durably, beside what SQLite itself makes of the same rows."""

import asyncio
import random
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from perdura_core.clock import Clock, Ids
from perdura_core.delta import Aboard, RawElement, plan_elements
from perdura_core.experiments.synthetic import fill_synthetic
from perdura_core.graph import Graph
from perdura_core.store import Journal, open_sqlite
from perdura_core.store.opening import connector, prepare_writer
from perdura_core.store.projection import project
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    Draft,
    ElementMerged,
    Event,
    NodeId,
    Route,
    SessionStarted,
)

__all__ = ["bench_merge", "board", "claim"]

_SEATS = 8
_SLICES = 10
_SHOWN = 40
_EDGES_PER_NODE = 4
_MODEL = "synthetic:bench"


class _Timing(NamedTuple):
    ours_s: float
    raw_s: float
    merged: int


async def bench_merge(path: Path, nodes: int, elements: int) -> dict[str, float | int]:
    """Merge so many claims with their links into a mind of so many nodes at `path`, from 8 seats at once.

    Slice by slice, the very rows that came of it are then written by bare sqlite3 into a copy of the mind, one
    transaction an element, so that both meet the same disk and the same neighbours. Both are durable
    (`synchronous=FULL`). A mind that stands at `path` already is used as it is. Blocks the event loop while bare
    sqlite3 is measured.
    """
    copy = path.with_name(f"{path.name}.raw")
    clock = Clock()
    async with open_sqlite(path) as store, Journal.open(store, clock) as journal:
        if journal.graph.head == 0:
            await fill_synthetic(journal, nodes, nodes * _EDGES_PER_NODE)
        seats = await board(journal)
        _copy(path, copy)
        raw = _connect(copy)
        try:
            timings = [
                await _slice(journal, raw, seats, range(start, min(start + _step(elements), elements)))
                for start in range(0, elements, _step(elements))
            ]
        finally:
            raw.close()
    merged = sum(timing.merged for timing in timings)
    ours_s, raw_s = sum(timing.ours_s for timing in timings), sum(timing.raw_s for timing in timings)
    return {
        "nodes": nodes,
        "elements": merged,
        "merges_per_s": round(merged / ours_s),
        "raw_per_s": round(merged / raw_s),
        "ratio": round(raw_s / ours_s, 2),
        "ms_per_merge": round(ours_s / merged * 1_000, 3),
        "raw_ms_per_merge": round(raw_s / merged * 1_000, 3),
    }


def _step(elements: int) -> int:
    return max(1, -(-elements // _SLICES))


async def board(journal: Journal) -> list[Aboard]:
    """Open one boarding a seat, each on a question of its own as far as there are enough."""
    questions = [vertex.id for vertex in journal.graph.open_questions()]
    now = journal.clock.now()

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        session = ids.next("s")
        start = SessionStarted(
            session=session, operator="bench", seats=_SEATS, policy="cheap", models=(_MODEL,), budget_micro_usd=None
        )
        drafts = [Draft(what=start, by="bench", session=session)]
        for seat in range(1, _SEATS + 1):
            boarding = Boarding(
                id=ids.next("b"),
                session=session,
                seat=seat,
                question=questions[seat * 7 % len(questions)],
                model=_MODEL,
                route=Route(model=_MODEL, policy="cheap", reason="bench"),
                opened_at=now,
            )
            opened = BoardingOpened(boarding=boarding)
            drafts.append(Draft(what=opened, by=_MODEL, boarding=boarding.id, session=session))
        return drafts

    opened = [event.what for event in await journal.write(plan)]
    return [
        Aboard(
            boarding=what.boarding.id,
            session=what.boarding.session,
            model=_MODEL,
            question=what.boarding.question,
            domains=("bench",),
            shown=_shown(journal.graph, what.boarding.question),
        )
        for what in opened
        if isinstance(what, BoardingOpened)
    ]


def _shown(graph: Graph, question: NodeId) -> frozenset[NodeId]:
    near = graph.neighbourhood([question], 1)
    cited = {fact for node in near if (vertex := graph.get(node)) is not None for fact in vertex.facts}
    return frozenset([question, *sorted(near.keys() - {question})[:_SHOWN], *sorted(cited)[:_SHOWN]])


async def _slice(journal: Journal, raw: sqlite3.Connection, seats: Sequence[Aboard], numbers: range) -> _Timing:
    before = journal.graph.head
    began_s = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for place, seat in enumerate(seats):
            tasks.create_task(_work(journal, seat, numbers[place :: len(seats)]))
    ours_s = time.perf_counter() - began_s
    events = await journal.store.events(after=before)
    merged = sum(isinstance(event.what, ElementMerged) for event in events)
    return _Timing(ours_s, _write_raw(raw, events), merged)


async def _work(journal: Journal, seat: Aboard, numbers: Sequence[int]) -> None:
    """What a seat does while a worker streams: each element is on disk before the next one is looked at."""
    now = journal.clock.now()
    for number in numbers:
        await journal.write(plan_elements([RawElement(number, claim(seat, number))], seat, now))


def claim(seat: Aboard, number: int) -> dict[str, object]:
    """An element as a worker sends it: a claim that answers the seat's question and mostly meets another claim."""
    dice = random.Random(number)
    claims = sorted(node for node in seat.shown if node.startswith("i"))
    facts = sorted(node for node in seat.shown if node.startswith("f"))
    links = [{"type": "answers", "to": seat.question}]
    if claims:
        links.append({"type": dice.choice(("supports", "refines", "contradicts")), "to": dice.choice(claims)})
    words = " ".join(dice.choice(("cache", "queue", "deploy", "index", "lease", "disk")) for _ in range(12))
    return {
        "kind": "claim",
        "text": f"Measurement {number} of {seat.boarding} says that the {words} came first.",
        "confidence": round(dice.uniform(0.3, 0.9), 2),
        "facts": dice.sample(facts, min(2, len(facts))),
        "links": links,
    }


def _copy(path: Path, copy: Path) -> None:
    source, target = sqlite3.connect(path), sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()


def _connect(copy: Path) -> sqlite3.Connection:
    connection = connector(copy, readonly=False)()
    prepare_writer(copy)(connection)
    return connection


def _write_raw(connection: sqlite3.Connection, events: Sequence[Event]) -> float:
    """Seconds that bare sqlite3 takes for the rows of these events, one transaction an element."""
    elements: list[list[Event]] = [[]]
    for event in events:
        elements[-1].append(event)
        if isinstance(event.what, ElementMerged):
            elements.append([])
    rows = [project(element) for element in elements if element]
    began_s = time.perf_counter()
    for row in rows:
        connection.execute("BEGIN IMMEDIATE")
        row.write(connection)
        connection.execute("COMMIT")
    return time.perf_counter() - began_s
