"""Acts of the operator on a real mind: what they change, what the journal tells, and that undoing restores."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from perdura_core import acts
from perdura_core.acts import Act
from perdura_core.clock import Ids
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    INGEST,
    Draft,
    Edge,
    EdgeAdded,
    EdgeType,
    Fact,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    NodeSuperseded,
    Occurrence,
    Terms,
)

MODEL = "anthropic:claude-haiku-5-5"


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncIterator[Mind]:
    """q1 with two claims that contradict each other (i1, i2) and a third that supports the first (i3)."""
    async with Mind.open(tmp_path / "dispute.mind") as opened:
        await opened.ask("When did the deploy start?", domains=["storage"])

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            now = opened.clock.now()
            claims = [
                Interpretation(
                    id=ids.next("i"),
                    kind="claim",
                    text=text,
                    domains=("storage",),
                    asserted_confidence=0.7,
                    confidence=0.7,
                    created_by=MODEL,
                    created_at=now,
                )
                for text in ("It started at 09:58.", "It started at 10:41.", "The log says 09:58.")
            ]
            links: list[tuple[EdgeType, str, str]] = [
                ("answers", "i1", "q1"),
                ("answers", "i2", "q1"),
                ("contradicts", "i1", "i2"),
                ("supports", "i3", "i1"),
                ("supports", "f1", "i2"),
            ]
            edges = [
                Edge(id=ids.next("e"), type=kind, src=src, dst=dst, created_by=MODEL, created_at=now)
                for kind, src, dst in links
            ]
            return [
                Draft(what=FactRecorded(fact=fact(ids.next("f"))), by=INGEST),
                *(Draft(what=InterpretationAdded(interpretation=claim), by=MODEL) for claim in claims),
                *(Draft(what=EdgeAdded(edge=edge), by=MODEL) for edge in edges),
            ]

        await opened.journal.write(plan)
        yield opened


async def state(mind: Mind) -> object:
    """What stands: live nodes with confidence, open questions with pins, edges between live nodes, contention."""
    graph = mind.graph
    live = {
        vertex.id: round(vertex.confidence, 6)
        for vertex in graph.vertices()
        if vertex.is_live and (vertex.layer != "question" or vertex.question_status == "open")
    }
    edges = {(edge.type, edge.src, edge.dst, edge.created_by) for edge in await mind.store.edges()}
    pins = {vertex.id for vertex in graph.open_questions() if vertex.pinned}
    off = {card.id for card in mind.registry.cards if mind.registry.why_not(card.id, mind.clock.now())}
    return live, {edge for edge in edges if edge[1] in live and edge[2] in live}, pins, off, graph.contention_all()


def claim(id_: str) -> Interpretation:
    text = {"i1": "It started at 09:58.", "i3": "The log says 09:58."}[id_]
    common = {"domains": ("storage",), "created_by": MODEL, "created_at": datetime(2026, 3, 1, tzinfo=UTC)}
    return Interpretation(id=id_, kind="claim", text=text, asserted_confidence=0.7, confidence=0.7, **common)


def fact(id_: str) -> Fact:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    seen = (Occurrence(source="log.txt#L3", recorded_at=at, recorded_by=INGEST),)
    return Fact(id=id_, text="The deploy was careless.", occurrences=seen, created_by=INGEST, created_at=at)


ACTS: list[Callable[[Mind], Act]] = [
    lambda mind: acts.prefer("i1", "i2"),
    lambda mind: acts.prefer("i2", "i1"),
    lambda mind: acts.stand_both("i1", "i2", "The first in Berlin time, the second in UTC.", mind.clock.now()),
    lambda mind: acts.merge_as_same("i2", "i1", mind.clock.now()),
    lambda mind: acts.move(claim("i3"), "fact", mind.clock.now()),
    lambda mind: acts.move(claim("i1"), "fact", mind.clock.now()),
    lambda mind: acts.move(fact("f1"), "interpretation", mind.clock.now()),
    lambda mind: acts.resolve("q1", "i1"),
    lambda mind: acts.pin("q1", True),
    lambda mind: acts.supersede("i3", "i1", "said already"),
    lambda mind: acts.disable("reader:doubt", "too eager"),
    lambda mind: acts.ask("Who deployed?", [], "low", mind.clock.now()),
]


@pytest.mark.parametrize("make", ACTS)
async def test_an_act_is_told_changes_something_and_can_be_undone(mind: Mind, make: Callable[[Mind], Act]) -> None:
    before = await state(mind)
    act = make(mind)
    told = (await mind.act(act))[0]
    assert (told.kind, told.by) == ("operator_acted", "operator")
    assert await state(mind) != before
    assert await mind.undo() == act.title
    assert await state(mind) == before
    events = await mind.store.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_undoing_goes_back_act_by_act_and_says_when_nothing_is_left(mind: Mind) -> None:
    first = await state(mind)
    await mind.act(acts.pin("q1", True))
    second = await state(mind)
    await mind.act(acts.prefer("i1", "i2"))
    await mind.undo()
    assert await state(mind) == second
    await mind.undo()
    assert await state(mind) == first
    await mind.undo()  # the asking of q1, before the claims came
    with pytest.raises(InputError, match="nothing to undo"):
        await mind.undo()


async def test_preferring_settles_the_dispute_and_the_records_say_so(mind: Mind) -> None:
    assert mind.graph.disputes("q1") == [("i1", "i2")]
    await mind.act(acts.prefer("i1", "i2"))
    assert mind.graph.disputes("q1") == []
    [record] = await mind.tracks()
    assert (record.model, record.outcomes) == (MODEL, 2)


async def test_both_stand_keeps_both_and_a_claim_says_in_which_scope(mind: Mind) -> None:
    await mind.act(acts.stand_both("i1", "i2", "The first in Berlin time, the second in UTC.", mind.clock.now()))
    assert mind.graph.disputes("q1") == []
    assert all(vertex.is_live for vertex in mind.graph.vertices("interpretation"))
    [scope] = [each for each in await mind.store.interpretations() if each.created_by == "operator"]
    links = {(link.type, link.dst) for link in mind.graph.links(scope.id)}
    assert links == {("refines", "i1"), ("refines", "i2"), ("answers", "q1")}
    with pytest.raises(InputError, match="scope"):
        acts.stand_both("i1", "i2", "  ", mind.clock.now())


async def test_merging_as_the_same_hands_the_links_over_with_their_authors(mind: Mind) -> None:
    await mind.act(acts.merge_as_same("i2", "i1", mind.clock.now()))
    links = {(link.type, link.src, link.created_by) for link in mind.graph.links("i2") if link.dst == "i2"}
    assert ("supports", "i3", MODEL) in links
    assert mind.graph.disputes() == []


async def test_what_no_longer_stands_cannot_be_acted_on(mind: Mind) -> None:
    await mind.act(acts.prefer("i1", "i2"))
    for act in (acts.prefer("i2", "i3"), acts.merge_as_same("i2", "i3", mind.clock.now())):
        with pytest.raises(InputError, match="gave way"):
            await mind.act(act)
    with pytest.raises(InputError, match="is a question"):
        await mind.act(acts.prefer("q1", "i3"))


async def test_a_redaction_cannot_be_undone(mind: Mind) -> None:
    await mind.redact("i3")
    with pytest.raises(InputError, match="can't be undone"):
        await mind.undo()


async def test_a_changed_card_is_told_and_can_be_undone(mind: Mind) -> None:
    before = Terms.of(mind.registry.card("reader:doubt"))
    await mind.change("reader:doubt", before.model_copy(update={"tier": "standard", "domains": ("storage",)}))
    assert mind.registry.card("reader:doubt").tier == "standard"
    with pytest.raises(InputError, match="nothing to change"):
        await mind.change("reader:doubt", Terms.of(mind.registry.card("reader:doubt")))
    assert await mind.undo() == "change tier and domains of reader:doubt"
    assert Terms.of(mind.registry.card("reader:doubt")) == before


async def test_a_claim_moved_to_the_facts_keeps_what_facts_may_have(mind: Mind) -> None:
    told = await mind.journal.write(acts.acted(acts.move(claim("i3"), "fact", mind.clock.now())))
    [recorded] = [event.what for event in told if isinstance(event.what, FactRecorded)]
    assert recorded.placed is not None
    assert (recorded.placed.tier, recorded.placed.moved_from, recorded.placed.confidence) == ("operator", "i3", 0.7)
    assert (recorded.fact.created_by, recorded.fact.entities) == (MODEL, ("log",))
    links = {(link.type, link.src, link.dst) for link in mind.graph.links(recorded.fact.id)}
    assert links == {("supports", recorded.fact.id, "i1")}
    [gone] = [event.what for event in told if isinstance(event.what, NodeSuperseded)]
    assert (gone.node, gone.superseded_by) == ("i3", recorded.fact.id)


async def test_a_claim_moved_to_the_facts_leaves_its_disputes(mind: Mind) -> None:
    await mind.journal.write(acts.acted(acts.move(claim("i1"), "fact", mind.clock.now())))
    assert mind.graph.disputes() == []
    [answer] = [link for link in mind.graph.links("q1") if link.src[0] == "f"]
    assert answer.type == "answers"


async def test_words_that_stand_in_the_other_layer_are_met_there(mind: Mind) -> None:
    await mind.journal.write(acts.acted(acts.move(claim("i3"), "fact", mind.clock.now())))
    stood = mind.graph.count("fact")
    again = claim("i3").model_copy(update={"id": "i4"})
    await mind.journal.write(lambda graph, ids: [Draft(what=InterpretationAdded(interpretation=again), by=MODEL)])
    await mind.journal.write(acts.acted(acts.move(again, "fact", mind.clock.now())))
    assert mind.graph.count("fact") == stood


async def test_only_what_is_in_the_other_layer_moves(mind: Mind) -> None:
    with pytest.raises(InputError, match="i1 is an interpretation already"):
        acts.move(claim("i1"), "interpretation", mind.clock.now())
    [question] = await mind.store.questions()
    with pytest.raises(InputError, match="only facts and interpretations"):
        acts.move(question, "fact", mind.clock.now())
    await mind.journal.write(acts.acted(acts.move(claim("i3"), "fact", mind.clock.now())))
    with pytest.raises(InputError, match="i3 gave way to"):
        await mind.journal.write(acts.acted(acts.move(claim("i3"), "fact", mind.clock.now())))
