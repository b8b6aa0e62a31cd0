"""Embedding endpoints over HTTP, Ollama's and Gemini's: with one of them configured, texts leave this machine."""

from collections.abc import Mapping, Sequence
from typing import Any

import httpx
import numpy as np

from perdura_core.config import Providers
from perdura_core.errors import ConfigError, WorkerError
from perdura_core.retrieval.embedders.protocol import Vectors, unit_rows
from perdura_core.workers.wire import UNREADABLE, Account, certificates, dropped, garbled, turned_away

__all__ = ["GeminiEmbedder", "OllamaEmbedder"]

_BATCH = 64
"""Texts of one request."""
_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
_OLLAMA = "http://127.0.0.1:11434"
_GEMINI = "https://generativelanguage.googleapis.com"


class OllamaEmbedder:
    """`POST /api/embed` of an Ollama server."""

    is_local = False

    def __init__(self, model: str, providers: Providers) -> None:
        self.model = f"ollama:{model}"
        self._name = model
        host = providers.ollama_host or _OLLAMA
        self._url = f"{host if '://' in host else f'http://{host}'}".rstrip("/") + "/api/embed"
        self._account = Account(self.model, "OLLAMA_API_KEY", providers.ollama_key)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Raises WorkerError."""
        key = self._account.key
        headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
        rows: list[Any] = []
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            answer = await _post(self._account, self._url, headers, {"model": self._name, "input": batch})
            rows += _lists(self._account, answer, len(batch), "embeddings")
        return _vectors(self._account, rows)


class GeminiEmbedder:
    """`batchEmbedContents` of the Gemini API."""

    is_local = False

    def __init__(self, model: str, providers: Providers) -> None:
        self.model = f"gemini:{model}"
        self._name = f"models/{model}"
        base = (providers.google_url or _GEMINI).rstrip("/")
        self._url = f"{base}/v1beta/{self._name}:batchEmbedContents"
        self._account = Account(self.model, "GOOGLE_API_KEY", providers.google_key)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Raises WorkerError, and ConfigError without a key."""
        key = self._account.key
        if key is None:
            raise ConfigError(f"search.embedder is {self.model!r} and there is no key: set {self._account.variable}")
        headers = {"x-goog-api-key": key.get_secret_value()}
        rows: list[Any] = []
        for start in range(0, len(texts), _BATCH):
            batch = texts[start : start + _BATCH]
            asked = [{"model": self._name, "content": {"parts": [{"text": text}]}} for text in batch]
            answer = await _post(self._account, self._url, headers, {"requests": asked})
            found = _lists(self._account, answer, len(batch), "embeddings")
            rows += [one.get("values") if isinstance(one, dict) else None for one in found]
        return _vectors(self._account, rows)


async def _post(account: Account, url: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Any:
    fault: WorkerError
    try:
        async with httpx.AsyncClient(verify=certificates(), timeout=_TIMEOUT, follow_redirects=False) as client:
            answer = await client.post(url, headers=dict(headers), json=body)
        if answer.is_success:
            return answer.json()
        fault = turned_away(account, answer.status_code, answer.content, answer.headers)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        fault = dropped(account, error)
    except UNREADABLE:
        fault = garbled(account)
    raise fault


def _lists(account: Account, answer: Any, count: int, name: str) -> list[Any]:
    found = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(found, list) or len(found) != count:
        raise garbled(account)
    return found


def _vectors(account: Account, rows: Sequence[Any]) -> Vectors:
    try:
        made = np.asarray(rows, dtype=np.float32)
    except (ValueError, TypeError):
        raise garbled(account) from None
    if made.ndim != 2:
        raise garbled(account)
    return unit_rows(made)
