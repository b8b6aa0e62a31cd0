"""What happens while a worker is aboard, element by element."""

from typing import Any, Literal

from perdura_core.vocabulary.boardings import Alternative, Boarding, Ending
from perdura_core.vocabulary.delta import ElementKind, RejectionReason
from perdura_core.vocabulary.models import Usage
from perdura_core.vocabulary.nodes import NodeId
from perdura_core.vocabulary.value import MicroUsd, Text, Value

__all__ = [
    "BoardingEnded",
    "BoardingOpened",
    "ElementHeld",
    "ElementMerged",
    "ElementRejected",
    "ProposalSettled",
]


class BoardingOpened(Value):
    """A worker came aboard."""

    kind: Literal["boarding_opened"] = "boarding_opened"
    boarding: Boarding
    alternatives: tuple[Alternative, ...] = ()
    """Whom other policies would have sent in its place; policies that agreed are left out."""
    breaking: NodeId | None = None
    """The interpretation of low gradient that got a slot of the briefing by lot; None: no slot went by lot."""


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
