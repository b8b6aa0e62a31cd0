"""Quantities and moments of a text: what is counted or measured, how much, and when."""

import math
import re
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.words import NEGATORS, STOPWORDS, normalise, stem

__all__ = ["Moment", "Quantity", "moments", "quantities", "years"]

_NUMBER_WORDS = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}  # fmt: skip
_MAGNITUDES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
# unit -> (dimension, factor to the dimension's base)
_UNITS: dict[str, tuple[str, float]] = {
    "ms": ("time", 0.001), "millisecond": ("time", 0.001), "s": ("time", 1), "sec": ("time", 1), "second": ("time", 1),
    "min": ("time", 60), "minute": ("time", 60), "h": ("time", 3600), "hr": ("time", 3600), "hour": ("time", 3600),
    "day": ("time", 86400), "week": ("time", 604800), "month": ("time", 2629800), "year": ("time", 31557600),
    "decade": ("time", 315576000), "century": ("time", 3155760000), "%": ("percent", 1), "percent": ("percent", 1),
    "kb": ("bytes", 1e3), "mb": ("bytes", 1e6), "gb": ("bytes", 1e9), "tb": ("bytes", 1e12), "byte": ("bytes", 1),
    "usd": ("usd", 1), "dollar": ("usd", 1), "eur": ("eur", 1), "euro": ("eur", 1), "gbp": ("gbp", 1),
    "pound": ("gbp", 1), "°c": ("celsius", 1), "ppm": ("ppm", 1), "mm": ("length", 0.001), "cm": ("length", 0.01),
    "m": ("length", 1), "metre": ("length", 1), "meter": ("length", 1), "km": ("length", 1000),
    "kilometre": ("length", 1000),
    "kilometer": ("length", 1000), "mile": ("length", 1609.3), "ft": ("length", 0.3048), "feet": ("length", 0.3048),
    "kg": ("mass", 1), "g": ("mass", 0.001), "tonne": ("mass", 1000), "ton": ("mass", 1000), "kwh": ("energy", 1),
    "mwh": ("energy", 1000), "kw": ("power", 1), "mw": ("power", 1000), "gw": ("power", 1e6),
}  # fmt: skip
_SIGNS = {"$": "usd", "€": "eur", "£": "gbp"}
_NUM = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_WORDED = "|".join(_NUMBER_WORDS)
_QUANTITY = re.compile(
    rf"(?<![\w.:/#@=-])(?P<sign>[$€£])?(?P<minus>[-−–](?=\d))?(?P<a>{_NUM}|(?i:{_WORDED})(?!\w))"
    rf"(?P<k>[kKM](?![\w]))?(?:\s?(?:-|–|—|to|and)\s?(?P<b>{_NUM})(?![\d:/]))?(?:\s?-?\s?(?P<mag>thousand|million"
    rf"|billion|trillion))?"
    r"(?P<unit>\s?%|[ -]?°C|[ -]?[A-Za-z]+\b)?"
)
_MORE = re.compile(
    r"(?:more than|over|at least|above|exceed(?:s|ed|ing)?|greater than|no less than|upwards of|beyond|>=?|≥)\s*$",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?:less than|under|at most|below|up to|fewer than|within|no more than|not more than|<=?|≤)\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|some|nearly|almost|circa|ca\.|~|of the order of|close to)\s*$",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?:\b[A-Z][\w-]*|#|§|\b(?:version|line|page|step|figure|section|chapter|part|phase|article|release|no\.|number"
    r"|port|level|tier|option|item|id|v))\s$",
)
_TIME = re.compile(r"(?<![\d:.])(\d{1,2}):(\d\d)(?::\d\d)?(?:[.,]\d+)?\s*(?P<half>[AaPp]\.?[Mm]\b)?")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<mn>{_MONTH})\b(?:,? (?P<y>\d{{4}}))?"),
    re.compile(rf"\b(?P<mn>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<y>\d{{4}}))?"),
)
_YEAR = re.compile(r"(?<![\w.,$€£/-])((?:1[5-9]|20)\d\d)(?![\w%]|[.,]\d|-\d\d-)")
_DECADE = re.compile(r"\b(?:1[5-9]|20)\d0\s?'?s\b")


class Quantity(NamedTuple):
    """A number with what it counts. `low` and `high` bound it in the dimension's base unit; infinite when open."""

    low: float
    high: float
    dimension: str
    """Of a unit (`time`, `percent`, `usd`), the stem of what is counted, or "" when nothing follows the number."""
    start: int
    end: int
    preposition: str
    """`by`, `to`, `from`, `per` right before, as far as it changes the meaning; else empty."""

    def conflicts_with(self, other: "Quantity") -> bool:
        """Whether no value satisfies both."""
        return self.high < other.low or other.high < self.low

    def equals(self, other: "Quantity") -> bool:
        """Whether both name the same bounded value."""
        return math.isfinite(self.low) and math.isfinite(self.high) and (self.low, self.high) == (other.low, other.high)


