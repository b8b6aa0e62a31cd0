"""Whether factors measure different things: Pearson's correlation of each pair, and which pairs raise an alarm."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics

__all__ = ["Correlations", "alarms", "correlations"]


class Correlations(NamedTuple):
    """Pearson's r of columns over the rows where both are known."""

    names: tuple[str, ...]
    r: NDArray[np.float64]
    """(columns, columns), -1..1; NaN where a column is constant or fewer than three rows know both."""
    rows: NDArray[np.int64]
    """(columns, columns): rows that know both."""


def correlations(names: Sequence[str], columns: Sequence[NDArray[np.float64]]) -> Correlations:
    """Each pair over the rows that know both of it.

    By hand, 1, 2, 3 against 1, 3, 2: deviations -1, 0, 1 and -1, 1, 0 give r = 1 / 2.

    >>> a, b = np.array([1.0, 2, 3, np.nan]), np.array([1.0, 3, 2, 9])
    >>> correlations("ab", [a, b]).r.round(3).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    size = len(columns)
    r, rows = np.full((size, size), np.nan), np.zeros((size, size), dtype=np.int64)
    for one in range(size):
        for other in range(one, size):
            both = ~np.isnan(columns[one]) & ~np.isnan(columns[other])
            rows[one, other] = rows[other, one] = int(both.sum())
            r[one, other] = r[other, one] = _pearson(columns[one][both], columns[other][both])
    return Correlations(tuple(names), r, rows)


def alarms(found: Correlations, constants: Epistemics = DEFAULTS) -> list[tuple[str, str, float]]:
    """Pairs of columns whose |r| is above the alarm, strongest first."""
    pairs = combinations(range(len(found.names)), 2)
    over = [(found.names[a], found.names[b], float(found.r[a, b])) for a, b in pairs]
    return sorted((one for one in over if abs(one[2]) > constants.correlation_alarm), key=lambda one: -abs(one[2]))


def _pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    if len(one) < 3:
        return float("nan")
    a, b = _unit(one), _unit(other)
    return float("nan") if a is None or b is None else float(np.clip(a @ b, -1.0, 1.0))


def _unit(values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Deviations from the mean, of length 1; None for a constant."""
    apart = values - values.mean()
    length = float(np.sqrt(apart @ apart))
    # What is left of a constant by rounding is no spread.
    return None if length <= 1e-12 * max(1.0, float(np.abs(values).max())) * len(values) else apart / length
