"""What calls cost."""

from datetime import date
from decimal import Decimal
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.routing import cost_of, list_price, shipped_cards, worst_case
from perdura_core.vocabulary import Card, Price, Usage

DAY = date(2026, 12, 1)
CARDS = {card.id: card for card in shipped_cards()}
FLASH = CARDS["gemini:gemini-3.8-flash"]
HAIKU = CARDS["anthropic:claude-haiku-5-5"]
SONNET = CARDS["anthropic:claude-sonnet-5-5"]

rates = st.decimals(min_value=0, max_value=100, places=3).map(float)
rows = st.builds(
    Price,
    valid_from=st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    usd_per_mtok_in=rates,
    usd_per_mtok_out=rates,
    usd_per_mtok_cache_write=st.none() | rates,
    usd_per_mtok_cache_read=st.none() | rates,
    over_prompt_tokens=st.none() | st.integers(1, 300_000),
)
cards = st.lists(rows, min_size=1, max_size=5).map(lambda prices: Card(id="openai:any", prices=tuple(prices)))
counts = st.integers(0, 200_000)


def test_rounding_goes_up_once_over_the_sum() -> None:
    assert cost_of(FLASH, Usage(input_tokens=1_001, output_tokens=10), DAY) == 789
    assert cost_of(FLASH, Usage(input_tokens=1, output_tokens=0), DAY) == 1
    assert cost_of(FLASH, Usage(input_tokens=0, output_tokens=0), DAY) == 0


def test_a_price_changes_on_its_day() -> None:
    usage = Usage(input_tokens=1_000_000, output_tokens=1_000_000)
    assert cost_of(FLASH, usage, date(2026, 12, 31)) == 4_500_000
    assert cost_of(FLASH, usage, date(2027, 1, 1)) == 9_000_000


def test_a_long_prompt_pays_the_long_row_for_all_of_it() -> None:
    assert cost_of(HAIKU, Usage(input_tokens=100_000, output_tokens=1_000), DAY) == 10_500
    assert cost_of(HAIKU, Usage(input_tokens=100_001, output_tokens=1_000), DAY) == 52_501
    cached = Usage(input_tokens=1, output_tokens=0, cache_read_tokens=100_000)
    assert cost_of(HAIKU, cached, DAY) == 50_001


def test_each_cached_token_is_billed_once_at_its_own_rate() -> None:
    usage = Usage(input_tokens=1_000, output_tokens=0, cache_write_tokens=1_000)
    assert cost_of(SONNET, usage, DAY) == 2_000 + 2_500
    card = Card(id="x:y", prices=(Price(usd_per_mtok_in=2, usd_per_mtok_out=10, usd_per_mtok_cache_read=0.2),))
    read = Usage(input_tokens=0, output_tokens=0, cache_read_tokens=1_000, cache_write_tokens=1_000)
    assert cost_of(card, read, DAY) == 200 + 2_500


def test_unknown_is_none_and_never_zero() -> None:
    unpriced = Card(id="openai:any")
    assert cost_of(unpriced, Usage(input_tokens=1, output_tokens=1), DAY) is None
    assert worst_case(unpriced, 1, 1, DAY) is None
    assert cost_of(SONNET, None, DAY) is None
    assert cost_of(SONNET, Usage(input_tokens=1), DAY) is None
    assert cost_of(SONNET, Usage(output_tokens=1), DAY) is None
    later = Card(id="x:y", prices=(Price(valid_from=date(2027, 1, 1), usd_per_mtok_in=1, usd_per_mtok_out=1),))
    assert worst_case(later, 1, 1, DAY) is None
    assert cost_of(later, Usage(input_tokens=1, output_tokens=1), DAY) is None


def test_a_card_with_long_rows_only_has_no_price_for_short_prompts() -> None:
    card = Card(id="x:y", prices=(Price(over_prompt_tokens=10, usd_per_mtok_in=1, usd_per_mtok_out=1),))
    assert cost_of(card, Usage(input_tokens=10, output_tokens=0), DAY) is None
    assert cost_of(card, Usage(input_tokens=11, output_tokens=0), DAY) == 11


@pytest.mark.parametrize("model", ["reader:support", "reader:doubt", "reader:gather"])
def test_a_reader_costs_nothing_even_when_it_counts_nothing(model: str) -> None:
    assert worst_case(CARDS[model], 10**9, 10**9, DAY) == 0
    assert cost_of(CARDS[model], None, DAY) == 0


def test_worst_case_by_hand() -> None:
    assert worst_case(SONNET, 1_000, 500, DAY) == 7_500
    assert worst_case(HAIKU, 100_000, 0, DAY) == 12_500
    assert worst_case(HAIKU, 100_001, 0, DAY) == 62_501


@given(cards, counts, counts, counts, counts, counts, st.dates(date(2026, 1, 1), date(2027, 12, 31)))
def test_no_call_within_its_bounds_costs_more_than_the_worst_case(
    card: Card, fresh: int, read: int, written: int, output: int, slack: int, on: date
) -> None:
    usage = Usage(input_tokens=fresh, output_tokens=output, cache_read_tokens=read, cache_write_tokens=written)
    cost = cost_of(card, usage, on)
    worst = worst_case(card, fresh + read + written + slack, output + slack, on)
    if cost is not None:
        assert worst is not None
        assert 0 <= cost <= worst


@given(cards, counts, counts, st.integers(0, 1_000), st.integers(0, 1_000))
def test_the_worst_case_grows_with_its_bounds(card: Card, prompt: int, output: int, more: int, longer: int) -> None:
    less, most = worst_case(card, prompt, output, DAY), worst_case(card, prompt + more, output + longer, DAY)
    if less is not None:
        assert most is not None
        assert less <= most


@given(rates, rates, counts, counts)
def test_the_price_is_exact(rate_in: float, rate_out: float, fresh: int, output: int) -> None:
    card = Card(id="x:y", prices=(Price(usd_per_mtok_in=rate_in, usd_per_mtok_out=rate_out),))
    cost = cost_of(card, Usage(input_tokens=fresh, output_tokens=output), DAY)
    exact = Decimal(str(rate_in)) * fresh + Decimal(str(rate_out)) * output
    assert cost is not None
    assert 0 <= cost - exact < 1


def test_the_list_price_is_that_of_ordinary_prompts_today() -> None:
    pro, haiku = list_price(CARDS["gemini:gemini-3.1-pro-preview"], DAY), list_price(HAIKU, DAY)
    assert pro is not None
    assert haiku is not None
    assert (pro.usd_per_mtok_in, pro.usd_per_mtok_out) == (2, 12)
    assert (haiku.usd_per_mtok_in, haiku.usd_per_mtok_out) == (0.1, 0.5)
    assert list_price(Card(id="openai:any"), DAY) is None
    later = Price(valid_from=date(2027, 1, 1), usd_per_mtok_in=1, usd_per_mtok_out=1)
    assert list_price(Card(id="openai:any", prices=(later,)), DAY) is None


@given(cards, st.dates(date(2026, 1, 1), date(2027, 1, 1)))
def test_the_list_price_is_what_a_short_prompt_is_charged(card: Card, on: date) -> None:
    price = list_price(card, on)
    charged = cost_of(card, Usage(input_tokens=1, output_tokens=0), on)
    if price is None:
        assert charged is None
    elif price.over_prompt_tokens is None and charged:
        assert charged == ceil(Decimal(repr(price.usd_per_mtok_in)))
