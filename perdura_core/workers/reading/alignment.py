"""Are two sentences about the same thing? Asked before what they say about it is compared."""

import re
from functools import lru_cache

from perdura_core.epistemics.wording.quantities import years
from perdura_core.epistemics.wording.words import Weights, content, listed, normalise, stem
from perdura_core.workers.reading.clauses import Clause, clauses, subjects_match, topic

__all__ = ["clause_at", "frames_differ", "mutual_subjects", "share"]

_NAME = re.compile(
    r"(?<=[a-z,;] )[A-Z][\w-]+(?: [A-Z][\w-]+)*|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z]{2,}\d*\b|\b[A-Z][a-z]+(?= [A-Z])"
)
_NO_NAMES = listed(
    "utc gmt cet cest must should may not am pm sla slo ok the it we kb mb gb tb kw mw gw kwh mwh usd eur gbp"
)
_SCOPES = tuple(
    re.compile(rf"\b(?:{pair[0]})\b|\b(?:{pair[1]})\b", re.IGNORECASE)
    for pair in (
        ("minimum|min|least|lowest", "maximum|max|most|highest|peak"),
        ("before|pre", "after|post"),
        ("mean|average|typical", "median|peak|maximum|worst"),
        ("old|previous|former|original", "new|current|latest|updated"),
        ("read", "write"),
        ("north|northern", "south|southern"),
        ("low|small", "high|large"),
        ("summer", "winter"),
        ("first", "second|third|last"),
        ("inner|internal", "outer|external"),
        ("planned|scheduled|budgeted|expected", "actual|actually"),
    )
)


@lru_cache(maxsize=4_096)
def _names(text: str) -> frozenset[str]:
    """Stems of what the text calls by name: capitalised inside the sentence, or written as code."""
    found = (m for m in _NAME.findall(normalise(text)))
    return frozenset(stem(w) for m in found for w in m.split() if w.lower() not in _NO_NAMES)


@lru_cache(maxsize=4_096)
def _scopes(text: str) -> tuple[frozenset[str], ...]:
    """For each scale the ends of it that the text names."""
    return tuple(frozenset(match.lower() for match in scope.findall(text)) for scope in _SCOPES)


def frames_differ(a: str, b: str, *, mind_years: bool = True) -> bool:
    """Whether they speak of different years, of different ends of a scale, or each of a name the other lacks."""
    if mind_years and years(a) and years(b) and not years(a) & years(b):
        return True
    if any(left and right and not left & right for left, right in zip(_scopes(a), _scopes(b), strict=True)):
        return True
    mine, others = _names(a) - content(b), _names(b) - content(a)
    return bool(mine) and bool(others)


def share(a: frozenset[str], b: frozenset[str], weights: Weights) -> float:
    """How much of the shorter one the longer one covers, 0..1, rare words counting more."""
    smaller, larger = sorted((a, b), key=len)
    return weights.coverage(smaller, larger)


def clause_at(text: str, words: str) -> Clause | None:
    """The first clause of a sentence that holds these words."""
    return next((clause for clause in clauses(text) if words and words in clause.text), None)


def mutual_subjects(a: Clause, b: Clause, left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether the subjects are one: the same head with nothing else of its own on both sides, or, with different heads,
    each spoken of in the other sentence."""
    shared = left & right
    if a.head == b.head and a.head:
        return subjects_match(a.subject, b.subject)
    return (
        bool(topic(a.subject) & right)
        and bool(topic(b.subject) & left)
        and (a.head in shared or b.head in shared or topic(a.subject) <= shared or topic(b.subject) <= shared)
    )
