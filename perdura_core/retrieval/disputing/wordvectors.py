"""Vectors of single words, and how telling each is, from the static table of the embedder."""

from collections.abc import Collection, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from perdura_core.retrieval.embedders.protocol import unit_rows
from perdura_core.retrieval.embedders.wordllama import StaticTable, load_table

__all__ = ["WordVectors"]

_MOST = 65_536


class WordVectors:
    """Words in the space of `wordllama`. A word's weight is the length of its vector: training made rare ones long."""

    def __init__(self, table: StaticTable) -> None:
        self._table = table
        self._known: dict[str, tuple[NDArray[np.float32], float]] = {}
        self._axes: dict[int, NDArray[np.float32]] = {}

    @classmethod
    def load(cls) -> "WordVectors":
        """From the installed package, once a process. Takes some 0.3 s. Raises InputError without it."""
        return _loaded()

    def of(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """(words, dimension) of length 1, and their weights."""
        found = [self._known.get(word) or self._learn(word) for word in words]
        rows = np.stack([row for row, _ in found]) if found else np.zeros((0, self._table.dimension), dtype=np.float32)
        return rows, np.array([weight for _, weight in found], dtype=np.float64)

    def whole(self, text: str) -> NDArray[np.float32]:
        """The vector of a text, of length 1 or 0."""
        row: NDArray[np.float32] = unit_rows(self._table.mean(text)[None])[0]
        return row

    def axis(self, one: Collection[str], other: Collection[str]) -> NDArray[np.float32]:
        """The direction from the second words to the first, of length 1."""
        key = hash((frozenset(one), frozenset(other)))
        if key not in self._axes:
            ends = [self.of(sorted(side))[0].mean(axis=0) for side in (one, other)]
            self._axes[key] = unit_rows((ends[0] - ends[1])[None])[0]
        return self._axes[key]

    def _learn(self, word: str) -> tuple[NDArray[np.float32], float]:
        if len(self._known) >= _MOST:
            self._known.clear()
        mean = self._table.mean(word)
        self._known[word] = unit_rows(mean[None])[0], float(np.linalg.norm(mean))
        return self._known[word]


@lru_cache(maxsize=1)
def _loaded() -> WordVectors:
    return WordVectors(load_table())
