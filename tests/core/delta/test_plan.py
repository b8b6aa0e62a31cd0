"""What becomes of elements under the present graph."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.delta import RawElement, plan_accept, plan_elements, plan_refuse
from perdura_core.errors import InputError
from perdura_core.vocabulary import (
    BoardingEnded,
    ConfidenceRevised,
    ConfidenceVoted,
    Draft,
    EdgeAdded,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    FactObserved,
    FactRecorded,
    InterpretationAdded,
    NodeSuperseded,
    ProposalSettled,
    QuestionAsked,
    QuestionResolved,
    StatusChanged,
)
from tests.core.delta.world import NOW, World, claim, endings, of, small_world


def link(type_: str, to: str) -> dict[str, str]:
    return {"type": type_, "to": to}


def said(text: str, *links: dict[str, str], kind: str = "claim", **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "text": text, "links": list(links), **fields}


def change(kind: str, origin: str, *links: dict[str, str], **fields: Any) -> dict[str, Any]:
    return {"kind": kind, "from": origin, "links": list(links), **fields}


def supersede(old: str, new: str) -> dict[str, Any]:
    return change("supersede", old, link("supersedes", new))


def resolve(question: str, *by: str) -> dict[str, Any]:
    return change("resolve", question, *(link("resolved_by", name) for name in by))


# What merges


def test_a_node_merges_with_its_links_and_its_author() -> None:
    world = small_world()
    aboard = world.board()
    events = world.say(
        aboard,
        said("Mostly people.", link("answers", "q1"), link("contradicts", "i2"), confidence=0.9, level=2, facts=["f2"]),
    )
    (added,) = of(events, InterpretationAdded)
    new = added.interpretation
    assert (new.id, new.text, new.level, new.facts) == ("i4", "Mostly people.", 2, ("f2",))
    assert (new.confidence, new.asserted_confidence, new.velocity) == (0.9, 0.9, "medium")
    assert (new.created_by, new.boarding, new.domains) == ("test:model", aboard.boarding, ("climate",))
    edges = [happened.edge for happened in of(events, EdgeAdded)]
    assert [(edge.type, edge.src, edge.dst) for edge in edges] == [("answers", "i4", "q1"), ("contradicts", "i4", "i2")]
    assert all(edge.created_by == "test:model" and edge.boarding == aboard.boarding for edge in edges)
    (merged,) = of(events, ElementMerged)
    assert (merged.node, merged.edges, merged.element, merged.index) == ("i4", ("e1", "e2"), "claim", 0)
    assert all(event.by == "test:model" and event.boarding == aboard.boarding for event in events)
    assert events[-1].what == merged


def test_confidence_that_was_not_asserted_is_unknown() -> None:
    world = small_world()
    (added,) = of(world.say(world.board(), said("Perhaps.")), InterpretationAdded)
    assert (added.interpretation.asserted_confidence, added.interpretation.confidence) == (None, 0.5)


def test_facts_and_questions_merge() -> None:
    world = small_world()
    events = world.say(
        world.board(),
        said("Ice melted.", link("supports", "i1"), kind="fact", source="b.md#L2", entities=["Ice"], confidence=0.5),
        said("Since when?", link("refines", "q1"), kind="question", domains=["Time"]),
    )
    assert endings(events) == ["merged", "merged"]
    (fact,), (question,) = of(events, FactRecorded), of(events, QuestionAsked)
    assert fact.fact.source == "b.md#L2"
    assert fact.fact.entities == ("Ice",)
    assert fact.fact.occurrences[0].recorded_by == "test:model"
    assert question.question.domains == ("time",)


def test_refs_name_earlier_later_and_each_other() -> None:
    world = small_world()
    events = world.say(
        world.board(),
        said("A.", link("contradicts", "b"), ref="a"),
        said("B.", link("contradicts", "a"), link("supports", "c"), ref="b"),
        said("C.", ref="c", facts=["d"]),
        said("D.", kind="fact", ref="d"),
        change("link", "i1", link("refines", "a")),
    )
    assert endings(events) == ["merged"] * 5
    types = [happened.edge.type for happened in of(events, EdgeAdded)]
    assert sorted(types) == ["contradicts", "refines", "supports"]  # a contradiction is one, said from both ends
    nodes = {happened.ref: happened.node for happened in of(events, ElementMerged)}
    (c,) = (new.interpretation for new in of(events, InterpretationAdded) if new.interpretation.id == nodes["c"])
    assert c.facts == (nodes["d"],)


def test_refs_hold_over_groups_of_one_boarding_only() -> None:
    world = small_world()
    first, second = world.board(), world.board()
    world.say(first, said("A.", ref="a"))
    assert endings(world.say(first, change("link", "i1", link("refines", "a")))) == ["merged"]
    assert endings(world.say(second, change("link", "i1", link("supports", "a")))) == ["unknown_id"]


def test_changes_merge() -> None:
    world = small_world()
    events = world.say(
        world.board(),
        said("People, by far.", link("answers", "q1"), ref="a"),
        supersede("i1", "a"),
        resolve("q1", "a"),
    )
    assert endings(events) == ["merged"] * 3
    assert of(events, NodeSuperseded) == [NodeSuperseded(node="i1", superseded_by="i4")]
    assert of(events, QuestionResolved) == [QuestionResolved(node="q1", resolved_by="i4")]


def test_a_resolve_without_an_answer_takes_the_only_live_one() -> None:
    world = small_world()
    aboard = world.board()
    assert endings(world.say(aboard, resolve("q2"))) == ["missing_field"]
    world.say(aboard, change("link", "i1", link("answers", "q2")), change("link", "i2", link("answers", "q1")))
    events = world.say(aboard, {**resolve("q2"), "text": "it is plain"})
    assert of(events, QuestionResolved) == [QuestionResolved(node="q2", resolved_by="i1")]
    world.say(aboard, change("link", "i1", link("answers", "q1")))
    assert endings(world.say(aboard, resolve("q1"))) == ["missing_field"]  # by which of the two?


# What is refused


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (said("New.", link("answers", "q9")), "unknown_id"),
        (said("New.", link("answers", "z")), "unknown_id"),
        (said("New.", facts=["f9"]), "unknown_id"),
        (said("New.", facts=["i1"]), "not_allowed"),
        (said("New.", link("refines", "a"), ref="a"), "self_loop"),
        (said("New.", link("answers", "q1"), link("answers", "q1")), "repeated_edge"),
        (said("New.", link("answers", "i1")), "not_allowed"),
        (said("New.", link("supports", "f1")), "not_allowed"),
        (said("New.", link("contradicts", "f1")), "not_allowed"),
        (said("New.", link("refines", "q1")), "not_allowed"),
        (said("New.", link("depends_on", "q1")), "not_allowed"),
        (said("New.", link("supports", "i1"), link("contradicts", "i9")), "unknown_id"),
        (said("New.", link("contradicts", "i1"), kind="fact"), "not_allowed"),
        (said("New.", link("refines", "i1"), kind="fact"), "not_allowed"),
        (said("New.", link("answers", "q1"), kind="question"), "not_allowed"),
        (said("New.", link("supports", "i1"), kind="question"), "not_allowed"),
        (said("is recent warming caused by people"), "repeated_node"),
        (said("Is recent warming caused by people?", kind="fact"), "repeated_node"),
        (said("Is recent warming caused by people?", kind="question"), "repeated_node"),
        (said("People cause most of the warming!"), "repeated_node"),
        (said("carbon dioxide traps heat", kind="fact"), "repeated_node"),
        (change("link", "i1", link("contradicts", "i1")), "self_loop"),
        (change("link", "f1", link("supports", "f2")), "not_allowed"),
        (change("link", "i9", link("supports", "i1")), "unknown_id"),
        (change("confidence", "f1", confidence=0.4), "not_allowed"),
        (change("confidence", "q1", confidence=0.4), "not_allowed"),
        (supersede("i1", "i1"), "self_loop"),
        (supersede("i1", "f1"), "not_allowed"),
        (supersede("q1", "i1"), "not_allowed"),
        (supersede("i1", "i99"), "unknown_id"),
        (resolve("i1", "i2"), "not_allowed"),
        (resolve("q1", "f1"), "not_allowed"),
        (resolve("q1", "q2"), "not_allowed"),
    ],
)
def test_refuses(value: dict[str, Any], reason: str) -> None:
    world = small_world()
    events = world.say(world.board(), value)
    assert endings(events) == [reason]
    assert len(events) == 1  # whole or not at all
    (rejected,) = of(events, ElementRejected)
    assert rejected.detail
    assert rejected.sent


def test_an_id_that_the_briefing_did_not_show_is_refused() -> None:
    world = small_world()
    aboard = world.board(shown=frozenset({"q1", "i1"}))
    assert endings(world.say(aboard, change("link", "i2", link("supports", "i1")))) == ["unknown_id"]


def test_a_repeated_edge_is_refused_in_either_direction_of_a_contradiction() -> None:
    world = small_world()
    aboard = world.board()
    assert endings(world.say(aboard, change("link", "i1", link("contradicts", "i2")))) == ["merged"]
    assert endings(world.say(aboard, change("link", "i2", link("contradicts", "i1")))) == ["repeated_edge"]
    assert endings(world.say(aboard, change("link", "i1", link("contradicts", "i2"), text="again"))) == [
        "repeated_edge"
    ]
    assert endings(world.say(aboard, change("link", "i2", link("supports", "i1")))) == ["merged"]
    assert endings(world.say(aboard, change("link", "i1", link("supports", "i2")))) == ["merged"]


def test_what_was_superseded_or_deleted_is_not_touched() -> None:
    world = small_world()
    aboard = world.board()
    gone = StatusChanged(node="i2", before="active", after="deleted", reason="test")
    world.note(
        [Draft(what=NodeSuperseded(node="i1", superseded_by="i3"), by="operator"), Draft(what=gone, by="operator")]
    )
    for value in (
        change("link", "i1", link("refines", "i3")),
        said("New.", link("supports", "i2")),
        supersede("i1", "i3"),
    ):
        assert endings(world.say(aboard, value)) == ["not_live"]


def test_a_supersede_cycle_is_refused() -> None:
    world = small_world()
    aboard = world.board()
    world.add(claim("i5", "Third."))
    aboard = world.board()
    assert endings(world.say(aboard, supersede("i1", "i2"), supersede("i2", "i5"))) == ["merged", "merged"]
    assert endings(world.say(aboard, supersede("i5", "i1"))) == ["supersede_cycle"]


def test_a_ref_is_taken_once() -> None:
    world = small_world()
    aboard = world.board()
    assert endings(world.say(aboard, said("A.", ref="a"), said("B.", ref="a"))) == ["merged", "ref_taken"]
    assert endings(world.say(aboard, said("C.", ref="a"))) == ["ref_taken"]
    assert endings(world.say(aboard, said("D.", ref="f1"))) == ["ref_taken"]


def test_who_refers_to_a_refused_element_is_refused() -> None:
    world = small_world()
    events = world.say(
        world.board(),
        said("A.", link("supports", "b"), ref="a"),
        said("B.", link("supports", "c"), ref="b"),
        said("C.", link("supports", "a"), link("answers", "i1"), ref="c"),
        said("D.", link("supports", "a"), ref="d"),
    )
    assert endings(events) == ["unknown_id", "unknown_id", "not_allowed", "unknown_id"]


def test_a_resolved_question_is_not_resolved_again() -> None:
    world = small_world()
    assert endings(world.say(world.board(), resolve("q1", "i1"), resolve("q1", "i2"))) == ["merged", "not_allowed"]


# Repetition


def test_the_same_delta_again_changes_nothing() -> None:
    world = small_world()
    aboard = world.board()
    delta = [said("A.", link("answers", "q1")), {"kind": "opinion"}, supersede("i1", "i3"), "words"]
    assert endings(world.say(aboard, *delta)) == ["merged", "unknown_kind", "held", "malformed"]
    assert world.say(aboard, *delta) == []
    assert world.say(aboard, *delta, *delta) == []


def test_a_fact_seen_again_gains_an_occurrence() -> None:
    world = small_world()
    aboard = world.board(shown=frozenset({"q1", "i1"}))
    events = world.say(aboard, said("Carbon dioxide traps heat.", kind="fact", source="b.md", ref="a"))
    (seen,) = of(events, FactObserved)
    assert (seen.node, seen.occurrence.source, seen.occurrence.recorded_by) == ("f2", "b.md", "test:model")
    assert of(events, FactRecorded) == []
    assert of(events, ElementMerged)[0].note == "restates f2"
    assert endings(world.say(aboard, change("link", "a", link("supports", "i1")))) == ["merged"]


def test_a_fact_read_from_the_briefing_is_not_seen_again() -> None:
    world = small_world()
    events = world.say(world.board(), said("Carbon dioxide traps heat.", link("supports", "i1"), kind="fact"))
    assert endings(events) == ["merged"]
    assert of(events, FactObserved) == []
    assert [happened.edge.src for happened in of(events, EdgeAdded)] == ["f2"]


def test_a_claim_said_again_brings_its_new_links_and_a_vote() -> None:
    world = small_world()
    aboard = world.board()
    world.say(aboard, change("link", "i1", link("answers", "q1")))
    value = said("People cause most of the warming", link("answers", "q1"), link("contradicts", "i2"), confidence=0.9)
    events = world.say(aboard, value)
    assert endings(events) == ["merged"]
    assert of(events, InterpretationAdded) == []
    assert [(happened.edge.type, happened.edge.src) for happened in of(events, EdgeAdded)] == [("contradicts", "i1")]
    assert of(events, ConfidenceVoted) == [ConfidenceVoted(node="i1", confidence=0.9, reason="said again")]
    assert [happened.after for happened in of(events, ConfidenceRevised)] == [0.8]
    assert endings(world.say(world.board(), said("People cause most of the warming", confidence=0.9))) == [
        "repeated_node"
    ]


def test_an_authors_own_claim_said_again_is_no_vote() -> None:
    world = small_world()
    events = world.say(world.board(model="other:model"), said("People cause most of the warming.", confidence=0.9))
    assert endings(events) == ["repeated_node"]


def test_the_ref_of_a_repeated_node_may_be_used() -> None:
    world = small_world()
    aboard = world.board()
    events = world.say(
        aboard,
        said("People cause most of the warming.", ref="a"),
        said("The sun is quiet.", link("supports", "a")),
    )
    assert endings(events) == ["repeated_node", "merged"]
    assert [happened.edge.dst for happened in of(events, EdgeAdded)] == ["i1"]


def test_a_decision_in_the_words_of_a_claim_is_new_and_not_the_other_way_round() -> None:
    world = small_world()
    aboard = world.board()
    assert endings(world.say(aboard, said("People cause most of the warming.", kind="decision"))) == ["merged"]
    assert endings(world.say(aboard, said("People cause most of the warming."))) == ["repeated_node"]
    assert endings(world.say(aboard, said("We act on emissions."))) == ["repeated_node"]


def test_a_claim_in_shadow_comes_back_when_it_is_said_again() -> None:
    world = small_world()
    faded = StatusChanged(node="i1", before="active", after="shadow", reason="test")
    world.note([Draft(what=faded, by="conductor")])
    events = world.say(world.board(), said("People cause most of the warming."))
    assert [(happened.node, happened.after) for happened in of(events, StatusChanged)] == [("i1", "active")]


def test_opposite_meaning_is_never_taken_for_repetition() -> None:
    world = small_world()
    value = said("People do not cause most of the warming.", link("contradicts", "i1"))
    assert endings(world.say(world.board(), value)) == ["merged"]


# Votes


@settings(max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 100)), max_size=6).flatmap(
    lambda votes: st.tuples(st.just(votes), st.permutations(votes))
))  # fmt: skip
def test_any_order_of_the_same_votes_gives_the_same_confidence(orders: tuple[list[Any], list[Any]]) -> None:
    ends = []
    for votes in orders:
        world = small_world()
        for model, percent in votes:
            world.say(world.board(model=f"test:{model}"), change("confidence", "i1", confidence=percent / 100))
        vertex = world.graph.get("i1")
        assert vertex is not None
        ends.append(vertex.confidence)
    assert ends[0] == pytest.approx(ends[1], abs=5e-6)


def test_repeating_a_vote_gives_it_no_weight() -> None:
    world = small_world()
    for _ in range(3):
        world.say(world.board(), change("confidence", "i1", confidence=0.1))
    vertex = world.graph.get("i1")
    assert vertex is not None
    assert vertex.confidence == pytest.approx(0.4)


# Review


def test_a_language_model_never_touches_a_decision_by_itself() -> None:
    delta = [
        said("Better.", kind="decision", ref="a"),
        supersede("i3", "i1"),
        supersede("i1", "a"),
        resolve("q1", "i3"),
        resolve("q2", "i1"),
        supersede("i2", "i1"),
    ]
    expected = ["merged", "held", "held", "held", "merged", "merged"]
    world = small_world()
    assert endings(world.say(world.board(), *delta)) == expected
    world = small_world()
    reader = world.board(is_language_model=False)
    assert endings(world.say(reader, *delta)) == ["merged"] * 3 + ["not_live"] * 3


def test_a_resolve_by_the_only_answer_is_held_when_that_is_a_decision() -> None:
    world = small_world()
    events = world.say(world.board(), change("link", "i3", link("answers", "q1")), resolve("q1"))
    assert endings(events) == ["merged", "held"]
    assert of(events, ElementHeld)[0].element["links"] == [link("resolved_by", "i3")]


def test_the_gates() -> None:
    delta = [said("A.", ref="a"), change("link", "i1", link("refines", "a")), supersede("i2", "a"), {"kind": "opinion"}]
    world = small_world()
    assert endings(world.say(world.board(review="changes"), *delta)) == ["merged", "merged", "held", "unknown_kind"]
    world = small_world()
    assert endings(world.say(world.board(review="all"), *delta)) == ["held", "held", "held", "unknown_kind"]


def _end(world: World, boarding: str) -> None:
    what = BoardingEnded(boarding=boarding, ending="merged", seconds=1, merged=0, rejected=0)
    world.note([Draft(what=what, by="conductor", boarding=boarding)])


def test_what_the_operator_accepts_merges_as_the_workers_word() -> None:
    world = small_world()
    aboard = world.board(review="all")
    held = of(
        world.say(
            aboard,
            said("A.", link("contradicts", "b"), ref="a"),
            said("B.", link("contradicts", "a"), ref="b", facts=["f1"]),
            change("link", "i1", link("refines", "a")),
        ),
        ElementHeld,
    )
    assert [entry.proposal for entry in held] == ["p1", "p2", "p3"]
    _end(world, aboard.boarding)
    with pytest.raises(InputError, match="'p3' refers to 'p1', which still waits"):
        world.write(plan_accept(held[2:], aboard, {}, NOW))
    events = world.write(plan_accept(held[:2], aboard, {}, NOW))
    assert endings(events) == ["merged", "merged"]
    assert [(settled.proposal, settled.accepted) for settled in of(events, ProposalSettled)] == [
        ("p1", True),
        ("p2", True),
    ]
    assert {new.interpretation.created_by for new in of(events, InterpretationAdded)} == {"test:model"}
    made = {f"p{merged.index + 1}": merged.node or "" for merged in of(events, ElementMerged)}
    events = world.write(plan_accept(held[2:], aboard, made, NOW))
    assert [happened.edge.dst for happened in of(events, EdgeAdded)] == [made["p1"]]


def test_what_can_no_longer_be_accepted_is_settled_as_refused() -> None:
    world = small_world()
    aboard = world.board()
    held = of(world.say(aboard, supersede("i3", "i1")), ElementHeld)
    world.note([Draft(what=NodeSuperseded(node="i1", superseded_by="i2"), by="operator")])
    events = world.write(plan_accept(held, aboard, {}, NOW))
    assert endings(events) == ["not_live"]
    assert [(settled.accepted, settled.reason) for settled in of(events, ProposalSettled)] == [
        (False, "'i1' was superseded by 'i2'")
    ]


def test_what_the_operator_refuses_is_kept_with_the_reason() -> None:
    world = small_world()
    aboard = world.board()
    (held,) = of(world.say(aboard, supersede("i3", "i1")), ElementHeld)
    events = world.write(plan_refuse(held, aboard, "too soon"))
    assert endings(events) == ["operator_refused"]
    assert of(events, ProposalSettled) == [ProposalSettled(proposal="p1", accepted=False, reason="too soon")]
    assert [event.by for event in events] == ["operator", "operator"]


# Properties

_NAMES = st.sampled_from(["q1", "q2", "f1", "f2", "i1", "i2", "i3", "a", "b", "c", "z", "i9"])
_TEXTS = st.sampled_from(["A.", "B.", "C.", "People cause most of the warming.", "Carbon dioxide traps heat.", "..."])
_LINKS = st.lists(
    st.builds(link, st.sampled_from(["supports", "contradicts", "refines", "answers", "depends_on"]), _NAMES),
    max_size=3,
)
_NODES = st.builds(
    lambda kind, text, links, ref, facts, confidence: said(
        text, *links, kind=kind, ref=ref, facts=facts, confidence=confidence
    ),
    st.sampled_from(["claim", "decision", "fact", "question", "rejected"]),
    _TEXTS,
    _LINKS,
    st.sampled_from([None, "a", "b", "c"]),
    st.lists(_NAMES, max_size=1),
    st.sampled_from([None, 0.2, 0.9, 2]),
)
_CHANGES = (
    st.builds(lambda origin, links: change("link", origin, *links), _NAMES, _LINKS)
    | st.builds(lambda origin: change("confidence", origin, confidence=0.2), _NAMES)
    | st.builds(supersede, _NAMES, _NAMES)
    | st.builds(resolve, _NAMES, _NAMES)
)
_DELTA = st.lists(_NODES | _CHANGES, max_size=8)


def _check(world: World) -> None:
    """What must hold of any mind."""
    seen: set[tuple[str, str, str]] = set()
    for vertex in world.graph.vertices():
        for edge in world.graph.links(vertex.id):
            assert edge.src != edge.dst
            assert world.graph.get(edge.src) is not None
            assert world.graph.get(edge.dst) is not None
            if edge.src == vertex.id:
                ends = tuple(sorted((edge.src, edge.dst))) if edge.type == "contradicts" else (edge.src, edge.dst)
                assert (edge.type, *ends) not in seen
                seen.add((edge.type, *ends))  # type: ignore[arg-type]
        assert all(world.graph.get(fact) is not None for fact in vertex.facts)
        chain, at = {vertex.id}, vertex.superseded_by
        while at is not None:
            assert at not in chain
            chain.add(at)
            successor = world.graph.get(at)
            at = None if successor is None else successor.superseded_by
        assert 0 <= vertex.confidence <= 1


@settings(max_examples=250)
@given(_DELTA, st.sampled_from(["off", "changes", "all"]), st.booleans())
def test_any_delta_ends_whole_and_a_second_time_changes_nothing(delta: list[Any], review: str, is_model: bool) -> None:
    world = small_world()
    aboard = world.board(review=review, is_language_model=is_model)
    events = world.say(aboard, *delta)
    assert len(endings(events)) == len({repr(sorted(value.items())) for value in delta})
    assert world.say(aboard, *delta) == []
    _check(world)


@settings(max_examples=200)
@given(_DELTA, _DELTA, st.randoms(use_true_random=False))
def test_two_boardings_in_any_order_leave_a_sound_mind(one: list[Any], two: list[Any], chance: Any) -> None:
    world = small_world()
    first, second = world.board(model="test:one"), world.board(model="test:two")
    turns = [(first, RawElement(n, value)) for n, value in enumerate(one)]
    turns += [(second, RawElement(n, value)) for n, value in enumerate(two)]
    chance.shuffle(turns)
    for aboard, raw in turns:
        world.write(plan_elements([raw], aboard, NOW))
        _check(world)


@settings(max_examples=200)
@given(_DELTA)
def test_a_plan_may_run_again(delta: list[Any]) -> None:
    """The journal plans again when the group that it was in could not be written."""
    world = small_world()
    aboard = world.board()
    plan = plan_elements([RawElement(n, value) for n, value in enumerate(delta)], aboard, NOW)
    before = world.ids.counters
    first = plan(world.graph, world.ids)
    world.ids = type(world.ids)(before)
    assert plan(world.graph, world.ids) == first
    world.note(first)
    _check(world)
