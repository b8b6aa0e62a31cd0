"""What the index says of small minds that can be counted out on paper."""

import pytest

from perdura_core.graph import Graph, digest_of
from perdura_core.vocabulary import (
    ConfidenceRevised,
    EdgeRetracted,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    QuestionPinned,
    QuestionResolved,
    StatusChanged,
)
from tests.core.graph.making import asked, boarded, ended, graph_of, judged, linked, numbered, recorded

DISPUTE = (
    asked("q1", domains=["deploy"]),
    judged("i1", 0.8, domains=["deploy"]),
    judged("i2", 0.4, domains=["deploy"]),
    judged("i3", 0.6),
    linked("e1", "answers", "i1", "q1"),
    linked("e2", "answers", "i2", "q1"),
    linked("e3", "contradicts", "i1", "i2"),
    linked("e4", "contradicts", "i2", "i3"),
)


def test_contention_of_a_question_is_pair_heat_over_live_claims() -> None:
    graph = graph_of(*DISPUTE)
    assert graph.contention("q1") == pytest.approx((0.6 + 0.5) / 3)
    assert graph.disputes("q1") == [("i1", "i2"), ("i2", "i3")]
    assert graph.claims_in("q1") == 3


def test_a_domain_counts_pairs_with_both_ends_in_it() -> None:
    graph = graph_of(*DISPUTE)
    assert dict(graph.contention_of_domains()) == {"deploy": pytest.approx(0.3)}


def test_a_pair_counts_once_whatever_its_directions() -> None:
    graph = graph_of(*DISPUTE, linked("e5", "contradicts", "i2", "i1"))
    before = graph.contention("q1")
    graph.apply(numbered([EdgeRetracted(edge="e3", reason="twice")], first=graph.head + 1))
    assert graph.contention("q1") == before
    graph.apply(numbered([EdgeRetracted(edge="e5", reason="wrong")], first=graph.head + 1))
    assert graph.disputes("q1") == [("i2", "i3")]


def test_an_end_that_is_not_live_takes_its_pair_along_and_brings_it_back() -> None:
    graph = graph_of(*DISPUTE)
    before = graph.contention("q1")
    for leave, back in (
        (NodeSuperseded(node="i1", superseded_by="i3"), NodeRestored(node="i1", reason="it stands")),
        (
            StatusChanged(node="i1", before="active", after="shadow", reason="unused"),
            StatusChanged(node="i1", before="shadow", after="active", reason="cited"),
        ),
    ):
        graph.apply(numbered([leave], first=graph.head + 1))
        assert graph.disputes("q1") == [("i2", "i3")]
        assert graph.contention("q1") == pytest.approx(0.25)
        graph.apply(numbered([back], first=graph.head + 1))
        assert graph.contention("q1") == before


def test_a_rejection_is_never_an_end_and_a_decision_is_no_claim() -> None:
    graph = graph_of(
        asked("q1"),
        judged("i1", 1.0, kind="decision"),
        judged("i2", 1.0, kind="rejected"),
        judged("i3", 0.5),
        linked("e1", "answers", "i1", "q1"),
        linked("e2", "answers", "i2", "q1"),
        linked("e3", "answers", "i3", "q1"),
        linked("e4", "contradicts", "i1", "i3"),
        linked("e5", "contradicts", "i2", "i3"),
    )
    assert graph.disputes("q1") == [("i1", "i3")]
    assert graph.contention("q1") == 0.75
    assert graph.contention_all() == 0.75


def test_without_a_live_claim_there_is_no_contention() -> None:
    graph = graph_of(*DISPUTE, *(NodeSuperseded(node=f"i{number}", superseded_by="i9") for number in (1, 2, 3)))
    assert graph.contention("q1") == graph.contention_all() == graph.contention("q99") == 0.0


