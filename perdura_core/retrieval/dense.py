"""Exact nearest neighbours among unit vectors, in blocks that grow as texts are added."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perdura_core.retrieval.embedders import Vectors
from perdura_core.store import Hit
from perdura_core.vocabulary import NodeId

__all__ = ["DenseIndex", "best_of"]

_ROWS = 8_192
"""Of one block: small enough to add without a pause, large enough for one multiplication."""


class DenseIndex:
    """One layer's vectors of one model. Adding, replacing and dropping a node take microseconds.

    Single precision, because multiplying half precision is 20 times slower: 1 kB a node at 256 dimensions.
    """

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self._blocks: list[Vectors] = []
        self._nodes: list[NodeId | None] = []
        """By row; a row whose node was dropped or moved is never used again."""
        self._rows: dict[NodeId, int] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, node: NodeId) -> bool:
        return node in self._rows

    @property
    def size_bytes(self) -> int:
        """Memory of the vectors."""
        return sum(block.nbytes for block in self._blocks)

    def put(self, nodes: Sequence[NodeId], vectors: NDArray[np.floating]) -> None:
        """Add nodes, or give them new vectors. vectors: (nodes, dimension), rows of length 1 or 0."""
        for node in nodes:
            self.drop(node)
        done = 0
        while done < len(nodes):
            start = len(self._nodes) % _ROWS
            if not start:
                self._blocks.append(np.zeros((_ROWS, self.dimension), dtype=np.float32))
            count = min(_ROWS - start, len(nodes) - done)
            self._blocks[-1][start : start + count] = vectors[done : done + count]
            # Rows are named last: a search on another thread knows none that is not there.
            for node in nodes[done : done + count]:
                self._rows[node] = len(self._nodes)
                self._nodes.append(node)
            done += count

    def drop(self, node: NodeId) -> None:
        """Forget a node. Unknown ones are ignored."""
        row = self._rows.pop(node, None)
        if row is not None:
            self._nodes[row] = None
            self._blocks[row // _ROWS][row % _ROWS] = 0

    def vector(self, node: NodeId) -> NDArray[np.float32] | None:
        """The node's vector, if it has one."""
        row = self._rows.get(node)
        return None if row is None else self._blocks[row // _ROWS][row % _ROWS]

    def nearest(self, query: NDArray[np.float32], limit: int) -> list[Hit]:
        """The nodes whose vectors have the largest positive cosine with the query, best first. Exact."""
        count = len(self._nodes)
        if not count or not limit:
            return []
        parts = [
            block[: count - start] @ query for start, block in zip(range(0, count, _ROWS), self._blocks, strict=False)
        ]
        scores = np.concatenate(parts)
        hits = [Hit(node, float(scores[row])) for row in best_of(scores, limit) if (node := self._nodes[row])]
        return [hit for hit in hits if hit.score > 0]


def best_of(scores: NDArray[np.floating], limit: int) -> NDArray[np.intp]:
    """Places of the largest scores, best first, at most `limit`; earlier first among equals."""
    everything = np.arange(len(scores))
    chosen = np.sort(np.argpartition(-scores, limit)[:limit]) if limit < len(scores) else everything
    return chosen[np.argsort(-scores[chosen], kind="stable")]
