"""What was found of the providers. Values only, so that a mind which looks for none loads no HTTP client."""

from perdura_core.vocabulary import ModelId, Usage, Value

__all__ = ["Discovery", "Found", "Missing", "Trial"]


class Found(Value):
    """A provider whose models can come aboard."""

    name: str
    """As in a model's id."""
    note: str
    """How it was found, for people."""
    is_reached: bool | None = None
    """Whether its server answered; None: not asked, since only servers that are near are asked."""
    installed: tuple[str, ...] | None = None
    """The names that its server has, where it is near and says so; None: whatever a card names."""
    contexts: tuple[tuple[str, int], ...] = ()
    """Installed models with their longest context in tokens, where the server says so."""


class Missing(Value):
    """A provider that cannot be used as things are."""

    name: str
    remedy: str
    """What to do about it."""


class Discovery(Value):
    """What was found. Every provider is in one of the two."""

    found: tuple[Found, ...] = ()
    missing: tuple[Missing, ...] = ()


class Trial(Value):
    """What became of one small real call."""

    model: ModelId
    seconds: float
    usage: Usage | None = None
    trouble: str | None = None
    """Why it failed, in one sentence; None when the model answered."""
