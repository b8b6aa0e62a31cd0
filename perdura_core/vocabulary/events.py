"""The journal's entries. One small class for each thing that can happen, in the past tense.

An event carries everything that its projection into state needs, so that any past state can be rebuilt by reading
the journal up to a sequence number, and so that a screen, a second process or an export needs no other source.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from perdura_core.vocabulary.boardings import Boarding, Ending
from perdura_core.vocabulary.delta import ElementKind, RejectionReason
from perdura_core.vocabulary.imported import MindImported
from perdura_core.vocabulary.models import ModelId, Terms, Usage
from perdura_core.vocabulary.nodes import Edge, Fact, Interpretation, NodeId, Occurrence, Question, Status
from perdura_core.vocabulary.value import MicroUsd, Text, Unit, Value

__all__ = [
    "ActUndone",
    "BoardingEnded",
    "BoardingOpened",
    "CardChanged",
    "ConfidenceRevised",
    "ConfidenceVoted",
    "CostReserved",
    "CostSettled",
    "DocumentRead",
    "Draft",
    "EdgeAdded",
    "EdgeRetracted",
    "ElementHeld",
    "ElementMerged",
    "ElementRejected",
    "Event",
    "FactObserved",
    "FactRecorded",
    "Happening",
    "InterpretationAdded",
    "MindCreated",
    "ModelCooled",
    "ModelDisabled",
    "ModelEnabled",
    "NodeRedacted",
    "NodeRestored",
    "NodeSuperseded",
    "OperatorActed",
    "ProposalSettled",
    "QuestionAsked",
    "QuestionPinned",
    "QuestionReopened",
    "QuestionResolved",
    "SessionChanged",
    "SessionEnded",
    "SessionStarted",
    "StatusChanged",
]


class MindCreated(Value):
    """The first event of every mind."""

    kind: Literal["mind_created"] = "mind_created"
    version: str
    """Of the program that created it."""


class SessionStarted(Value):
    """A conductor began to run."""

    kind: Literal["session_started"] = "session_started"
    session: str
    operator: str
    seats: int
    policy: str
    models: tuple[ModelId, ...]
    budget_micro_usd: MicroUsd | None = None
    """None: no cap."""


class SessionChanged(Value):
    """The operator gave the running session other seats, another policy or another cap."""

    kind: Literal["session_changed"] = "session_changed"
    session: str
    seats: int
    policy: str
    budget_micro_usd: MicroUsd | None = None
    """None: no cap."""


class SessionEnded(Value):
    """A conductor stopped, or a later one found that it had."""

    kind: Literal["session_ended"] = "session_ended"
    session: str
    ending: Literal["finished", "stopped", "interrupted"]
    boardings: int
    cost_micro_usd: MicroUsd


class DocumentRead(Value):
    """A document was taken apart into facts."""

    kind: Literal["document_read"] = "document_read"
    path: Text
    sha256: str
    facts: int
    """Facts new to the mind."""
    seen_again: int
    """Facts that it already held."""


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


class FactObserved(Value):
    """A fact that the mind already held was seen again."""

    kind: Literal["fact_observed"] = "fact_observed"
    node: NodeId
    occurrence: Occurrence


class InterpretationAdded(Value):
    """A claim, a decision or a rejection was added."""

    kind: Literal["interpretation_added"] = "interpretation_added"
    interpretation: Interpretation


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


class ConfidenceVoted(Value):
    """Somebody said what an interpretation is worth."""

    kind: Literal["confidence_voted"] = "confidence_voted"
    node: NodeId
    confidence: Unit
    reason: Text | None = None


class ConfidenceRevised(Value):
    """An interpretation's confidence moved. `reason` says what moved it."""

    kind: Literal["confidence_revised"] = "confidence_revised"
    node: NodeId
    before: Unit
    after: Unit
    reason: Text


class NodeSuperseded(Value):
    """A node gave way to another of its layer."""

    kind: Literal["node_superseded"] = "node_superseded"
    node: NodeId
    superseded_by: NodeId
    reason: Text | None = None


class NodeRestored(Value):
    """A supersession was taken back by the operator."""

    kind: Literal["node_restored"] = "node_restored"
    node: NodeId
    reason: Text


class StatusChanged(Value):
    """An interpretation went to shadow, came back, or was let go."""

    kind: Literal["status_changed"] = "status_changed"
    node: NodeId
    before: Status
    after: Status
    reason: Text


class NodeRedacted(Value):
    """A text was destroyed everywhere in the mind; the structure stays."""

    kind: Literal["node_redacted"] = "node_redacted"
    node: NodeId


class BoardingOpened(Value):
    """A worker came aboard."""

    kind: Literal["boarding_opened"] = "boarding_opened"
    boarding: Boarding


class BoardingEnded(Value):
    """A worker disembarked."""

    kind: Literal["boarding_ended"] = "boarding_ended"
    boarding: str
    ending: Ending
    reason: Text | None = None
    """Why it ended so, when that is not plain."""
    usage: Usage | None = None
    cost_micro_usd: MicroUsd = 0
    seconds: float
    merged: int
    rejected: int


