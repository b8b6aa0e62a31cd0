"""`run --plain`: a log that a person reads the morning after, and a screen reader line by line."""

import asyncio
import os
import re
import sys
from pathlib import Path

from perdura_core.mind import Mind
from tests.cli.conftest import TOP
from tests.servers.fault import FaultServer, Request
from tests.servers.scenario import Scenario

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +(-|b\d+)  \S.*")


def answer(request: Request) -> Scenario:
    """The account of one provider is empty; the other one's server answers."""
    return Scenario(kind="no_credit") if request.provider == "anthropic" else Scenario(kind="success")


async def night(mind: Path, server: FaultServer, *words: str) -> tuple[int, list[str], str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "perdura_tui", "run", "--plain", "--mind", str(mind), *words,
        env=os.environ
        | {"ANTHROPIC_API_KEY": "sk-secret-key", "ANTHROPIC_BASE_URL": server.url("anthropic"),
           "OLLAMA_HOST": server.url("ollama")},
        cwd=TOP, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    async with asyncio.timeout(90):
        said, complained = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode().splitlines(), complained.decode()


async def test_a_provider_out_of_credit_is_one_line_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "night.mind"
    async with Mind.open(path) as mind:
        for number in range(4):
            await mind.ask(f"What caused outage {number}?")
    models = "anthropic:claude-haiku-5-5,ollama:qwen3:8b"
    async with FaultServer(answer) as server:
        code, lines, complained = await night(
            path,
            server,
            "--boardings",
            "12",
            "--seats",
            "4",
            "--budget",
            "1",
            "--models",
            models,
            "--route",
            "round_robin",
        )
    assert (code, complained) == (0, "")
    *log, summary = lines
    assert [one for one in log if not LINE.fullmatch(one)] == []
    disabled = [one for one in log if " disabled: " in one]
    assert len(disabled) == 1
    assert "claude-haiku-5-5" in disabled[0]
    assert any("qwen3:8b" in one and " boarded " in one for one in log[log.index(disabled[0]) :])
    ended = [one for one in log if re.search(r"b\d+ (merged|failed), \d+ kept", one)]
    assert len(ended) >= 12
    assert all(re.search(r"\$[\d.]+, [\d.]+ s$", one) for one in ended)
    assert summary.startswith("session s1 ")
    assert "sk-secret-key" not in "\n".join(lines)
    assert not any(ord(letter) < 32 for one in lines for letter in one)
