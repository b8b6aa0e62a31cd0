"""Models of natural language inference that the user has installed: a second opinion on suspected pairs."""

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from perdura_core.errors import ConfigError

__all__ = ["GROUP", "NliModel", "OnnxNli", "load_nli"]

GROUP = "perdura.nli"
"""Entry points of this group make a model when called without arguments."""
_BATCH = 16
_USUAL_LENGTH = 256
_MOST_LENGTH = 512


class NliModel(Protocol):
    """Says how likely the second text of each pair contradicts the first."""

    @property
    def name(self) -> str:
        """For people."""
        ...

    def contradictions(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """A probability in 0..1 for each pair. Runs in a thread; may take as long as it takes."""
        ...


def load_nli(named: str) -> NliModel | None:
    """The model that the setting `search.nli` names; None when it names none, or is `auto` and none is installed.

    `off`; `auto`: the first entry point of the group `perdura.nli`; `module:factory`; `onnx:FOLDER` with one `.onnx`
    file and a `tokenizer.json` below it. Raises ConfigError for one that cannot be loaded.
    """
    if named == "off":
        return None
    if named == "auto":
        found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
        return _made(f"the entry point {found[0].name!r}", found[0].load) if found else None
    module, _, factory = named.partition(":")
    if module == "onnx" and factory:
        return OnnxNli(Path(factory))
    if not module or not factory:
        raise ConfigError(f"search.nli is {named!r}: use off, auto, module:factory or onnx:FOLDER")
    return _made(repr(named), lambda: getattr(import_module(module), factory))


def _made(what: str, find: Callable[[], Any]) -> NliModel:
    try:
        made = find()()
    except Exception as error:  # whatever code of others raises must not end ours
        raise ConfigError(
            f"search.nli: {what} cannot be loaded ({error!r}): install it again or set it to off"
        ) from None
    if not callable(getattr(made, "contradictions", None)) or not isinstance(getattr(made, "name", None), str):
        raise ConfigError(f"search.nli: {what} makes no model: it needs a `name` and `contradictions(pairs)`")
    return cast(NliModel, made)


class OnnxNli:
    """A sequence-pair classifier in ONNX with its tokenizer; needs the extra `nli`.

    Two classes are (other, contradiction); of three, `config.json` names the contradicting one, else it is the first,
    as in MNLI models.
    """

    def __init__(self, folder: Path) -> None:
        models = sorted(folder.rglob("*.onnx")) if folder.is_dir() else []
        tokenizers = sorted(folder.rglob("tokenizer.json")) if folder.is_dir() else []
        if not models or not tokenizers:
            raise ConfigError(f"search.nli: {folder} holds no .onnx file with a tokenizer.json: name their folder")
        missing = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
        if missing:
            raise ConfigError(f"search.nli: {missing[0]} is not installed: `pip install 'perdura[nli]'`")
        self.name = f"onnx:{folder.name}"
        self._session = import_module("onnxruntime").InferenceSession(
            str(models[0]), providers=["CPUExecutionProvider"]
        )
        self._inputs = [one.name for one in self._session.get_inputs()]
        fixed = self._session.get_inputs()[0].shape[1]
        self._tokenizer = import_module("tokenizers").Tokenizer.from_file(str(tokenizers[0]))
        self._length = fixed if isinstance(fixed, int) else _USUAL_LENGTH
        self._tokenizer.enable_truncation(min(self._length, _MOST_LENGTH))
        self._tokenizer.enable_padding(length=self._length if isinstance(fixed, int) else None)
        self._column = _contradicting(folder)

    def contradictions(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """A probability for each pair."""
        found: list[float] = []
        for start in range(0, len(pairs), _BATCH):
            found += self._batch(pairs[start : start + _BATCH]).tolist()
        return found

    def _batch(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        encoded = self._tokenizer.encode_batch([tuple(pair) for pair in pairs])
        given = {
            "input_ids": np.array([one.ids for one in encoded], dtype=np.int64),
            "attention_mask": np.array([one.attention_mask for one in encoded], dtype=np.int64),
            "token_type_ids": np.array([one.type_ids for one in encoded], dtype=np.int64),
        }
        [logits] = self._session.run(None, {name: given[name] for name in self._inputs})
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        column = self._column if self._column is not None else (1 if logits.shape[1] == 2 else 0)
        return np.asarray(odds[:, column] / odds.sum(axis=1), dtype=np.float64)


def _contradicting(folder: Path) -> int | None:
    for config in sorted(folder.rglob("config.json")):
        labels = json.loads(config.read_text("utf-8")).get("id2label", {})
        for number, label in labels.items():
            if "contradict" in str(label).lower() and "not" not in str(label).lower():
                return int(number)
    return None