class Moment(NamedTuple):
    """A clock time (minutes after midnight) or a date (month and day, with the year if it is given)."""

    kind: str
    value: tuple[int | None, ...]
    start: int
    end: int

    def conflicts_with(self, other: "Moment") -> bool:
        """Whether they differ where both say something."""
        if self.kind != other.kind:
            return False
        return any(a is not None and b is not None and a != b for a, b in zip(self.value, other.value, strict=True))


@lru_cache(maxsize=4_096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Quantities of the normalised text. Years, dates, times, versions and labels (`PEP 8`) are none."""
    text = normalise(text)
    taken = [(m.start, m.end) for m in moments(text)] + [m.span() for p in (_YEAR, _DECADE) for m in p.finditer(text)]
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(text):
        if any(begin <= match.start("a") < end for begin, end in taken):
            continue
        quantity = _quantity(text, match)
        if quantity is not None:
            found.append(quantity)
    return tuple(found)


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    before = text[: match.start()]
    word = (match["unit"] or "").strip(" -")
    dimension, factor = _dimension(match, word)
    is_unit = dimension in {name for name, _ in _UNITS.values()}
    if not is_unit and (
        _LABELLED.search(before) or text[match.end("a") : match.end("a") + 2].strip()[:1] in ("/", ":")
    ):
        return None
    if dimension == "" and (before[-1:] in ("(", "[") or text[match.end("a") :][:1] in (")", "]", ",")):
        return None  # an argument or a mark, not a count
    if not is_unit and re.match(r"\.\d", text[match.end("a") :]):
        return None
    low = _value(match["a"], match, factor)
    high = _value(match["b"], match, factor) if match["b"] else low
    high = max(high, low)
    end = match.end("unit") if word else match.end("mag") if match["mag"] else match.end("a")
    if not match["b"]:
        low, high = _bounds(before, low)
    unbounded = _ABOUT.sub("", _LESS.sub("", _MORE.sub("", before)))
    preposition = re.search(r"\b(by|to|from|per|every|another|extra|additional|further)\s*$", unbounded.lower())
    return Quantity(low, high, dimension, match.start(), end, preposition.group(1) if preposition else "")


def _dimension(match: re.Match[str], word: str) -> tuple[str, float]:
    if match["sign"]:
        return _SIGNS[match["sign"]], 1.0
    lowered = word.lower()
    for key in (lowered, lowered.removesuffix("s"), lowered[:-3] + "y" if lowered.endswith("ies") else lowered):
        if key in _UNITS:
            return _UNITS[key]
    if not word or lowered in STOPWORDS or lowered in NEGATORS:
        return "", 1.0
    return _counted(match.string[match.start("unit") :]), 1.0


def _counted(rest: str) -> str:
    """The stem of the last noun of the phrase that follows a number: `40 idle connections` counts connections."""
    head = ""
    for match in re.finditer(r"[A-Za-z][\w-]*|\S", rest[:60]):
        word = match.group()
        if not word[0].isalpha() or word.lower() in STOPWORDS or word.lower() in NEGATORS:
            break
        head = word
        if word.endswith("s") and not word.endswith("ss"):
            break
    return stem(head)


def _value(digits: str, match: re.Match[str], factor: float) -> float:
    lowered = digits.lower()
    number = float(_NUMBER_WORDS[lowered]) if lowered in _NUMBER_WORDS else float(digits.replace(",", ""))
    if match["minus"]:
        number = -number
    if match["k"]:
        number *= 1e3 if match["k"] in "kK" else 1e6
    return number * _MAGNITUDES.get((match["mag"] or "").lower(), 1.0) * factor


def _bounds(before: str, value: float) -> tuple[float, float]:
    if _MORE.search(before):
        return math.nextafter(value, math.inf), math.inf
    if _LESS.search(before):
        return -math.inf, value
    if _ABOUT.search(before):
        return value - abs(value) * 0.15, value + abs(value) * 0.15
    return value, value


@lru_cache(maxsize=4_096)
def moments(text: str) -> tuple[Moment, ...]:
    """Clock times and dates of the text, by position."""
    found: list[Moment] = []
    for match in _TIME.finditer(text):
        hour, minute = int(match[1]), int(match[2])
        half = (match["half"] or "").lower()
        if half.startswith("p") and hour < 12:
            hour += 12
        if hour < 25 and minute < 60:
            found.append(Moment("time", (hour * 60 + minute,), match.start(), match.end()))
    for pattern in _DATES:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            month = int(groups["m"]) if groups.get("m") else _MONTHS.index(groups["mn"][:3].lower()) + 1
            year = int(groups["y"]) if groups.get("y") else None
            if not any(m.start <= match.start() < m.end for m in found):
                found.append(Moment("date", (year, month, int(groups["d"])), match.start(), match.end()))
    for match in _YEAR.finditer(text):
        if not any(m.start <= match.start() < m.end for m in found):
            found.append(Moment("date", (int(match.group(1)), None, None), match.start(), match.end()))
    return tuple(sorted(found, key=lambda moment: moment.start))


@lru_cache(maxsize=4_096)
def years(text: str) -> frozenset[int]:
    """Years that the text names."""
    return frozenset(int(m.group(1)) for m in _YEAR.finditer(text))
