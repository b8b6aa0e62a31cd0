"""Who is linked with whom, and which nodes lie within two edges of a question."""

from collections.abc import Iterator, Sequence

from perdura_core.graph.loaded import Loaded
from perdura_core.graph.vertex import Link, LinkRow
from perdura_core.vocabulary import EdgeType, NodeId

__all__ = ["Adjacency"]


class Adjacency:
    """Links by end, neighbours, and the questions beside each node. A self-loop is a link and makes no neighbour.

    Of a mind that was loaded, a node's links, neighbours and questions are made when somebody first asks: most nodes of
    a large mind are never asked about.
    """

    def __init__(self, nodes: Sequence[NodeId] = (), links: Sequence[LinkRow] = ()) -> None:
        self.loaded = Loaded(nodes, links)
        """What it began with."""
        self._edges: dict[str, Link] = {}
        """Those that came since."""
        self._gone: set[str] = set()
        self._links: dict[NodeId, list[Link]] = {}
        self._near: dict[NodeId, set[NodeId]] = {}
        self._asked: dict[NodeId, set[NodeId]] = {}

    def links(self, node: NodeId) -> Sequence[Link]:
        """Every link that touches the node, in order of creation."""
        return self._row(node)

    def _row(self, node: NodeId) -> list[Link]:
        row = self._links.get(node)
        if row is None:
            row = self._links[node] = self.loaded.links_of(node)
        return row

    def edge(self, edge_id: str) -> Link | None:
        """A link by its edge's id."""
        added = self._edges.get(edge_id)
        return added if added is not None or edge_id in self._gone else self.loaded.edge(edge_id)

    def between(self, type_: EdgeType, src: NodeId, dst: NodeId) -> Link | None:
        """The oldest link of this type from `src` to `dst`; for `contradicts` in either direction."""
        shorter = min(self.links(src), self.links(dst), key=len)
        both_ways = type_ == "contradicts"
        for link in shorter:
            if link.type == type_ and (
                (link.src == src and link.dst == dst) or (both_ways and link.src == dst and link.dst == src)
            ):
                return link
        return None

    def near(self, node: NodeId) -> set[NodeId]:
        """The node's neighbours."""
        near = self._near.get(node)
        if near is None:
            row = self._links.get(node)
            near = self.loaded.beside(node) if row is None else {end for link in row for end in (link.src, link.dst)}
            near.discard(node)
            self._near[node] = near
        return near

    def _questions_beside(self, node: NodeId) -> set[NodeId]:
        questions = self._asked.get(node)
        if questions is None:
            questions = self._asked[node] = {other for other in self.near(node) if other[0] == "q"}
        return questions

    def add(self, link: Link) -> bool:
        """Take in a link. Returns whether it made its ends neighbours."""
        is_new = link.src != link.dst and link.dst not in self.near(link.src)
        self._edges[link.id] = link
        for end in {link.src, link.dst}:
            self._row(end).append(link)
        if is_new:
            for end, other in ((link.src, link.dst), (link.dst, link.src)):
                if end in self._near:
                    self._near[end].add(other)
                if other[0] == "q" and end in self._asked:
                    self._asked[end].add(other)
        return is_new

    def remove(self, link: Link) -> bool:
        """Take out a link that is here. Returns whether its ends are neighbours no longer."""
        self._edges.pop(link.id, None)
        self._gone.add(link.id)
        ends = {link.src, link.dst}
        for end in ends:
            self._row(end).remove(link)
        if len(ends) == 1 or any(ends == {other.src, other.dst} for other in self._row(link.src)):
            return False
        for end, other in ((link.src, link.dst), (link.dst, link.src)):
            if end in self._near:
                self._near[end].discard(other)
            if end in self._asked:
                self._asked[end].discard(other)
        return True

    def reaches(self, question: NodeId, node: NodeId) -> bool:
        """Whether the node lies within two edges of the question."""
        beside = self.near(question)
        return node == question or node in beside or not beside.isdisjoint(self.near(node))

    def affected(self, a: NodeId, b: NodeId) -> Iterator[tuple[NodeId, NodeId]]:
        """(question, node) for each node whose lying within two edges may rest on `a` and `b` being neighbours."""
        for end, other in ((a, b), (b, a)):
            for question in tuple(self._questions_beside(end)):
                yield question, other
            if end[0] == "q":
                yield end, other
                for node in tuple(self.near(other)):
                    yield end, node
