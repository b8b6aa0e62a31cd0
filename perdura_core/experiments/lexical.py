"""What words alone tell of a claim and its evidence: the baselines that a scorer has to beat."""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from perdura_core.epistemics.wording.words import NEGATORS, content, words

__all__ = ["by_rule", "by_words"]

_TOKEN = re.compile(r"[a-z0-9]+")
_LITTLE = 0.2
"""Less overlap than this share of the claim's words is neutral."""
_STEPS = 200
_RIDGES = (1e-4, 5e-4, 2e-3)


def by_rule(claim: str, evidence: str, classes: int) -> int:
    """Little overlap: 2 (neutral, where there is such a class); a negation or other numbers on one side: 1; else 0."""
    mine = content(claim)
    if classes == 3 and len(mine & content(evidence)) < _LITTLE * len(mine):
        return 2
    denies = [any(word.text.lower() in NEGATORS for word in words(text)) for text in (claim, evidence)]
    numbers = [{word.text for word in words(text) if word.text[0].isdigit()} for text in (claim, evidence)]
    return int(denies[0] != denies[1] or bool(numbers[0] and numbers[1] and not numbers[0] & numbers[1]))


def by_words(
    pairs: Sequence[tuple[str, str]],
    labels: NDArray[np.intp],
    is_fitted: NDArray[np.bool_],
    classes: int,
    *,
    with_evidence: bool,
) -> NDArray[np.intp]:
    """Classes by TF-IDF and logistic regression on the words of the claim, or of both with those they share.

    Fitted where `is_fitted`, with classes of equal weight; the ridge is chosen there too, on every third pair.
    """
    rows = _matrix([_terms(*pair, with_evidence) for pair in pairs], is_fitted)
    fitted = np.flatnonzero(is_fitted)
    held, rest = fitted[::3], np.setdiff1d(fitted, fitted[::3])
    scored = [
        (float((_classes(rows[held], _fit(rows[rest], labels[rest], classes, ridge)) == labels[held]).mean()), ridge)
        for ridge in _RIDGES
    ]
    return _classes(rows, _fit(rows[fitted], labels[fitted], classes, max(scored)[1]))


def _terms(claim: str, evidence: str, with_evidence: bool) -> list[str]:
    mine, others = _TOKEN.findall(claim.lower()), _TOKEN.findall(evidence.lower())
    terms = [f"c {word}" for word in mine]
    if with_evidence:
        terms += [f"e {word}" for word in others]
        terms += [f"both {word}" for word in sorted(set(mine) & set(others))]
        terms += [f"only {word}" for word in sorted(set(mine) - set(others))]
    return terms


def _matrix(documents: Sequence[Sequence[str]], is_fitted: NDArray[np.bool_]) -> csr_array:
    seen = Counter(term for at in np.flatnonzero(is_fitted).tolist() for term in set(documents[at]))
    column = {term: number for number, term in enumerate(term for term, count in seen.items() if count > 1)}
    total = int(is_fitted.sum())
    places: list[tuple[int, int, float]] = []
    for row, terms in enumerate(documents):
        counts = Counter(term for term in terms if term in column)
        values = {term: count * (math.log((1 + total) / (1 + seen[term])) + 1) for term, count in counts.items()}
        length = math.sqrt(sum(value * value for value in values.values())) or 1.0
        places += [(row, column[term], value / length) for term, value in values.items()]
    at_row, at_column, value = (np.array(part) for part in zip(*places, strict=True))
    return csr_array((value, (at_row, at_column)), shape=(len(documents), len(column)))


def _fit(rows: csr_array, labels: NDArray[np.intp], classes: int, ridge: float) -> NDArray[np.float64]:
    counts = np.bincount(labels, minlength=classes)
    weights = 1.0 / counts[labels]
    weights /= weights.sum()
    truth = np.eye(classes)[labels]

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        table = flat.reshape(-1, classes)
        chance = _chances(rows, table)
        wrong = (chance - truth) * weights[:, None]
        slope = np.vstack([rows.T @ wrong + 2 * ridge * table[:-1], wrong.sum(axis=0)])
        surprise = -float(weights @ np.log(chance[np.arange(len(labels)), labels] + 1e-12))
        return surprise + ridge * float((table[:-1] ** 2).sum()), slope.ravel()

    start = np.zeros((rows.shape[1] + 1) * classes)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS})
    return np.asarray(found.x).reshape(-1, classes)


def _chances(rows: csr_array, table: NDArray[np.float64]) -> NDArray[np.float64]:
    odds = rows @ table[:-1] + table[-1]
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _classes(rows: csr_array, table: NDArray[np.float64]) -> NDArray[np.intp]:
    return np.asarray(_chances(rows, table).argmax(axis=1))
