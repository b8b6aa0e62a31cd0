"""Nearest neighbours among unit vectors: sign codes choose, exact cosines rank."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from perdura_core.store import Hit
from perdura_core.vocabulary import NodeId

__all__ = ["DenseIndex", "best_of"]

_ROWS = 8_192
"""Of one block: small enough to add without a pause."""
_SHORTLIST = 4_096
"""Rows whose cosines are worked out; with fewer in all the search is exact."""
_PER_HIT = 10
"""Rows on the shortlist for each hit that is asked for, when that is more."""
_ONE = 32_767
"""1 as a fixed-point number."""


class DenseIndex:
    """One layer's vectors of one model. Adding, replacing and dropping a node take microseconds.

    A vector takes 16 bits a dimension, fixed-point because halves take ten times longer to widen, and a bit for its
    sign: 544 bytes at 256 dimensions. A search counts the signs that differ from the query's (Charikar 2002), and works
    out cosines for the closest rows alone: at 100,000 rows that is several times faster than multiplying all of them.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._blocks: list[NDArray[np.int16]] = []
        self._codes: NDArray[np.uint64] = np.zeros((-(-dimension // 64), _ROWS), dtype=np.uint64)
        """(words, rows): signs, 64 a word."""
        self._nodes: list[NodeId | None] = []
        """By row; a row whose node was dropped or moved is never used again."""
        self._rows: dict[NodeId, int] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, node: NodeId) -> bool:
        return node in self._rows

    @property
    def size_bytes(self) -> int:
        """Memory of vectors and codes."""
        return sum(block.nbytes for block in self._blocks) + self._codes.nbytes

    def put(self, nodes: Sequence[NodeId], vectors: NDArray[np.floating]) -> None:
        """Add nodes, or give them new vectors. vectors: (nodes, dimension), rows of length 1 or 0."""
        for node in nodes:
            self.drop(node)
        first = len(self._nodes)
        self._make_room(first + len(nodes))
        self._codes[:, first : first + len(nodes)] = self._signs(vectors).T
        fixed = np.rint(np.clip(vectors, -1, 1) * _ONE).astype(np.int16)
        done = 0
        while done < len(nodes):
            start = (first + done) % _ROWS
            count = min(_ROWS - start, len(nodes) - done)
            self._blocks[(first + done) // _ROWS][start : start + count] = fixed[done : done + count]
            done += count
        # Rows are named last: a search on another thread knows none that is not there.
        for row, node in enumerate(nodes, first):
            self._rows[node] = row
        self._nodes.extend(nodes)

    def drop(self, node: NodeId) -> None:
        """Forget a node. Unknown ones are ignored."""
        row = self._rows.pop(node, None)
        if row is not None:
            self._nodes[row] = None
            self._blocks[row // _ROWS][row % _ROWS] = 0

    def vector(self, node: NodeId) -> NDArray[np.float32] | None:
        """The node's vector, if it has one."""
        row = self._rows.get(node)
        return None if row is None else self._blocks[row // _ROWS][row % _ROWS].astype(np.float32) / _ONE

    def nearest(self, query: NDArray[np.float32], limit: int) -> list[Hit]:
        """The nodes whose vectors have the largest positive cosine with the query, best first. query: of length 1."""
        count = len(self._nodes)
        if not count or not limit:
            return []
        rows = self._shortlist(query, count, max(_SHORTLIST, limit * _PER_HIT))
        cosines = self._cosines(rows, query)
        hits = [Hit(node, float(cosines[at])) for at in best_of(cosines, limit) if (node := self._nodes[rows[at]])]
        return [hit for hit in hits if hit.score > 0]

    def _shortlist(self, query: NDArray[np.float32], count: int, most: int) -> NDArray[np.intp]:
        """At most so many of the first `count` rows, ascending: those with the fewest signs unlike the query's."""
        if count <= most:
            return np.arange(count)
        unlike = np.zeros(count, dtype=np.uint16)
        for word, signs in zip(self._codes, self._signs(query[None])[0], strict=True):
            unlike += np.bitwise_count(word[:count] ^ signs)
        return np.sort(np.argpartition(unlike, most)[:most])

    def _cosines(self, rows: NDArray[np.intp], query: NDArray[np.float32]) -> NDArray[np.float32]:
        """rows: ascending."""
        parts = []
        edges = np.searchsorted(rows, np.arange(0, (len(self._blocks) + 1) * _ROWS, _ROWS))
        for number, (start, end) in enumerate(pairwise(edges)):
            if start < end:
                chosen = self._blocks[number][rows[start:end] - number * _ROWS].astype(np.float32)
                # Not `@`: its threads wait for each other longer than one of them takes alone.
                parts.append(np.einsum("ij,j->i", chosen, query))
        return np.concatenate(parts).astype(np.float32) / np.float32(_ONE)

    def _signs(self, vectors: NDArray[np.floating]) -> NDArray[np.uint64]:
        """(rows, words)"""
        packed = np.packbits(vectors > 0, axis=1)
        whole = np.zeros((len(packed), self._codes.shape[0] * 8), dtype=np.uint8)
        whole[:, : packed.shape[1]] = packed
        return whole.view(np.uint64)

    def _make_room(self, rows: int) -> None:
        while len(self._blocks) * _ROWS < rows:
            self._blocks.append(np.zeros((_ROWS, self.dimension), dtype=np.int16))
        if self._codes.shape[1] < rows:
            wider = np.zeros((self._codes.shape[0], max(rows, self._codes.shape[1] * 2)), dtype=np.uint64)
            wider[:, : self._codes.shape[1]] = self._codes
            self._codes = wider


def best_of(scores: NDArray[np.floating], limit: int) -> NDArray[np.intp]:
    """Places of the largest scores, best first, at most `limit`; earlier first among equals."""
    everything = np.arange(len(scores))
    chosen = np.sort(np.argpartition(-scores, limit)[:limit]) if limit < len(scores) else everything
    return chosen[np.argsort(-scores[chosen], kind="stable")]
