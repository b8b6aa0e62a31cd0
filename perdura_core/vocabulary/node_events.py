"""What happens to questions, facts and edges, and to any node whatever its layer."""

from typing import Literal

from perdura_core.vocabulary.nodes import Edge, Fact, Interpretation, NodeId, Occurrence, Question
from perdura_core.vocabulary.placement import JudgedLayer, Placement, PlacementTier
from perdura_core.vocabulary.value import Text, Value

__all__ = [
    "EdgeAdded",
    "EdgeRetracted",
    "FactObserved",
    "FactRecorded",
    "InterpretationAdded",
    "LayerSettled",
    "NodeRedacted",
    "NodeRestored",
    "NodeSuperseded",
    "QuestionAsked",
    "QuestionPinned",
    "QuestionReopened",
    "QuestionResolved",
    "SuspicionDismissed",
]


class QuestionAsked(Value):
    """A question was added."""

    kind: Literal["question_asked"] = "question_asked"
    question: Question


class QuestionResolved(Value):
    """A question was settled."""

    kind: Literal["question_resolved"] = "question_resolved"
    node: NodeId
    resolved_by: NodeId | None = None


class QuestionReopened(Value):
    """A resolved question was opened again."""

    kind: Literal["question_reopened"] = "question_reopened"
    node: NodeId
    resolved_by: NodeId | None = None
    """What had resolved it, so that it can be resolved again."""


class QuestionPinned(Value):
    """The operator put a question first, or let it go."""

    kind: Literal["question_pinned"] = "question_pinned"
    node: NodeId
    pinned: bool


class FactRecorded(Value):
    """A fact was seen for the first time."""

    kind: Literal["fact_recorded"] = "fact_recorded"
    fact: Fact
    placed: Placement | None = None
    """Why it is a fact; None in minds of before that was written down."""


class FactObserved(Value):
    """A fact that the mind already held was seen again."""

    kind: Literal["fact_observed"] = "fact_observed"
    node: NodeId
    occurrence: Occurrence


class InterpretationAdded(Value):
    """A claim, a decision or a rejection was added."""

    kind: Literal["interpretation_added"] = "interpretation_added"
    interpretation: Interpretation
    placed: Placement | None = None
    """Why it is an interpretation; None when nothing else came into question."""


class LayerSettled(Value):
    """An unsure placement was looked at again: it stands as it is. One that moves is superseded instead."""

    kind: Literal["layer_settled"] = "layer_settled"
    node: NodeId
    layer: JudgedLayer
    tier: PlacementTier
    reason: Text


class EdgeAdded(Value):
    """Two nodes were linked."""

    kind: Literal["edge_added"] = "edge_added"
    edge: Edge


class EdgeRetracted(Value):
    """The operator took an edge back. It stays in the journal and counts no longer."""

    kind: Literal["edge_retracted"] = "edge_retracted"
    edge: str
    reason: Text
    was: Edge | None = None
    """The edge itself, so that it can be drawn again."""


class SuspicionDismissed(Value):
    """The operator looked at two interpretations and found no contradiction, or wants them suspected again."""

    kind: Literal["suspicion_dismissed"] = "suspicion_dismissed"
    left: NodeId
    right: NodeId
    is_dismissed: bool = True


class NodeSuperseded(Value):
    """A node gave way to another of its layer, or to the same words in the other one."""

    kind: Literal["node_superseded"] = "node_superseded"
    node: NodeId
    superseded_by: NodeId
    reason: Text | None = None


class NodeRestored(Value):
    """A supersession was taken back by the operator."""

    kind: Literal["node_restored"] = "node_restored"
    node: NodeId
    reason: Text


class NodeRedacted(Value):
    """A text was destroyed everywhere in the mind; the structure stays."""

    kind: Literal["node_redacted"] = "node_redacted"
    node: NodeId
