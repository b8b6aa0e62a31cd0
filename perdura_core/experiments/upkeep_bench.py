"""How long the daily upkeep takes, how much memory it needs, and how long a merge waits meanwhile."""

import asyncio
import gc
import resource
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from perdura_core.clock import Clock
from perdura_core.delta import Aboard, RawElement, plan_elements
from perdura_core.experiments.aged import fill_aged
from perdura_core.experiments.merge_bench import board, claim
from perdura_core.store import Journal, open_sqlite
from perdura_core.upkeep import Upkeep
from perdura_core.vocabulary import RunReport

__all__ = ["bench_upkeep"]

_EDGES_PER_INTERPRETATION = 4
_CHANGED_PART = 100
"""One in so many interpretations is new on the second day."""
_PAUSE_S = 0.02
"""Between two merges of a seat, as when a worker streams."""


_SEAT_NUMBERS = 100_000
"""So that no two claims say the same."""


class _Timing(NamedTuple):
    report: RunReport
    seconds: float
    cpu_s: float
    """Of the processes that worked it out."""
    waits_s: list[float]


async def bench_upkeep(path: Path, nodes: int, rounds: int) -> dict[str, float | int]:
    """The first run, and one of the next day after a change of 1 %, in a mind of `nodes` facts and as many
    interpretations, with four times as many edges. Seats merge claims all the while; `rounds` is their number.

    A mind that stands at `path` already is used as it is.
    """
    clock = Clock()
    async with open_sqlite(path) as store:
        if await store.head() == 0:
            await fill_aged(store, nodes, nodes, nodes * _EDGES_PER_INTERPRETATION, clock.now())
        async with Journal.open(store, clock) as journal:
            gc.freeze()  # as an open mind does: a full search for garbage would walk the whole index
            seats = (await board(journal))[:rounds]
            upkeep = Upkeep(journal)
            now = clock.now() + timedelta(hours=1)
            first = await _timed(upkeep, journal, seats, now)
            await _merge_some(journal, seats[0], nodes // _CHANGED_PART)
            second = await _timed(upkeep, journal, seats, now + timedelta(days=1))
            gc.unfreeze()
    waits = sorted([*first.waits_s, *second.waits_s])
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {
        "nodes": nodes * 2,
        "first_s": round(first.seconds, 1),
        "first_cpu_s": round(first.cpu_s, 1),
        "next_day_s": round(second.seconds, 1),
        "next_day_cpu_s": round(second.cpu_s, 1),
        "changes": first.report.changes,
        "next_day_changes": second.report.changes,
        "peak_mib": round(children / (1 << 20 if sys.platform == "darwin" else 1 << 10)),
        "merges": len(waits),
        "wait_ms_median": round(waits[len(waits) // 2] * 1_000, 1),
        "wait_ms_p99": round(waits[len(waits) * 99 // 100] * 1_000, 1),
        "wait_ms_longest": round(waits[-1] * 1_000, 1),
    }


async def _timed(upkeep: Upkeep, journal: Journal, seats: Sequence[Aboard], now: datetime) -> _Timing:
    waits_s: list[float] = []
    before_s = _children_cpu_s()
    began_s = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        merging = [tasks.create_task(_merge(journal, seat, waits_s)) for seat in seats]
        report = await upkeep.run(now, {})
        seconds = time.perf_counter() - began_s
        for task in merging:
            task.cancel()
    return _Timing(report, seconds, _children_cpu_s() - before_s, waits_s)


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def _merge(journal: Journal, seat: Aboard, waits_s: list[float]) -> None:
    """What a seat does while a worker streams, until cancelled."""
    number = journal.graph.head * _SEAT_NUMBERS
    while True:
        began_s = time.perf_counter()
        await journal.write(plan_elements([RawElement(number, claim(seat, number))], seat, journal.clock.now()))
        waits_s.append(time.perf_counter() - began_s)
        number += 1
        await asyncio.sleep(_PAUSE_S)


async def _merge_some(journal: Journal, seat: Aboard, count: int) -> None:
    start = journal.graph.head * _SEAT_NUMBERS
    for number in range(start, start + count):
        await journal.write(plan_elements([RawElement(number, claim(seat, number))], seat, journal.clock.now()))
