"""Workers are built by name, and their SDKs stay out of the way until then."""

import subprocess
import sys

import pytest
from pydantic import SecretStr

from perdura_core.config import Providers
from perdura_core.errors import AccountError, RequestError
from perdura_core.vocabulary import Card
from perdura_core.workers.build import build_worker


def test_importing_the_room_loads_no_sdk() -> None:
    code = (
        "import sys, perdura_core.workers, perdura_core.workers.build, perdura_core.workers.discovery\n"
        "sdks = ('anthropic', 'google.genai', 'ollama', 'xllamacpp')\n"
        "print([name for name in sdks if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)

    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("model", "remedy"),
    [
        ("anthropic:claude-haiku-5-5", "ANTHROPIC_API_KEY"),
        ("gemini:gemini-3.8-flash", "GEMINI_API_KEY"),
        ("openai:any-name", "OPENAI_BASE_URL"),
    ],
)
def test_without_a_key_a_worker_is_not_built(model: str, remedy: str) -> None:
    with pytest.raises(AccountError, match=remedy):
        build_worker(Card(id=model), Providers())


def test_an_unknown_provider_is_named_with_those_that_exist() -> None:
    with pytest.raises(RequestError, match=r"'grok'.*anthropic, gemini, local, ollama, openai"):
        build_worker(Card(id="grok:4"), Providers())


@pytest.mark.parametrize("model", ["anthropic:claude-haiku-5-5", "gemini:gemini-3.8-flash", "openai:x", "ollama:q:8b"])
def test_a_server_of_ones_own_needs_no_key(model: str) -> None:
    worker = build_worker(Card(id=model, base_url="http://127.0.0.1:1"), Providers())

    assert worker.model == model


def test_a_token_is_enough_for_claude() -> None:
    assert build_worker(Card(id="anthropic:claude-haiku-5-5"), Providers(anthropic_token=SecretStr("token"))).model
