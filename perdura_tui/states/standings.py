"""The registry next to what became of each model's work, in the order the operator wants."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from perdura_core.errors import InputError
from perdura_core.routing import Registry, list_price
from perdura_core.vocabulary import Card, Price, Terms, TrackRecord
from perdura_tui.states.models import rejections, survival, usd_per_surviving

__all__ = ["ORDERS", "Standing", "ordered", "standings", "terms_from", "terms_to"]


class Standing(NamedTuple):
    """One model."""

    card: Card
    why_not: str | None
    """Why it cannot board now; None when it can."""
    is_aboard: bool
    """Whether its provider can be reached and has it."""
    price: Price | None
    """Of an ordinary prompt today; None when nobody said."""
    record: TrackRecord | None


def standings(registry: Registry, records: Iterable[TrackRecord], now: datetime) -> list[Standing]:
    """Every card of the registry, and models that have a record but no card any more."""
    of = {record.model: record for record in records}
    cards = {card.id: card for card in registry.cards}
    known = [
        Standing(
            card, registry.why_not(card.id, now), registry.is_aboard(card.id), list_price(card, now.date()),
            of.get(card.id),
        )
        for card in cards.values()
    ]  # fmt: skip
    gone = [
        Standing(Card(id=model), "it worked here, but the registry has no card for it", False, None, record)
        for model, record in of.items()
        if model not in cards
    ]
    return known + gone


def _figure(read: Callable[[TrackRecord], float | None], sign: int) -> Callable[[Standing], tuple[bool, float]]:
    def key(standing: Standing) -> tuple[bool, float]:
        value = None if standing.record is None else read(standing.record)
        return value is None, 0.0 if value is None else sign * value

    return key


def _price(standing: Standing) -> tuple[bool, float]:
    price = standing.price
    return price is None, 0.0 if price is None else price.usd_per_mtok_in + price.usd_per_mtok_out


ORDERS: Mapping[str, Callable[[Standing], tuple[bool, float]]] = {
    "reliability": _figure(lambda record: record.reliability, -1),
    "outcomes": _figure(lambda record: record.outcomes, -1),
    "survival": _figure(survival, -1),
    "rejections": _figure(rejections, 1),
    "$/node": _figure(usd_per_surviving, 1),
    "seconds": _figure(lambda record: record.seconds, 1),
    "Brier": _figure(lambda record: record.brier, 1),
    "price": _price,
    "name": lambda standing: (False, 0.0),
}
"""What the rows may be ordered by, best first; what is not known stands last."""


def ordered(rows: Iterable[Standing], by: str) -> list[Standing]:
    """The rows in this order of `ORDERS`, models that are aboard first."""
    key = ORDERS[by]
    return sorted(
        rows,
        key=lambda standing: (not standing.is_aboard and standing.record is None, *key(standing), standing.card.id),
    )


def terms_to(card: Card, price: Price | None) -> dict[str, str]:
    """What the operator can change of a card, as text for a form."""
    return {
        "tier": card.tier,
        "domains": ", ".join(card.domains),
        "$/Mtok in": "" if price is None else f"{price.usd_per_mtok_in:g}",
        "$/Mtok out": "" if price is None else f"{price.usd_per_mtok_out:g}",
    }


def terms_from(card: Card, price: Price | None, typed: Mapping[str, str]) -> Terms:
    """The terms that were typed into the form. Raises InputError that quotes what is wrong.

    Two empty prices mean that the price is unknown. Prices as they were leave every price row of the card alone; others
    become its only row.
    """
    tier = typed["tier"].strip().casefold()
    if tier not in ("local", "standard", "frontier"):
        raise InputError(f"{typed['tier']!r} is no tier: write local, standard or frontier")
    domains = tuple(dict.fromkeys(name.strip().casefold() for name in typed["domains"].split(",") if name.strip()))
    rates = [_rate(name, typed[name]) for name in ("$/Mtok in", "$/Mtok out")]
    if (rates[0] is None) != (rates[1] is None):
        raise InputError("one of the two prices is missing: give both, or none if they are not known")
    before: list[float | None] = [None, None]
    if price is not None:
        before = [price.usd_per_mtok_in, price.usd_per_mtok_out]
    prices = card.prices
    if rates != before:
        prices = () if rates[0] is None or rates[1] is None else (
            Price(usd_per_mtok_in=rates[0], usd_per_mtok_out=rates[1]),
        )  # fmt: skip
    return Terms.model_validate({"tier": tier, "domains": domains, "prices": prices})


def _rate(name: str, text: str) -> float | None:
    text = text.strip().removeprefix("$").replace(",", ".")
    if not text:
        return None
    try:
        rate = float(text)
    except ValueError:
        raise InputError(f"{name} = {text!r} is no number: write US dollars per million tokens, such as 0.8") from None
    if not 0 <= rate < 1e6:
        raise InputError(f"{name} = {text!r} is out of range: write US dollars per million tokens, such as 0.8")
    return rate
