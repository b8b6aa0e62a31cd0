"""Conflicts: two sentences about the same thing that cannot both be right. Precision comes before recall.

Each rule first aligns what the two are about and only then compares what they say. When the alignment is in doubt
there is no conflict.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from perdura_core.epistemics.wording.quantities import moments, quantities, years
from perdura_core.epistemics.wording.words import Weights, content, normalise, stem, words
from perdura_core.workers.reading.alignment import frames_differ, share
from perdura_core.workers.reading.causes import causes, causes_conflict
from perdura_core.workers.reading.clauses import Clause, clauses, subjects_match, topic
from perdura_core.workers.reading.figures import aligned_moments, aligned_quantities
from perdura_core.workers.reading.judgement import is_record, said
from perdura_core.workers.reading.opposites import comparisons, comparisons_conflict, pulls

__all__ = ["Conflict", "ConflictKind", "figures_agree", "find_conflict"]

ConflictKind = Literal["number", "moment", "polarity", "opposite", "comparison", "cause"]

_NONE_OF = re.compile(
    r"\b(?:there (?:is|are|was|were|has been|have been|had been)|found|shows?|showed|saw|recorded|reported|logged|has"
    r"|have|had)"
    r" (?:not any|no)\b(?! (?:other|more|further|such|longer|need|doubt|way|reason)\b)(?P<what>[^,;]*)",
    re.IGNORECASE,
)
_EXCLUSIVE = re.compile(
    r"\b(?:can|may|must|will|shall|should|could) only \w+|\bonly (?:allows?|accepts?|supports?)\b",
    re.IGNORECASE,
)
_INCLUSIVE = re.compile(r"\b(?:can|may)\b.*\b(?:any|even|also|as well as|all)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(r"\b(?:others?|another|else(?:where)?|except|besides)\b", re.IGNORECASE)
_WEAK_MODAL = re.compile(
    r"\b(?:may|might|could|possibly|perhaps|sometimes|some|often|many|likely|probably|would|should)\b",
    re.IGNORECASE,
)


class Conflict(NamedTuple):
    """Why two sentences conflict. `strength` in 0..1 orders findings; it is no probability."""

    kind: ConflictKind
    reason: str
    strength: float


def find_conflict(a: str, b: str, weights: Weights) -> Conflict | None:
    """The strongest conflict between two sentences, if there is one."""
    if is_record(a) and is_record(b):
        return None  # two entries of a log tell of two moments
    a, b = said(a), said(b)
    if not _may_conflict(a, b):
        return None
    rules = (_numbers, _moments, _polarity, _existence, _opposites, _lacks, _only, _comparisons, _causes)
    return max((c for rule in rules for c in rule(a, b, weights)), key=lambda c: c.strength, default=None)


_ONE_SIDED = frozenset({"less", "only", "more"})


@lru_cache(maxsize=4_096)
def _signals(text: str) -> frozenset[str]:
    """What rules could start from; two sentences without a common signal are passed over at once."""
    signals = {f"number {q.dimension}" for q in quantities(text)} | {f"moment {m.kind}" for m in moments(text)}
    signals |= {f"axis {pull.axis}" for clause in clauses(text) for pull in pulls(clause)}
    if any(w.text.lower().endswith("less") and len(w.text) > 7 for w in words(text)):
        signals.add("less")
    signals |= {mark for mark, pattern in (("only", _EXCLUSIVE), ("more", _INCLUSIVE)) if pattern.search(text)}
    signals |= {f"order {comparison.axis}" for comparison in comparisons(text)}
    return frozenset(signals | {"cause"} if causes(text) else signals)


@lru_cache(maxsize=4_096)
def _denied(text: str) -> frozenset[str]:
    return frozenset(denied for clause in clauses(text) for denied in clause.denied)


def _may_conflict(a: str, b: str) -> bool:
    left, right = content(a), content(b)
    if not topic(left & right):
        return False
    mine, others = _signals(a), _signals(b)
    return bool((mine & others) - _ONE_SIDED or _lopsided(mine, others) or _denied(a) & right or _denied(b) & left)


def _lopsided(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether a rule could start from what one has and the other lacks."""
    return "less" in a ^ b or ("only" in a and "more" in b) or ("only" in b and "more" in a)


def figures_agree(a: str, b: str, weights: Weights) -> bool:
    """Whether two aligned sentences give the same figure or the same moment."""
    a, b = said(a), said(b)
    if not any(signal.startswith(("number", "moment")) for signal in _signals(a) & _signals(b)):
        return False
    return any(pair.left.equals(pair.right) for pair in aligned_quantities(a, b, weights)) or any(
        pair.left.value == pair.right.value for pair in aligned_moments(a, b, weights)
    )


