"""In which layer a worker's fact or claim is put, and what that does to what refers to it."""

import pytest

from perdura_core.delta.placing import placement, wording_of
from perdura_core.vocabulary import (
    Draft,
    EdgeAdded,
    Element,
    ElementMerged,
    ElementRejected,
    FactObserved,
    FactRecorded,
    InterpretationAdded,
    Link,
    NodeSuperseded,
)
from tests.core.delta.test_plan import link, said
from tests.core.delta.world import of, small_world

MEASURED = "The PageRank of the cache node is 0.12."
JUDGED = "So the cache is probably the root cause and should be replaced."
UNSURE = "The team plays without a plan."


def placed(element: Element, *, known: bool = False) -> tuple[str, str, bool]:
    found = placement(element, wording_of(element), known)
    assert found is not None
    return found[0], found[1].tier, found[1].is_sure


def test_the_output_of_an_analysis_is_a_fact_even_as_an_answer() -> None:
    claim = Element(kind="claim", text=MEASURED, confidence=0.8, links=(Link(type="answers", to="q1"),))
    assert placed(claim) == ("fact", "text", True)
    found = placement(claim, wording_of(claim), False)
    assert found is not None
    assert (found[1].called, found[1].confidence) == ("interpretation", 0.8)


@pytest.mark.parametrize(
    "element",
    [
        Element(kind="claim", text=MEASURED, facts=("f1",)),
        Element(kind="claim", text=MEASURED, links=(Link(type="contradicts", to="i9"),)),
        Element(kind="claim", text="The outage began at 14:02.", links=(Link(type="answers", to="q1"),)),
    ],
)
def test_what_takes_a_stand_stays_a_judgement_whatever_its_words(element: Element) -> None:
    assert placed(element)[:2] == ("interpretation", "source")


def test_a_fact_that_judges_is_an_interpretation() -> None:
    assert placed(Element(kind="fact", text=JUDGED)) == ("interpretation", "text", True)


def test_words_that_the_mind_holds_as_a_fact_are_that_fact() -> None:
    assert placed(Element(kind="fact", text=JUDGED), known=True) == ("fact", "source", True)


@pytest.mark.parametrize("kind", ["decision", "rejected", "question", "link"])
def test_other_kinds_are_what_they_are(kind: str) -> None:
    assert placement(Element(kind=kind, text=MEASURED), None, False) is None


def test_what_neither_tier_decides_stays_what_it_was_called() -> None:
    facts = placed(Element(kind="fact", text=UNSURE)), placed(Element(kind="claim", text=UNSURE))
    assert {layer for layer, _tier, _sure in facts} == {"fact", "interpretation"}
    assert not all(sure for _layer, _tier, sure in facts)


def test_a_moved_claim_loses_its_confidence_and_the_event_keeps_it() -> None:
    world = small_world()
    told = world.say(world.board(), said(MEASURED, link("answers", "q1"), ref="a", confidence=0.7))
    [fact] = of(told, FactRecorded)
    assert fact.placed is not None
    assert (fact.placed.tier, fact.placed.called, fact.placed.confidence) == ("text", "interpretation", 0.7)
    [edge] = [what.edge for what in of(told, EdgeAdded)]
    assert (edge.type, edge.src, edge.dst) == ("answers", fact.fact.id, "q1")
    [merged] = of(told, ElementMerged)
    assert (merged.element, merged.node) == ("claim", fact.fact.id)
    assert merged.note is not None
    assert "put in the layer of facts" in merged.note


def test_who_rests_on_a_fact_that_is_a_judgement_depends_on_it() -> None:
    world = small_world()
    told = world.say(
        world.board(), said(JUDGED, kind="fact", ref="b"), said("It may rain.", kind="claim", ref="c", facts=["b"])
    )
    judged, resting = [what.interpretation for what in of(told, InterpretationAdded)]
    assert judged.text == JUDGED
    assert resting.facts == ()
    [edge] = [what.edge for what in of(told, EdgeAdded)]
    assert (edge.type, edge.src, edge.dst) == ("depends_on", resting.id, judged.id)


def test_later_elements_that_lean_on_a_moved_one_still_merge() -> None:
    world = small_world()
    aboard = world.board()
    world.say(aboard, said(MEASURED, ref="a"))
    told = world.say(aboard, said("A log line said so.", link("supports", "a"), kind="fact", ref="b"))
    assert not of(told, ElementRejected) + of(told, EdgeAdded)
    [merged] = of(told, ElementMerged)
    assert merged.note is not None
    assert "without supports a" in merged.note


@pytest.mark.parametrize(
    "again",
    [
        "carbon  dioxide TRAPS heat",
        "“Carbon dioxide traps heat.”",
        "Carbon dioxide traps heat!",
        "Carbon dioxide\ntraps heat.",
    ],
)
def test_trivial_rewording_is_the_same_fact(again: str) -> None:
    world = small_world()
    told = world.say(world.board(), said(again, kind="fact", source="b.md#L9"))
    [seen] = of(told, FactObserved)
    assert seen.node == "f2"


def test_a_fact_that_gave_way_and_is_seen_again_is_still_one_fact() -> None:
    world = small_world()
    world.note([Draft(what=NodeSuperseded(node="f2", superseded_by="f3"), by="operator")])
    aboard = world.board()
    told = world.say(
        aboard,
        said("Carbon dioxide traps heat.", link("supports", "i1"), kind="fact", source="b.md#L9", ref="a"),
        said("It may be getting warmer.", kind="claim", facts=["a"]),
    )
    assert [seen.node for seen in of(told, FactObserved)] == ["f2"]
    assert not of(told, FactRecorded) + of(told, EdgeAdded)
    assert [refused.reason for refused in of(told, ElementRejected)] == ["not_live"]


def test_a_measurement_said_again_as_a_claim_is_the_fact_seen_again() -> None:
    world = small_world()
    aboard = world.board()
    world.say(aboard, said(MEASURED, kind="fact", source="a.md#L1"))
    told = world.say(aboard, said(MEASURED.upper(), source="b.md#L9"))
    assert [type(event.what) for event in told] == [FactObserved, ElementMerged]
