"""Figures drawn in characters, for the desk and the command line alike. No Textual in here."""

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Span", "span", "sparkline"]

_STEPS = "▁▂▃▄▅▆▇█"


class Span(NamedTuple):
    """An interval on a line from 0 to 1: blanks, what lies left of the mean, the mean, what lies right, blanks."""

    before: str
    left: str
    mean: str
    right: str
    after: str


def span(low: float, mean: float, high: float, cells: int, *, is_vague: bool) -> Span:
    """The interval in at least four cells; dashed when it is vague. Values are in 0..1."""
    first = min(max(round(low * (cells - 1)), 0), cells - 1)
    last = min(max(round(high * (cells - 1)), first), cells - 1)
    middle = min(max(round(mean * (cells - 1)), first), last)
    dash = "╌" if is_vague else "─"
    drawn = ["├" if x == first else "┤" if x == last else dash for x in range(first, last + 1)]
    left, right = "".join(drawn[: middle - first]), "".join(drawn[middle - first + 1 :])
    return Span(" " * first, left, "●", right, " " * (cells - last - 1))


def sparkline(values: Sequence[float], top: float = 1.0) -> str:
    """One block per value, from `▁` at 0 to `█` at `top`."""
    if top <= 0:
        return _STEPS[0] * len(values)
    return "".join(_STEPS[min(7, int(min(max(value, 0.0) / top, 1.0) * 7.999))] for value in values)
