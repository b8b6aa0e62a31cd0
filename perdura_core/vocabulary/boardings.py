"""Boardings: one worker's stay, from the route that chose it to the way it ended."""

from datetime import datetime
from typing import Literal

from perdura_core.vocabulary.models import ModelId, Usage
from perdura_core.vocabulary.nodes import EdgeType, InterpretationKind, Layer, Level, NodeId
from perdura_core.vocabulary.value import MicroUsd, Text, Unit, Value

__all__ = [
    "Alternative",
    "Boarding",
    "BoardingRecord",
    "Briefing",
    "BriefingEdge",
    "BriefingNode",
    "Ending",
    "Mode",
    "Phase",
    "PolicyName",
    "Route",
    "Shown",
]

Mode = Literal["organic", "adversarial", "audit"]
Ending = Literal["merged", "swapped", "cancelled", "refused", "failed", "interrupted"]
Phase = Literal["empty", "routing", "briefing", "waiting", "streaming", "repairing", "merging", "paused"]
PolicyName = Literal[
    "cheap", "pinned", "round_robin", "periodic", "random", "contention", "track_record", "specialist", "stagnation",
    "cascade", "operator", "fallback",
]  # fmt: skip
"""Who chose the model: a routing policy, the operator's hand, or the fallback chain."""


class Route(Value):
    """The choice of a model for a question, with its reason in words a person can read."""

    model: ModelId
    policy: PolicyName
    reason: str


class Alternative(Value):
    """A model that other policies would have chosen at the same moment."""

    model: ModelId
    policies: tuple[PolicyName, ...]
    cost_micro_usd: MicroUsd | None = None
    """Expected; None: unknown."""


class Shown(Value):
    """One node as a briefing showed it."""

    node: NodeId
    confidence: Unit | None = None
    """The confidence printed beside it; None for facts and questions, and in masked briefings."""


class Boarding(Value):
    """One worker's stay."""

    id: str
    session: str | None = None
    seat: int
    question: NodeId
    model: ModelId
    mode: Mode = "organic"
    route: Route
    masked: bool = False
    """Confidences were hidden from the worker."""
    shown: tuple[Shown, ...] = ()
    """The briefing's nodes in its order: with their stored text it can be rebuilt exactly."""
    briefing_tokens: int = 0
    opened_at: datetime


class BoardingRecord(Value):
    """A boarding as the store keeps it: while it is open, `ending` is None."""

    boarding: Boarding
    ending: Ending | None = None
    reason: str | None = None
    usage: Usage | None = None
    cost_micro_usd: MicroUsd = 0
    seconds: float | None = None
    merged: int = 0
    rejected: int = 0


class BriefingNode(Value):
    """One node of a briefing. Never carries an author."""

    id: NodeId
    layer: Layer
    kind: InterpretationKind | None = None
    level: Level | None = None
    text: Text
    """Cut to the briefing's share for one node, ending in an ellipsis when it was cut."""
    domains: tuple[str, ...] = ()
    confidence: Unit | None = None
    source: str | None = None
    facts: tuple[NodeId, ...] = ()
    is_context: bool = False
    """Shown for orientation only: settled, resolved or superseded."""


class BriefingEdge(Value):
    """One edge between two shown nodes."""

    type: EdgeType
    src: NodeId
    dst: NodeId


class Briefing(Value):
    """The bounded extract that a worker sees."""

    question: BriefingNode
    nodes: tuple[BriefingNode, ...] = ()
    """Decisions and contradicted claims first, then claims, then facts by relevance. Without the question."""
    edges: tuple[BriefingEdge, ...] = ()
    audit_pairs: tuple[tuple[NodeId, NodeId], ...] = ()
    """Unlinked pairs of claims that lie close in text; only in audit mode, at most six."""
    mode: Mode = "organic"
    masked: bool = False
    tokens: int = 0
    """Upper bound of the rendered size."""
    left_out: int = 0
    """How many candidates did not fit."""
    breaking: NodeId | None = None
    """The interpretation that is shown by lot; None: none is."""

    @property
    def ids(self) -> frozenset[NodeId]:
        """Every id that the worker may touch."""
        return frozenset([self.question.id, *(node.id for node in self.nodes)])