def test_a_revised_confidence_moves_contention() -> None:
    graph = graph_of(*DISPUTE, ConfidenceRevised(node="i2", before=0.4, after=1.0, reason="vote"))
    assert graph.contention("q1") == pytest.approx((0.9 + 0.8) / 3)


def test_the_neighbourhood_ends_two_edges_away() -> None:
    graph = graph_of(
        asked("q1"),
        *(judged(f"i{number}", 1.0) for number in range(1, 5)),
        linked("e1", "answers", "i1", "q1"),
        linked("e2", "refines", "i2", "i1"),
        linked("e3", "contradicts", "i3", "i2"),
        linked("e4", "contradicts", "i4", "i3"),
    )
    assert graph.claims_in("q1") == 2
    assert graph.contention("q1") == 0.0
    graph.apply(numbered([linked("e5", "depends_on", "i1", "i3")], first=graph.head + 1))
    assert graph.disputes("q1") == [("i2", "i3")]


def test_neighbourhoods_follow_fact_references_and_say_the_distance() -> None:
    graph = graph_of(
        asked("q1"),
        recorded("f1"),
        judged("i1", facts=["f1"]),
        judged("i2", facts=["f1"]),
        linked("e1", "answers", "i1", "q1"),
    )
    assert graph.neighbourhood(["q1"], 2) == {"q1": 0, "i1": 1, "f1": 2}
    assert graph.neighbourhood(["f1", "f99"], 1) == {"f1": 0, "i1": 1, "i2": 1}
    assert list(graph.cited_by("f1")) == ["i1", "i2"]


def test_an_edge_is_found_by_type_and_ends() -> None:
    graph = graph_of(*DISPUTE)
    assert graph.edge_between("contradicts", "i2", "i1") == "e3"
    assert graph.edge_between("answers", "i1", "q1") == "e1"
    assert graph.edge_between("answers", "q1", "i1") is None
    assert graph.edge_between("supports", "i1", "q1") is None


def test_the_same_words_are_found_until_they_are_superseded_or_redacted() -> None:
    graph = graph_of(recorded("f1", "Disk is full."), recorded("f2", "disk is FULL"))
    digest = digest_of("Disk is  full!")
    assert graph.same_text("fact", digest) == "f2"
    assert graph.same_text("interpretation", digest) is None
    graph.apply(numbered([NodeSuperseded(node="f2", superseded_by="f1")], first=3))
    assert graph.same_text("fact", digest) == "f1"
    graph.apply(numbered([NodeRedacted(node="f1")], first=4))
    assert graph.same_text("fact", digest) is None
    assert graph.same_text("fact", 0) is None


def test_open_questions_leave_out_the_resolved_and_the_superseded() -> None:
    graph = graph_of(
        asked("q1"),
        asked("q2"),
        asked("q3"),
        QuestionResolved(node="q1"),
        NodeSuperseded(node="q2", superseded_by="q3"),
        QuestionPinned(node="q3", pinned=True),
    )
    assert [(vertex.id, vertex.pinned) for vertex in graph.open_questions()] == [("q3", True)]


def test_boardings_that_add_nothing_are_counted_until_one_adds() -> None:
    graph = graph_of(asked("q1"), boarded("b1", "q1"), boarded("b2", "q1", "reader:doubt", session="s1"), ended("b1"))
    assert graph.idle_boardings("q1") == 1
    assert graph.open_boardings() == {"b2": ("q1", "s1")}
    graph.apply(numbered([judged("i1", boarding="b2"), ended("b2", merged=1)], first=graph.head + 1))
    assert graph.idle_boardings("q1") == 0
    assert graph.last_models("q1") == ["reader:support", "reader:doubt"]
    assert (graph.boardings_of("q1"), graph.total_boardings()) == (2, 2)


def test_an_empty_graph_answers() -> None:
    graph = Graph()
    assert graph.head == graph.count("fact") == graph.total_boardings() == 0
    assert graph.get("q1") is None
    assert not graph.links("q1")
    assert graph.neighbourhood(["q1"], 2) == {}
