"""What a session is asked to do, and what came of it."""

from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from perdura_core.config import RunSettings, Settings
from perdura_core.vocabulary import (
    OPERATOR,
    Alternative,
    BoardingRecord,
    Ending,
    MicroUsd,
    Mode,
    ModelId,
    NodeId,
    Route,
    Value,
)

__all__ = ["Departure", "Errand", "Interrupt", "SessionOrder", "SessionReport", "Ticket", "order_from"]


class SessionOrder(RunSettings):
    """How one session works: the run settings, and what only a session has."""

    operator: str = OPERATOR
    boardings: Annotated[int, Field(ge=1)] | None = None
    """Stop after so many; None: work on, and rest while every open question has stagnated."""
    models: tuple[ModelId, ...] = ()
    """Only these; empty: every model aboard."""
    pins: tuple[ModelId, ...] = ()
    """Models that board before any policy is asked, most wanted first."""
    budget_usd: Annotated[float, Field(ge=0)] | None = None
    """Cap of this session; None: no cap but those of the settings."""
    budget_tokens: Annotated[int, Field(ge=0)] | None = None
    """The same in tokens of all calls, in and out together."""


def order_from(settings: Settings) -> SessionOrder:
    """The order that the settings ask for."""
    budget = settings.budget
    return SessionOrder(**settings.run.model_dump(), budget_usd=budget.session_usd, budget_tokens=budget.session_tokens)


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
    alternatives: tuple[Alternative, ...] = ()
    """Whom other policies would have sent."""
    was_swapped: bool = False
    """A trigger put this model in the place of another, so that none does so again."""


class Errand(NamedTuple):
    """A boarding that the operator asked for: a free seat takes it before anything else, also while paused."""

    question: NodeId
    mode: Mode = "organic"
    model: ModelId | None = None
    """None: the router's choice."""
    apart_from: frozenset[ModelId] = frozenset()
    """Models that the router leaves out as long as another one can board."""


class Interrupt(NamedTuple):
    """Why a boarding is cut short from outside."""

    ending: Ending
    model: ModelId | None = None
    """Who takes over, when the operator chose by hand."""
    route: Route | None = None
    """Who takes over, when a trigger chose."""


class Departure(NamedTuple):
    """How a boarding ended, as far as the next one depends on it."""

    ending: Ending
    boarding: str | None
    """None when it never opened."""
    interrupt: Interrupt | None = None
    should_fall_back: bool = False
    """The model is to blame and another may do better on the same question."""
