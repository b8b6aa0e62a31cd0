"""What a statement measures: so that the same measure with another value is seen as what it is."""

import math
import re
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.entities import entity_key, nouns_of
from perdura_core.epistemics.wording.quantities import Quantity, moments, quantities
from perdura_core.epistemics.wording.words import normalise, stem

__all__ = ["Measure", "in_conflict", "measures_of"]

_BREAK = re.compile(r"[,;:]\s|\s[–—-]{1,2}\s|\b(?:while|whereas|but|and)\b")
_NEARNESS = re.compile(r"^\s*(?:of|in|for)\s")


class Measure(NamedTuple):
    """One value that a statement gives for something. Plain values: a column each."""

    key: str
    """What is measured, by the stems of its noun, in whatever words: `latenci p95`. With `by ` or `per ` before it when
    the number is a change or a rate."""
    low: float
    high: float
    """The value is within these bounds, in the base unit; infinite where the statement leaves it open."""
    unit: str
    """The dimension (`time`, `percent`, `usd`), the stem of what is counted, or "" for a bare number."""
    at: str
    """The year, day or time that the statement names for it; "" when it names none."""

    @property
    def value(self) -> float | None:
        """The value, or the middle of its range; None when one side is open."""
        return (self.low + self.high) / 2 if math.isfinite(self.low) and math.isfinite(self.high) else None


def in_conflict(one: Measure, other: Measure) -> bool:
    """Whether both give a value for the same measure at the same time, and no value fits both.

    Whether it is the same thing that was measured is for the entities of the two statements to say.
    """
    is_same = (one.key, one.unit, one.at) == (other.key, other.unit, other.at)
    return is_same and (one.high < other.low or other.high < one.low)


@lru_cache(maxsize=4_096)
def measures_of(text: str) -> tuple[Measure, ...]:
    """The values that the statement gives, in order, those of which one can tell what they measure.

    `The p95 latency of checkout rose to 620 ms on 14 March.` measures `latenci p95` at 0.62, `time`, at `-3-14`.
    """
    text = normalise(text)
    at = _at(text)
    found: list[Measure] = []
    for quantity in quantities(text):
        key = _key(text, quantity)
        if key:
            how = f"{quantity.preposition} " if quantity.preposition in ("by", "per", "every") else ""
            found.append(Measure(how + key, quantity.low, quantity.high, quantity.dimension, at))
    return tuple(dict.fromkeys(found))


def _at(text: str) -> str:
    """The moments that the statement names, as one mark."""
    marks = ["-".join("" if part is None else str(part) for part in moment.value) for moment in moments(text)]
    return " ".join(sorted(set(marks)))


def _key(text: str, quantity: Quantity) -> str:
    """The stems of the noun phrase that the number belongs to: what is counted, else the nearest in its clause."""
    after = text[quantity.end :]
    if _NEARNESS.match(after):
        following = nouns_of(_BREAK.split(after)[0])
        if following:
            return _stems(following[0])
    before = nouns_of(_BREAK.split(text[: quantity.start])[-1]) or nouns_of(text[: quantity.start])
    if before:
        return _stems(before[0])  # the subject; others only narrow it down
    following = nouns_of(_BREAK.split(after)[0])
    return _stems(following[0]) if following else quantity.dimension


def _stems(phrase: str) -> str:
    return " ".join(sorted({stem(word) for word in entity_key(phrase).split()}))
