"""Any history: what the index kept step by step is what the definitions give when counted out at the end."""

import pickle
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    EDGE_TYPES,
    ConfidenceRevised,
    EdgeRetracted,
    ElementMerged,
    ElementRejected,
    Event,
    Happening,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    StatusChanged,
)
from tests.core.graph.making import (
    asked,
    boarded,
    contention_by_hand,
    ended,
    judged,
    linked,
    numbered,
    reading,
    recorded,
    speaker_by_hand,
    state_of,
    within_two_edges,
)

QUESTIONS = ["q1", "q2", "q3"]
FACTS = ["f1", "f2"]
JUDGEMENTS = [f"i{number}" for number in range(1, 10)]
NODES = [*QUESTIONS, *FACTS, *JUDGEMENTS]
BOARDINGS = ["b1", "b2", "b3"]

unit = st.floats(0, 1)
node = st.sampled_from(NODES)
judgement = st.sampled_from(JUDGEMENTS)
question = st.sampled_from(QUESTIONS)


@st.composite
def births(draw: st.DrawFn) -> list[Happening]:
    domains = st.lists(st.sampled_from(["storage", "deploy"]), unique=True, max_size=2)
    born: list[Happening] = [asked(one, text=f"Why {one}?", domains=draw(domains)) for one in QUESTIONS]
    born += [recorded(one, text=draw(st.sampled_from(["same", "other"]))) for one in FACTS]
    for one in JUDGEMENTS:
        born.append(
            judged(
                one,
                draw(unit),
                kind=draw(st.sampled_from(["claim", "claim", "claim", "decision", "rejected"])),
                text=draw(st.sampled_from(["one", "two", "three"])),
                domains=draw(domains),
                facts=draw(st.lists(st.sampled_from(FACTS), max_size=2)),
                boarding=draw(st.sampled_from([None, *BOARDINGS])),
            )
        )
    return born


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    journal: list[Happening] = [boarded(one, draw(question), session="s1") for one in BOARDINGS]
    journal += draw(births())
    edges: list[str] = []
    open_boardings = list(BOARDINGS)
    for step in range(draw(st.integers(0, 45))):
        match draw(
            st.sampled_from(
                ["link"] * 6 + ["oppose"] * 4 + ["restate"] * 3 + ["retract", "weigh", "stand", "ask", "redact", "work"]
            )
        ):
            case "link":
                edges.append(f"e{step + 1}")
                journal.append(linked(edges[-1], draw(st.sampled_from(EDGE_TYPES)), draw(node), draw(node)))
            case "oppose":
                edges.append(f"e{step + 1}")
                journal.append(linked(edges[-1], "contradicts", draw(judgement), draw(judgement)))
            case "restate":
                edges.append(f"e{step + 1}")
                journal.append(linked(edges[-1], "refines", draw(judgement), draw(judgement), created_by="conductor"))
            case "retract" if edges:
                gone = edges.pop(draw(st.integers(0, len(edges) - 1)))
                journal.append(EdgeRetracted(edge=gone, reason="wrong"))
            case "weigh":
                journal.append(ConfidenceRevised(node=draw(judgement), before=0, after=draw(unit), reason="vote"))
            case "stand":
                one, status = draw(judgement), draw(st.sampled_from(["active", "shadow", "deleted"]))
                journal.append(
                    draw(
                        st.sampled_from(
                            [
                                NodeSuperseded(node=one, superseded_by=draw(judgement)),
                                NodeRestored(node=one, reason="it stands"),
                                StatusChanged(node=one, before="active", after=status, reason="idle"),
                            ]
                        )
                    )
                )
            case "ask":
                changes = [QuestionResolved, QuestionReopened]
                one = draw(question)
                journal.append(draw(st.sampled_from(changes))(node=one))
                journal.append(QuestionPinned(node=one, pinned=draw(st.booleans())))
            case "redact":
                journal.append(NodeRedacted(node=draw(node)))
            case "work" if open_boardings:
                aboard = draw(st.sampled_from(open_boardings))
                merged = ElementMerged(
                    boarding=aboard, index=step, fingerprint=f"x{step}", element="claim", ref=f"r{step}", node="i1"
                )
                refused = ElementRejected(
                    boarding=aboard, index=step, fingerprint=f"y{step}", reason="malformed", detail="no", sent="[]"
                )
                journal.append(draw(st.sampled_from([merged, refused, ended(aboard)])))
                if journal[-1].kind == "boarding_ended":
                    open_boardings.remove(aboard)
    return numbered(journal)


