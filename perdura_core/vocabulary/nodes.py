"""Nodes and edges: what a mind holds."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from perdura_core.vocabulary.value import Text, Unit, Value

__all__ = [
    "CONDUCTOR",
    "EDGE_TYPES",
    "INGEST",
    "OPERATOR",
    "Edge",
    "EdgeType",
    "Fact",
    "Interpretation",
    "InterpretationKind",
    "Layer",
    "Level",
    "Node",
    "NodeId",
    "Occurrence",
    "Question",
    "QuestionStatus",
    "Stake",
    "Status",
    "Velocity",
    "layer_of",
]

NodeId = str
"""`q7`, `f1042` or `i311`: the first letter tells the layer."""

Layer = Literal["question", "fact", "interpretation"]
QuestionStatus = Literal["open", "resolved"]
Stake = Literal["low", "normal", "high"]
InterpretationKind = Literal["claim", "decision", "rejected"]
Level = Literal[1, 2, 3]
"""1 instance, 2 pattern, 3 principle."""
Status = Literal["active", "shadow", "deleted"]
Velocity = Literal["fast", "medium", "slow"]
EdgeType = Literal["supports", "contradicts", "refines", "answers", "depends_on"]
EDGE_TYPES: tuple[EdgeType, ...] = ("supports", "contradicts", "refines", "answers", "depends_on")

OPERATOR = "operator"
"""The author of what the person at the desk or the command line does."""
INGEST = "ingest"
"""The author of facts taken from documents."""
CONDUCTOR = "conductor"
"""The author of what the deterministic core draws by itself; it counts for nobody's track record."""

_LAYERS: dict[str, Layer] = {"q": "question", "f": "fact", "i": "interpretation"}


def layer_of(node: NodeId) -> Layer:
    """The layer that an id names. Raises KeyError on anything else."""
    return _LAYERS[node[:1]]


class Occurrence(Value):
    """One sighting of a fact."""

    source: Text | None = None
    """Where: `notes/deploy.md#L20`; None when the contributor named no source."""
    observed_at: datetime | None = None
    """When the source says it was so; None when it does not say."""
    recorded_at: datetime
    recorded_by: str
    """`ingest`, `operator`, or the id of the model."""
    boarding: str | None = None


class Question(Value):
    """What drives work."""

    id: NodeId
    text: Text
    domains: tuple[str, ...] = ()
    stake: Stake = "normal"
    status: QuestionStatus = "open"
    pinned: bool = False
    """The operator wants this one worked next."""
    created_by: str
    boarding: str | None = None
    created_at: datetime
    superseded_by: NodeId | None = None
    resolved_by: NodeId | None = None


class Fact(Value):
    """An objective observation. It has no confidence, and no code may give it one."""

    id: NodeId
    text: Text
    domains: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    occurrences: tuple[Occurrence, ...] = Field(min_length=1)
    """Sightings, oldest first."""
    created_by: str
    boarding: str | None = None
    created_at: datetime
    superseded_by: NodeId | None = None

    @property
    def source(self) -> str | None:
        """The source of the first sighting."""
        return self.occurrences[0].source


class Interpretation(Value):
    """A judgement, whose confidence evolves."""

    id: NodeId
    kind: InterpretationKind
    text: Text
    level: Level = 1
    domains: tuple[str, ...] = ()
    facts: tuple[NodeId, ...] = ()
    """The facts it refers to."""
    asserted_confidence: Unit | None = None
    """What its author claimed; None when the author did not say."""
    confidence: Unit
    """What it is worth now."""
    status: Status = "active"
    velocity: Velocity = "medium"
    created_by: str
    boarding: str | None = None
    created_at: datetime
    superseded_by: NodeId | None = None


Node = Question | Fact | Interpretation


class Edge(Value):
    """A directed, attributed relation: `src` supports, contradicts, refines, answers or depends on `dst`."""

    id: str
    type: EdgeType
    src: NodeId = Field(alias="from")
    dst: NodeId = Field(alias="to")
    created_by: str
    boarding: str | None = None
    created_at: datetime
