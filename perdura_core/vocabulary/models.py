"""Models: what the registry knows of each."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from pydantic import Field

from perdura_core.vocabulary.value import MicroUsd, Unit, Value

__all__ = ["Card", "ModelId", "Price", "Terms", "Tier", "TrackRecord", "Usage", "provider_of"]

ModelId = str
"""`provider:name`, everywhere: `anthropic:claude-haiku-5-5`, `ollama:qwen3:8b`, `reader:doubt`."""

Tier = Literal["local", "standard", "frontier"]


def provider_of(model: ModelId) -> str:
    """The part of a model's id before the first colon."""
    return model.partition(":")[0]


class Price(Value):
    """US dollars per million tokens, valid from a date until the next row of the same card and prompt size."""

    valid_from: date = date(1970, 1, 1)
    usd_per_mtok_in: float = Field(ge=0)
    usd_per_mtok_out: float = Field(ge=0)
    usd_per_mtok_cache_write: float | None = None
    """None: 1.25 times the input price."""
    usd_per_mtok_cache_read: float | None = None
    """None: the full input price, so that nothing is undercharged."""
    over_prompt_tokens: int | None = None
    """This row applies only to prompts longer than so many tokens."""
    read_on: date | None = None
    """The day this list price was read."""


class Card(Value):
    """One model of the registry."""

    id: ModelId
    tier: Tier = "standard"
    domains: tuple[str, ...] = ()
    """What it is said to be good at; empty means no speciality."""
    prices: tuple[Price, ...] = ()
    """Empty means that the price is unknown: such a model is refused under a budget."""
    num_ctx: int = 32_768
    """Context window in tokens, prompt and reply together."""
    max_output_tokens: int = 4_096
    briefing_tokens: int = 6_000
    """How large a briefing this model gets at most."""
    enabled: bool = True
    is_language_model: bool = True
    """False for readers: deterministic code that must not pass for a language model."""
    base_url: str | None = None
    """Where to reach it, when not at the provider's default address."""
    note: str | None = None


class Terms(Value):
    """What the operator may change of a card while the mind is open; each field means what it means on the card."""

    tier: Tier
    domains: tuple[str, ...] = ()
    prices: tuple[Price, ...] = ()

    @staticmethod
    def of(card: Card) -> "Terms":
        """The card's own."""
        return Terms(tier=card.tier, domains=card.domains, prices=card.prices)


class Usage(Value):
    """Tokens of one call. The four counts do not overlap; None means the provider did not say.

    `input_tokens` excludes cached tokens and `output_tokens` includes thinking, whatever the provider's own habit.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


class TrackRecord(Value):
    """What became of a model's contributions, overall (`domain` None) or in one domain."""

    model: ModelId
    domain: str | None = None
    reliability: Unit
    """Mean of the Beta posterior."""
    low: Unit
    high: Unit
    """Bounds of the 90 % interval."""
    outcomes: int = 0
    boardings: int = 0
    """That ended."""
    merged: int = 0
    rejected: int = 0
    surviving: int = 0
    """Nodes it added that are still live."""
    net: int = 0
    """Net contribution: those, less nodes that gave way or were let go, less refused elements."""
    refusals: Mapping[str, int] = {}
    """Refused elements by reason, the most frequent first."""
    cost_micro_usd: MicroUsd | None = 0
    brier: float | None = None
    seconds: float | None = None
    """Mean duration of its boardings."""
    last_at: datetime | None = None
