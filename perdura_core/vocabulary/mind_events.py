"""What happens to a mind as a whole: its beginning, sessions of the conductor, documents read into it."""

from typing import Literal

from perdura_core.vocabulary.models import ModelId
from perdura_core.vocabulary.nodes import Velocity
from perdura_core.vocabulary.value import MicroUsd, Text, Value

__all__ = [
    "DocumentRead",
    "DomainProfiled",
    "MindCreated",
    "SessionChanged",
    "SessionEnded",
    "SessionStarted",
]


class MindCreated(Value):
    """The first event of every mind."""

    kind: Literal["mind_created"] = "mind_created"
    version: str
    """Of the program that created it."""


class SessionStarted(Value):
    """A conductor began to run."""

    kind: Literal["session_started"] = "session_started"
    session: str
    operator: str
    seats: int
    policy: str
    models: tuple[ModelId, ...]
    budget_micro_usd: MicroUsd | None = None
    """None: no cap."""
    budget_tokens: int | None = None
    """Of all calls, in and out together; None: no cap."""


class SessionChanged(Value):
    """The operator gave the running session other seats, another policy or another cap."""

    kind: Literal["session_changed"] = "session_changed"
    session: str
    seats: int
    policy: str
    budget_micro_usd: MicroUsd | None = None
    """None: no cap."""
    budget_tokens: int | None = None
    """Of all calls, in and out together; None: no cap."""


class SessionEnded(Value):
    """A conductor stopped, or a later one found that it had."""

    kind: Literal["session_ended"] = "session_ended"
    session: str
    ending: Literal["finished", "stopped", "interrupted"]
    boardings: int
    cost_micro_usd: MicroUsd


class DocumentRead(Value):
    """A document was taken apart into facts."""

    kind: Literal["document_read"] = "document_read"
    path: Text
    sha256: str
    facts: int
    """Facts new to the mind."""
    seen_again: int
    """Facts that it already held."""


class DomainProfiled(Value):
    """How fast a domain is was settled, for interpretations that come: those that stand keep theirs."""

    kind: Literal["domain_profiled"] = "domain_profiled"
    domain: str
    velocity: Velocity
    before: Velocity | None = None
    """What was settled until then; None: nothing."""
    pace_days: float | None = None
    """Median days between news of one entity, where that settled it; None: the operator did, or too little is known."""
