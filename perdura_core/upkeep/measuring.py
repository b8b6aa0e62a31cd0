"""The figures that facts state, read from their texts once and kept."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import blake2b
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.snapshot import Measures
from perdura_core.epistemics.wording.measures import measures_of
from perdura_core.store.columns import fill

__all__ = ["Figures"]

Columns = Mapping[str, NDArray[Any]]
_Figure = tuple[int, int, float, float]
"""Fact, key, bounds."""

_PORTION = 500
_MANY = 16
"""Portions for which starting further processes pays."""


class Figures:
    """What is kept of the figures of facts, by number of the fact and digest of its text."""

    def __init__(self, kept: Columns | None) -> None:
        none = np.zeros(0)
        held = kept or {}
        self.is_kept = kept is not None
        """Whether what is kept is all there is to be kept."""
        self._read = held.get("read", none.astype(np.int64))
        self._digests = held.get("digests", none.astype(np.int64))
        self._fact = held.get("fact", none.astype(np.int64))
        self._key = held.get("key", none.astype(np.int64))
        self._low = held.get("low", none)
        self._high = held.get("high", none)

    def read(
        self,
        numbers: NDArray[np.int64],
        digests: NDArray[np.int64],
        texts: Callable[[list[int]], Mapping[int, str]],
    ) -> int:
        """Read the texts that are new or differ from what was read; forget the rest. Returns how many were read."""
        at, was_read = fill(numbers, self._read)
        fresh = ~was_read
        if len(self._read):
            fresh |= self._digests[at] != digests
        wanted = numbers[fresh].tolist()
        self.is_kept &= not wanted and len(numbers) == len(self._read)
        stays = np.isin(self._fact, numbers[~fresh])
        found = _figures(sorted(texts(wanted).items()))
        fact, key, low, high = zip(*found, strict=True) if found else ((), (), (), ())
        self._fact = np.concatenate([self._fact[stays], np.array(fact, np.int64)])
        order = np.argsort(self._fact, kind="stable")
        self._fact = self._fact[order]
        self._key = np.concatenate([self._key[stays], np.array(key, np.int64)])[order]
        self._low = np.concatenate([self._low[stays], np.array(low, np.float64)])[order]
        self._high = np.concatenate([self._high[stays], np.array(high, np.float64)])[order]
        self._read, self._digests = numbers, digests
        return len(wanted)

    @property
    def count(self) -> int:
        """How many figures there are."""
        return len(self._fact)

    @property
    def columns(self) -> Columns:
        """What is to be kept."""
        return {
            "read": self._read, "digests": self._digests, "fact": self._fact, "key": self._key, "low": self._low,
            "high": self._high,
        }  # fmt: skip

    @property
    def measures(self) -> Measures:
        """By row of the facts that were read."""
        return Measures(fill(self._fact, self._read)[0].astype(np.int32), self._key, self._low, self._high)


def _figures(texts: Sequence[tuple[int, str]]) -> list[_Figure]:
    """Of all texts. Many are read by as many processes as there are processors."""
    portions = [texts[start : start + _PORTION] for start in range(0, len(texts), _PORTION)]
    if len(portions) < _MANY or (os.cpu_count() or 1) == 1:
        return [figure for portion in portions for figure in _read(portion)]
    # Processes that are started, not forked: this one may have threads.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as readers:
        return [figure for figures in readers.map(_read, portions) for figure in figures]


def _read(texts: Sequence[tuple[int, str]]) -> list[_Figure]:
    return [
        (number, _key(measure.key, measure.unit, measure.at), measure.low, measure.high)
        for number, text in texts
        for measure in measures_of(text)
    ]


def _key(*words: str) -> int:
    """A number for what is measured: equal words, equal number."""
    digest = blake2b("\x1f".join(words).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
