"""All pairs within rows of different lengths, in portions that fit into memory."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["pairs_within"]

_PORTION = 1 << 20
"""So many pairs are held at once, unless one value alone has more."""


def pairs_within(
    starts: NDArray[np.int64], most: int | None = None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Places of two values of the same row, the earlier first; each pair once. With `most`, only the next so many.

    >>> [(one.tolist(), other.tolist()) for one, other in pairs_within(np.array([0, 3, 4]))]
    [([0, 0, 1], [1, 2, 2])]
    """
    place = np.arange(int(starts[-1]))
    following = np.repeat(starts[1:], np.diff(starts)) - place - 1
    if most is not None:
        following = np.minimum(following, most)
    sums = np.cumsum(following)
    begin = 0
    while begin < len(place):
        before = int(sums[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(sums, before + _PORTION, "right")))
        count = following[begin:end]
        first = np.repeat(place[begin:end], count)
        within = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
        yield first, first + 1 + within
        begin = end
