"""Why a worker that is aboard should give way to another: what changed since its route was chosen."""

from collections.abc import Collection

from perdura_core.config import SwapTrigger
from perdura_core.routing.policies import contention, specialist_over, stagnation
from perdura_core.routing.standing import RouteState, cheapest, cheapness
from perdura_core.vocabulary import ModelId, Route

__all__ = ["swap_of"]


def swap_of(
    state: RouteState, present: ModelId, on: Collection[SwapTrigger], *, overdrawn: str | None = None, refused: int = 0
) -> Route | None:
    """The route of whom should take over, with the trigger in its reason; None: let the present model go on.

    `state` is that of the question now; `overdrawn` names a cap that was lowered below what is spent and held,
    `refused` counts the elements of this boarding of which none was merged. The first trigger that answers wins:
    budget (the cheapest able model takes over, if it costs less), specialist, stagnation (after `stagnation_after`
    refusals), contention (a frontier model in the place of another one).
    """
    others = state.model_copy(update={"why_not": {**state.why_not, present: "it is aboard"}, "pins": ()})
    if "budget" in on and overdrawn is not None:
        found = _thriftier(others, present, overdrawn)
        if found is not None:
            return found
    if "specialist" in on:
        aboard = next((card for card in state.cards if card.id == present), None)
        found = None if aboard is None else specialist_over(others, aboard)
        if found is not None:
            return _told(found)
    if "stagnation" in on and refused >= state.stagnation_after:
        stuck = others.model_copy(update={"idle": max(state.idle, state.stagnation_after)})
        found = stagnation(stuck)
        if found is not None:
            why = f"swapped: {refused} elements in a row were refused"
            return found.model_copy(update={"reason": why})
    if "contention" in on and not _is_frontier(state, present):
        found = contention(others)
        if found is not None and _is_frontier(state, found.model):
            return _told(found)
    return None


def _thriftier(others: RouteState, present: ModelId, overdrawn: str) -> Route | None:
    best, cost = cheapest(others, others.able), others.costs.get(present)
    least = None if best is None else others.costs.get(best.id)
    if best is None or least is None or (cost is not None and least >= cost):
        return None
    why = f"swapped: the {overdrawn} budget was lowered below what is spent, {cheapness(others, best)}"
    return Route(model=best.id, policy="cheap", reason=why)


def _is_frontier(state: RouteState, model: ModelId) -> bool:
    return any(card.id == model and card.tier == "frontier" for card in state.cards)


def _told(found: Route) -> Route:
    return found.model_copy(update={"reason": f"swapped: {found.reason}"})
