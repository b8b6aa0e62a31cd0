"""From the configured name to an embedder."""

from importlib import import_module

from perdura_core.config import Providers
from perdura_core.errors import ConfigError
from perdura_core.retrieval.embedders import wordllama
from perdura_core.retrieval.embedders.hashed import HashedEmbedder
from perdura_core.retrieval.embedders.minilm import MiniLmEmbedder
from perdura_core.retrieval.embedders.protocol import Embedder
from perdura_core.retrieval.embedders.wordllama import WordLlamaEmbedder

__all__ = ["EMBEDDERS", "build_embedder"]

EMBEDDERS = ("auto", "wordllama", "minilm", "hashed", "ollama:MODEL", "gemini:MODEL")


def build_embedder(name: str, providers: Providers) -> Embedder:
    """The embedder of this name, one of EMBEDDERS; `auto` is wordllama where it is installed, else hashed.

    Nothing is loaded and nobody is asked before the first text. Raises ConfigError for another name.
    """
    kind, _, model = name.partition(":")
    match kind:
        case "auto":
            return WordLlamaEmbedder() if wordllama.is_installed() else HashedEmbedder()
        case "wordllama" if not model:
            return WordLlamaEmbedder()
        case "minilm" if not model:
            return MiniLmEmbedder()
        case "hashed" if not model:
            return HashedEmbedder()
        case "ollama" | "gemini" if model:
            # Loaded by name: it brings an HTTP client, which most minds have no use for.
            remote = import_module("perdura_core.retrieval.embedders.remote")
            made: Embedder = (remote.OllamaEmbedder if kind == "ollama" else remote.GeminiEmbedder)(model, providers)
            return made
        case _:
            raise ConfigError(f"search.embedder is {name!r}: use one of {', '.join(EMBEDDERS)}")
