"""What upkeep proposes to raise: the operator accepts or refuses it. Never does a level rise by itself."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from perdura_core.acts.act import Act, interpretation
from perdura_core.clock import Ids
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    OPERATOR,
    Edge,
    EdgeAdded,
    Happening,
    Interpretation,
    InterpretationAdded,
    LevelChanged,
    PromotionProposed,
    PromotionSettled,
    Velocity,
    clean,
)

__all__ = ["promote", "refuse_promotion"]

_MOST_FACTS = 32
"""Of the facts its members refer to, a pattern keeps those that most of them do."""


def promote(proposed: PromotionProposed, velocities: Sequence[Velocity], now: datetime, text: str | None = None) -> Act:
    """Accept a promotion: a pattern is drawn up that its members support, or the member becomes a principle.

    `velocities` are those of the members; a pattern ages as most of them do. `text` says it in the operator's own
    words. Raises InputError at once when the text is empty.
    """
    words = proposed.text if text is None else clean(text).strip()
    if not words:
        raise InputError("the pattern has no text: say what its members agree on")

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        members = [interpretation(graph, node) for node in proposed.members]
        settled = PromotionSettled(proposal=proposed.proposal, ending="accepted")
        if proposed.level == 3:
            [member] = members
            return [settled, LevelChanged(node=member.id, before=member.level, after=3)]
        referred = Counter(fact for member in members for fact in member.facts)
        pattern = Interpretation(
            id=ids.next("i"),
            kind="claim",
            text=words,
            level=2,
            domains=proposed.domains,
            facts=tuple(fact for fact, _ in referred.most_common(_MOST_FACTS)),
            asserted_confidence=proposed.confidence,
            confidence=proposed.confidence,
            velocity=Counter(velocities).most_common(1)[0][0] if velocities else "medium",
            created_by=OPERATOR,
            created_at=now,
        )
        edges = [
            Edge(
                id=ids.next("e"), type="supports", src=member.id, dst=pattern.id, created_by=OPERATOR, created_at=now
            )
            for member in members
        ]  # fmt: skip
        return [settled, InterpretationAdded(interpretation=pattern), *(EdgeAdded(edge=edge) for edge in edges)]

    return Act(f"accept {proposed.proposal}", happenings)


def refuse_promotion(proposed: PromotionProposed, reason: str | None = None) -> Act:
    """Refuse a promotion. It is not proposed again until twice as many interpretations agree."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        return [PromotionSettled(proposal=proposed.proposal, ending="refused", reason=reason)]

    return Act(f"refuse {proposed.proposal}", happenings)
