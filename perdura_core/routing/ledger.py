"""The ledger of routes: who was chosen and why, what the alternatives would have been, and a preview."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from perdura_core.errors import InputError
from perdura_core.routing.policies import POLICIES, cheap, pinned, rank
from perdura_core.routing.standing import RouteState
from perdura_core.vocabulary import (
    Alternative,
    BoardingEnded,
    BoardingOpened,
    Event,
    MicroUsd,
    ModelId,
    NodeId,
    PolicyName,
    Route,
    Value,
)

__all__ = ["LEDGER_KINDS", "Entry", "Forecast", "Ledger", "alternatives", "instead_of", "preview", "within_budget"]

LEDGER_KINDS = frozenset({"boarding_opened", "boarding_ended"})
"""Kinds of the events that the ledger folds."""


class Entry(Value):
    """One decision of the router, and what it came to."""

    boarding: str
    at: datetime
    session: str | None
    question: NodeId
    route: Route
    cost_micro_usd: MicroUsd | None = None
    """None while the boarding is under way."""
    merged: int | None = None
    alternatives: tuple[Alternative, ...] = ()
    """Whom other policies would have sent, as told when it was opened."""


class Ledger:
    """Every route that led to a boarding, oldest first: a fold over the journal."""

    def __init__(self) -> None:
        self._entries: dict[str, Entry] = {}

    def apply(self, events: Iterable[Event]) -> None:
        """Take note of boardings. Seeing an event twice changes nothing."""
        for event in events:
            match event.what:
                case BoardingOpened(boarding=boarding, alternatives=others) if boarding.id not in self._entries:
                    self._entries[boarding.id] = Entry(
                        boarding=boarding.id,
                        at=boarding.opened_at,
                        session=boarding.session,
                        question=boarding.question,
                        route=boarding.route,
                        alternatives=others,
                    )
                case BoardingEnded(boarding=aboard) as ended if aboard in self._entries:
                    outcome = {"cost_micro_usd": ended.cost_micro_usd, "merged": ended.merged}
                    self._entries[aboard] = self._entries[aboard].model_copy(update=outcome)
                case _:
                    pass

    def reset(self) -> None:
        """Forget everything, so that the journal can be folded again."""
        self._entries.clear()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The decisions so far."""
        return tuple(self._entries.values())

    def spent(self, by: Sequence[str] = ("policy",)) -> dict[tuple[str, ...], MicroUsd]:
        """What ended boardings cost, by `policy`, `model`, `question` or `session`, in that order of the key."""
        sums: dict[tuple[str, ...], MicroUsd] = {}
        for entry in self._entries.values():
            key = tuple(_part(entry, name) for name in by)
            sums[key] = sums.get(key, 0) + (entry.cost_micro_usd or 0)
        return sums


class Forecast(Value):
    """What one policy would do with a question now."""

    question: NodeId
    policy: PolicyName
    model: ModelId | None
    """None: no model can board."""
    reason: str
    usd: float | None
    """Expected cost of the boarding: the mean of past ones, or at most so much; None: unknown."""


def alternatives(state: RouteState) -> dict[PolicyName, Route | None]:
    """What every policy would choose in this state, each followed by pins and cheap as in a session."""
    wanted, usual = pinned(state), cheap(state)
    return {policy: wanted or choose(state) or usual for policy, choose in POLICIES.items()}


def instead_of(state: RouteState, chosen: Route) -> tuple[Alternative, ...]:
    """Whom other policies would send in this state, by model: those who agree with the choice are left out."""
    found: dict[ModelId, list[PolicyName]] = {}
    for policy, other in alternatives(state).items():
        if other is not None and other.model != chosen.model:
            found.setdefault(other.model, []).append(policy)
    return tuple(
        Alternative(model=model, policies=tuple(policies), cost_micro_usd=_expected(state, model))
        for model, policies in found.items()
    )


def _expected(state: RouteState, model: ModelId) -> MicroUsd | None:
    usd = state.usd(model)
    return None if usd is None else round(usd * 1_000_000)


def within_budget(state: RouteState, left: MicroUsd | None) -> RouteState:
    """The state in which a model that the budget has no room for cannot board. None: no cap."""
    if left is None:
        return state
    refused = {
        card.id: "its price is unknown" if cost is None else "the session budget has no room for it"
        for card in state.able
        if (cost := state.costs.get(card.id)) is None or cost > left
    }
    return state.model_copy(update={"why_not": {**state.why_not, **refused}})


def preview(states: Iterable[RouteState]) -> list[Forecast]:
    """For each question's state, each policy's choice and its expected cost. Nothing boards and nothing is spent."""
    return [_forecast(state, policy, chosen) for state in states for policy, chosen in alternatives(state).items()]


def _forecast(state: RouteState, policy: PolicyName, chosen: Route | None) -> Forecast:
    if chosen is None:
        blocked = rank(state)
        why = f"no model can board ({blocked[0].card.id}: {blocked[0].why_not})" if blocked else "no model is aboard"
        return Forecast(question=state.question, policy=policy, model=None, reason=why, usd=None)
    return Forecast(
        question=state.question, policy=policy, model=chosen.model, reason=chosen.reason, usd=state.usd(chosen.model)
    )


def _part(entry: Entry, name: str) -> str:
    parts: Mapping[str, str | None] = {
        "policy": entry.route.policy,
        "model": entry.route.model,
        "question": entry.question,
        "session": entry.session,
    }
    if name not in parts:
        raise InputError(f"the ledger cannot be summed by {name!r}: choose from {', '.join(parts)}")
    return parts[name] or "-"
