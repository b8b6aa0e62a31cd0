"""Traces and gradients pull at interpretations, and at nothing else."""

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.briefing import Reader, Trails, assemble
from perdura_core.briefing.trails import breaking, pull
from perdura_core.config import BriefingSettings
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    Briefing,
    ConfidenceRevised,
    ConfidenceVoted,
    Draft,
    Event,
    Happening,
    InterpretationAdded,
    NodeId,
    Route,
    Shown,
)
from tests.core.briefing.conftest import Page
from tests.core.graph.making import START, asked, judged, linked, recorded

READER = "reader:support"
OTHER = "reader:doubt"
QUESTION = asked("q1", "Why did the harbour crane stop on Friday?")


class Known(Trails):
    """Gradients as if an upkeep had found them."""

    def __init__(self, gradients: dict[int, float]) -> None:
        self._known = gradients

    async def gradients(self) -> dict[int, float]:
        return self._known


def stay(number: int, model: str, *nodes: NodeId) -> BoardingOpened:
    route = Route(model=model, policy="cheap", reason="cheapest")
    shown = tuple(Shown(node=node) for node in nodes)
    return BoardingOpened(
        boarding=Boarding(
            id=f"b{number}", seat=1, question="q1", model=model, route=route, shown=shown, opened_at=START
        )
    )


async def brief(page: Page, model: str = READER, gradients: dict[int, float] | None = None, nth: int = 1) -> Briefing:
    reader = Reader(model, Known(gradients or {}), (0, 1, nth))
    return await assemble(
        page.store, page.journal.graph, "q1", settings=BriefingSettings(), max_tokens=4_000, reader=reader
    )


def claims(*numbers: int, by: str = "m:a") -> list[Happening]:
    made: list[Happening] = []
    for number in numbers:
        claim = judged(f"i{number}", text=f"The harbour crane stopped for reason {number * 111}.").interpretation
        made.append(InterpretationAdded(interpretation=claim.model_copy(update={"created_by": by})))
        made.append(linked(f"e{number}", "answers", f"i{number}", "q1"))
    return made


def interpretations(briefing: Briefing) -> list[NodeId]:
    return [node.id for node in briefing.nodes if node.layer == "interpretation"]


async def test_a_high_gradient_comes_before_a_low_one(page: Page) -> None:
    await page.write(QUESTION, *claims(1, 2, 3))
    order = interpretations(await brief(page, gradients={1: 0.1, 2: 0.9, 3: 0.5}, nth=3))
    assert [node for node in order if node in ("i1", "i2", "i3")] == ["i2", "i3", "i1"]


async def test_what_one_model_was_shown_and_never_cited_sinks_for_it_alone(page: Page) -> None:
    await page.write(QUESTION, *claims(1, 2))
    await page.write(*(stay(number, READER, "i1") for number in range(1, 4)))
    assert interpretations(await brief(page, READER))[0] == "i2"
    trail = await page.store.shown_to(READER), await page.store.shown_to(OTHER)
    assert trail == ({"i1": 3}, {})


def graph_of(*happenings: Happening) -> Graph:
    graph = Graph()
    graph.apply([Event(seq=n, at=START + timedelta(seconds=n), by="x", what=w) for n, w in enumerate(happenings, 1)])
    return graph


def test_the_first_trace_that_holds_counts() -> None:
    graph = graph_of(QUESTION, *claims(1, by=READER), *claims(2, 3, 4, by="m:a"), recorded("f1", "A fact."))
    shown = {"i1": 9, "i3": 3, "i4": 2}
    found = pull(graph, READER, ["q1", "f1", "i1", "i2", "i3", "i4"], shown, {4: 0.58})
    assert found == pytest.approx({"i1": 0.85, "i2": 1.10, "i3": 0.5, "i4": 1.04})


def test_what_a_model_cited_is_not_burned() -> None:
    cited = linked("e9", "supports", "i2", "i1", boarding="b7")
    graph = graph_of(QUESTION, *claims(1, by="m:a"), *claims(2, by=READER), cited)
    assert pull(graph, READER, ["i1"], {"i1": 5}, {}) == {"i1": 1.0}


@given(st.dictionaries(st.integers(1, 30), st.floats(0, 1), min_size=4), st.integers(0, 500))
def test_the_same_lot_falls_on_the_same_low_one(gradients: dict[int, float], nth: int) -> None:
    candidates = [f"i{number}" for number in gradients]
    choice = breaking(candidates, gradients, (0, 1, nth))
    assert choice == breaking(candidates, gradients, (0, 1, nth))
    if choice is not None:
        assert gradients[int(choice[1:])] <= np.quantile(list(gradients.values()), 0.25)


def test_one_boarding_in_ten_gives_a_slot_by_lot() -> None:
    gradients = {number: number / 40 for number in range(1, 41)}
    drawn = [breaking([f"i{n}" for n in gradients], gradients, (0, 1, nth)) for nth in range(2_000)]
    assert 0.08 < sum(one is not None for one in drawn) / len(drawn) < 0.12
    assert breaking(["i1"], {}, (0, 1, 1)) is None


async def test_what_is_drawn_by_lot_is_shown_and_told(page: Page) -> None:
    await page.write(QUESTION, *claims(*range(1, 9)))
    gradients = {number: number / 10 for number in range(1, 9)}
    told = {nth: await brief(page, gradients=gradients, nth=nth) for nth in range(1, 40)}
    by_lot = {nth: briefing.breaking for nth, briefing in told.items() if briefing.breaking is not None}
    assert by_lot
    assert all(interpretations(told[nth])[0] == node for nth, node in by_lot.items())
    assert set(by_lot.values()) <= {"i1", "i2"}


async def test_the_order_of_facts_hangs_on_no_interpretation(page: Page) -> None:
    facts = [recorded(f"f{n}", f"The harbour crane stopped, said log line {n * 37} of {n % 3}.") for n in range(1, 13)]
    resting = [judged("i1", text="The harbour crane stopped for no reason.", facts=["f9", "f11"])]
    await page.write(QUESTION, *facts, *resting, *claims(2, 3), linked("e9", "supports", "f5", "i2"))

    async def order(**more: object) -> list[NodeId]:
        briefing = await brief(page, **more)  # type: ignore[arg-type]
        return [node.id for node in briefing.nodes if node.layer == "fact"]

    before = await order()
    assert len(before) == 12
    await page.write(
        ConfidenceVoted(node="i1", confidence=0.01),
        ConfidenceRevised(node="i1", before=0.5, after=0.02, reason="test"),
        ConfidenceRevised(node="i2", before=0.5, after=0.99, reason="test"),
        *(stay(number, READER, "i1", "i2", "i3") for number in range(1, 5)),
    )
    assert await order() == before
    assert await order(gradients={1: 0.0, 2: 1.0, 3: 0.5}) == before
    assert await order(model=OTHER) == before
    assert await order(gradients={1: 0.0, 2: 1.0, 3: 0.5}, nth=7) == before


async def test_gradients_are_those_of_the_last_upkeep(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        await mind.ask("Why did the harbour crane stop?")
        told = [Draft(what=what, by="m:a") for what in claims(1, 2, 3)]
        await mind.journal.append(told)
        trails = Trails(mind.store)
        assert await trails.gradients() == {}
        await mind.keep_up(mind.clock.now() + timedelta(days=2))
        found = await trails.gradients()
        assert found.keys() == {1, 2, 3}
        assert all(0 <= value <= 1 for value in found.values())
