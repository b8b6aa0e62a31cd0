"""Numbers of the command line, refused by the parser when they make no sense."""

from argparse import ArgumentTypeError
from datetime import date
from math import isfinite

__all__ = ["count", "day", "positive", "share", "sum_of_money"]


def positive(text: str) -> int:
    """A whole number from 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def count(text: str) -> int:
    """A whole number from 0."""
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def share(text: str) -> float:
    """A number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise ArgumentTypeError(f"{text!r} is not a number from 0 to 1, such as 0.5")
    return number


def sum_of_money(text: str) -> float:
    """US dollars, from 0."""
    try:
        amount = float(text.removeprefix("$"))
    except ValueError:
        amount = -1.0
    if not isfinite(amount) or amount < 0:
        raise ArgumentTypeError(f"{text!r} is not a sum in US dollars, such as 2 or 0.50")
    return amount


def day(text: str) -> date:
    """A date as YYYY-MM-DD."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a date, such as 2026-12-01") from None
