from datetime import date

import pytest

from perdura_core.errors import InputError
from perdura_core.routing import Registry, list_price
from perdura_core.vocabulary import Terms, TrackRecord
from perdura_tui.states.standings import ORDERS, ordered, standings, terms_from, terms_to
from tests.tui.script import START

OPUS = "anthropic:claude-opus-5-5"
RECORDS = [
    TrackRecord(model=OPUS, reliability=0.7, low=0.6, high=0.8, outcomes=9, merged=10, surviving=9, seconds=30.0),
    TrackRecord(model="gone:old", reliability=0.9, low=0.5, high=1.0, outcomes=2, merged=4, surviving=1, seconds=2.0),
]


def _registry() -> Registry:
    registry = Registry()
    registry.provide("anthropic")
    return registry


def test_every_card_stands_there_and_so_does_a_model_that_has_none_any_more() -> None:
    registry = _registry()
    rows = {standing.card.id: standing for standing in standings(registry, RECORDS, START)}
    assert rows.keys() == {card.id for card in registry.cards} | {"gone:old"}
    assert rows[OPUS].record == RECORDS[0]
    assert rows[OPUS].why_not is None
    assert rows["gone:old"].why_not == "it worked here, but the registry has no card for it"
    assert "is not aboard" in str(rows["gemini:gemini-3.8-flash"].why_not)


@pytest.mark.parametrize("by", list(ORDERS))
def test_an_order_keeps_every_row_and_puts_the_unknown_last(by: str) -> None:
    rows = standings(_registry(), RECORDS, START)
    in_order = ordered(rows, by)
    assert sorted(row.card.id for row in in_order) == sorted(row.card.id for row in rows)
    if by == "seconds":
        assert [row.card.id for row in in_order[:2]] == ["gone:old", OPUS]


def test_what_the_form_holds_unchanged_gives_the_same_terms() -> None:
    for card in _registry().cards:
        price = list_price(card, date(2027, 1, 1))
        assert terms_from(card, price, terms_to(card, price)) == Terms.of(card)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tier": "huge"}, "'huge' is no tier"),
        ({"$/Mtok in": "x"}, "'x' is no number"),
        ({"$/Mtok in": "-1"}, "out of range"),
        ({"$/Mtok in": "nan"}, "out of range"),
        ({"$/Mtok in": "inf"}, "out of range"),
        ({"$/Mtok in": ""}, "one of the two prices is missing"),
    ],
)
def test_what_is_wrong_in_the_form_is_said(changes: dict[str, str], says: str) -> None:
    card = _registry().card(OPUS)
    price = list_price(card, date(2027, 1, 1))
    with pytest.raises(InputError, match=says):
        terms_from(card, price, terms_to(card, price) | changes)
