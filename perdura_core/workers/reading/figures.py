"""Numbers, times and dates that two sentences give for the same measure or the same event."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.quantities import Moment, Quantity, moments, quantities
from perdura_core.epistemics.wording.verbs import is_event
from perdura_core.epistemics.wording.words import STOPWORDS, Weights, content, listed, normalise, stem
from perdura_core.workers.reading.alignment import clause_at, frames_differ, mutual_subjects, share
from perdura_core.workers.reading.clauses import subjects_match, topic

__all__ = ["MomentPair", "QuantityPair", "aligned_moments", "aligned_quantities"]

_WORD = re.compile(r"[A-Za-z][\w-]*")
_ROLES = {
    "begin": "start", "start": "start", "from": "start", "since": "start", "onset": "start",
    "end": "end", "finish": "end", "stop": "end", "until": "end", "recover": "end", "resolv": "end", "restor": "end",
    "clos": "end", "till": "end",
}  # fmt: skip
_ROLE_STEMS = frozenset(map(stem, _ROLES))
_BOUNDING = re.compile(
    r"\b(?:after|before|by|within|between|every|prior to|later than|earlier than)\s+(?:about |around )?$",
    re.IGNORECASE,
)
_ZONE = re.compile(r"^\S*\s*(UTC|GMT|Z|CET|CEST|EST|EDT|PST|PDT|local)\b")
_ABOUT = re.compile(r"\b(?:about|around|roughly|approximately|circa|~)\s*$", re.IGNORECASE)


_UNIT_STEMS = frozenset(
    map(stem, listed("years days hours minutes seconds weeks months percent million billion thousand ms"))
)


class QuantityPair(NamedTuple):
    """Two quantities of the same measure of the same thing, as written."""

    left: Quantity
    right: Quantity
    left_text: str
    right_text: str
    closeness: float


class MomentPair(NamedTuple):
    """Two moments of the same event, as written. `differ` allows for rounding."""

    left: Moment
    right: Moment
    left_text: str
    right_text: str
    differ: bool
    closeness: float


def aligned_quantities(a: str, b: str, weights: Weights) -> Iterator[QuantityPair]:
    """Pairs of quantities that claim to be the same figure, whether or not they are."""
    if frames_differ(a, b) or _times_differ(a, b):
        return
    left, right = (content(text) - _UNIT_STEMS - _SOFT_MODIFIERS for text in (a, b))
    shared = left & right
    for x in quantities(a):
        for y in quantities(b):
            if x.dimension != y.dimension or x.preposition != y.preposition:
                continue
            about = topic(shared - {x.dimension})
            closeness = share(topic(left - {x.dimension}), topic(right - {y.dimension}), weights)
            is_crowded = max(_count(a, x), _count(b, y)) > 1
            if is_crowded and closeness < 0.7:
                continue
            if len(about) < 2 or closeness < 0.5 or (weights.total(about) < 0.9 and closeness < 0.95):
                continue
            if _near(a, x) & _near(b, y) - {x.dimension} and not _modified_apart(a, x, b, y) and _subjects(a, x, b, y):
                yield QuantityPair(x, y, _text(a, x), _text(b, y), closeness)


def aligned_moments(a: str, b: str, weights: Weights) -> Iterator[MomentPair]:
    """Pairs of times or dates that are given for the same event."""
    if frames_differ(a, b, mind_years=False):
        return
    closeness = share(content(a) - _ROLE_STEMS, content(b) - _ROLE_STEMS, weights)
    dates = [(m, n) for m in moments(a) for n in moments(b) if m.kind == n.kind == "date"]
    for m in moments(a):
        for n in moments(b):
            if m.kind != n.kind or (m.kind == "time" and any(x.conflicts_with(y) for x, y in dates)):
                continue
            role = _role(a, m)
            if role is None or role != _role(b, n) or _zones_differ(a, m, b, n):
                continue
            if _events_match(a, m, b, n, weights):
                yield MomentPair(m, n, _when(a, m), _when(b, n), _differ(a, m, b, n), closeness)


def _times_differ(a: str, b: str) -> bool:
    return any(m.conflicts_with(n) for m in moments(a) for n in moments(b))


def _count(text: str, quantity: Quantity) -> int:
    return sum(1 for other in quantities(text) if other.dimension == quantity.dimension)


def _text(text: str, quantity: Quantity) -> str:
    return normalise(text)[quantity.start : quantity.end].strip()


def _when(text: str, moment: Moment) -> str:
    return text[moment.start : moment.end].strip()


@lru_cache(maxsize=4_096)
def _near(text: str, quantity: Quantity) -> frozenset[str]:
    """Content stems within a few words of the number, on its side of any stop."""
    text = normalise(text)
    before = re.split(r"[,;:]\s", text[: quantity.start])[-1]
    after = re.split(r"[,;:.]\s", text[quantity.end :])[0]
    telling = [[w for w in _WORD.findall(side) if w.lower() not in STOPWORDS] for side in (before, after)]
    return frozenset(stem(w) for w in (*telling[0][-5:], *telling[1][:4]))


# They say how much or which rank, not which thing.
_SOFT_MODIFIERS = frozenset(
    map(
        stem,
        listed("long short high low large small big great total average overall whole about atmospheric estimated new"),
    )
)


def _modified_apart(a: str, x: Quantity, b: str, y: Quantity) -> bool:
    """Whether a noun near both numbers carries a different modifier in each: read timeout, write timeout."""
    mine, others = _modifiers(a), _modifiers(b)
    words_a, words_b = content(a), content(b)
    for noun in _near(a, x) & _near(b, y) & mine.keys() & others.keys():
        left, right = mine[noun] - words_b - _SOFT_MODIFIERS, others[noun] - words_a - _SOFT_MODIFIERS
        if left and right and not mine[noun] & others[noun]:
            return True
    return False


@lru_cache(maxsize=4_096)
def _modifiers(text: str) -> Mapping[str, frozenset[str]]:
    """For each word the content words right before it."""
    found: dict[str, set[str]] = {}
    previous = ""
    for match in re.finditer(r"[A-Za-z][\w-]*|[^\w\s]|\d+", normalise(text)):
        word = match.group()
        if word[0].isalpha() and word.lower() not in STOPWORDS:
            if previous:
                found.setdefault(stem(word), set()).add(previous)
            previous = stem(word)
        else:
            previous = ""
    return {noun: frozenset(before) for noun, before in found.items()}


def _subjects(a: str, x: Quantity, b: str, y: Quantity) -> bool:
    left, right = clause_at(a, _text(a, x)), clause_at(b, _text(b, y))
    if left is None or right is None:
        return _labels_match(a, b)
    return mutual_subjects(left, right, content(a), content(b))


def _labels_match(a: str, b: str) -> bool:
    """For statements without a verb (`checkout: p95 latency 480 ms`): one names all that the other measures."""
    left, right = topic(content(a)), topic(content(b))
    smaller, larger = sorted((left, right), key=len)
    return len(smaller & larger) >= 2 and len(smaller - larger) <= 1


def _role(text: str, moment: Moment) -> str | None:
    """What happened at the moment: `start`, `end`, or the stem of the clause's verb; None when it only bounds."""
    before = text[: moment.start]
    if _BOUNDING.search(before):
        return None
    close = re.split(r"[,;]\s", before)[-1]
    for word in reversed(_WORD.findall(close)[-8:]):
        role = _ROLES.get(stem(word), _ROLES.get(word.lower()))
        if role is not None:
            return role
        if is_event(word):
            return stem(word)
    clause = clause_at(text, _when(text, moment))
    if clause is None or len(clause.words) <= clause.verb:
        return None
    after = [w for w in clause.words[clause.verb :] if is_event(w.text)]
    return _ROLES.get(after[0].stem, after[0].stem) if after else None


def _zones_differ(a: str, m: Moment, b: str, n: Moment) -> bool:
    left, right = _ZONE.match(a[m.end :]), _ZONE.match(b[n.end :])
    same = {"Z": "UTC", "GMT": "UTC"}
    zones = [same.get(z.group(1), z.group(1)) for z in (left, right) if z is not None]
    return len(zones) == 2 and zones[0] != zones[1]


def _events_match(a: str, m: Moment, b: str, n: Moment, weights: Weights) -> bool:
    """Whether the clauses that give the moments tell of the same happening."""
    x, y = clause_at(a, _when(a, m)), clause_at(b, _when(b, n))
    if x is None or y is None:
        return False
    closeness = share(x.stems - _ROLE_STEMS, y.stems - _ROLE_STEMS, weights)
    return closeness >= 0.5 and x.head == y.head and subjects_match(x.subject, y.subject)


def _differ(a: str, m: Moment, b: str, n: Moment) -> bool:
    if m.kind != "time":
        return m.conflicts_with(n)
    is_rounded = any(_ABOUT.search(text[: at.start]) for text, at in ((a, m), (b, n)))
    apart = abs((m.value[0] or 0) - (n.value[0] or 0))
    return min(apart, 1440 - apart) > (10 if is_rounded else 2)
