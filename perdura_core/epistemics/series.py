"""Weekly series: how much happened in each of the last weeks, and what that says in numbers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

__all__ = ["RECENT_WEEKS", "Numbers", "Weekly", "numbers_of", "variation", "weekly"]

_WEEK = 7.0
RECENT_WEEKS = 4
"""Weeks that count as recent for a change."""


class Weekly(NamedTuple):
    """Series of the last weeks, sparse."""

    weights: csr_array
    """(rows, weeks): what fell into each week; column 0 is the week that ends now."""
    weeks: NDArray[np.float64]
    """(rows,): how many of the weeks lie after the row was first seen, 1..weeks; 0 when it never was."""


class Numbers(NamedTuple):
    """Per row of a series, over the weeks since it was first seen; NaN when it never was."""

    mean: NDArray[np.float64]
    variance: NDArray[np.float64]
    change: NDArray[np.float64]
    """-1..1: mean of the last four weeks against that of the weeks before, as (last - before) / (last + before)."""


def weekly(
    row: NDArray[np.integer], day: NDArray[np.float64], weight: NDArray[np.float64], rows: int, now: float, weeks: int
) -> Weekly:
    """The series of `rows` rows, from events. What lies after now is left out."""
    column = np.floor((now - day) / _WEEK).astype(np.int64)
    past = column >= 0
    row, column, weight = row[past], column[past], weight[past]
    seen = np.zeros(rows)
    np.maximum.at(seen, row, np.minimum(column + 1.0, weeks))
    inside = column < weeks
    weights = csr_array(coo_array((weight[inside], (row[inside], column[inside])), shape=(rows, weeks)))
    return Weekly(weights, seen)


def numbers_of(series: Weekly) -> Numbers:
    """Mean, variance and change of each row.

    By hand, two events four weeks ago and one now, seen for five weeks: mean 3/5, variance (4 + 1) / 5 - 0.36 = 0.64,
    change (1/4 - 2/1) / (1/4 + 2/1) = -0.7778.

    >>> days, ones = np.array([0.0, 0.0, 28.0]), np.ones(3)
    >>> found = numbers_of(weekly(np.zeros(3, int), days, ones, 1, 28.0, 26))
    >>> [round(float(part[0]), 4) for part in found]
    [0.6, 0.64, -0.7778]
    """
    weights, seen = series
    with np.errstate(invalid="ignore", divide="ignore"):
        total, squares = _sums(weights), _sums(weights.power(2))
        mean = total / seen
        variance = np.maximum(0.0, squares / seen - mean**2)
        last = _sums(weights[:, :RECENT_WEEKS]) / np.minimum(seen, RECENT_WEEKS)
        before = (total - _sums(weights[:, :RECENT_WEEKS])) / np.maximum(seen - RECENT_WEEKS, 1)
        change = np.where(seen > RECENT_WEEKS, (last - before) / (last + before), 0.0)
    return Numbers(mean, variance, np.where(seen > 0, change, np.nan))


def variation(found: Numbers) -> NDArray[np.float64]:
    """How unsteady each series is beyond chance, 0..1: v / (1 + v), v = max(0, variance - mean) / mean^2.

    Counts that come by chance alone have a variance near their mean (Poisson), so v is what is left of the squared
    coefficient of variation, and a row is not unsteady just because it is rare. By hand, mean 0.6 and variance 0.64:
    v = 0.04 / 0.36 = 0.1111, so 0.1.

    >>> round(float(variation(Numbers(np.array([0.6]), np.array([0.64]), np.zeros(1)))[0]), 4)
    0.1
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        excess = np.maximum(0.0, found.variance - found.mean) / found.mean**2
    return np.asarray(excess / (1.0 + excess))


def _sums(weights: csr_array) -> NDArray[np.float64]:
    return np.asarray(weights.sum(axis=1), dtype=np.float64).ravel()
