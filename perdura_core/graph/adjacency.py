"""Who is linked with whom, and which nodes lie within two edges of a question."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from perdura_core.graph.vertex import Link
from perdura_core.vocabulary import EdgeType, NodeId

__all__ = ["Adjacency"]

_NOBODY: frozenset[NodeId] = frozenset()


class Adjacency:
    """Links by end, neighbours, and the questions beside each node. A self-loop is a link and makes no neighbour."""

    def __init__(self) -> None:
        self._edges: dict[str, Link] = {}
        self._links: defaultdict[NodeId, list[Link]] = defaultdict(list)
        self._near: dict[NodeId, set[NodeId]] = {}
        """Of the nodes that somebody asked about; most nodes of a large mind are never asked about."""
        self._asked: defaultdict[NodeId, set[NodeId]] = defaultdict(set)

    def links(self, node: NodeId) -> Sequence[Link]:
        """Every link that touches the node, in order of creation."""
        return self._links.get(node, ())

    def edge(self, edge_id: str) -> Link | None:
        """A link by its edge's id."""
        return self._edges.get(edge_id)

    def all(self) -> Collection[Link]:
        """Every link, in order of creation."""
        return self._edges.values()

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

    def near(self, node: NodeId) -> set[NodeId] | frozenset[NodeId]:
        """The node's neighbours."""
        near = self._near.get(node)
        if near is None:
            links = self._links.get(node)
            if not links:
                return _NOBODY
            near = self._near[node] = {end for link in links for end in (link.src, link.dst)}
            near.discard(node)
        return near

    def load(self, links: Iterable[Link]) -> None:
        """Take in many links at once, into an empty adjacency."""
        edges, ends, asked = self._edges, self._links, self._asked
        for link in links:
            edge_id, _, src, dst, _, _ = link
            edges[edge_id] = link
            ends[src].append(link)
            if src == dst:
                continue
            ends[dst].append(link)
            if dst[0] == "q":
                asked[src].add(dst)
            if src[0] == "q":
                asked[dst].add(src)

    def add(self, link: Link) -> bool:
        """Take in a link. Returns whether it made its ends neighbours."""
        is_new = link.src != link.dst and link.dst not in self.near(link.src)
        self.load((link,))
        if is_new:
            for end, other in ((link.src, link.dst), (link.dst, link.src)):
                if end in self._near:
                    self._near[end].add(other)
        return is_new

    def remove(self, edge_id: str) -> tuple[Link, bool]:
        """Take out a link. Returns it, and whether its ends are neighbours no longer."""
        link = self._edges.pop(edge_id)
        ends = {link.src, link.dst}
        for end in ends:
            self._links[end].remove(link)
        if len(ends) == 1 or any(ends == {other.src, other.dst} for other in self._links[link.src]):
            return link, False
        for end, other in ((link.src, link.dst), (link.dst, link.src)):
            if end in self._near:
                self._near[end].discard(other)
            self._asked[end].discard(other)
        return link, True

    def reach(self, question: NodeId) -> set[NodeId]:
        """Nodes within two edges of the question, itself included."""
        beside = self.near(question)
        return {question}.union(beside, *map(self.near, beside))

    def reaches(self, question: NodeId, node: NodeId) -> bool:
        """Whether the node lies within two edges of the question."""
        beside = self.near(question)
        return node == question or node in beside or not beside.isdisjoint(self.near(node))

    def affected(self, a: NodeId, b: NodeId) -> Iterator[tuple[NodeId, NodeId]]:
        """(question, node) for each node whose lying within two edges may rest on `a` and `b` being neighbours."""
        for end, other in ((a, b), (b, a)):
            for question in tuple(self._asked.get(end, ())):
                yield question, other
            if end[0] == "q":
                yield end, other
                for node in tuple(self.near(other)):
                    yield end, node
