"""All four wires against `aimock`, which somebody else wrote in another language. Needs `aimock` on the PATH (npm)."""

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from perdura_core.config import Providers
from perdura_core.errors import TransientError
from perdura_core.vocabulary import Card, Prompt
from perdura_core.workers import build_worker
from tests.core.workers.calls import NAMES, a_call, hear, stop_of, text_of, thought_of

AIMOCK = shutil.which("aimock")
pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(AIMOCK is None, reason="aimock is not on the PATH (npm install -g @copilotkit/aimock)"),
]

REPLY = '{"contributions": []}'
SCRIPT: list[dict[str, Any]] = [
    {"match": {"userMessage": "ANSWER"}, "response": {"content": REPLY}},
    {"match": {"userMessage": "THINK"}, "response": {"content": REPLY, "reasoning": "Let me see."}},
    {
        "match": {"userMessage": "REFUSE"},
        "response": {"error": {"message": "Rate limited", "type": "rate_limit_error"}, "status": 429},
    },
]


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    assert AIMOCK is not None
    (tmp_path / "fixtures").mkdir()
    (tmp_path / "fixtures" / "script.json").write_text(json.dumps({"fixtures": SCRIPT}))
    config = tmp_path / "aimock.json"
    config.write_text(json.dumps({"llm": {"fixtures": str(tmp_path / "fixtures")}}))
    process = await asyncio.create_subprocess_exec(
        AIMOCK, "--config", str(config), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(20):
            while not (found := re.search(rb"http://127\.0\.0\.1:\d+", await process.stdout.readline())):
                pass
        yield found[0].decode()
    finally:
        process.terminate()
        await process.communicate()


@pytest.mark.parametrize("provider", NAMES)
async def test_a_script(provider: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "beta")
    providers = Providers(
        anthropic_key=SecretStr("key"), anthropic_url=url, google_key=SecretStr("key"), google_url=url,
        openai_key=SecretStr("key"), openai_url=f"{url}/v1", ollama_host=url,
    )  # fmt: skip
    worker = build_worker(Card(id=f"{provider}:{NAMES[provider]}"), providers)

    answer = await hear(worker, a_call(prompt=Prompt(system="s", user="ANSWER me")))
    assert text_of(answer) == REPLY
    assert stop_of(answer) == "end"

    thinking = await hear(worker, a_call(prompt=Prompt(system="s", user="THINK first")))
    # Ollama is left to think or not as the model does; this mock takes that for a no.
    assert thought_of(thinking) == ("" if provider == "ollama" else "Let me see.")
    assert text_of(thinking) == REPLY

    with pytest.raises(TransientError) as caught:
        await hear(worker, a_call(prompt=Prompt(system="s", user="REFUSE me")))
    assert caught.value.retry_after_s == 1
