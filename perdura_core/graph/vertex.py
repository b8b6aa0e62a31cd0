"""What the index keeps of nodes and edges."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from perdura_core.vocabulary import (
    Edge,
    EdgeType,
    Interpretation,
    InterpretationKind,
    Layer,
    Level,
    Node,
    NodeId,
    Question,
    QuestionStatus,
    Stake,
    Status,
    layer_of,
)

__all__ = ["Link", "Vertex", "digest_of"]

_GAPS = re.compile(r"-(?!\d)|(?<=[^\W\d])-|[.,:/](?!\d)|!(?!=)|[\s;?\"'“”‘’«»()\[\]{}*_`–—…·、。「」『』]+")
"""Blanks, quotes, brackets, emphasis and sentence punctuation; not what tells numbers and operators apart."""


def digest_of(text: str) -> int:
    """Signed 64-bit digest of the words of a text: equal = same words in the same order.

    Case, blanks, quotes, brackets, emphasis and sentence punctuation make no difference. What changes a meaning does:
    numbers with their signs and separators (`-5`, `1.5`), operators and symbols (`<`, `%`, `C++`), vowel marks. Fits
    SQLite's integers. Never 0, which stands for a redacted text.
    """
    words = " ".join(_GAPS.sub(" ", unicodedata.normalize("NFC", text).lower()).split())
    digest = blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1


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
    """`digest_of` its text; 0 when the text was redacted."""
    size: int
    """Characters of its text; 0 when it was redacted."""
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
    votes: tuple[tuple[str, float, int], ...] = ()
    """Who voted on the confidence since it was asserted: voter, sum and number of the votes; in order of first vote."""

    def vote(self, by: str, confidence: float) -> None:
        """Take note of one vote."""
        votes = {voter: (total, count) for voter, total, count in self.votes}
        total, count = votes.get(by, (0.0, 0))
        votes[by] = (total + confidence, count + 1)
        self.votes = tuple((voter, *tally) for voter, tally in votes.items())

    @property
    def is_live(self) -> bool:
        """Not superseded, and if an interpretation: active and not a rejection."""
        return self.superseded_by is None and self.status == "active" and self.kind != "rejected"

    @classmethod
    def of(cls, node: Node) -> "Vertex":
        """The vertex of a node as it stands."""
        vertex = cls(
            id=node.id,
            layer=layer_of(node.id),
            domains=node.domains,
            created_by=node.created_by,
            boarding=node.boarding,
            created_at=node.created_at,
            digest=digest_of(node.text),
            size=len(node.text),
            superseded_by=node.superseded_by,
        )
        if isinstance(node, Question):
            vertex.stake, vertex.question_status, vertex.pinned = node.stake, node.status, node.pinned
        elif isinstance(node, Interpretation):
            vertex.kind, vertex.level, vertex.status, vertex.facts = node.kind, node.level, node.status, node.facts
            vertex.confidence, vertex.asserted_confidence = node.confidence, node.asserted_confidence
        return vertex


LinkRow = tuple[int, EdgeType, NodeId, NodeId, str, str | None]
"""An edge as it is stored, with the number of its id: what a Link is made from when somebody asks for it."""


class Link(NamedTuple):
    """One edge of the index."""

    id: str
    type: EdgeType
    src: NodeId
    dst: NodeId
    created_by: str
    boarding: str | None

    @staticmethod
    def read(row: LinkRow) -> "Link":
        """The link of a stored edge."""
        number, type_, src, dst, by, boarding = row
        return Link(f"e{number}", type_, src, dst, by, boarding)

    @staticmethod
    def of(edge: Edge) -> "Link":
        """The link of an edge."""
        return Link(edge.id, edge.type, edge.src, edge.dst, edge.created_by, edge.boarding)
