from collections.abc import Callable

import pytest

from perdura_core.graph import Graph
from perdura_core.vocabulary import NodeSuperseded
from perdura_tui.states.atlas import REST, Atlas, Survey, View
from perdura_tui.states.nearby import everything, nearby
from tests.tui.script import Script, sample_mind


def _ticking() -> Callable[[], float]:
    """A clock that goes on by a second whenever it is asked."""
    seconds = iter(range(1_000_000))
    return lambda: float(next(seconds))


def _atlas(graph: Graph, view: View | None = None) -> Atlas:
    survey = Survey(graph, view or View())
    assert survey.work(float("inf"), _ticking())
    assert survey.atlas is not None
    return survey.atlas


@pytest.fixture(name="script")
def _script() -> Script:
    return sample_mind(40)


def test_every_live_node_is_in_one_cluster(script: Script) -> None:
    atlas = _atlas(script.graph)
    members = [member.id for cluster in atlas.clusters for member in cluster.members]
    assert sorted(members) == sorted(vertex.id for vertex in script.graph.vertices() if vertex.is_live)
    assert atlas.nodes == len(members)
    for cluster in atlas.clusters:
        assert cluster.size == len(cluster.members)
        if cluster.key != REST:
            assert cluster.members[0].id == cluster.key, "the question stands in the middle"


def test_a_survey_in_many_slices_gives_the_same_atlas(script: Script) -> None:
    survey, clock, slices = Survey(script.graph, View()), _ticking(), 1
    while not survey.work(clock() + 2, clock):
        slices += 1
    assert slices > 3
    assert survey.atlas == _atlas(script.graph)


def test_clusters_by_domain_take_in_facts_without_one(script: Script) -> None:
    atlas = _atlas(script.graph, View(by="domain"))
    found = {cluster.key: cluster for cluster in atlas.clusters}
    assert {"storage", "billing", "network"} <= found.keys()
    facts = [
        member.id for key, cluster in found.items() if key != REST for member in cluster.members if member.id[0] == "f"
    ]
    assert facts
    assert all(not vertex.domains for node in facts if (vertex := script.graph.get(node)) is not None)
    assert found["storage"].contention == script.graph.contention_of_domains()["storage"]


def test_only_disputes_leaves_out_what_nobody_contradicts(script: Script) -> None:
    calm = script.ask("Does anybody doubt this?")
    atlas = _atlas(script.graph, View(only_disputes=True))
    hot = {node for pair in script.graph.disputes() for node in pair}
    members = {member.id for cluster in atlas.clusters for member in cluster.members if member.kind != "question"}
    assert members <= hot
    assert calm not in {cluster.key for cluster in atlas.clusters}


def test_history_brings_back_what_gave_way(script: Script) -> None:
    script.add(NodeSuperseded(node="i1", superseded_by="i2"))
    now = {member.id for cluster in _atlas(script.graph).clusters for member in cluster.members}
    then = {m.id: m for c in _atlas(script.graph, View(with_history=True)).clusters for m in c.members}
    assert "i1" not in now
    assert not then["i1"].is_live


def test_many_clusters_leave_one_for_the_rest() -> None:
    script = Script()
    for number in range(90):
        question = script.ask(f"question {number}?")
        for _ in range(number % 7):
            script.join("answers", script.claim("c", "m:a", None), question, "m:a")
    atlas = _atlas(script.graph)
    assert len(atlas.clusters) == 48
    assert atlas.clusters[-1].key == REST
    assert sum(cluster.size for cluster in atlas.clusters) == atlas.nodes


def test_an_empty_mind_has_an_empty_atlas() -> None:
    assert _atlas(Graph()) == Atlas()


def test_everything_shows_a_small_mind_whole_and_no_large_one(script: Script) -> None:
    assert everything(script.graph, 20) is None
    whole = everything(script.graph, 500)
    assert whole is not None
    assert {dot.id for dot in whole.dots} == {vertex.id for vertex in script.graph.vertices() if vertex.is_live}
    assert everything(Graph(), 20) is None


def test_nearby_can_be_narrowed_to_disputes_and_widened_to_history(script: Script) -> None:
    script.add(NodeSuperseded(node="i1", superseded_by="i2"))
    question = next(link.dst for link in script.graph.links("i1") if link.type == "answers")
    plain = nearby(script.graph, question, 200)
    past = nearby(script.graph, question, 200, with_history=True)
    hot = nearby(script.graph, question, 200, only_disputes=True)
    assert "i1" not in {dot.id for dot in plain.dots}
    assert [dot.is_live for dot in past.dots if dot.id == "i1"] == [False]
    assert all(dot.is_disputed for dot in hot.dots[1:])
    assert nearby(script.graph, question, 200, 1).hops == 1
