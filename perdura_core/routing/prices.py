"""What a call costs: exact arithmetic over dated price rows, in whole micro-dollars rounded up.

One dollar per million tokens is one micro-dollar per token, so a rate of the card is a price per token as it stands.
"""

from collections.abc import Sequence
from datetime import date
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache

from perdura_core.vocabulary import Card, MicroUsd, Price, Usage

__all__ = ["cost_of", "list_price", "worst_case"]

_CACHE_WRITE_FACTOR = Decimal("1.25")


def worst_case(card: Card, prompt_tokens: int, max_output_tokens: int, on: date) -> MicroUsd | None:
    """The most that one call can cost; None when the price is unknown on that day.

    `prompt_tokens` is an upper bound. Every prompt token is taken at the dearest of input, cache write and cache
    read, and the row at the dearest of those that a prompt of at most this size can fall under, so that `cost_of`
    never exceeds it for a usage within the bounds. At 2 and 10 dollars with cache writes at 2.5, a call of at most
    1,000 tokens in and 500 out: 1000 * 2.5 + 500 * 10 = 7,500 micro-dollars.
    """
    rows = [row for row in _rows_on(card, on) if (row.over_prompt_tokens or 0) < max(prompt_tokens, 1)]
    if not rows:
        return None
    return max(
        _whole(
            prompt_tokens * max(_rate(row.usd_per_mtok_in), _write_rate(row), _read_rate(row))
            + max_output_tokens * _rate(row.usd_per_mtok_out)
        )
        for row in rows
    )


def cost_of(card: Card, usage: Usage | None, on: date) -> MicroUsd | None:
    """What a call cost that was sent on that day; None when price or usage is unknown. A free model costs 0.

    The four counts of a usage do not overlap, so each token is billed once. The long-prompt row is chosen by all
    prompt tokens, cached ones included. A provider that says nothing of its cache has billed nothing for it; one that
    leaves out input or output makes the cost unknown. With 0.75 in and 3.75 out, 1,001 in and 10 out:
    750.75 + 37.5 = 788.25, charged as 789 micro-dollars.
    """
    rows = _rows_on(card, on)
    if rows and all(_is_free(row) for row in rows):
        return 0
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    prompt = usage.input_tokens + read + written
    fitting = [row for row in rows if row.over_prompt_tokens is None or prompt > row.over_prompt_tokens]
    if not fitting:
        return None
    row = max(fitting, key=lambda row: -1 if row.over_prompt_tokens is None else row.over_prompt_tokens)
    return _whole(
        usage.input_tokens * _rate(row.usd_per_mtok_in)
        + usage.output_tokens * _rate(row.usd_per_mtok_out)
        + written * _write_rate(row)
        + read * _read_rate(row)
    )


def list_price(card: Card, on: date) -> Price | None:
    """The row for ordinary prompts that is in force on that day; None when the price is unknown then."""
    rows = sorted(_rows_on(card, on), key=lambda row: row.over_prompt_tokens or 0)
    return rows[0] if rows else None


def _rows_on(card: Card, on: date) -> Sequence[Price]:
    """The row in force on that day for each prompt size: the one that became valid last."""
    in_force: dict[int | None, Price] = {}
    for row in sorted(card.prices, key=lambda row: row.valid_from):
        if row.valid_from <= on:
            in_force[row.over_prompt_tokens] = row
    return tuple(in_force.values())


@lru_cache(maxsize=1024)
def _rate(usd_per_mtok: float) -> Decimal:
    return Decimal(repr(usd_per_mtok))


def _write_rate(row: Price) -> Decimal:
    if row.usd_per_mtok_cache_write is None:
        return _rate(row.usd_per_mtok_in) * _CACHE_WRITE_FACTOR
    return _rate(row.usd_per_mtok_cache_write)


def _read_rate(row: Price) -> Decimal:
    return _rate(row.usd_per_mtok_in if row.usd_per_mtok_cache_read is None else row.usd_per_mtok_cache_read)


def _is_free(row: Price) -> bool:
    rates = (row.usd_per_mtok_in, row.usd_per_mtok_out, row.usd_per_mtok_cache_write, row.usd_per_mtok_cache_read)
    return not any(rates)


def _whole(micro_usd: Decimal) -> MicroUsd:
    return int(micro_usd.to_integral_value(rounding=ROUND_CEILING))
