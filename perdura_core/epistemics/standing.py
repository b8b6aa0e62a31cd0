"""Where a value stands among those of its domain: percentiles and medians, borrowed from the mind by small domains."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["medians", "percentiles"]

_BITS = 32
"""Of a value's precision that count: sums taken in another order still compare as equal."""


def percentiles(
    values: NDArray[np.float64], group: NDArray[np.int32], counted: NDArray[np.bool_], smallest: int
) -> NDArray[np.float64]:
    """The share of its group's counted values that lie below each value, half of the equal ones with them; 0..1.

    NaN stays NaN and is not counted. A group with fewer counted values than `smallest`, and group -1, is measured
    against all counted values (cold start); where nothing is counted the answer is NaN. By hand, one group of 1, 2, 2
    and 5: 2 has one value below and two equal, (1 + 2/2) / 4.

    >>> one = np.zeros(4, np.int32)
    >>> percentiles(np.array([1.0, 2, 2, 5]), one, np.ones(4, bool), 1).tolist()
    [0.125, 0.5, 0.5, 0.875]
    """
    known = ~np.isnan(values)
    of_group = _borrowing(group, counted & known, smallest)
    found = np.full(len(values), np.nan)
    _, rank = np.unique(_settled(values[known]), return_inverse=True)
    width = int(rank.max(initial=-1)) + 1
    for borrowed in (False, True):
        inside = counted[known] if borrowed else counted[known] & (of_group[known] >= 0)
        place = np.zeros(len(rank), dtype=np.int64) if borrowed else of_group[known].astype(np.int64)
        asked = (of_group[known] < 0) if borrowed else (of_group[known] >= 0)
        keys = place * width + rank
        ordered = np.sort(keys[inside])
        first = np.searchsorted(ordered, place[asked] * width)
        last = np.searchsorted(ordered, (place[asked] + 1) * width)
        below = np.searchsorted(ordered, keys[asked], "left")
        upto = np.searchsorted(ordered, keys[asked], "right")
        with np.errstate(invalid="ignore", divide="ignore"):
            share = ((below - first) + 0.5 * (upto - below)) / (last - first)
        found[np.flatnonzero(known)[asked]] = share
    return found


def medians(
    values: NDArray[np.float64], group: NDArray[np.int32], counted: NDArray[np.bool_], smallest: int
) -> NDArray[np.float64]:
    """(rows,): the median of each row's group over counted values that are not NaN.

    A group with fewer of them than `smallest`, and group -1, has the median of all; NaN where nothing is counted.

    >>> medians(np.array([1.0, 3, 9, 50]), np.array([0, 0, 0, 1], np.int32), np.ones(4, bool), 2).tolist()
    [3.0, 3.0, 3.0, 6.0]
    """
    known = counted & ~np.isnan(values)
    of_group = _borrowing(group, known, smallest)
    overall = float(np.median(values[known])) if known.any() else np.nan
    inside = known & (of_group >= 0)
    names, place = np.unique(of_group[inside], return_inverse=True)
    own = np.full(int(group.max(initial=-1)) + 2, overall)
    if len(names):
        held = values[inside][np.lexsort((values[inside], place))]
        ends = np.cumsum(np.bincount(place))
        starts = ends - np.bincount(place)
        own[names] = (held[(starts + ends - 1) // 2] + held[(starts + ends) // 2]) / 2
    return np.asarray(np.where(of_group >= 0, own[of_group], overall))


def _settled(values: NDArray[np.float64]) -> NDArray[np.float64]:
    part, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.round(np.ldexp(part, _BITS)), exponent - _BITS))


def _borrowing(group: NDArray[np.int32], counted: NDArray[np.bool_], smallest: int) -> NDArray[np.int32]:
    """The groups with -1 in place of small ones."""
    inside = counted & (group >= 0)
    size = np.bincount(group[inside], minlength=int(group.max(initial=-1)) + 1)
    is_small = np.append(size < smallest, True)
    return np.asarray(np.where(is_small[group], -1, group), dtype=np.int32)