def applied(events: Sequence[Event]) -> Graph:
    graph = Graph()
    graph.apply(events)
    return graph


@settings(max_examples=200, deadline=None)
@given(histories())
def test_contention_is_what_its_definition_gives(events: list[Event]) -> None:
    graph = applied(events)
    for one in QUESTIONS:
        inside = within_two_edges(graph, one)
        assert graph.contention(one) == pytest.approx(contention_by_hand(graph, inside), abs=1e-12)
        live = [
            vertex
            for vertex in graph.vertices("interpretation")
            if vertex.is_live and vertex.kind == "claim" and speaker_by_hand(graph, vertex.id) == vertex.id
        ]
        assert graph.claims_in(one) == sum(vertex.id in inside for vertex in live)
        assert {frozenset(pair) for pair in graph.disputes(one)} == {
            frozenset(pair) for pair in graph.disputes() if inside.issuperset(pair)
        }
    assert graph.contention_all() == pytest.approx(contention_by_hand(graph, set(NODES)), abs=1e-12)
    for domain, contention in graph.contention_of_domains().items():
        inside = {vertex.id for vertex in graph.vertices("interpretation") if domain in vertex.domains}
        assert contention == pytest.approx(contention_by_hand(graph, inside), abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(histories())
def test_restored_state_is_the_journal_applied(events: list[Event]) -> None:
    graph = applied(events)
    restored = state_of(events, graph)
    assert reading(restored) == reading(graph)
    for event in events:
        if event.kind in {"element_merged", "element_rejected"}:
            sent = event.what
            assert restored.was_applied(sent.boarding, sent.fingerprint) == graph.was_applied(
                sent.boarding, sent.fingerprint
            )


@settings(max_examples=200, deadline=None)
@given(histories(), st.data())
def test_what_happens_after_restoring_is_counted_as_ever(events: list[Event], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(events)))
    restored = state_of(events[:cut], applied(events[:cut]))
    if data.draw(st.booleans(), label="asked before"):
        reading(restored)
    if data.draw(st.booleans(), label="prepared before"):
        for vertex in restored.vertices("interpretation"):
            restored.prepare(vertex.id)
    restored.apply(events)
    assert reading(restored) == reading(applied(events))


@settings(max_examples=100, deadline=None)
@given(histories(), st.data())
def test_applying_in_pieces_or_twice_changes_nothing(events: list[Event], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(events)))
    pieces = applied(events[:cut])
    pieces.apply(events)
    pieces.apply(events[cut:])
    assert reading(pieces) == reading(applied(events))


@settings(max_examples=100, deadline=None)
@given(births(), st.lists(st.tuples(judgement, st.sampled_from([*QUESTIONS, *JUDGEMENTS])), max_size=25), st.data())
def test_the_order_of_edges_makes_no_difference(
    born: list[Happening], ends: list[tuple[str, str]], data: st.DataObject
) -> None:
    edges = [
        linked(f"e{number}", "answers" if dst[0] == "q" else "contradicts", src, dst)
        for number, (src, dst) in enumerate(ends, 1)
    ]
    one = applied(numbered([*born, *edges]))
    other = applied(numbered([*born, *data.draw(st.permutations(edges))]))
    for asked_for in [*QUESTIONS, None]:
        assert one.disputes(asked_for) == other.disputes(asked_for)
    assert [one.contention(each) for each in QUESTIONS] == [other.contention(each) for each in QUESTIONS]
    assert one.contention_all() == other.contention_all()
    assert one.neighbourhood(["q1"], 2) == other.neighbourhood(["q1"], 2)


@settings(max_examples=30, deadline=None)
@given(histories(), st.data())
def test_a_graph_can_be_kept_as_bytes_loaded_or_not(events: list[Event], data: st.DataObject) -> None:
    graph = applied(events)
    for one in (graph, state_of(events, graph)):
        assert reading(pickle.loads(pickle.dumps(one))) == reading(graph)
