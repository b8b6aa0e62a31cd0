"""The line at the top: the session and its money."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from perdura_core.vocabulary import (
    CostReserved,
    CostSettled,
    Event,
    MicroUsd,
    SessionChanged,
    SessionEnded,
    SessionStarted,
)

__all__ = ["Session", "reduce_session"]


@dataclass(frozen=True, slots=True)
class Session:
    """The session that the mind is in, or was in last."""

    id: str | None = None
    is_open: bool = False
    seats: int = 0
    policy: str = ""
    budget_micro_usd: MicroUsd | None = None
    """None: no cap."""
    spent_micro_usd: MicroUsd = 0
    held_micro_usd: MicroUsd = 0
    """Reserved for calls under way."""

    @property
    def share(self) -> float | None:
        """The part of the budget that is spent or held; None without a cap."""
        if self.budget_micro_usd is None:
            return None
        used = self.spent_micro_usd + self.held_micro_usd
        return 1.0 if self.budget_micro_usd == 0 else used / self.budget_micro_usd


def reduce_session(state: Session, events: Iterable[Event]) -> Session:
    """The session after these events."""
    for event in events:
        match event.what:
            case SessionStarted():
                started = event.what
                state = Session(started.session, True, started.seats, started.policy, started.budget_micro_usd)
            case SessionChanged() as what if what.session == state.id:
                state = replace(state, seats=what.seats, policy=what.policy, budget_micro_usd=what.budget_micro_usd)
            case SessionEnded(session=ended) if ended == state.id:
                state = replace(state, is_open=False, held_micro_usd=0)
            case CostReserved(cost_micro_usd=cost) if event.session == state.id:
                state = replace(state, held_micro_usd=state.held_micro_usd + cost)
            case CostSettled(reserved_micro_usd=reserved, cost_micro_usd=cost) if event.session == state.id:
                state = replace(
                    state,
                    held_micro_usd=max(state.held_micro_usd - reserved, 0),
                    spent_micro_usd=state.spent_micro_usd + cost,
                )
            case _:
                pass
    return state
