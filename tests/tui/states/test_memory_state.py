from perdura_core.graph import Graph
from perdura_core.vocabulary import FactObserved, NodeSuperseded, Occurrence, StatusChanged
from perdura_tui.states.memory import MEMOIR_KINDS, Census, Counted, Memoir, reduce_memoir
from tests.tui.script import START, Script, sample_mind


def _counted(graph: Graph) -> Counted:
    census = Census(graph)
    assert census.work(1.0, lambda: 0.0)
    assert census.counted is not None
    return census.counted


def test_a_census_counts_every_node_once() -> None:
    script = sample_mind(30)
    script.add(NodeSuperseded(node="i1", superseded_by="i2"))
    script.add(StatusChanged(node="i2", before="active", after="shadow", reason="decay"))
    script.record("nobody uses this")
    counted = _counted(script.graph)
    graph = script.graph
    assert counted.open_questions + counted.settled_questions == graph.count("question")
    assert counted.facts + counted.facts_past == graph.count("fact")
    assert sum(counted.levels.values()) == graph.count("interpretation")
    assert (counted.levels[1, "superseded"], counted.levels[1, "shadow"]) == (1, 1)
    assert sum(counted.confidence) == sum(counted.kinds.values()) == counted.levels[1, "active"]
    assert counted.facts_alone >= 1
    assert counted.disputes == len(graph.disputes())


def test_a_census_in_slices_counts_the_same() -> None:
    graph = sample_mind(40).graph
    ticks = iter(range(10_000))
    census, slices = Census(graph), 1
    while not census.work(0.0 + slices * 2, lambda: float(next(ticks))):
        slices += 1
    assert census.counted == _counted(graph)


def test_an_empty_mind_is_counted() -> None:
    assert _counted(Graph()) == Counted()


def test_sightings_and_sessions_are_a_fold_that_may_be_fed_twice() -> None:
    script = Script()
    script.found()
    script.start()
    seen = Occurrence(recorded_at=START, recorded_by="ingest")
    for _ in range(3):
        script.add(FactObserved(node="f2", occurrence=seen))
    script.stop()
    told = [event for event in script.events if event.kind in MEMOIR_KINDS]
    state = reduce_memoir(Memoir(), told)
    assert dict(state.seen_again) == {"f2": 3}
    [row] = state.sessions
    assert (row.id, row.ending, row.boardings, row.cost_micro_usd) == ("s1", "finished", 0, 0)
    assert reduce_memoir(state, told) is state
    step = Memoir()
    for event in told:
        step = reduce_memoir(step, [event])
    assert step == state
