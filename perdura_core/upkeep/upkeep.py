"""The daily run: asks for each step to be worked out and writes what comes of it, a step a transaction."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import NamedTuple

from perdura_core.clock import Ids
from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.errors import InputError, UpkeepBusyError
from perdura_core.graph import Graph
from perdura_core.store import Journal, Kept, StepRow
from perdura_core.store.tables import Reliability
from perdura_core.upkeep.order import STEPS, UPKEEP_LEASE, Order, Outcome, UpkeepProgress
from perdura_core.upkeep.planning import changes_of, plans_of, touched_by
from perdura_core.upkeep.process import work_apart
from perdura_core.vocabulary import Draft, NodeId, RunReport, StepName, StepReport

__all__ = ["Upkeep", "Work"]

Work = Callable[[Order], AsyncGenerator[StepName | Outcome, None]]
"""Who works a run out: see `work_apart`."""

_RUNS_KEPT = 400
_BEAT_S = 20.0
_MOMENT_S = 0.002
_REST_S = 0.001


class _Run(NamedTuple):
    number: int
    now: datetime
    done: tuple[StepReport, ...]
    """By an earlier process that was cut short."""


class Upkeep:
    """Keeps a mind's memory honest. One run at a time, in one process at a time.

    What a run writes depends on the mind and its `now` alone. A step is one transaction with its row in the table of
    runs, unless it changes more than a few hundred things: then it is written in portions, the row with the last one,
    so that merges get in between. A run that was cut short goes on with the first step without a row; what a portion
    had written already, it finds unchanged. A day on which nobody was there needs no run of its own: confidences
    come out the same, and forgetting lets go of nothing that had not been in shadow before somebody's eyes.
    """

    def __init__(self, journal: Journal, work: Work = work_apart, constants: Epistemics = DEFAULTS) -> None:
        self._journal = journal
        self._work = work
        self._constants = constants
        self._is_running = False
        self.progress: UpkeepProgress | None = None
        """Of the run under way, or of the last one here."""
        self.fault: str | None = None
        """One sentence on what ended the last run that was started because it was due; None when all went well."""

    async def last(self) -> RunReport | None:
        """The newest run, finished or not."""
        runs = await self._journal.store.runs(1)
        return runs[0] if runs else None

    async def is_due(self, now: datetime, hour: int = 0) -> bool:
        """Whether no run was finished since the last time that it was this hour, in UTC.

        A mind that is younger than that has nothing to keep up yet.
        """
        since = now.replace(hour=hour, minute=0, second=0, microsecond=0)
        since -= timedelta(days=since > now)
        first = await self._journal.store.events(limit=1)
        if not first or first[0].at >= since or not self._journal.graph.count("interpretation"):
            return False
        last = await self.last()
        return last is None or not last.is_finished or last.as_of < since

    async def run(
        self,
        now: datetime,
        reliability: Reliability,
        *,
        is_dry: bool = False,
        goes_on: bool = True,
        told: Callable[[UpkeepProgress], None] = lambda progress: None,
    ) -> RunReport:
        """Do the day's work, or what is left of it after a run of the same day was cut short (if `goes_on`).

        `is_dry` works everything out and writes nothing. Raises UpkeepBusyError when another process is at it, and
        InputError for a time before the newest event.
        """
        newest = await self._journal.store.events(limit=1, newest=True)
        if newest and newest[0].at.date() > now.date():
            raise InputError(
                f"{now.isoformat()} lies before the newest event of this mind ({newest[0].at.isoformat()}): "
                "name a later time"
            )
        if is_dry:
            return await self._carry_out(_Run(await self._next_number(), now, ()), reliability, is_dry, told)
        if self._is_running or not await self._journal.store.claim(UPKEEP_LEASE):
            raise UpkeepBusyError("another process is at the upkeep of this mind: let it finish")
        self._is_running = True
        try:
            return await self._carry_out(await self._begun(now, goes_on), reliability, is_dry, told)
        finally:
            self._is_running = False
            await self._journal.store.release(UPKEEP_LEASE)

    async def _begun(self, now: datetime, goes_on: bool) -> _Run:
        last = await self.last()
        was_cut = last is not None and not last.is_finished
        if last is not None and was_cut and (last.as_of == now or (goes_on and last.as_of.date() == now.date())):
            return _Run(last.run, last.as_of, last.steps)
        return _Run(await self._next_number(), now, ())

    async def _next_number(self) -> int:
        last = await self.last()
        return 1 if last is None else last.run + 1

    async def _carry_out(
        self, run: _Run, reliability: Reliability, is_dry: bool, told: Callable[[UpkeepProgress], None]
    ) -> RunReport:
        started_at = self._journal.clock.now()
        steps = list(run.done)
        left = tuple(step for step in STEPS if step not in {each.step for each in steps})
        order = Order(self._journal.store.place, run.now, left, reliability, self._constants)

        def tell(step: StepName, state: str) -> None:
            position = STEPS.index(step)
            changes = sum(each.changes for each in steps)
            self.progress = UpkeepProgress(run.number, step, position, len(STEPS), state, changes)  # type: ignore[arg-type]
            told(self.progress)

        beat_s = self._journal.clock.monotonic_s()
        async with aclosing(self._work(order)) as heard:
            async for each in heard:
                if not isinstance(each, Outcome):
                    tell(each, "working")
                    continue
                tell(each.step, "writing")
                if not is_dry:
                    await self._write(run, each, started_at)
                    beat_s = await self._beat(beat_s)
                steps.append(_report(each))
        tell(STEPS[-1], "done")
        return RunReport(
            run=run.number,
            as_of=run.now,
            started_at=started_at,
            is_finished=not is_dry,
            seconds=sum(step.seconds for step in steps),
            changes=sum(step.changes for step in steps),
            steps=tuple(steps),
        )

    async def _beat(self, last_s: float) -> float:
        """Say from time to time that this process is still at it, for those who cannot see whether it lives."""
        now_s = self._journal.clock.monotonic_s()
        if now_s - last_s < _BEAT_S:
            return last_s
        await self._journal.store.attend(UPKEEP_LEASE)
        return now_s

    async def _prepare(self, nodes: Iterable[NodeId]) -> None:
        """Let the graph get ready for what is about to change, a moment at a time and with a rest in between.

        A merge takes several turns of the event loop; without the rest each of them would wait for a moment.
        """
        graph, clock = self._journal.graph, self._journal.clock
        until_s = clock.monotonic_s() + _MOMENT_S
        for node in nodes:
            if graph.get(node) is not None:
                graph.prepare(node)
            if clock.monotonic_s() > until_s:
                await asyncio.sleep(_REST_S)
                until_s = clock.monotonic_s() + _MOMENT_S

    async def _write(self, run: _Run, outcome: Outcome, started_at: datetime) -> None:
        """Write what came of a step: in portions, with the step's row in the last one."""
        await self._prepare(touched_by(outcome))
        plans = plans_of(outcome, run.now)
        for plan in plans[:-1]:
            await self._journal.write(plan)
        step = StepRow(
            run=run.number,
            position=STEPS.index(outcome.step),
            step=outcome.step,
            as_of=run.now,
            started_at=started_at,
            is_due=outcome.is_due,
            seconds=outcome.seconds,
            changes=changes_of(outcome),
            counts=outcome.counts,
            is_last=outcome.step == STEPS[-1],
        )
        kept = Kept(
            step=step,
            layers=outcome.layers,
            history=outcome.history,
            forgotten_days=outcome.forgotten_days,
            revalidated=outcome.revalidated,
            runs_until=run.number - _RUNS_KEPT,
        )
        await self._journal.write(plans[-1] if plans else _nothing, kept)


def _nothing(graph: Graph, ids: Ids) -> Sequence[Draft]:
    return ()


def _report(outcome: Outcome) -> StepReport:
    return StepReport(
        step=outcome.step,
        is_due=outcome.is_due,
        seconds=outcome.seconds,
        changes=changes_of(outcome),
        counts=dict(outcome.counts),
    )
