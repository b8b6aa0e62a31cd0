"""Fitting what each trait of a wording is worth: logistic regression, each trait scaled by its own odds.

The scaling is that of Wang and Manning (2012): a trait may weigh as much as naive Bayes would let it.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from perdura_core.epistemics.layering import WordingModel
from perdura_core.epistemics.wording.traits import tokens, traits_of

__all__ = ["fit_wording", "traits_in"]

_MOST_TRAITS = 15_000
_LEAST_SEEN = 2
_RIDGE = 0.05
_STEPS = 150
_TEMPER = 1.0
"""Margins are shrunk to this, so that the certainty of sentences by writers who were left out is as often right."""


def traits_in(text: str) -> frozenset[str]:
    """The names of its traits."""
    return frozenset(trait.name for trait in traits_of(tokens(text)))


def fit_wording(texts: Sequence[frozenset[str]], judged: NDArray[np.bool_]) -> WordingModel:
    """The worth of the most telling traits. texts: the traits of each; judged: whether it is a judgement."""
    seen = Counter(name for text in texts for name in text)
    names = sorted(name for name, count in seen.items() if count >= _LEAST_SEEN)
    truth = judged.astype(np.float64)
    there = _rows(texts, {name: at for at, name in enumerate(names)}).T.tocsr()
    there.data[:] = 1.0
    judging, observing = there @ truth + 1.0, there @ (1.0 - truth) + 1.0
    odds = np.abs(np.log(judging / (truth.sum() + 2.0)) - np.log(observing / ((1.0 - truth).sum() + 2.0)))
    chosen = np.sort(np.argsort(-(judging + observing) * odds, kind="stable")[:_MOST_TRAITS])
    names, odds = [names[at] for at in chosen], odds[chosen]
    found = _weights(_rows(texts, {name: at for at, name in enumerate(names)}), odds, truth) * _TEMPER
    return WordingModel(
        float(found[-1]), {name: float(worth) for name, worth in zip(names, found[:-1] * odds, strict=True)}
    )


def _rows(texts: Sequence[frozenset[str]], column: dict[str, int]) -> csr_array:
    """One row a text: of its known traits each the same, and the squares add up to 1."""
    columns = [sorted(column[name] for name in text if name in column) for text in texts]
    values = [1.0 / math.sqrt(len(row)) for row in columns for _ in row]
    ends = np.cumsum([0, *(len(row) for row in columns)])
    return csr_array((values, [at for row in columns for at in row], ends), shape=(len(texts), len(column)))


def _weights(rows: csr_array, odds: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weight of each column, which counts `odds` times, and the bias."""
    columns = rows.T.tocsr()

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margins = rows @ (odds * weights[:-1]) + weights[-1]
        surprise = float(np.logaddexp(0.0, np.where(truth > 0, -margins, margins)).sum())
        wrong = 1.0 / (1.0 + np.exp(-margins)) - truth
        slope = np.append(odds * (columns @ wrong) + _RIDGE * weights[:-1], wrong.sum())
        return surprise + _RIDGE / 2 * float(weights[:-1] @ weights[:-1]), slope

    start = np.zeros(rows.shape[1] + 1)
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _STEPS}).x)
