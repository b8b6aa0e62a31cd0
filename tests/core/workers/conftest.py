"""A fault server, and the workers that talk to it."""

from collections.abc import AsyncIterator, Callable

import pytest
from pydantic import SecretStr

from perdura_core.config import Providers
from perdura_core.vocabulary import Card
from perdura_core.workers import Worker
from perdura_core.workers.build import build_worker
from tests.core.workers.calls import KEYS, NAMES
from tests.servers.fault import FaultServer

Bench = Callable[[str], Worker]


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer() as running:
        yield running


@pytest.fixture
def providers(server: FaultServer) -> Providers:
    return Providers(
        anthropic_key=SecretStr(KEYS["anthropic"]),
        anthropic_url=server.url("anthropic"),
        google_key=SecretStr(KEYS["gemini"]),
        google_url=server.url("gemini"),
        openai_key=SecretStr(KEYS["openai"]),
        openai_url=server.url("openai"),
        ollama_host=server.url("ollama"),
        ollama_key=SecretStr(KEYS["ollama"]),
    )


@pytest.fixture
def worker(providers: Providers) -> Bench:
    """Builds the worker of a provider, pointed at the fault server."""
    return lambda provider: build_worker(Card(id=f"{provider}:{NAMES[provider]}", num_ctx=8192), providers)
