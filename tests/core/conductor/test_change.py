"""Other seats, another policy and another budget for a session that runs."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from perdura_core.conductor import SessionOrder
from perdura_core.config import BudgetSettings
from perdura_core.errors import InputError
from perdura_core.routing import Purse
from perdura_core.vocabulary import Call, SessionChanged
from tests.core.conductor.conftest import Bench, bench, card
from tests.core.conductor.scripted import Step, claim, delta, said

CHEAP, DEAR = "openai:cheap", "openai:dear"


def _claims(call: Call) -> list[Step]:
    return [0.02, *said(delta(claim("The cache was cold.", call.briefing.question.id)))]


def _slow(call: Call) -> list[Step]:
    return [30.0]


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


async def _questions(at: Bench, count: int) -> None:
    for number in range(count):
        await at.ask(f"Question {number}?")


async def test_seats_come_and_go_and_the_journal_tells_it(place: Path) -> None:
    async with bench(place, {CHEAP: _slow}) as at, asyncio.TaskGroup() as tasks:
        await _questions(at, 4)
        order = SessionOrder(seats=1)
        running = tasks.create_task(at.conductor.run(order))
        await _until(lambda: at.conductor.busy_seats == (1,))
        await at.conductor.change(order.model_copy(update={"seats": 3}))
        await _until(lambda: at.conductor.busy_seats == (1, 2, 3))
        await at.conductor.change(order)
        assert at.conductor.busy_seats == (1, 2, 3), "a seat that goes ends its boarding first"
        at.conductor.cancel()
        async with asyncio.timeout(20):
            report = await running
        assert [record.ending for record in report.boardings] == ["cancelled"] * 3
        told = await at.store.events(kinds={"session_changed"})
        assert [event.what.seats for event in told if isinstance(event.what, SessionChanged)] == [3, 1]


async def test_an_empty_seat_that_is_taken_away_never_boards_again(place: Path) -> None:
    async with bench(place, {CHEAP: _claims}) as at, asyncio.TaskGroup() as tasks:
        await _questions(at, 4)
        order = SessionOrder(seats=3)
        at.conductor.pause()
        running = tasks.create_task(at.conductor.run(order))
        await _until(lambda: at.conductor.is_running)
        await at.conductor.change(order.model_copy(update={"seats": 1}))
        at.conductor.resume()
        await _until(lambda: at.graph.total_boardings() >= 4)
        at.conductor.cancel()
        async with asyncio.timeout(20):
            report = await running
        assert {record.boarding.seat for record in report.boardings} == {1}


async def test_a_seat_that_is_wanted_again_stays(place: Path) -> None:
    async with bench(place, {CHEAP: _slow}) as at, asyncio.TaskGroup() as tasks:
        await _questions(at, 3)
        order = SessionOrder(seats=2)
        running = tasks.create_task(at.conductor.run(order))
        await _until(lambda: at.conductor.busy_seats == (1, 2))
        at.conductor.resize(1)
        at.conductor.resize(2)
        at.conductor.swap(2, None)
        await _until(lambda: at.graph.total_boardings() >= 3)
        assert at.conductor.busy_seats == (1, 2)
        at.conductor.cancel()
        async with asyncio.timeout(20):
            await running


async def test_a_higher_budget_lets_a_model_board_and_a_lower_one_keeps_it_off(place: Path) -> None:
    dear = card(DEAR, "frontier", usd_in=10, usd_out=50)
    async with bench(place, {DEAR: _claims}, (dear,)) as at, asyncio.TaskGroup() as tasks:
        await _questions(at, 2)
        order = SessionOrder(seats=1, budget_usd=0.0)
        running = tasks.create_task(at.conductor.run(order))
        await asyncio.sleep(0.3)
        assert at.graph.total_boardings() == 0
        await at.conductor.change(order.model_copy(update={"budget_usd": 5.0, "route": "round_robin"}))
        await _until(lambda: at.graph.total_boardings() >= 2)
        assert at.conductor.charged_micro_usd > 0
        await at.conductor.change(order.model_copy(update={"budget_usd": 0.0}))
        await _until(lambda: not at.graph.open_boardings())
        after = at.graph.total_boardings()
        await asyncio.sleep(0.3)
        assert at.graph.total_boardings() == after
        at.conductor.finish()
        async with asyncio.timeout(20):
            report = await running
        policies = {record.boarding.route.policy for record in report.boardings}
        assert policies == {"round_robin"}
        again = Purse(BudgetSettings())
        again.apply(await at.store.events())
        assert again.left(session=report.session, day=at.yard.clock.now().date()) == 0, "the cap comes from the journal"


async def test_what_changes_nothing_for_others_is_not_told(place: Path) -> None:
    async with bench(place, {CHEAP: _slow}) as at, asyncio.TaskGroup() as tasks:
        await _questions(at, 1)
        order = SessionOrder(seats=1)
        await at.conductor.change(order)  # without a session there is nothing to change
        running = tasks.create_task(at.conductor.run(order))
        await _until(lambda: at.conductor.busy_seats == (1,))
        await at.conductor.change(order.model_copy(update={"audit_every": 1}))
        assert at.conductor.order is not None
        assert at.conductor.order.audit_every == 1
        with pytest.raises(InputError):
            await at.conductor.change(order.model_copy(update={"pins": ("nobody:at-all",)}))
        assert await at.store.events(kinds={"session_changed"}) == []
        at.conductor.cancel()
        async with asyncio.timeout(20):
            await running


async def test_the_outlook_is_what_the_router_will_be_told(place: Path) -> None:
    dear = card(DEAR, "frontier", usd_in=10, usd_out=50)
    async with bench(place, {CHEAP: _claims, DEAR: _claims}, (dear,), BudgetSettings(session_usd=0.0)) as at:
        await _questions(at, 1)
        order = SessionOrder(periodic_k=2, seed=5)
        state = at.conductor.outlook("q1", order, (CHEAP,))
        assert (state.turn, state.periodic_k, state.session_models) == (2, 2, (CHEAP,))
        assert DEAR not in state.why_not, "the cap of the session is for the order to say"
        assert state.seed == "5:"
        assert (at.conductor.opened, at.conductor.charged_micro_usd) == (0, 0)
