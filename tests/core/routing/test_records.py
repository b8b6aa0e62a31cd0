"""Track records read off the graph, and kept by events."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.graph import Graph
from perdura_core.routing import RECORD_KINDS, Records
from perdura_core.vocabulary import (
    CONDUCTOR,
    OPERATOR,
    Boarding,
    BoardingEnded,
    BoardingOpened,
    CostSettled,
    EdgeRetracted,
    EdgeType,
    ElementMerged,
    ElementRejected,
    Event,
    Happening,
    InterpretationKind,
    NodeId,
    NodeRestored,
    NodeSuperseded,
    QuestionReopened,
    QuestionResolved,
    Route,
    StatusChanged,
    TrackRecord,
)
from tests.core.routing.scenes import NOW, Scene


def opened_again(graph: Graph, events: list[Event]) -> Records:
    """Records as a mind that was just opened has them: from the graph and a part of its journal."""
    records = Records(graph)
    records.apply([event for event in events if event.kind in RECORD_KINDS])
    return records


def tracked(scene: Scene, model: str, domain: str | None = None) -> TrackRecord:
    found = [record for record in opened_again(scene.graph, scene.events).track(domain) if record.model == model]
    assert len(found) == 1
    return found[0]


def stands(scene: Scene, model: str, outcomes: int, reliability: float) -> bool:
    record = tracked(scene, model)
    return record.outcomes == outcomes and record.reliability == pytest.approx(reliability)


@pytest.mark.parametrize(
    ("kind", "type_", "source", "reliability"),
    [
        ("claim", "supports", "m:b", (1 + 0.175) / 2.175),
        ("claim", "refines", "m:b", (1 + 0.175) / 2.175),
        ("decision", "supports", "m:b", (1 + 0.5) / 2.5),
        ("decision", "depends_on", "m:b", (1 + 0.5) / 2.5),
        ("claim", "contradicts", "m:b", 1 / 2.25),
        ("decision", "contradicts", "m:b", 1 / 2.5),
        ("rejected", "contradicts", "m:b", 1 / 2.5),
        ("claim", "depends_on", "m:b", None),
        ("decision", "supports", OPERATOR, 3 / 4),
        ("claim", "contradicts", OPERATOR, 1 / 4),
        ("claim", "supports", "m:a", None),
        ("decision", "supports", "m:a", None),
        ("claim", "contradicts", CONDUCTOR, None),
    ],
)
def test_what_an_edge_from_another_node_means(
    kind: InterpretationKind, type_: EdgeType, source: str, reliability: float | None
) -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    scene.judge("i2", source, kind)
    scene.link("e1", "i2", type_, "i1", source)
    assert stands(scene, "m:a", *((0, 0.5) if reliability is None else (1, reliability)))
    if source == "m:b":
        assert stands(scene, "m:b", 0, 0.5)


def test_an_edge_between_two_nodes_of_one_author_is_no_evidence_whoever_draws_it() -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    scene.judge("i2", "m:a", "decision")
    scene.link("e1", "i2", "supports", "i1", "m:b")
    scene.link("e2", "i2", "contradicts", "i1", "m:b")
    assert stands(scene, "m:a", 0, 0.5)


def test_one_source_counts_once_on_a_node_and_two_count_twice() -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    for number, source in enumerate(["m:b", "m:b", "m:c"], start=2):
        scene.judge(f"i{number}", source)
        scene.link(f"e{number}", f"i{number}", "supports", "i1", source)
    assert stands(scene, "m:a", 2, (1 + 2 * 0.175) / 2.35)


def test_a_judge_that_was_replaced_judges_no_longer_until_it_is_restored() -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    scene.judge("i2", "m:b")
    scene.judge("i3", "m:b")
    scene.link("e1", "i2", "contradicts", "i1", "m:b")
    records = opened_again(scene.graph, scene.events)
    assert tracked(scene, "m:a").outcomes == 1
    records.apply([scene.happen(NodeSuperseded(node="i2", superseded_by="i3"), "m:b")])
    assert tracked(scene, "m:a").outcomes == 0
    assert {record.model: record.outcomes for record in records.track()} == {"m:a": 0, "m:b": 0}
    records.apply([scene.happen(NodeRestored(node="i2", reason="too early"), OPERATOR)])
    assert {record.model: record.outcomes for record in records.track()} == {"m:a": 1, "m:b": 0}


def test_a_retracted_edge_counts_no_longer() -> None:
    scene = Scene()
    scene.judge("i1", "m:a")
    scene.judge("i2", "m:b")
    scene.link("e1", "i2", "supports", "i1", "m:b")
    records = opened_again(scene.graph, scene.events)
    assert records.track()[0].outcomes == 1
    records.apply([scene.happen(EdgeRetracted(edge="e1", reason="a slip"), OPERATOR)])
    assert [record.outcomes for record in records.track()] == [0, 0]


def test_replacing_oneself_is_no_outcome_and_being_replaced_is_one() -> None:
    scene = Scene()
    for number, author in enumerate(["m:a", "m:a", "m:b", "m:c"], start=1):
        scene.judge(f"i{number}", author)
    scene.happen(NodeSuperseded(node="i1", superseded_by="i2"), "m:a")
    assert tracked(scene, "m:a").outcomes == 0
    scene.happen(NodeSuperseded(node="i2", superseded_by="i3"), "m:b")
    assert stands(scene, "m:a", 1, 1 / 2.5)
    assert tracked(scene, "m:a").surviving == 0
    scene.happen(NodeSuperseded(node="i3", superseded_by="i4"), OPERATOR)
    assert stands(scene, "m:b", 1, 1 / 4)
    assert stands(scene, "m:c", 1, 3 / 4)


def test_the_answer_of_a_resolved_question_is_settled_until_it_is_reopened() -> None:
    scene = Scene()
    scene.ask("q1")
    scene.judge("i1", "m:a")
    scene.happen(QuestionResolved(node="q1", resolved_by="i1"), OPERATOR)
    assert stands(scene, "m:a", 1, 3 / 4)
    scene.happen(QuestionReopened(node="q1"), OPERATOR)
    assert tracked(scene, "m:a").outcomes == 0
    scene.happen(QuestionResolved(node="q1", resolved_by="i1"), "m:b")
    assert stands(scene, "m:a", 1, 1.5 / 2.5)


def test_brier_score_of_what_was_asserted() -> None:
    scene = Scene()
    scene.judge("i1", "m:a", confidence=0.9)
    scene.judge("i2", "m:a", confidence=0.2)
    scene.judge("i3", "m:a", confidence=0.7)
    scene.judge("i4", "m:b")
    scene.link("e1", "i4", "supports", "i1", "m:b")
    scene.link("e2", "i4", "contradicts", "i2", "m:b")
    assert tracked(scene, "m:a").brier == pytest.approx((0.1**2 + 0.2**2) / 2)
    assert tracked(scene, "m:b").brier is None


def test_a_domains_record_has_its_own_outcomes_and_leans_on_the_rest() -> None:
    scene = Scene()
    scene.judge("i1", "m:a", domains=["storage"])
    scene.judge("i2", "m:a", domains=["network"])
    scene.judge("i3", OPERATOR)
    scene.link("e1", "i3", "supports", "i1", OPERATOR)
    scene.link("e2", "i3", "contradicts", "i2", OPERATOR)
    assert tracked(scene, "m:a").reliability == 0.5
    storage, network = tracked(scene, "m:a", "storage"), tracked(scene, "m:a", "network")
    assert (storage.outcomes, network.outcomes) == (1, 1)
    assert storage.reliability == network.reliability == pytest.approx(0.5)
    scene.link("e4", "i3", "supports", "i2", OPERATOR)
    assert tracked(scene, "m:a", "storage").reliability == pytest.approx(3 / 4)
    assert opened_again(scene.graph, scene.events).track("gardening") == []


def test_the_operator_the_ingest_and_the_conductor_have_no_record() -> None:
    scene = Scene()
    for number, author in enumerate([OPERATOR, CONDUCTOR, "ingest"], start=1):
        scene.judge(f"i{number}", author)
    assert opened_again(scene.graph, scene.events).track() == []


def test_work_and_money_are_counted_live_and_corrected_by_the_ending() -> None:
    scene = Scene()
    scene.ask("q1", domains=["storage"])
    records = opened_again(scene.graph, [])
    route = Route(model="m:a", policy="cheap", reason="cheapest able")
    boarding = Boarding(id="b1", seat=1, question="q1", model="m:a", route=route, opened_at=NOW)
    settled = CostSettled(
        boarding="b1", model="m:a", question="q1", domains=(), reserved_micro_usd=0, cost_micro_usd=70
    )
    rejected = ElementRejected(boarding="b1", index=1, fingerprint="y", reason="empty_text", detail="", sent="")
    happenings: list[Happening] = [
        BoardingOpened(boarding=boarding),
        ElementMerged(boarding="b1", index=0, fingerprint="x", element="claim"),
        rejected,
        settled,
    ]
    records.apply([scene.happen(what) for what in happenings])
    (record,) = records.track("storage")
    assert (record.merged, record.rejected, record.cost_micro_usd) == (1, 1, 70)
    assert (record.seconds, record.last_at, record.outcomes) == (None, NOW, 0)
    end = BoardingEnded(boarding="b1", ending="merged", seconds=4, merged=2, rejected=1, cost_micro_usd=90)
    events = [scene.happen(end)]
    records.apply(events)
    records.apply(events)
    (record,) = records.track(unpriced=["m:b"])
    assert (record.merged, record.rejected, record.cost_micro_usd, record.seconds) == (2, 1, 90, 4)
    assert records.track(unpriced=["m:a"])[0].cost_micro_usd is None
    assert records.track("network") == []
    assert opened_again(scene.graph, scene.events).track() == records.track()


MODELS = ["m:a", "m:b", "m:c"]
AUTHORS = [*MODELS, OPERATOR, CONDUCTOR]
DOMAINS = ["storage", "network"]


def grow(scene: Scene, data: st.DataObject) -> Event:
    """One more thing that happens to interpretations."""
    graph = scene.graph
    nodes = [vertex.id for vertex in graph.vertices("interpretation")]
    choices = ["judge", "board"] if len(nodes) < 2 else ["judge", "link", "link", "link", "link", "fate", "board"]
    author = data.draw(st.sampled_from(AUTHORS))
    match data.draw(st.sampled_from(choices)):
        case "judge":
            kind: InterpretationKind = data.draw(st.sampled_from(["claim", "decision", "rejected"]))
            domains = data.draw(st.lists(st.sampled_from(DOMAINS), max_size=2))
            return scene.judge(f"i{len(nodes) + 1}", author, kind, data.draw(st.sampled_from([0.1, 0.7])), domains)
        case "link":
            src, dst = data.draw(st.permutations(nodes))[:2]
            type_: EdgeType = data.draw(st.sampled_from(["supports", "contradicts", "refines", "depends_on"]))
            return scene.link(f"e{len(scene.events)}", src, type_, dst, author)
        case "board":
            scene.board("q1", data.draw(st.sampled_from(MODELS)), merged=2, rejected=1, cost_micro_usd=5)
            return scene.events[-1]
        case _:
            return fate(scene, data, nodes, author)


def fate(scene: Scene, data: st.DataObject, nodes: list[NodeId], author: str) -> Event:
    node, other = data.draw(st.permutations(nodes))[:2]
    edges = [link.id for vertex in nodes for link in scene.graph.links(vertex)]
    match data.draw(st.sampled_from(["supersede", "restore", "shadow", "retract", "resolve", "reopen"])):
        case "supersede":
            return scene.happen(NodeSuperseded(node=node, superseded_by=other), author)
        case "restore":
            return scene.happen(NodeRestored(node=node, reason="back"), OPERATOR)
        case "shadow":
            after = data.draw(st.sampled_from(["active", "shadow", "deleted"]))
            return scene.happen(StatusChanged(node=node, before="active", after=after, reason="x"))
        case "resolve":
            answer = data.draw(st.none() | st.just(node))
            return scene.happen(QuestionResolved(node="q1", resolved_by=answer), author)
        case "retract" if edges:
            return scene.happen(EdgeRetracted(edge=data.draw(st.sampled_from(edges)), reason="x"), OPERATOR)
        case _:
            return scene.happen(QuestionReopened(node="q1"), author)


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_records_kept_by_events_are_those_read_when_the_mind_is_opened(data: st.DataObject) -> None:
    scene = Scene()
    scene.ask("q1", domains=["storage"])
    kept = opened_again(scene.graph, scene.events)
    seen = len(scene.events)
    for _ in range(data.draw(st.integers(1, 25))):
        grow(scene, data)
        if data.draw(st.booleans()):
            kept.apply(scene.events[seen:])
            seen = len(scene.events)
            kept.refresh(data.draw(st.none() | st.integers(0, 3)))
        if data.draw(st.integers(0, 9)) == 0:
            kept.reset()
            kept.apply([event for event in scene.events[:seen] if event.kind in RECORD_KINDS])
    kept.apply(scene.events[seen:])
    fresh = opened_again(scene.graph, scene.events)
    for domain in (None, *DOMAINS):
        assert kept.track(domain) == fresh.track(domain)
    for record in [record for domain in (None, *DOMAINS) for record in fresh.track(domain)]:
        assert record.model in MODELS
        assert 0 <= record.low < record.reliability < record.high <= 1
        assert record.brier is None or 0 <= record.brier <= 1
        assert min(record.outcomes, record.surviving, record.merged) >= 0


def test_corroboration_that_was_wrong_before_proves_less() -> None:
    scene = Scene()
    for number in range(1, 9):
        scene.judge(f"i{number}", "m:a")
        scene.judge(f"i{number + 20}", "m:b")
        scene.link(f"e{number}", f"i{number + 20}", "supports", f"i{number}", "m:b")
    before = tracked(scene, "m:a").reliability
    scene.judge("i50", OPERATOR)
    for number in range(1, 5):
        scene.link(f"e{number + 20}", "i50", "contradicts", f"i{number}", OPERATOR)
    found = tracked(scene, "m:a")
    # Four of the eight were settled against: (4 + 2.4) / 12 = 0.533 of each corroboration proves nothing. m:b itself
    # was judged by nobody: 0.5. So 8 * 0.5 * 0.5 * (1 - 0.533) good, and 4 * 2 bad.
    good = 8 * 0.5 * 0.5 * (1 - 6.4 / 12)
    assert found.reliability == pytest.approx((1 + good) / (2 + good + 8))
    assert found.reliability < before
