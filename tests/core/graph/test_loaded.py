"""The links of a mind that was loaded, against what a plain search over the list says."""

from hypothesis import given
from hypothesis import strategies as st

from perdura_core.graph.loaded import Loaded
from perdura_core.graph.vertex import Link, LinkRow

NODES = ["q1", "f1", "i1", "i12", "q123", "f1234567", "i99", "q7"]
ends = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=30)


def _links(pairs: list[tuple[str, str]]) -> list[Link]:
    return [Link.read(row) for row in _rows(pairs)]


def _rows(pairs: list[tuple[str, str]]) -> list[LinkRow]:
    return [(3 * number, "supports", a, b, "reader:doubt", None) for number, (a, b) in enumerate(pairs, 1)]


@given(ends)
def test_every_row_and_reach_is_that_of_the_list(pairs: list[tuple[str, str]]) -> None:
    links = _links(pairs)
    loaded = Loaded(NODES, _rows(pairs))
    beside = {node: {end for link in links if node in link[2:4] for end in link[2:4]} - {node} for node in NODES}
    for node in NODES:
        assert loaded.links_of(node) == [link for link in links if node in (link.src, link.dst)]
        within = {node, *beside[node], *(end for other in beside[node] for end in beside[other])}
        if node[0] == "q":
            reached = loaded.reach(node)
            assert {NODES[place] for place in reached.nonzero()[0]} == within
        near = {end for end in within - {node} if end[0] == "q"}
        assert set(loaded.questions_near(node)) - {node} == near


@given(ends)
def test_an_edge_is_found_by_its_id_or_not_at_all(pairs: list[tuple[str, str]]) -> None:
    links = _links(pairs)
    loaded = Loaded(NODES, _rows(pairs))
    assert [loaded.edge(link.id) for link in links] == links
    assert loaded.edge("e2") is None
    assert loaded.edge(f"e{3 * len(links) + 3}") is None


def test_a_mind_without_anything_has_no_links() -> None:
    loaded = Loaded([], [])
    assert loaded.links_of("i1") == []
    assert loaded.edge("e1") is None
