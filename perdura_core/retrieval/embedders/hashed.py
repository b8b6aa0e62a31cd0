"""Hashed character n-grams: vectors without any model, for when there is none."""

import asyncio
from collections.abc import Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import grams_of, normalised
from perdura_core.retrieval.embedders.protocol import Vectors, unit_rows

__all__ = ["HashedEmbedder"]

_DIMENSION = 384
_WIDTHS = (3, 4, 5)
_MOST_CHARACTERS = 4_000
_SALT = np.uint64(0x9E3779B97F4A7C15)


class HashedEmbedder:
    """Signed feature hashing of character n-grams within words (Weinberger et al. 2009), damped by a square root.

    Finds what is worded alike, in any script; it knows no synonyms.
    """

    model = f"hashed/{_DIMENSION}"
    is_local = True

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, in a thread."""
        return await asyncio.to_thread(_embed, texts)


def _embed(texts: Sequence[str]) -> Vectors:
    rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        shown = normalised("".join(islice(text, _MOST_CHARACTERS)))
        for width in _WIDTHS:
            row += _hashed(grams_of(shown, width))
    return unit_rows(np.sign(rows) * np.sqrt(np.abs(rows)))


def _hashed(grams: NDArray[np.uint64]) -> NDArray[np.float32]:
    mixed = grams * _SALT
    places = ((mixed >> np.uint64(33)) % np.uint64(_DIMENSION)).astype(np.intp)
    signs = np.where(mixed >> np.uint64(63), 1.0, -1.0)
    return np.bincount(places, signs, _DIMENSION).astype(np.float32)
