"""MiniLM where the extra `embed` is installed; a sentence with a remedy where it is not."""

import numpy as np
import pytest

from perdura_core.config import Providers
from perdura_core.errors import InputError
from perdura_core.retrieval.embedders import build_embedder
from perdura_core.retrieval.embedders.minilm import is_installed

TEXTS = [
    "The cache was cold at noon.",
    "At midday nothing was cached.",
    "Votes decide in December.",
    "",
    "缓存导致了故障。",
]


@pytest.mark.skipif(not is_installed(), reason="the extra `embed` is not installed")
async def test_what_means_alike_lies_close() -> None:
    vectors = await build_embedder("minilm", Providers()).embed(TEXTS)
    assert vectors.shape == (5, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 1, 1, 0, 1], atol=1e-5)
    assert vectors[0] @ vectors[1] > 2 * abs(vectors[0] @ vectors[2])


@pytest.mark.skipif(is_installed(), reason="the extra `embed` is installed")
async def test_without_it_the_remedy_is_named() -> None:
    with pytest.raises(InputError, match=r"perdura\[embed\]"):
        await build_embedder("minilm", Providers()).embed(TEXTS)
