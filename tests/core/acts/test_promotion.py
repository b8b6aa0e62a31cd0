"""Promotions: a pattern that its members support, a principle, a refusal; each can be taken back."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from perdura_core.clock import Ids
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    CONDUCTOR,
    Draft,
    Fact,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    Occurrence,
    PromotionProposed,
)


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncIterator[Mind]:
    """i1 to i3 refer to f1; p1 would make a pattern of them, p2 a principle of i3."""
    async with Mind.open(tmp_path / "a.mind") as opened:
        now = opened.clock.now()

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            seen = Occurrence(source="a.md", recorded_at=now, recorded_by="ingest")
            fact = Fact(id=ids.next("f"), text="It rained.", occurrences=(seen,), created_by="ingest", created_at=now)
            judged = [
                Interpretation(
                    id=ids.next("i"), kind="claim", text=f"Wet {number}.", domains=("climate",), facts=(fact.id,),
                    confidence=0.8, velocity=velocity, level=level, created_by="north:a", created_at=now,
                )
                for number, velocity, level in ((1, "slow", 1), (2, "slow", 1), (3, "fast", 2))
            ]  # fmt: skip
            pattern = PromotionProposed(
                proposal=ids.next("p"), level=2, members=("i1", "i2"), text="2 instances agree: Wet 1.",
                domains=("climate",), confidence=0.8, why="they agree",
            )  # fmt: skip
            principle = PromotionProposed(
                proposal=ids.next("p"), level=3, members=("i3",), text="Wet 3.", confidence=0.8, why="it lasts"
            )
            return [
                Draft(what=FactRecorded(fact=fact), by="ingest"),
                *(Draft(what=InterpretationAdded(interpretation=one), by="north:a") for one in judged),
                Draft(what=pattern, by=CONDUCTOR),
                Draft(what=principle, by=CONDUCTOR),
            ]

        await opened.journal.write(plan)
        yield opened


async def test_a_pattern_is_drawn_up_that_its_members_support(mind: Mind) -> None:
    await mind.promote("p1", "Rain wets.")
    pattern = (await mind.store.nodes(["i4"]))["i4"]
    assert isinstance(pattern, Interpretation)
    assert (pattern.text, pattern.level, pattern.facts, pattern.velocity) == ("Rain wets.", 2, ("f1",), "slow")
    assert {(link.src, link.type, link.dst) for link in mind.graph.links("i4")} == {
        ("i1", "supports", "i4"), ("i2", "supports", "i4")
    }  # fmt: skip
    assert [one.proposal for one in await mind.memory.promotions()] == ["p2"]
    with pytest.raises(InputError, match="p1"):
        await mind.promote("p1")


async def test_a_pattern_becomes_a_principle_and_back(mind: Mind) -> None:
    await mind.promote("p2")
    vertex = mind.graph.get("i3")
    assert vertex is not None
    assert vertex.level == 3
    assert await mind.undo() == "accept p2"
    assert vertex.level == 2
    node = (await mind.store.nodes(["i3"]))["i3"]
    assert isinstance(node, Interpretation)
    assert node.level == 2
    assert [one.members for one in await mind.memory.promotions()] == [("i1", "i2"), ("i3",)]


async def test_taking_an_acceptance_back_lets_the_promotion_wait_again(mind: Mind) -> None:
    await mind.promote("p1")
    await mind.undo()
    vertex = mind.graph.get("i4")
    assert vertex is not None
    assert vertex.status == "deleted"
    assert not mind.graph.links("i4")
    assert [one.level for one in await mind.memory.promotions()] == [3, 2]


async def test_a_refused_promotion_waits_no_more(mind: Mind) -> None:
    await mind.refuse_promotion("p1", "too thin")
    assert [one.proposal for one in await mind.memory.promotions()] == ["p2"]
    await mind.undo()
    assert [one.level for one in await mind.memory.promotions()] == [3, 2]
