"""Static word vectors of the `wordllama` package, read from its files: nothing of it is run, nothing is fetched."""

import asyncio
import importlib
import importlib.util
import json
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.errors import InputError
from perdura_core.retrieval.embedders.protocol import Vectors, unit_rows

__all__ = ["StaticTable", "WordLlamaEmbedder", "is_installed", "load_table"]

_DIMENSION = 256
_WEIGHTS = Path("weights", f"l2_supercat_{_DIMENSION}.safetensors")
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_BATCH = 256
_MOST_CHARACTERS = 8_000
"""The rest of a longer text hardly moves its mean."""


class StaticTable(NamedTuple):
    """A vector for each token."""

    tokenizer: Any
    table: NDArray[np.float32]
    """(tokens, dimension)"""

    @property
    def dimension(self) -> int:
        """Of its vectors."""
        return int(self.table.shape[1])

    def mean(self, text: str) -> NDArray[np.float32]:
        """The mean of the text's tokens; zeros without any."""
        ids = self.tokenizer.encode(_encodable(text[:_MOST_CHARACTERS]), add_special_tokens=False).ids
        found: NDArray[np.float32] = self.table[ids].mean(axis=0) if ids else np.zeros(self.dimension, np.float32)
        return found


class WordLlamaEmbedder:
    """The mean of a text's token vectors. 19 MB on disk, 33 MB in memory, some 10,000 sentences a second.

    The package's own code is left alone: importing it takes seconds, sets up logging for the whole process, and its
    loader may ask the network.
    """

    model = f"wordllama/l2_supercat_{_DIMENSION}"
    is_local = True

    def __init__(self) -> None:
        self._parts: StaticTable | None = None
        self._loading = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, in a thread. The first call loads the model, which takes some 0.3 s."""
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        with self._loading:
            parts = self._parts = self._parts or load_table()
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [_encodable(text[:_MOST_CHARACTERS]) for text in texts[start : start + _BATCH]]
            for row, encoded in enumerate(parts.tokenizer.encode_batch_fast(batch, add_special_tokens=False), start):
                if encoded.ids:
                    rows[row] = parts.table[encoded.ids].mean(axis=0)
        return unit_rows(rows)


def is_installed() -> bool:
    """Whether the package and what reads its tokenizer are there."""
    return _folder() is not None and importlib.util.find_spec("tokenizers") is not None


def _folder() -> Path | None:
    found = importlib.util.find_spec("wordllama")
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) if places and (Path(places[0]) / _WEIGHTS).is_file() else None


@lru_cache(maxsize=1)
def load_table() -> StaticTable:
    """The package's table, read once a process: 33 MB. Raises InputError where it is not installed."""
    folder = _folder()
    if folder is None:
        raise InputError("'wordllama' is not installed: `pip install wordllama`, or set search.embedder to 'hashed'")
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(str(folder / _TOKENIZER))
    raw = (folder / _WEIGHTS).read_bytes()
    # safetensors: the length of a JSON header as 8 bytes, the header, then the numbers.
    size = int.from_bytes(raw[:8], "little")
    shape = json.loads(raw[8 : 8 + size])["embedding.weight"]["shape"]
    return StaticTable(tokenizer, np.frombuffer(raw, np.float16, offset=8 + size).reshape(shape).astype(np.float32))


def _encodable(text: str) -> str:
    """Without lone surrogates, which the tokenizer refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")
