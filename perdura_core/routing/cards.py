"""The shipped registry of models, and the cards that the configuration adds to it or changes in it."""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from perdura_core.vocabulary import Card, ModelId, Price, provider_of

__all__ = ["LOCAL_PROVIDERS", "card_for", "shipped_cards", "with_changes"]

LOCAL_PROVIDERS = frozenset({"reader", "ollama", "local", "replay"})
"""Providers whose models run on the user's machine and cost nothing."""

_FREE = Price(usd_per_mtok_in=0, usd_per_mtok_out=0)


def card_for(entry: Card) -> Card:
    """The entry with what its provider implies where it is silent: local models are of the local tier and free."""
    if provider_of(entry.id) not in LOCAL_PROVIDERS:
        return entry
    implied = {"tier": "local", "prices": (_FREE,)}
    return entry.model_copy(
        update={name: value for name, value in implied.items() if name not in entry.model_fields_set}
    )


@cache
def shipped_cards() -> tuple[Card, ...]:
    """The cards of `prices.toml`, in its order."""
    text = files(__package__).joinpath("prices.toml").read_text(encoding="utf-8")
    return tuple(card_for(Card.model_validate(entry)) for entry in tomllib.loads(text)["model"])


def with_changes(cards: Iterable[Card], changes: Iterable[Card]) -> tuple[Card, ...]:
    """The cards with each change laid over the card of its id; a change of an unknown id is a new card at the end.

    A change counts by the fields that it names (`model_fields_set`); prices are replaced as a whole.
    """
    merged: dict[ModelId, Card] = {card.id: card for card in cards}
    for change in changes:
        known = merged.get(change.id)
        if known is None:
            merged[change.id] = card_for(change)
        else:
            named = {name: getattr(change, name) for name in change.model_fields_set}
            merged[change.id] = known.model_copy(update=named)
    return tuple(merged.values())
