"""What every embedder can do."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Embedder", "Vectors", "unit_rows"]

Vectors = NDArray[np.float32]
"""(texts, dimension): rows of length 1, or of zeros for a text that says nothing to the embedder."""


class Embedder(Protocol):
    """Makes vectors whose dot product says how alike two texts are. Vectors of different models are never compared."""

    @property
    def model(self) -> str:
        """Names the space the vectors live in: equal names mean comparable vectors of the same dimension."""
        ...

    @property
    def is_local(self) -> bool:
        """Whether texts stay on this machine and cost nothing, so that a mind may be embedded without being asked."""
        ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Never blocks the event loop.

        Raises InputError for an embedder that cannot be used here, and WorkerError when a server fails.
        """
        ...


def unit_rows(rows: NDArray[np.floating]) -> Vectors:
    """The rows scaled to length 1; rows of zeros, and rows that are no numbers, become zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    return np.where(usable, rows / np.where(usable, lengths, 1), 0).astype(np.float32)
