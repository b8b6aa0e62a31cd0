"""Guessing a number from several kinds of likeness at once: regression with learned variance components. Pure.

    y ~ N(mu + sum_k f_k, e),   f_k ~ N(0, v_k * K_k)

Each kernel K_k says which rows are alike in one respect (the same subject, the same words); how much each respect
matters is learned from the rows themselves. Sources: Rasmussen and Williams 2006, eqs 2.25 and 2.42; the variances by
MacKay's fixed point, as in `calibration`.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Blend", "learn_blend"]

_Array = NDArray[np.floating[Any]]
_ROUNDS = 15
_LEAST = 1e-6


class Blend(NamedTuple):
    """What was learned."""

    mu: float
    variances: tuple[float, ...]
    """Of each kernel."""
    pull: _Array
    """(rows,): weight of each learned row."""

    def guess(self, kernels: Sequence[_Array]) -> _Array:
        """Expected values of new rows; each kernel is (new rows, learned rows), in the order of learning."""
        parts = [variance * kernel for variance, kernel in zip(self.variances, kernels, strict=True)]
        return np.asarray(self.mu + np.sum(parts, axis=0) @ self.pull)


def learn_blend(values: _Array, kernels: Sequence[_Array]) -> Blend:
    """Learn from values (rows,) and kernels, each (rows, rows) with a mean diagonal of about 1."""
    spread = float(np.var(values)) or 1.0
    variances, noise = [spread / 10] * len(kernels), spread
    mu, pull = float(values.mean()), np.zeros_like(values)
    for _ in range(_ROUNDS):
        whole = np.sum([v * kernel for v, kernel in zip(variances, kernels, strict=True)], axis=0)
        inverse = np.linalg.inv(whole + noise * np.eye(len(values)))
        rows = inverse.sum(axis=1)
        mu = float(rows @ values / rows.sum())
        pull = inverse @ (values - mu)
        moved = [
            _moved(v, float(pull @ k @ pull), float(np.sum(inverse * k)))
            for v, k in zip(variances, kernels, strict=True)
        ]
        noise = _moved(noise, float(pull @ pull), float(np.trace(inverse)))
        variances = moved
    return Blend(mu, tuple(variances), pull)


def _moved(variance: float, explained: float, expected: float) -> float:
    return max(_LEAST, variance * sqrt(explained / expected))
