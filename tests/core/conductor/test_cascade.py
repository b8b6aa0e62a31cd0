"""The cascade policy in a running session: cheap models first, dearer ones until an answer is believed."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from perdura_core.clock import Ids
from perdura_core.conductor import SessionOrder
from perdura_core.graph import Graph
from perdura_core.vocabulary import OPERATOR, AnswerGraded, Call, Draft
from tests.core.conductor.conftest import Bench, bench, card
from tests.core.conductor.scripted import Step, claim, delta, said

CHEAP, MIDDLE, DEAR = "openai:cheap", "openai:middle", "openai:dear"


def _says(text: str) -> Callable[[Call], Sequence[Step]]:
    return lambda call: said(delta(claim(text, call.briefing.question.id)))


async def _graded_right(at: Bench, node: str) -> None:
    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        return [Draft(what=AnswerGraded(node=node, grade="right"), by=OPERATOR)]

    await at.yard.journal.write(plan)


@pytest.mark.timeout(60)
async def test_dearer_models_board_until_one_is_believed(place: Path) -> None:
    cards = (card(DEAR, usd_in=9, usd_out=9), card(MIDDLE, usd_in=3, usd_out=3), card(CHEAP, usd_in=1, usd_out=1))
    scripts = {CHEAP: _says("The cache was cold."), MIDDLE: _says("The disk was full."), DEAR: _says("A key expired.")}
    async with bench(place, scripts, cards) as b:
        await b.ask("What caused the outage?")
        order = SessionOrder(seats=1, boardings=2, route="cascade", audit_every=0, cascade_stop=0.6)
        report = await b.conductor.run(order)
        assert [one.boarding.model for one in report.boardings] == [CHEAP, MIDDLE]
        assert "no answer" not in report.boardings[1].boarding.route.reason
        assert report.boardings[1].boarding.route.policy == "cascade"
        await _graded_right(b, "i1")
        report = await b.conductor.run(order)
        assert {one.boarding.model for one in report.boardings} == {CHEAP}, "whose record is good enough now"
