"""What has a worker that is aboard give way to another, each trigger through a running session."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from perdura_core.clock import Ids
from perdura_core.conductor import SessionOrder
from perdura_core.config import BudgetSettings, SwapTrigger
from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    OPERATOR,
    AnswerGraded,
    BoardingOpened,
    BoardingRecord,
    Call,
    Draft,
    Edge,
    EdgeAdded,
    Interpretation,
    InterpretationAdded,
    ModelId,
)
from tests.core.conductor.conftest import Bench, bench, card
from tests.core.conductor.scripted import Script, Step, claim, delta, said

CHEAP, DEAR, OTHER = "openai:cheap", "openai:dear", "openai:other"


def _slow(call: Call) -> list[Step]:
    return [30.0]


def _claims(call: Call) -> list[Step]:
    return said(delta(claim("The cache was cold.", call.briefing.question.id)))


def _stammers(call: Call) -> list[Step]:
    wrong = [{"kind": "claim", "text": f"No {n}.", "links": [{"type": "answers", "to": "q99"}]} for n in range(3)]
    text = delta(*wrong)
    return [*said(text[: text.rindex("]")])[:-1], 30.0]


async def _until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.01)


async def _judged(at: Bench, author: ModelId, texts: Sequence[str], *, contradict: bool = False) -> None:
    """Claims of a model on q1 that come from elsewhere; opposed, or graded right by the operator."""
    now = at.yard.clock.now()

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        made = [
            Interpretation(
                id=ids.next("i"), kind="claim", text=text, domains=("law",), asserted_confidence=0.9, confidence=0.9,
                created_by=author, created_at=now,
            )
            for text in texts
        ]  # fmt: skip
        drafts = [Draft(what=InterpretationAdded(interpretation=one), by=author) for one in made]
        edges = [("answers", one.id, "q1") for one in made]
        edges += [("contradicts", made[0].id, made[1].id)] if contradict else []
        for type_, src, dst in edges:
            edge = Edge(id=ids.next("e"), type=type_, src=src, dst=dst, created_by=author, created_at=now)  # type: ignore[arg-type]
            drafts.append(Draft(what=EdgeAdded(edge=edge), by=author))
        grades = [] if contradict else [AnswerGraded(node=one.id, grade="right") for one in made]
        return [*drafts, *(Draft(what=grade, by=OPERATOR) for grade in grades)]

    await at.yard.journal.write(plan)


async def _run(
    place: Path,
    scripts: dict[ModelId, Script],
    meanwhile: Callable[[Bench, SessionOrder], object],
    on: SwapTrigger,
    **changes: object,
) -> list[BoardingRecord]:
    """One seat on one question, `meanwhile` while the first worker is aboard; the boardings in their order."""
    cards = (
        card(CHEAP, "standard"),
        card(DEAR, "frontier", usd_in=1, usd_out=5),
        card(OTHER, "standard").model_copy(update={"domains": ("law",)}),
    )
    given = {model: scripts.get(model, _claims) for model in (CHEAP, DEAR, OTHER)}
    async with bench(place, given, cards, BudgetSettings()) as at, asyncio.TaskGroup() as tasks:
        await at.ask("What broke?", domains=("law",))
        order = SessionOrder(
            seats=1, boardings=2, route="pinned", pins=(next(iter(scripts)),), swap_on=(on,), stagnation_after=2,
            budget_usd=2.0, **changes,
        )  # fmt: skip
        running = tasks.create_task(at.conductor.run(order))
        await _until(lambda: at.graph.total_boardings() == 1)
        found = meanwhile(at, order)
        if asyncio.iscoroutine(found):
            await found
        async with asyncio.timeout(20):
            report = await running
        opened = [event.what for event in await at.store.events(kinds={"boarding_opened"})]
        assert all(isinstance(what, BoardingOpened) for what in opened)
        return list(report.boardings)


async def test_contention_brings_a_frontier_model_in(place: Path) -> None:
    def dispute(at: Bench, order: SessionOrder) -> object:
        return _judged(at, "openai:elsewhere", ("It was the cache.", "It was not the cache."), contradict=True)

    first, second = await _run(place, {CHEAP: _slow}, dispute, "contention")
    assert (first.ending, second.boarding.model) == ("swapped", DEAR)
    assert second.boarding.route.policy == "contention"
    assert second.boarding.route.reason.startswith("swapped: contention 0.45 reaches 0.15")


async def test_a_specialist_that_proves_better_takes_over(place: Path) -> None:
    def prove(at: Bench, order: SessionOrder) -> object:
        return _judged(at, OTHER, [f"Clause {number} holds." for number in range(10)])

    first, second = await _run(place, {CHEAP: _slow}, prove, "specialist")
    assert (first.ending, second.boarding.model) == ("swapped", OTHER)
    assert second.boarding.route.reason.startswith("swapped: a specialist: reliability 0.9")


async def test_a_worker_whose_elements_are_all_refused_gives_way(place: Path) -> None:
    first, second = await _run(place, {CHEAP: _stammers}, lambda at, order: None, "stagnation")
    assert (first.ending, first.merged, second.ending) == ("swapped", 0, "merged")
    assert second.boarding.model != CHEAP
    assert second.boarding.route.reason == "swapped: 2 elements in a row were refused"


async def test_a_cap_that_is_lowered_below_what_is_held_brings_a_cheaper_model(place: Path) -> None:
    def lower(at: Bench, order: SessionOrder) -> object:
        return at.conductor.change(order.model_copy(update={"budget_usd": 0.001}))

    first, second = await _run(place, {DEAR: _slow}, lower, "budget")
    assert (first.ending, second.boarding.model) == ("swapped", CHEAP)
    assert second.boarding.route.reason.startswith("swapped: the session budget was lowered below what is spent")


@pytest.mark.parametrize("on", ["budget", "specialist", "stagnation"])
async def test_what_no_trigger_is_set_for_leaves_the_worker_alone(place: Path, on: SwapTrigger) -> None:
    async def dispute(at: Bench, order: SessionOrder) -> None:
        await _judged(at, "openai:elsewhere", ("It was the cache.", "It was not the cache."), contradict=True)
        await asyncio.sleep(0.1)
        at.conductor.cancel()

    [only] = await _run(place, {CHEAP: _slow}, dispute, on)
    assert only.ending == "cancelled"
