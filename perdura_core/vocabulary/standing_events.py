"""What happens to the standing of interpretations, and of nothing else: their confidence and their status."""

from datetime import datetime
from typing import Literal

from perdura_core.vocabulary.nodes import NodeId, Status
from perdura_core.vocabulary.value import Text, Unit, Value

__all__ = [
    "ConfidenceRevised",
    "ConfidenceVoted",
    "StatusChanged",
]


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


class StatusChanged(Value):
    """An interpretation went to shadow, came back, or was let go."""

    kind: Literal["status_changed"] = "status_changed"
    node: NodeId
    before: Status
    after: Status
    reason: Text
    as_of: datetime | None = None
    """The time for which upkeep decided it; None: it was somebody else, when it happened."""