class ElementMerged(Value):
    """An element of a delta became part of the graph; its node and edges stand in the events right before."""

    kind: Literal["element_merged"] = "element_merged"
    boarding: str
    index: int
    """Position in the delta, from 0."""
    fingerprint: str
    """Of the element as sent: the same one in the same boarding is never applied twice."""
    element: ElementKind
    ref: str | None = None
    """The name that later elements of the same boarding may use for `node`."""
    node: NodeId | None = None
    """The node it added or changed."""
    edges: tuple[str, ...] = ()
    note: Text | None = None
    """What a reader of the journal should know: `restates i7`."""


class ElementRejected(Value):
    """An element was refused."""

    kind: Literal["element_rejected"] = "element_rejected"
    boarding: str
    index: int
    fingerprint: str
    reason: RejectionReason
    detail: Text
    """One sentence that names the value at fault."""
    sent: Text
    """The element as it was sent, cut to 2,000 characters."""
    ref: str | None = None
    """Its ref, when its words were those of a standing node: later elements may still use it for `node`."""
    node: NodeId | None = None
    """The standing node that it repeats."""


class ElementHeld(Value):
    """An element waits for the operator's word."""

    kind: Literal["element_held"] = "element_held"
    proposal: str
    boarding: str
    index: int
    fingerprint: str
    element: dict[str, Any]
    why: Text


class ProposalSettled(Value):
    """The operator accepted or refused a held element."""

    kind: Literal["proposal_settled"] = "proposal_settled"
    proposal: str
    accepted: bool
    reason: Text | None = None


class CostReserved(Value):
    """The worst case of one call was held against every cap it touches."""

    kind: Literal["cost_reserved"] = "cost_reserved"
    boarding: str
    model: ModelId
    question: NodeId
    domains: tuple[str, ...]
    cost_micro_usd: MicroUsd


class CostSettled(Value):
    """The actual cost of one call replaced its reservation."""

    kind: Literal["cost_settled"] = "cost_settled"
    boarding: str
    model: ModelId
    question: NodeId
    domains: tuple[str, ...]
    reserved_micro_usd: MicroUsd
    cost_micro_usd: MicroUsd
    usage: Usage | None = None
    """None: the provider did not say, so the reservation was charged."""


class OperatorActed(Value):
    """The person at the desk or the command line did something. The number of this event names the act."""

    kind: Literal["operator_acted"] = "operator_acted"
    title: Text
    """In words for people: `prefer i3 to i9`."""
    events: int
    """How many of the events right after it belong to the act."""


class ActUndone(Value):
    """An act was taken back. Nothing of it is erased: what takes it back are events like any other."""

    kind: Literal["act_undone"] = "act_undone"
    act: int
    """Number of the OperatorActed event."""
    title: Text
    events: int
    """How many of the events right after it belong to the undoing."""


class ModelDisabled(Value):
    """A model was taken out of service, by the operator or by an account error."""

    kind: Literal["model_disabled"] = "model_disabled"
    model: ModelId
    reason: Text


class ModelEnabled(Value):
    """A model was put back into service."""

    kind: Literal["model_enabled"] = "model_enabled"
    model: ModelId


class ModelCooled(Value):
    """A model is left alone until a time."""

    kind: Literal["model_cooled"] = "model_cooled"
    model: ModelId
    until: datetime
    reason: Text


class CardChanged(Value):
    """The operator changed what the registry says of a model. It stands above the configuration, in this mind."""

    kind: Literal["card_changed"] = "card_changed"
    model: ModelId
    before: Terms
    after: Terms


Happening = Annotated[
    MindCreated
    | SessionStarted
    | SessionChanged
    | SessionEnded
    | DocumentRead
    | MindImported
    | QuestionAsked
    | QuestionResolved
    | QuestionReopened
    | QuestionPinned
    | FactRecorded
    | FactObserved
    | InterpretationAdded
    | EdgeAdded
    | EdgeRetracted
    | ConfidenceVoted
    | ConfidenceRevised
    | NodeSuperseded
    | NodeRestored
    | StatusChanged
    | NodeRedacted
    | BoardingOpened
    | BoardingEnded
    | ElementMerged
    | ElementRejected
    | ElementHeld
    | ProposalSettled
    | CostReserved
    | CostSettled
    | OperatorActed
    | ActUndone
    | ModelDisabled
    | ModelEnabled
    | ModelCooled
    | CardChanged,
    Field(discriminator="kind"),
]


class Draft(Value):
    """A happening that is about to be written: the journal gives it its number and its time."""

    what: Happening
    by: str
    """A model's id, `operator`, `ingest` or `conductor`."""
    boarding: str | None = None
    session: str | None = None


class Event(Value):
    """One entry of the journal."""

    seq: int
    """From 1, without gaps."""
    at: datetime
    by: str
    boarding: str | None = None
    session: str | None = None
    what: Happening

    @property
    def kind(self) -> str:
        """The kind of what happened."""
        return self.what.kind
