"""Fitting sums of small decision trees by Newton boosting on binned columns (Friedman 2001; Chen and Guestrin 2016)."""

import numpy as np
from numpy.typing import NDArray

from perdura_core.retrieval.disputing.trees import Trees

__all__ = ["fit_trees"]

_BINS = 32
_RIDGE = 5.0
_LEAST_WEIGHT = 4.0
"""Of a leaf's second derivatives, in rows of even odds: about twenty rows."""


def fit_trees(
    rows: NDArray[np.float64],
    is_one: NDArray[np.bool_],
    weights: NDArray[np.float64],
    *,
    trees: int = 200,
    depth: int = 3,
    rate: float = 0.05,
) -> Trees:
    """Trees whose margins are the log odds of `is_one`. rows: (n, columns). Deterministic.

    weights: of the rows; their mean is made 1.
    """
    weights = weights / weights.mean()
    edges = [_edges(column) for column in rows.T]
    binned = np.stack([np.searchsorted(cuts, column, "left") for cuts, column in zip(edges, rows.T, strict=True)])
    share = float(weights @ is_one) / float(weights.sum())
    start = float(np.log(share / (1 - share)))
    margins = np.full(len(rows), start)
    splits = 2**depth - 1
    feature = np.zeros((trees, splits), dtype=np.intp)
    threshold = np.full((trees, splits), np.inf)
    leaf = np.zeros((trees, splits + 1))
    for number in range(trees):
        chance = 1 / (1 + np.exp(-margins))
        gradient = weights * (chance - is_one)
        curvature = weights * chance * (1 - chance)
        place = np.zeros(len(rows), dtype=np.intp)
        for level in range(depth):
            for node in range(2**level - 1, 2 ** (level + 1) - 1):
                here = np.flatnonzero(place == node)
                column, cut = _best_split(binned, edges, here, gradient, curvature)
                feature[number, node] = column
                threshold[number, node] = edges[column][cut] if cut >= 0 else np.inf
                right = binned[column, here] > cut if cut >= 0 else np.zeros(len(here), dtype=bool)
                place[here] = 2 * node + 1 + right
        slot = place - splits
        sums = np.bincount(slot, gradient, splits + 1)
        leaf[number] = -rate * sums / (np.bincount(slot, curvature, splits + 1) + _RIDGE)
        margins += leaf[number][slot]
    return Trees(feature, threshold, leaf, start)


def _edges(column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the column may be cut: between distinct values, at most 31 places of equal weight."""
    values = np.unique(column)
    if len(values) > _BINS:
        return np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1]))
    return (values[:-1] + values[1:]) / 2 if len(values) > 1 else np.zeros(0)


def _best_split(
    binned: NDArray[np.intp],
    edges: list[NDArray[np.float64]],
    here: NDArray[np.intp],
    gradient: NDArray[np.float64],
    curvature: NDArray[np.float64],
) -> tuple[int, int]:
    """Column and cut of the largest gain; the cut is -1 where none gains."""
    columns = len(edges)
    if not len(here):
        return 0, -1
    # One count for all columns: each has its own stretch of bins.
    flat = (binned[:, here] + np.arange(columns)[:, None] * (_BINS + 1)).ravel()
    shape = (columns, _BINS + 1)
    g = np.bincount(flat, np.tile(gradient[here], columns), shape[0] * shape[1]).reshape(shape).cumsum(axis=1)
    h = np.bincount(flat, np.tile(curvature[here], columns), shape[0] * shape[1]).reshape(shape).cumsum(axis=1)
    all_g, all_h = g[0, -1], h[0, -1]
    gain = g**2 / (h + _RIDGE) + (all_g - g) ** 2 / (all_h - h + _RIDGE) - all_g**2 / (all_h + _RIDGE)
    allowed = (h >= _LEAST_WEIGHT) & (all_h - h >= _LEAST_WEIGHT)
    gain = np.where(allowed, gain, 0.0)
    for column, cuts in enumerate(edges):
        gain[column, len(cuts) :] = 0.0
    best = int(gain.argmax())
    column, cut = divmod(best, _BINS + 1)
    return (column, cut) if gain[column, cut] > 1e-9 else (0, -1)
