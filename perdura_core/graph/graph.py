"""The index of the present in memory: adjacency and the little that decisions need of each node. No texts."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from perdura_core.vocabulary import (
    EdgeType,
    Event,
    InterpretationKind,
    Layer,
    Level,
    NodeId,
    QuestionStatus,
    Stake,
    Status,
)

__all__ = ["Graph", "Link", "Vertex", "digest_of"]


def digest_of(text: str) -> int:
    """64-bit digest of the text in lower case with every run of non-alphanumerics as one space: equal = same words.

    Numbers, signs and negations stay distinct because the words do.
    """
    raise NotImplementedError


@dataclass(slots=True)
class Vertex:
    """What the index keeps of one node. Only Graph.apply changes it."""

    id: NodeId
    layer: Layer
    domains: tuple[str, ...]
    created_by: str
    boarding: str | None
    created_at: datetime
    digest: int
    size: int
    """Characters of its text."""
    superseded_by: NodeId | None = None
    # questions
    stake: Stake = "normal"
    question_status: QuestionStatus = "open"
    pinned: bool = False
    # interpretations
    kind: InterpretationKind | None = None
    level: Level = 1
    confidence: float = 0.0
    asserted_confidence: float | None = None
    status: Status = "active"
    facts: tuple[NodeId, ...] = ()

    @property
    def is_live(self) -> bool:
        """Not superseded, and if an interpretation: active and not a rejection."""
        raise NotImplementedError


class Link(NamedTuple):
    """One edge of the index."""

    id: str
    type: EdgeType
    src: NodeId
    dst: NodeId
    created_by: str
    boarding: str | None


class Graph:
    """Adjacency, liveness, contention and open work, kept by events.

    Contention of a subgraph is the sum over live `contradicts` pairs of the mean confidence of both ends, divided by
    the number of live claims (EPISTEMICS: `edge_signal`); a pair counts once whatever its directions and repeats. A
    merge updates the questions whose 2-hop neighbourhood it touches and no others.
    """

    head: int
    """Number of the last event applied."""

    def apply(self, events: Iterable[Event]) -> None:
        """Move the index forward. Events at or before `head` are ignored, so that applying twice is harmless."""
        raise NotImplementedError

    # Nodes

    def get(self, node: NodeId) -> Vertex | None:
        """The vertex, or None if the mind holds no such node."""
        raise NotImplementedError

    def vertices(self, layer: Layer | None = None) -> Iterator[Vertex]:
        """All vertices, or those of one layer, in order of creation."""
        raise NotImplementedError

    def count(self, layer: Layer) -> int:
        """How many nodes of the layer there are."""
        raise NotImplementedError

    def same_text(self, layer: Layer, digest: int) -> NodeId | None:
        """The newest node of the layer, neither superseded nor deleted, whose text has this digest."""
        raise NotImplementedError

    # Edges

    def links(self, node: NodeId) -> Collection[Link]:
        """Every edge that touches the node, both directions."""
        raise NotImplementedError

    def edge(self, edge_id: str) -> Link | None:
        """An edge by id; None when unknown or retracted."""
        raise NotImplementedError

    def edge_between(self, type_: EdgeType, src: NodeId, dst: NodeId) -> str | None:
        """The id of the edge of this type, if there is one. `contradicts` is symmetric: either direction counts."""
        raise NotImplementedError

    def cited_by(self, fact: NodeId) -> Collection[NodeId]:
        """Interpretations that refer to the fact."""
        raise NotImplementedError

    def neighbourhood(self, seeds: Iterable[NodeId], hops: int) -> dict[NodeId, int]:
        """Nodes within so many edges of the seeds, seeds included, with distance. Fact references count as edges."""
        raise NotImplementedError

    # Questions and contention

    def open_questions(self) -> list[Vertex]:
        """Open, live questions in order of creation."""
        raise NotImplementedError

    def contention(self, question: NodeId) -> float:
        """Contention of the question's 2-hop neighbourhood along edges. O(1)."""
        raise NotImplementedError

    def contention_all(self) -> float:
        """Contention of the whole mind. O(1)."""
        raise NotImplementedError

    def contention_of_domains(self) -> Mapping[str, float]:
        """Contention per domain: claims of the domain, and pairs with both ends in it."""
        raise NotImplementedError

    def disputes(self, question: NodeId | None = None) -> list[tuple[NodeId, NodeId]]:
        """Live contradicting pairs, hottest first (mean confidence), of one question's neighbourhood or of the mind."""
        raise NotImplementedError

    def claims_in(self, question: NodeId) -> int:
        """Live claims in the question's neighbourhood."""
        raise NotImplementedError

    # Work

    def open_boardings(self) -> Mapping[str, tuple[NodeId, str | None]]:
        """Boardings that have not ended: id -> (question, session)."""
        raise NotImplementedError

    def boardings_of(self, question: NodeId) -> int:
        """How many boardings the question has had."""
        raise NotImplementedError

    def idle_boardings(self, question: NodeId) -> int:
        """How many of the question's latest boardings ended without adding a node or an edge."""
        raise NotImplementedError

    def last_models(self, question: NodeId) -> list[str]:
        """Models that boarded the question, oldest first."""
        raise NotImplementedError

    def total_boardings(self) -> int:
        """Boardings opened in the whole mind."""
        raise NotImplementedError

    def was_applied(self, boarding: str, fingerprint: str) -> bool:
        """Whether the boarding already sent this element, merged or refused."""
        raise NotImplementedError

    def refs(self, boarding: str) -> Mapping[str, NodeId]:
        """Refs of the boarding's merged elements and the nodes they became."""
        raise NotImplementedError
