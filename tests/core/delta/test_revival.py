"""A citation brings an interpretation back from shadow."""

from perdura_core.vocabulary import Draft, EdgeAdded, NodeSuperseded, StatusChanged
from tests.core.delta.world import World, endings, of, small_world


def faded_world() -> World:
    """i1 lies in shadow."""
    world = small_world()
    faded = StatusChanged(node="i1", before="active", after="shadow", reason="test")
    world.note([Draft(what=faded, by="conductor")])
    return world


def saying(text: str, type_: str = "supports") -> dict[str, object]:
    """A claim that refers to i1."""
    links = [{"type": "answers", "to": "q1"}, {"type": type_, "to": "i1"}]
    return {"kind": "claim", "text": text, "confidence": 0.6, "links": links}


def test_what_is_cited_comes_back_once_and_says_by_whom() -> None:
    world = faded_world()
    events = world.say(world.board(model="test:other"), saying("Tides agree."), saying("Or not.", "contradicts"))
    assert endings(events) == ["merged", "merged"]
    [back] = of(events, StatusChanged)
    assert (back.node, back.before, back.after, back.reason) == ("i1", "shadow", "active", "cited by test:other")
    vertex = world.graph.get("i1")
    assert vertex is not None
    assert vertex.is_live


def test_a_link_alone_brings_it_back_too() -> None:
    world = faded_world()
    link = {"kind": "link", "from": "i1", "links": [{"type": "refines", "to": "i2"}]}
    events = world.say(world.board(), link)
    assert [edge.edge.dst for edge in of(events, EdgeAdded)] == ["i2"]
    assert [back.node for back in of(events, StatusChanged)] == ["i1"]


def test_what_gave_way_to_another_stays_where_it_is() -> None:
    world = faded_world()
    world.note([Draft(what=NodeSuperseded(node="i1", superseded_by="i2"), by="operator")])
    assert of(world.say(world.board(), saying("Tides agree.")), StatusChanged) == []
