"""What decisions ask of the index of the present: nodes, edges, contention and open work."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Set

from perdura_core.graph.adjacency import Adjacency
from perdura_core.graph.contention import Contention
from perdura_core.graph.restating import Restating
from perdura_core.graph.vertex import Link, Vertex
from perdura_core.graph.work import Work
from perdura_core.vocabulary import EdgeType, Layer, NodeId, Velocity

__all__ = ["Present", "own_groups"]

_MIND = "mind"
_DOMAIN = "domain:"
"""Groups of the contention index: `mind`, `domain:` before a domain's name, and question ids."""


class Present:
    """The reading half of the graph.

    What a method returns as Collection or Mapping is the index itself: read it before the next event is applied.
    """

    def __init__(self) -> None:
        self.head = 0
        """Number of the last event applied."""
        self._vertices: dict[NodeId, Vertex] = {}
        self._layers: dict[Layer, dict[NodeId, Vertex]] = {"question": {}, "fact": {}, "interpretation": {}}
        self._texts: dict[tuple[Layer, int], list[NodeId]] = {}
        self._citing: dict[NodeId, list[NodeId]] = {}
        self._adjacency = Adjacency()
        self._contention = Contention()
        self._restating = Restating(self._vertices)
        self._domains: dict[str, None] = {}
        self._velocities: dict[str, Velocity] = {}
        self._work = Work()

    # Nodes

    def get(self, node: NodeId) -> Vertex | None:
        """The vertex, or None if the mind holds no such node."""
        return self._vertices.get(node)

    def vertices(self, layer: Layer | None = None, *, newest: bool = False) -> Iterator[Vertex]:
        """All vertices, or those of one layer, in order of creation; with `newest` the other way round."""
        chosen = (self._vertices if layer is None else self._layers[layer]).values()
        return reversed(chosen) if newest else iter(chosen)

    def count(self, layer: Layer) -> int:
        """How many nodes of the layer there are."""
        return len(self._layers[layer])

    def same_text(self, layer: Layer, digest: int) -> NodeId | None:
        """The newest node of the layer, neither superseded nor deleted, whose text has this digest."""
        for node in reversed(self._texts.get((layer, digest), ())):
            vertex = self._vertices[node]
            if vertex.superseded_by is None and vertex.status != "deleted":
                return node
        return None

    def given_way(self, interpretation: NodeId) -> list[NodeId]:
        """Facts that it refers to, or that support it, and that gave way to others: it needs to be looked at again."""
        vertex = self._vertices[interpretation]
        linked = (link.src if link.dst == interpretation else link.dst for link in self.links(interpretation))
        facts = dict.fromkeys([*vertex.facts, *(node for node in linked if node[0] == "f")])
        return [fact for fact in facts if fact in self._vertices and self._vertices[fact].superseded_by is not None]

    def known_fact(self, digest: int) -> NodeId | None:
        """The fact whose text has this digest: one that stands, else the newest that gave way.

        What is observed again is the same fact, however long ago it was seen and whatever became of it.
        """
        return self.same_text("fact", digest) or next(reversed(self._texts.get(("fact", digest), ())), None)

    # Domains

    def velocity_of(self, domains: Iterable[str]) -> Velocity:
        """How fast an interpretation of these domains will age: as the first of them that was profiled; else medium."""
        return next((self._velocities[domain] for domain in domains if domain in self._velocities), "medium")

    def profiled(self) -> Mapping[str, Velocity]:
        """The velocity of every domain that was profiled."""
        return self._velocities

    def domains_in_use(self) -> Collection[str]:
        """Domains of which there is an interpretation, whatever became of it. Their velocity is settled."""
        return self._domains.keys()

    # Edges

    def links(self, node: NodeId) -> Collection[Link]:
        """Every edge that touches the node, both directions."""
        return self._adjacency.links(node)

    def edge(self, edge_id: str) -> Link | None:
        """An edge by id; None when unknown or retracted."""
        return self._adjacency.edge(edge_id)

    def edge_between(self, type_: EdgeType, src: NodeId, dst: NodeId) -> str | None:
        """The id of the edge of this type, if there is one. `contradicts` is symmetric: either direction counts."""
        link = self._adjacency.between(type_, src, dst)
        return link.id if link else None

    def cited_by(self, fact: NodeId) -> Collection[NodeId]:
        """Interpretations that refer to the fact."""
        return self._citing.get(fact, ())

    def neighbourhood(self, seeds: Iterable[NodeId], hops: int) -> dict[NodeId, int]:
        """Nodes within so many edges of the seeds, seeds included, with distance. Fact references count as edges.

        Seeds the mind does not hold are left out. Nearer ones come first; the order is not defined otherwise.
        """
        vertices, near, citing = self._vertices, self._adjacency.near, self._citing
        found = {seed: 0 for seed in seeds if seed in vertices}
        rim: Collection[NodeId] = found.keys()
        for distance in range(1, hops + 1):
            further: set[NodeId] = set()
            for node in rim:
                further.update(near(node), vertices[node].facts, citing.get(node, ()))
            further.difference_update(found)
            found.update(dict.fromkeys(further, distance))
            rim = further
        return found

    # Questions and contention

    def open_questions(self) -> list[Vertex]:
        """Open, live questions in order of creation."""
        return [
            vertex
            for vertex in self._layers["question"].values()
            if vertex.question_status == "open" and vertex.superseded_by is None
        ]

    def contention(self, question: NodeId) -> float:
        """Contention of the question's 2-hop neighbourhood along edges. O(1)."""
        return self._contention.of(question)

    def contention_all(self) -> float:
        """Contention of the whole mind. O(1)."""
        return self._contention.of(_MIND)

    def contention_of_domains(self) -> Mapping[str, float]:
        """Contention per domain: claims of the domain, and pairs with both ends in it."""
        return {domain: self._contention.of(_DOMAIN + domain) for domain in self._domains}

    def disputes(
        self, question: NodeId | None = None, *, domain: str | None = None, limit: int | None = None
    ) -> list[tuple[NodeId, NodeId]]:
        """Live contradicting pairs, hottest first (mean confidence), of one question's neighbourhood or of the mind.

        domain: those with both ends in it. limit: no more than so many, in less time.
        """
        return self._contention.disputes(_group(question, domain), limit)

    def pairs(self, question: NodeId | None = None, *, domain: str | None = None) -> Collection[tuple[NodeId, NodeId]]:
        """The same pairs in no order. O(1)."""
        return self._contention.pairs(_group(question, domain))

    def rivals(self, node: NodeId) -> list[NodeId]:
        """What the node is in dispute with."""
        return self._contention.rivals(node)

    def questions_near(self, interpretation: NodeId) -> list[NodeId]:
        """The questions within two edges of an interpretation, oldest first."""
        near = [group for group in self._contention.groups(interpretation) if group in self._layers["question"]]
        return sorted(near, key=lambda node: int(node[1:]))

    def speaker(self, node: NodeId) -> NodeId:
        """The claim that counts for this one in contention and in records: itself, unless its author said it before."""
        return self._restating.speaker(node)

    def spoken_for(self, node: NodeId) -> list[NodeId]:
        """The later claims of its author that say the same as this one, older first."""
        return self._restating.spoken_for(node)

    def claims_in(self, question: NodeId) -> int:
        """Live claims in the question's neighbourhood."""
        return self._contention.claims(question)

    def claims_of_domain(self, domain: str) -> int:
        """Live claims of the domain. O(1)."""
        return self._contention.claims(_DOMAIN + domain)

    # Work

    def open_boardings(self) -> Mapping[str, tuple[NodeId, str | None]]:
        """Boardings that have not ended: id -> (question, session)."""
        return {stay.boarding: (stay.question, stay.session) for stay in self._work.aboard.values()}

    def boardings_of(self, question: NodeId) -> int:
        """How many boardings the question has had."""
        return self._work.boardings(question)

    def idle_boardings(self, question: NodeId) -> int:
        """How many of the question's latest boardings ended without adding a node or an edge."""
        return self._work.idle(question)

    def last_models(self, question: NodeId) -> list[str]:
        """Models that boarded the question, oldest first."""
        return self._work.models(question)

    def total_boardings(self) -> int:
        """Boardings opened in the whole mind."""
        return self._work.total

    def was_applied(self, boarding: str, fingerprint: str) -> bool:
        """Whether the boarding already sent this element, merged, refused or held. False once it has ended."""
        stay = self._work.aboard.get(boarding)
        return stay is not None and fingerprint in stay.fingerprints

    def refs(self, boarding: str) -> Mapping[str, NodeId]:
        """Refs of the boarding's merged elements and the nodes they became. Empty once it has ended.

        Also refs of refused elements that only repeated a standing node, with that node.
        """
        stay = self._work.aboard.get(boarding)
        return stay.refs if stay else {}

    def moved(self, boarding: str) -> Set[NodeId]:
        """Nodes that the boarding sent as a fact or claim and that are in the other layer. Empty once it has ended."""
        stay = self._work.aboard.get(boarding)
        return stay.moved if stay else frozenset()

    def held(self, boarding: str) -> Mapping[str, str]:
        """Refs of the boarding's elements that wait for the operator, and their proposals. Empty once it has ended."""
        stay = self._work.aboard.get(boarding)
        return stay.held if stay else {}


def _group(question: NodeId | None, domain: str | None) -> str:
    if domain is not None:
        return _DOMAIN + domain
    return _MIND if question is None else question


def own_groups(domains: Iterable[str]) -> tuple[str, ...]:
    """Groups of the contention index that an interpretation of these domains belongs to wherever it is linked."""
    return (_MIND, *(_DOMAIN + domain for domain in domains))
