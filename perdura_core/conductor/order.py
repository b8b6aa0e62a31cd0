"""What a session is asked to do, and what came of it."""

from typing import Literal, NamedTuple

from perdura_core.config import ReviewGate, Settings
from perdura_core.vocabulary import BoardingRecord, Ending, MicroUsd, Mode, ModelId, NodeId, PolicyName, Route, Value

__all__ = ["Departure", "Interrupt", "SessionOrder", "SessionReport", "Ticket", "order_from"]


class SessionOrder(Value):
    """How one session works."""

    operator: str
    seats: int = 3
    boardings: int | None = None
    """Stop after so many; None: work on, and rest while every open question has stagnated."""
    models: tuple[ModelId, ...] = ()
    """Only these; empty: every model aboard."""
    route: PolicyName = "periodic"
    pinned_model: ModelId | None = None
    periodic_k: int = 3
    explore_every: int = 5
    adversarial_every: int = 0
    audit_every: int = 4
    stagnation_after: int = 4
    mask_confidence: bool = False
    review: ReviewGate = "off"
    budget_usd: float | None = None
    """Cap of this session; None: no cap but those of the settings."""


def order_from(settings: Settings) -> SessionOrder:
    """The order that the settings ask for."""
    run = settings.run
    return SessionOrder(
        operator=settings.operator,
        seats=run.seats,
        route=run.route,
        periodic_k=run.periodic_k,
        explore_every=run.explore_every,
        adversarial_every=run.adversarial_every,
        audit_every=run.audit_every,
        stagnation_after=run.stagnation_after,
        mask_confidence=run.mask_confidence,
        review=run.review,
        budget_usd=settings.budget.session_usd,
    )


class SessionReport(Value):
    """What a session did."""

    session: str
    ending: Literal["finished", "stopped"]
    boardings: tuple[BoardingRecord, ...]
    """In the order in which they were opened."""
    spent_micro_usd: MicroUsd
    contention: float
    """Of the whole mind, at the end."""


class Ticket(NamedTuple):
    """Who is to board what."""

    question: NodeId
    mode: Mode
    route: Route


class Interrupt(NamedTuple):
    """Why a boarding is cut short from outside."""

    ending: Ending
    model: ModelId | None = None
    """Who takes over, when the operator chose by hand."""


class Departure(NamedTuple):
    """How a boarding ended, as far as the next one depends on it."""

    ending: Ending
    boarding: str | None
    """None when it never opened."""
    interrupt: Interrupt | None = None
    should_fall_back: bool = False
    """The model is to blame and another may do better on the same question."""
