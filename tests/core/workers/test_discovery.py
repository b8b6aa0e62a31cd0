"""Which providers are there."""

import asyncio
import socket

import pytest
from pydantic import SecretStr

from perdura_core.config import Providers
from perdura_core.vocabulary import Card
from perdura_core.workers import Discovery
from perdura_core.workers.build import MODULES
from perdura_core.workers.discovery import discover, try_out
from tests.core.workers.calls import KEYS, NAMES
from tests.servers.fault import FaultServer
from tests.servers.scenario import Scenario

pytestmark = pytest.mark.timeout(30)


def remedy(discovery: Discovery, name: str) -> str:
    return next(missing.remedy for missing in discovery.missing if missing.name == name)


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_nothing_set_is_told_with_what_to_do(closed_port: int) -> None:
    discovery = await discover(Providers(ollama_host=f"127.0.0.1:{closed_port}"))

    assert "ANTHROPIC_API_KEY" in remedy(discovery, "anthropic")
    assert "GEMINI_API_KEY" in remedy(discovery, "gemini")
    assert "OPENAI_BASE_URL" in remedy(discovery, "openai")
    assert "start Ollama" in remedy(discovery, "ollama")
    names = [each.name for each in discovery.found] + [each.name for each in discovery.missing]
    assert set(names) == set(MODULES) - {"reader"}


async def test_keys_and_servers_are_found_without_a_call(server: FaultServer, providers: Providers) -> None:
    server.installed = {"qwen3:8b": 40960, "gemma3:4b": 131072}

    discovery = await discover(providers)

    found = {each.name: each for each in discovery.found}
    assert set(found) >= {"anthropic", "gemini", "openai", "ollama"}
    assert found["ollama"].installed == ("gemma3:4b", "qwen3:8b")
    assert dict(found["ollama"].contexts) == {"qwen3:8b": 40960, "gemma3:4b": 131072}
    assert found["ollama"].is_reached
    assert found["openai"].installed == ("any-name",)
    assert found["anthropic"].is_reached is None
    assert "ANTHROPIC_API_KEY" in found["anthropic"].note
    assert server.ledger == [], "no model was called"
    assert "planted" not in repr(discovery)


async def test_a_token_counts_as_a_key() -> None:
    discovery = await discover(Providers(anthropic_token=SecretStr("t"), ollama_host="127.0.0.1:9"))

    assert "ANTHROPIC_AUTH_TOKEN" in next(each.note for each in discovery.found if each.name == "anthropic")


async def test_a_server_that_hangs_does_not_hold_anybody_up() -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(hang, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    providers = Providers(openai_url=f"http://127.0.0.1:{port}/v1", ollama_host=f"127.0.0.1:{port}")
    started = asyncio.get_running_loop().time()

    async with silent:
        discovery = await discover(providers, patience_s=0.3)

    assert asyncio.get_running_loop().time() - started < 1.5
    assert "ReadTimeout" in remedy(discovery, "ollama")
    assert "ReadTimeout" in remedy(discovery, "openai")


async def test_another_server_on_that_port_is_no_provider(server: FaultServer) -> None:
    url = server.url("ollama")
    discovery = await discover(Providers(openai_url=f"{url}/elsewhere", ollama_host=f"{url}/elsewhere"))

    assert "status 404" in remedy(discovery, "ollama")
    assert "status 404" in remedy(discovery, "openai")


@pytest.mark.parametrize("provider", NAMES)
async def test_a_trial_is_one_real_call(provider: str, server: FaultServer, providers: Providers) -> None:
    server.choose = Scenario(text="ready")
    trial = await try_out(Card(id=f"{provider}:{NAMES[provider]}"), providers)

    assert trial.trouble is None
    assert trial.usage is not None
    assert trial.usage.output_tokens == 40
    assert len(server.ledger) == 1


async def test_a_trial_says_what_is_wrong(server: FaultServer, providers: Providers) -> None:
    server.choose = Scenario("bad_key", echo=KEYS["anthropic"])
    trial = await try_out(Card(id="anthropic:claude-haiku-5-5"), providers)

    assert trial.trouble is not None
    assert "check ANTHROPIC_API_KEY" in trial.trouble
    assert "planted" not in trial.trouble
    assert (await try_out(Card(id="gemini:gemini-3.8-flash"), Providers())).trouble is not None
