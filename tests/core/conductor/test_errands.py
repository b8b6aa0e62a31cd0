"""Boardings that the operator sends for: first in line, also while paused, and apart from whoever is to be judged."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from perdura_core.conductor import Errand, SessionOrder, SessionReport
from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.vocabulary import OPERATOR, Call, Draft, QuestionResolved
from tests.core.conductor.conftest import Bench, bench
from tests.core.conductor.scripted import Step, claim, delta, said

A, B = "openai:alpha", "openai:beta"


def one(call: Call) -> list[Step]:
    return said(delta(claim(f"A claim in {call.briefing.mode} mode.", call.briefing.question.id)))


@asynccontextmanager
async def session(at: Bench, order: SessionOrder) -> AsyncIterator[list[SessionReport]]:
    """A session that is finished at the end of the block; its report comes into the list."""
    reports: list[SessionReport] = []
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(at.conductor.run(order))
        yield reports
        at.conductor.finish()
        reports.append(await asyncio.wait_for(running, 20))


async def until_boarded(at: Bench, boardings: int) -> None:
    async with asyncio.timeout(10):
        while at.graph.total_boardings() < boardings or at.graph.open_boardings():
            await asyncio.sleep(0.005)


async def test_an_errand_comes_aboard_while_paused_and_nothing_else_does(place: Path) -> None:
    async with bench(place, {A: one}) as at:
        await at.ask("What caused the outage?")
        await at.ask("Which region failed first?")
        at.conductor.pause()
        async with session(at, SessionOrder(seats=2)) as reports:
            await asyncio.sleep(0.05)
            assert at.graph.total_boardings() == 0
            at.conductor.send(Errand("q2", "audit"))
            await until_boarded(at, 1)
            await asyncio.sleep(0.05)
            assert at.conductor.errands == ()
            assert at.conductor.is_paused
        [record] = reports[0].boardings
        assert (record.boarding.question, record.boarding.mode, record.ending) == ("q2", "audit", "merged")
        assert record.boarding.route.reason.startswith("sent by the operator: ")


async def test_what_was_sent_for_before_a_session_is_its_first_boarding(place: Path) -> None:
    async with bench(place, {A: one, B: one}) as at:
        await at.ask("What caused the outage?")
        await at.ask("Which region failed first?")
        at.conductor.send(Errand("q2", "organic", B))
        assert at.conductor.errands == (Errand("q2", "organic", B),)
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=2)), 20)
        first = report.boardings[0].boarding
        assert (first.question, first.model, first.route.policy) == ("q2", B, "operator")
        assert not at.conductor.errands


async def test_an_errand_waits_for_the_worker_on_its_question(place: Path) -> None:
    def slow(call: Call) -> list[Step]:
        return [0.2, *one(call)]

    async with bench(place, {A: slow}) as at:
        await at.ask("What caused the outage?")
        async with session(at, SessionOrder(seats=2)) as reports:
            while not at.conductor.busy_seats:
                await asyncio.sleep(0.005)
            at.conductor.pause()
            at.conductor.send(Errand("q1", "audit"))
            assert len(at.conductor.errands) == 1
            await until_boarded(at, 2)
        assert [record.boarding.mode for record in reports[0].boardings] == ["organic", "audit"]


async def test_the_router_leaves_out_whoever_is_judged_if_another_can_board(place: Path) -> None:
    async with bench(place, {A: one, B: one}) as at:
        await at.ask("What caused the outage?")
        at.conductor.pause()
        async with session(at, SessionOrder(seats=1)) as reports:
            for number, apart_from in enumerate(({A}, {B}, {A, B}), 1):
                at.conductor.send(Errand("q1", "audit", None, frozenset(apart_from)))
                await until_boarded(at, number)
        models = [record.boarding.model for record in reports[0].boardings]
        assert models[:2] == [B, A]
        assert len(models) == 3


async def test_a_question_that_was_settled_meanwhile_is_let_go(place: Path) -> None:
    async with bench(place, {A: one}) as at:
        await at.ask("What caused the outage?")
        at.conductor.send(Errand("q1", "audit"))
        await at.yard.journal.append([Draft(what=QuestionResolved(node="q1"), by=OPERATOR)])
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        assert report.boardings == ()
        with pytest.raises(InputError, match="q1 is not open: reopen it"):
            at.conductor.send(Errand("q1"))


async def test_what_cannot_be_sent_is_said(place: Path) -> None:
    async with bench(place, {A: one}) as at:
        await at.ask("What caused the outage?")
        with pytest.raises(UnknownNodeError):
            at.conductor.send(Errand("q9"))
        with pytest.raises(InputError, match="elsewhere:one"):
            at.conductor.send(Errand("q1", "organic", "elsewhere:one"))
        async with session(at, SessionOrder(seats=1)):
            while not at.conductor.is_running:
                await asyncio.sleep(0)
            at.conductor.finish()
            with pytest.raises(InputError, match="the session is ending"):
                at.conductor.send(Errand("q1"))
        assert at.conductor.errands == ()
