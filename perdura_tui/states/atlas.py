"""The whole graph from above: clusters of nodes around questions or domains, and what joins them."""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from typing import Literal, NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import NodeId

__all__ = ["REST", "Atlas", "Bond", "By", "Cluster", "Survey", "View"]

By = Literal["question", "domain"]

REST = "…"
"""Key of the cluster that takes in what no other has room for."""
_MOST_CLUSTERS = 48
_MOST_MEMBERS = 4_000
"""In a larger mind a cluster is a disc of its size, without its single nodes."""
_MOST_PAIRS = 160
_STEP = 64
"""Nodes looked at between two looks at the clock."""


class View(NamedTuple):
    """What the operator wants to see of the graph."""

    by: By = "question"
    only_disputes: bool = False
    with_history: bool = False
    """Also what gave way or was let go."""


class Member(NamedTuple):
    """One node of a cluster."""

    id: NodeId
    kind: str
    """An interpretation's kind, else the layer."""
    is_disputed: bool
    is_live: bool


class Cluster(NamedTuple):
    """Nodes that belong together."""

    key: str
    """A question's id, a domain, or REST."""
    size: int
    contention: float
    disputes: int
    members: tuple[Member, ...] = ()
    """The middle first, then disputed ones, then the rest in order of creation; empty in a large mind."""


class Bond(NamedTuple):
    """Edges between two clusters."""

    a: str
    b: str
    edges: int
    disputes: int


class Atlas(NamedTuple):
    """Clusters, the most contended first, then the largest; and their bonds, the strongest first."""

    view: View = View()
    clusters: tuple[Cluster, ...] = ()
    bonds: tuple[Bond, ...] = ()
    nodes: int = 0
    pairs: tuple[tuple[NodeId, NodeId], ...] = ()
    """Contradictions between members, the hottest first."""


class Survey:
    """Draws an atlas of a graph a moment at a time, so that others get the event loop in between.

    Each node belongs to the question, or the domain, that is the fewest edges away. What changes while the survey goes
    on may be missed; the next survey sees it.
    """

    def __init__(self, graph: Graph, view: View) -> None:
        self._graph = graph
        self._view = view
        self._key: dict[NodeId, str] = {}
        self._pairs = graph.disputes(limit=_MOST_PAIRS)
        self._hot = {node for pair in graph.pairs() for node in pair}
        self._members: dict[str, list[Member]] = {}
        self._sizes: dict[str, int] = {}
        self._disputes: dict[str, int] = {}
        self._bonds: dict[tuple[str, str], list[int]] = {}
        self._is_small = sum(graph.count(layer) for layer in ("question", "fact", "interpretation")) <= _MOST_MEMBERS
        self._steps = self._work()
        self.atlas: Atlas | None = None
        """The result, once there."""

    def work(self, until_s: float, now_s: Callable[[], float]) -> bool:
        """Go on until a monotonic time at most. Returns whether the atlas is there."""
        while self.atlas is None and now_s() < until_s:
            for _ in islice(self._steps, _STEP):
                pass
        return self.atlas is not None

    def _work(self) -> Iterator[None]:
        ids = [vertex.id for vertex in self._graph.vertices()]
        yield from self._spread(ids)
        for node in ids:
            self._count(node)
            yield
        self.atlas = yield from self._drawn()

    def _spread(self, ids: list[NodeId]) -> Iterator[None]:
        """Hand each source's key on along the edges."""
        graph, queue = self._graph, deque[NodeId]()
        for node in ids:
            vertex = graph.get(node)
            key = None if vertex is None else self._own_key(vertex)
            if key is not None:
                self._key[node] = key
                queue.append(node)
            yield
        while queue:
            node = queue.popleft()
            key, vertex = self._key[node], graph.get(node)
            near = [link.dst if link.src == node else link.src for link in graph.links(node)]
            near.extend(vertex.facts if vertex is not None else ())
            near.extend(graph.cited_by(node))
            for other in near:
                if other not in self._key:
                    self._key[other] = key
                    queue.append(other)
            yield

    def _own_key(self, vertex: Vertex) -> str | None:
        if self._view.by == "question":
            return vertex.id if vertex.layer == "question" and self._shows(vertex) else None
        return vertex.domains[0] if vertex.domains else None

    def _shows(self, vertex: Vertex | None) -> bool:
        return vertex is not None and (vertex.is_live or self._view.with_history)

    def _count(self, node: NodeId) -> None:
        vertex = self._graph.get(node)
        if vertex is None or not self._shows(vertex):
            return
        is_hot = node in self._hot
        if self._view.only_disputes and not is_hot and vertex.layer != "question":
            return
        key = self._key.get(node, REST)
        self._sizes[key] = self._sizes.get(key, 0) + 1
        if self._is_small:
            self._members.setdefault(key, []).append(Member(node, vertex.kind or vertex.layer, is_hot, vertex.is_live))
        for link in self._graph.links(node):
            if link.src != node or (self._view.only_disputes and link.type != "contradicts"):
                continue
            other = self._key.get(link.dst, REST)
            is_dispute = link.type == "contradicts" and is_hot and link.dst in self._hot
            if other == key:
                self._disputes[key] = self._disputes.get(key, 0) + is_dispute
                continue
            bond = self._bonds.setdefault((min(key, other), max(key, other)), [0, 0])
            bond[0] += 1
            bond[1] += is_dispute
            for side in (key, other):
                self._disputes[side] = self._disputes.get(side, 0) + is_dispute

    def _drawn(self) -> Generator[None, None, Atlas]:
        of_domain = self._graph.contention_of_domains() if self._view.by == "domain" else {}

        def contention(key: str) -> float:
            return 0.0 if key == REST else of_domain.get(key, 0.0) if of_domain else self._graph.contention(key)

        found = [
            Cluster(key, size, contention(key), self._disputes.get(key, 0), self._ranked(key))
            for key, size in self._sizes.items()
            if not self._view.only_disputes or self._disputes.get(key, 0)
        ]
        found.sort(key=lambda cluster: (cluster.key == REST, -round(cluster.contention, 3), -cluster.size, cluster.key))
        kept = found[:_MOST_CLUSTERS]
        if len(found) > len(kept):
            rest = found[_MOST_CLUSTERS - 1 :]
            kept = [*found[: _MOST_CLUSTERS - 1], _joined(rest)]
        names = {cluster.key for cluster in kept}
        bonds: dict[tuple[str, str], list[int]] = {}
        for (a, b), (edges, disputes) in self._bonds.items():
            ends = tuple(sorted((a if a in names else REST, b if b in names else REST)))
            if ends[0] != ends[1] and names.issuperset(ends):
                bond = bonds.setdefault((ends[0], ends[1]), [0, 0])
                bond[0] += edges
                bond[1] += disputes
            yield
        ranked = [Bond(a, b, edges, disputes) for (a, b), (edges, disputes) in bonds.items()]
        ranked.sort(key=lambda bond: (-bond.disputes, -bond.edges, bond.a, bond.b))
        pairs = tuple(self._pairs) if self._is_small else ()
        return Atlas(self._view, tuple(kept), tuple(ranked), sum(cluster.size for cluster in found), pairs)

    def _ranked(self, key: str) -> tuple[Member, ...]:
        members = self._members.get(key, [])
        return tuple(sorted(members, key=lambda member: (member.id != key, not member.is_disputed)))


def _joined(clusters: list[Cluster]) -> Cluster:
    members = tuple(member for cluster in clusters for member in cluster.members)
    return Cluster(
        REST, sum(c.size for c in clusters), max(c.contention for c in clusters), sum(c.disputes for c in clusters),
        members,
    )  # fmt: skip