def _numbers(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    left, right = quantities(a), quantities(b)
    if any(x.dimension == y.dimension and not x.conflicts_with(y) for x in left for y in right):
        return  # one figure in common is more likely the measure that both mean
    for pair in aligned_quantities(a, b, weights):
        yield Conflict("number", f"{pair.left_text} against {pair.right_text}", 0.6 + 0.4 * pair.closeness)


def _moments(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    pairs = list(aligned_moments(a, b, weights))
    shared = {pair.left.kind for pair in pairs if not pair.differ}
    for pair in pairs:
        if pair.left.kind in shared:
            continue
        yield Conflict("moment", f"{pair.left_text} against {pair.right_text}", 0.6 + 0.4 * pair.closeness)


def _polarity(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    if frames_differ(a, b):
        return
    for x in clauses(a):
        for y in clauses(b):
            denied = set(x.denied) ^ set(y.denied)
            if not denied or x.is_open or y.is_open or (x.denied and y.denied):
                continue
            if any(_WEAK_MODAL.search(c.text) or _ELSEWHERE.search(c.text) for c in (x, y)):
                continue
            shared = x.stems & y.stems
            closeness = share(x.stems, y.stems, weights)
            what = next((d for d in sorted(denied) if d in shared), None)
            if what is None or len(shared) < 3 or closeness < 0.7 or not subjects_match(x.subject, y.subject):
                continue
            yield Conflict("polarity", f"one denies what the other affirms ({what})", 0.5 + 0.4 * closeness)


def _existence(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    """`There was no X` against a clause that speaks of X as a matter of fact."""
    if frames_differ(a, b):
        return
    for one, other in ((a, b), (b, a)):
        match = _NONE_OF.search(normalise(one))
        if match is None or _WEAK_MODAL.search(one):
            continue
        what = content(match["what"])
        for clause in clauses(other):
            if clause.denied or clause.is_open or _WEAK_MODAL.search(clause.text):
                continue
            closeness = weights.coverage(what, clause.stems)
            if len(what & clause.stems) >= 3 and closeness >= 0.8:
                yield Conflict("polarity", "one says there is none of what the other reports", 0.5 + 0.3 * closeness)


def _lacks(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    """`X is odorless` against `X has an odor`."""
    for one, other in ((a, b), (b, a)):
        for x in clauses(one):
            lacking = {stem(w.text[:-4]) for w in x.words if w.text.lower().endswith("less") and len(w.text) > 7}
            for y in clauses(other) if lacking else ():
                has = lacking & y.predicate
                if (
                    has
                    and not y.denied
                    and not any(d.endswith("less") for d in x.denied)
                    and _has(y)
                    and subjects_match(x.subject, y.subject)
                ):
                    yield Conflict("opposite", f"without {min(has)} against with it", 0.7)


def _only(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    """`X can only use P` against `X can use P, Q and even R`: the same subject with less and with more."""
    for one, other in ((a, b), (b, a)):
        if not (_EXCLUSIVE.search(one) and _INCLUSIVE.search(other)) or frames_differ(a, b):
            continue
        for x in clauses(one)[:1]:
            for y in clauses(other):
                shared = topic((x.predicate & content(other)) - x.subject - y.subject)
                if x.head == y.head and subjects_match(x.subject, y.subject) and shared and not y.denied:
                    yield Conflict("opposite", "one allows only what the other goes beyond", 0.6)


def _has(clause: Clause) -> bool:
    return clause.words[clause.verb].text.lower() in ("has", "have", "had")


def _opposites(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    if frames_differ(a, b):
        return
    for x in clauses(a):
        for y in clauses(b):
            if x.is_open or y.is_open or x.head != y.head or not subjects_match(x.subject, y.subject):
                continue
            yield from _opposite_pulls(x, y, weights)


def _opposite_pulls(x: Clause, y: Clause, weights: Weights) -> Iterator[Conflict]:
    for p in pulls(x):
        for q in pulls(y):
            if p.axis != q.axis or p.sign == q.sign or p.stem == q.stem:
                continue
            left, right = x.stems - {p.stem}, y.stems - {q.stem}
            shared = left & right
            closeness = share(left, right, weights)
            if len(topic(shared)) >= 2 and closeness >= 0.6:
                yield Conflict("opposite", f"{p.stem} against {q.stem}", 0.5 + 0.4 * closeness)


def _comparisons(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    for x in comparisons(a):
        for y in comparisons(b):
            if comparisons_conflict(x, y):
                yield Conflict(
                    "comparison",
                    f"opposite order of {x.axis}",
                    0.6 + 0.3 * share(x.left | x.right, y.left | y.right, weights),
                )


def _causes(a: str, b: str, weights: Weights) -> Iterator[Conflict]:
    if years(a) and years(b) and not years(a) & years(b):
        return
    for x in causes(a):
        for y in causes(b):
            if causes_conflict(x, y):
                why = "another cause" if x.is_affirmed == y.is_affirmed else "one denies the cause"
                yield Conflict("cause", why, 0.6 + 0.3 * share(x.effect, y.effect, weights))
