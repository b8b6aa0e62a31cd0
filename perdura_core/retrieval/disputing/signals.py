"""What two texts have to do with each other, as numbers that a scorer weighs. Pure."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.wording.quantities import moments, quantities
from perdura_core.epistemics.wording.words import NEGATORS, STOPWORDS, Weights, Word, content, stem, words
from perdura_core.retrieval.disputing.lexicon import (
    AFFIRMING,
    DENYING,
    DOUBTING,
    DOWN,
    EXCLUDING,
    GOOD,
    ILL,
    OPPOSING,
    SHOULD,
    UP,
)
from perdura_core.retrieval.disputing.wordvectors import WordVectors
from perdura_core.workers.reading.agreement import figures_clash
from perdura_core.workers.reading.clauses import clauses
from perdura_core.workers.reading.conflict import Conflict, find_conflict
from perdura_core.workers.reading.judgement import is_hedged
from perdura_core.workers.reading.opposites import comparisons, comparisons_conflict, pulls

__all__ = ["NAMES", "both_ways", "signals"]

_EVEN = Weights(())
_GOOD, _ILL = (frozenset(map(stem, side)) for side in (GOOD, ILL))
_SIBLING = (0.35, 0.75)
"""Cosines of words of one kind that mean different things: film and book, Jamaica and Australia."""
_SAME = 0.95
_REACH = 4
"""So many words after a negator are denied."""


class _Side(NamedTuple):
    """One text, taken apart once."""

    text: str
    stems: frozenset[str]
    words: tuple[Word, ...]
    """That carry meaning."""
    vectors: NDArray[np.float32]
    """(words, dimension), of length 1."""
    weights: NDArray[np.float64]
    """(words,): how telling each is."""
    weighed: NDArray[np.float64]
    """(dimension,): the sum of the vectors by weight."""
    weighed_length: float
    whole: NDArray[np.float32]
    denials: int
    denied: frozenset[str]
    pulls: frozenset[tuple[str, int]]
    numbers: frozenset[str]
    names: frozenset[str]
    valence: float
    leaning: float
    """Good words less bad ones, squashed to -1..1."""
    trend: float
    """Words for more less those for less, squashed to -1..1."""
    is_against: bool
    is_doubting: bool
    is_affirming: bool


def signals(a: str, b: str, vectors: WordVectors) -> NDArray[np.float64]:
    """The signals of a claim and a text that bears on it, in the order of NAMES. Not symmetric."""
    one, other = _side(a, vectors), _side(b, vectors)
    return _one_way(one, other, one.vectors @ other.vectors.T, find_conflict(a, b, _EVEN))


def both_ways(a: str, b: str, vectors: WordVectors, conflict: Conflict | None) -> NDArray[np.float64]:
    """(2, signals): of the texts as they stand and turned round. conflict: what `find_conflict` finds, either way."""
    one, other = _side(a, vectors), _side(b, vectors)
    cosines = one.vectors @ other.vectors.T
    return np.stack([_one_way(one, other, cosines, conflict), _one_way(other, one, cosines.T, conflict)])


def _one_way(one: _Side, other: _Side, cosines: NDArray[np.float32], conflict: Conflict | None) -> NDArray[np.float64]:
    found = {
        **_wording(one, other),
        **_alignment(one, other, cosines),
        **_denial(one, other),
        **_figures(one, other),
        **_opposites(one, other, conflict),
        **_leaning(one, other),
    }
    return np.array([found[name] for name in NAMES], dtype=np.float64)


@lru_cache(maxsize=8_192)
def _side(text: str, vectors: WordVectors) -> _Side:
    everything = words(text)
    telling = tuple(
        word
        for word in everything
        if word.text.lower() not in STOPWORDS and word.text.lower() not in NEGATORS and not word.text[0].isdigit()
    )
    rows, weights = vectors.of([word.text.lower() for word in telling])
    valence, leaning = _valence(everything, vectors)
    weighed = weights @ rows
    trend = sum(word.stem in UP for word in everything) - sum(word.stem in DOWN for word in everything)
    return _Side(
        text=text,
        stems=content(text),
        words=telling,
        vectors=rows,
        weights=weights,
        weighed=weighed,
        weighed_length=float(np.linalg.norm(weighed)),
        whole=vectors.whole(text),
        denials=sum(word.text.lower() in DENYING for word in everything),
        denied=frozenset(denied for clause in clauses(text) for denied in clause.denied),
        pulls=frozenset((pull.axis, pull.sign) for clause in clauses(text) for pull in pulls(clause)),
        numbers=frozenset(word.text for word in everything if word.text[0].isdigit()),
        names=frozenset(
            word.stem for word in everything if word.start and word.text[0].isupper() and word.stem in content(text)
        ),
        valence=valence,
        leaning=leaning,
        trend=math.tanh(trend),
        is_against=OPPOSING.search(text) is not None,
        is_doubting=DOUBTING.search(text) is not None,
        is_affirming=AFFIRMING.search(text) is not None,
    )


def _valence(everything: Sequence[Word], vectors: WordVectors) -> tuple[float, float]:
    """How far the words point to good rather than ill, those after a negator turned round."""
    leaning, denied = 0, 0
    telling: list[str] = []
    signs: list[int] = []
    for word in everything:
        lowered = word.text.lower()
        if lowered in DENYING:
            denied = _REACH
            continue
        sign = -1 if denied else 1
        denied = max(0, denied - 1)
        if lowered in STOPWORDS or lowered[0].isdigit():
            continue
        telling.append(lowered)
        signs.append(sign)
        leaning += sign * ((word.stem in _GOOD) - (word.stem in _ILL))
    total = float(np.array(signs) @ (vectors.of(telling)[0] @ vectors.axis(GOOD, ILL))) if telling else 0.0
    return total / max(1, len(telling)), math.tanh(leaning)


def _wording(a: _Side, b: _Side) -> dict[str, float]:
    shared = a.stems & b.stems
    pairs = {(one.stem, other.stem) for one, other in zip(a.words, a.words[1:], strict=False)}
    others = {(one.stem, other.stem) for one, other in zip(b.words, b.words[1:], strict=False)}
    return {
        "covered": len(shared) / max(1, len(a.stems)),
        "covers": len(shared) / max(1, len(b.stems)),
        "overlap": len(shared) / max(1, len(a.stems | b.stems)),
        "nothing_shared": float(not shared),
        "pairs_covered": len(pairs & others) / max(1, len(pairs)),
        "cosine": float(a.whole @ b.whole),
        "length": math.log1p(len(a.words)),
        "other_length": math.log1p(len(b.words)),
    }


def _alignment(a: _Side, b: _Side, cosines: NDArray[np.float32]) -> dict[str, float]:
    """Each word of the claim against the nearest of the other text."""
    if not a.words or not b.words:
        return dict.fromkeys(_ALIGNMENT, 0.0)
    best = cosines.max(axis=1)
    missing = np.array([word.stem not in b.stems for word in a.words])
    low, high = _SIBLING
    count = len(a.words)
    total, others = float(a.weights.sum()) or 1.0, float(b.weights.sum()) or 1.0
    is_shared = np.array([word.stem in a.stems for word in b.words])
    return {
        "aligned": float(best.mean()),
        "least_aligned": float(best.min()),
        "missing": float(missing.mean()),
        "siblings": float((missing & (best > low) & (best < high)).sum()) / count,
        "strangers": float((missing & (best <= low)).sum()) / count,
        "synonyms": float((missing & (best >= high)).sum()) / count,
        "last_missing": float(missing[-1]),
        "last_aligned": float(best[-1]),
        "replaced": _replaced(a, b, missing) / count,
        "told": float(a.weights[~missing].sum()) / total,
        "other_told": float(b.weights[is_shared].sum()) / others,
        "most_shared": float(a.weights[~missing].max(initial=0.0)),
        "all_shared": math.log1p(float(a.weights[~missing].sum())),
        "most_missing": float(a.weights[missing].max(initial=0.0)),
        "weighed_cosine": float(a.weighed @ b.weighed) / (a.weighed_length * b.weighed_length or 1.0),
        "weighed_aligned": float(best @ a.weights) / total,
        "other_weighed_aligned": float(cosines.max(axis=0) @ b.weights) / others,
        "nearest_other": float(np.where(cosines > _SAME, 0.0, cosines).max()),
    }


def _replaced(a: _Side, b: _Side, missing: NDArray[np.bool_]) -> int:
    """Missing words of the claim whose neighbour stands in the other text beside another word."""
    before = {word.stem for word in b.words[:-1]}
    after = {word.stem for word in b.words[1:]}
    return sum(
        (at > 0 and a.words[at - 1].stem in before) or (at + 1 < len(a.words) and a.words[at + 1].stem in after)
        for at in np.flatnonzero(missing).tolist()
    )


def _denial(a: _Side, b: _Side) -> dict[str, float]:
    covered = len(a.stems & b.stems) / max(1, len(a.stems))
    one_denies = float(bool(a.denials) != bool(b.denials))
    excludes = float(EXCLUDING.search(a.text) is not None)
    return {
        "denies": float(bool(a.denials)),
        "other_denies": float(bool(b.denials)),
        "one_denies": one_denies,
        "odd_denials": float((a.denials + b.denials) % 2),
        "one_denies_shared": one_denies * covered,
        "denies_shared": float(bool(a.denials) and not b.denials) * covered,
        "other_denies_shared": float(bool(b.denials) and not a.denials) * covered,
        "denies_what_is_said": float(bool((a.denied & b.stems) - b.denied or (b.denied & a.stems) - a.denied)),
        "deny_the_same": float(bool(a.denied & b.denied)),
        "one_denies_near": one_denies * float(a.whole @ b.whole),
        "excludes": excludes,
        "excludes_shared": excludes * covered,
        "other_excludes": float(EXCLUDING.search(b.text) is not None),
        "hedges": float(is_hedged(a.text)),
        "other_hedges": float(is_hedged(b.text)),
    }


def _figures(a: _Side, b: _Side) -> dict[str, float]:
    mine, others = quantities(a.text), quantities(b.text)
    alike = [(x, y) for x in mine for y in others if x.dimension == y.dimension]
    match = any(not x.conflicts_with(y) for x, y in alike)
    times, moments_b = moments(a.text), moments(b.text)
    same_time = any(m.kind == n.kind and not m.conflicts_with(n) for m in times for n in moments_b)
    names = a.names - b.stems
    return {
        "quantity_same": float(match),
        "quantity_differs": float(bool(alike) and not match),
        "quantity_missing": float(bool(mine) and not alike),
        "moment_same": float(same_time),
        "moment_differs": float(bool(times) and bool(moments_b) and not same_time),
        "moment_missing": float(bool(times) and not moments_b),
        "figures_clash": float(figures_clash(a.text, b.text)),
        "numbers_missing": len(a.numbers - b.numbers) / max(1, len(a.numbers)),
        "numbers_shared": float(bool(a.numbers & b.numbers)),
        "names_missing": len(names) / max(1, len(a.names)),
        "names_differ": float(bool(names) and bool(b.names - a.stems)),
        "names_shared": float(bool(a.names & b.stems)),
    }


def _opposites(a: _Side, b: _Side, conflict: Conflict | None) -> dict[str, float]:
    turned = -1.0 if (a.denials > 0) != (b.denials > 0) else 1.0
    return {
        "opposite": float(any((axis, -sign) in b.pulls for axis, sign in a.pulls)),
        "same_pull": float(bool(a.pulls & b.pulls)),
        "turned_comparison": float(
            any(comparisons_conflict(x, y) for x in comparisons(a.text) for y in comparisons(b.text))
        ),
        "rule": conflict.strength if conflict else 0.0,
        "trend": a.trend,
        "other_trend": b.trend,
        "trends": a.trend * b.trend,
        "trends_turned": a.trend * b.trend * turned,
    }


def _leaning(a: _Side, b: _Side) -> dict[str, float]:
    turned = -1.0 if (a.denials > 0) != (b.denials > 0) else 1.0
    stance = -1.0 if a.is_against else 1.0
    should = float(SHOULD.search(a.text) is not None)
    return {
        "valence": a.valence,
        "other_valence": b.valence,
        "valences": a.valence * b.valence,
        "valences_turned": a.valence * b.valence * turned,
        "valence_gap": abs(a.valence - b.valence),
        "leaning": a.leaning,
        "other_leaning": b.leaning,
        "leanings": a.leaning * b.leaning,
        "against": float(a.is_against),
        "one_against": float(a.is_against != b.is_against),
        "should": should,
        "should_valence": should * b.valence,
        "should_leaning": should * b.leaning,
        "should_denied": should * float(bool(b.denials)),
        "should_against": should * float(a.is_against),
        "stance_valence": stance * b.valence,
        "stance_leaning": stance * b.leaning,
        "against_denied": float(a.is_against) * float(bool(b.denials)),
        "doubts": float(a.is_doubting),
        "other_doubts": float(b.is_doubting),
        "one_doubts": float(a.is_doubting != b.is_doubting),
        "affirms": float(a.is_affirming),
        "other_affirms": float(b.is_affirming),
        "doubts_affirmed": float(a.is_doubting and b.is_affirming),
    }


_ALIGNMENT = (
    "aligned", "least_aligned", "missing", "siblings", "strangers", "synonyms", "last_missing", "last_aligned",
    "replaced", "told", "other_told", "most_shared", "all_shared", "most_missing", "weighed_cosine", "weighed_aligned",
    "other_weighed_aligned", "nearest_other",
)  # fmt: skip

NAMES: tuple[str, ...] = (
    "covered", "covers", "overlap", "nothing_shared", "pairs_covered", "cosine", "length", "other_length",
    *_ALIGNMENT,
    "denies", "other_denies", "one_denies", "odd_denials", "one_denies_shared", "denies_shared",
    "other_denies_shared", "denies_what_is_said", "deny_the_same", "one_denies_near", "excludes", "excludes_shared",
    "other_excludes", "hedges", "other_hedges",
    "quantity_same", "quantity_differs", "quantity_missing", "moment_same", "moment_differs", "moment_missing",
    "figures_clash", "numbers_missing", "numbers_shared", "names_missing", "names_differ", "names_shared",
    "opposite", "same_pull", "turned_comparison", "rule", "trend", "other_trend", "trends", "trends_turned",
    "valence", "other_valence", "valences", "valences_turned", "valence_gap", "leaning", "other_leaning", "leanings",
    "against", "one_against", "should", "should_valence", "should_leaning", "should_denied", "should_against",
    "stance_valence", "stance_leaning", "against_denied", "doubts", "other_doubts", "one_doubts", "affirms",
    "other_affirms", "doubts_affirmed",
)  # fmt: skip
"""What each number of `signals` is; the weights that are shipped follow this order."""
