"""Promotions that wait for the operator's word."""

from collections.abc import Iterable

from perdura_core.vocabulary import Event, PromotionProposed, PromotionSettled

__all__ = ["PROMOTION_KINDS", "waiting_promotions"]

PROMOTION_KINDS = frozenset({"promotion_proposed", "promotion_settled"})
"""What to ask the store for to know which wait."""


def waiting_promotions(told: Iterable[Event]) -> list[PromotionProposed]:
    """Those not settled yet, oldest first, of events of PROMOTION_KINDS in order."""
    proposed: dict[str, PromotionProposed] = {}
    for event in told:
        match event.what:
            case PromotionProposed() as one:
                proposed[one.proposal] = one
            case PromotionSettled(proposal=proposal):
                proposed.pop(proposal, None)
            case _:
                pass
    return list(proposed.values())
