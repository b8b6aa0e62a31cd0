"""What the daily upkeep writes to the journal: confidences that moved with time, and promotions it proposes.

What it works out besides (factors, layers, traces) can be worked out again, so no event tells of it.
"""

from datetime import datetime
from typing import Literal

from perdura_core.vocabulary.nodes import Level, NodeId
from perdura_core.vocabulary.value import Text, Unit, Value

__all__ = ["ConfidencesRevised", "LevelChanged", "PromotionProposed", "PromotionSettled"]


class ConfidencesRevised(Value):
    """The confidence of many interpretations moved at once: with age, with use, with what became of their facts.

    One entry for thousands of them, so that a day's upkeep does not swamp the journal. It names no subject.
    """

    kind: Literal["confidences_revised"] = "confidences_revised"
    as_of: datetime
    """The time for which they were worked out."""
    after: dict[NodeId, Unit]
    """In hundredths. Those that did not move by so much are left out."""
    reason: Text


class PromotionProposed(Value):
    """Interpretations hold so well together, or one has held so long, that the operator may raise the level."""

    kind: Literal["promotion_proposed"] = "promotion_proposed"
    proposal: str
    level: Level
    """2: `members` agree, and a pattern says so. 3: the one member becomes a principle."""
    members: tuple[NodeId, ...]
    text: Text
    """Of the pattern; of the member that would become a principle."""
    domains: tuple[str, ...] = ()
    confidence: Unit
    """Mean over the members."""
    why: Text


class PromotionSettled(Value):
    """The operator accepted or refused a promotion, or it no longer holds. What came of it stands right after."""

    kind: Literal["promotion_settled"] = "promotion_settled"
    proposal: str
    ending: Literal["accepted", "refused", "withdrawn"]
    reason: Text | None = None


class LevelChanged(Value):
    """An interpretation was raised to a principle, or put back."""

    kind: Literal["level_changed"] = "level_changed"
    node: NodeId
    before: Level
    after: Level
