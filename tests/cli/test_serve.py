"""The desk in a browser, over real HTTP."""

import asyncio
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from perdura_core.mind import Mind
from tests.cli.conftest import TOP, program

needs_extra = pytest.mark.skipif(
    importlib.util.find_spec("textual_serve") is None, reason="the extra `serve` (textual-serve) is not installed"
)
PATIENCE_S = 60.0


class Served:
    """`perdura serve` as a process of its own."""

    def __init__(self, mind: Path, *words: str) -> None:
        command = [sys.executable, "-m", "perdura_tui", "serve", "--port", "0", "--json", "--mind", str(mind), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TOP)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said, self.process.communicate(timeout=10)
        self.url = str(json.loads(said)["url"])
        parts = urlsplit(self.url)
        self.base, self.token = f"{parts.scheme}://{parts.netloc}", parts.path.strip("/")

    def get(self, path: str) -> httpx.Response:
        ends_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                return httpx.get(f"{self.base}{path}", timeout=PATIENCE_S)
            except httpx.ConnectError:
                assert time.monotonic() < ends_s
                time.sleep(0.05)


@pytest.fixture(scope="module")
def served(worked_mind: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests that only read: each start loads a whole HTTP server."""
    mind = Path(shutil.copy(worked_mind, tmp_path_factory.mktemp("served") / "own.mind"))
    running = Served(mind, "--readonly")
    yield running
    if running.process.poll() is None:
        running.process.kill()
    running.process.communicate(timeout=30)


@needs_extra
def test_only_the_token_opens_the_desk(served: Served) -> None:
    assert urlsplit(served.base).hostname == "127.0.0.1"
    assert len(served.token) >= 43
    page = served.get(f"/{served.token}/")
    assert page.status_code == 200
    assert f"/{served.token}/ws" in page.text
    assert "fonts.googleapis.com" not in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"
    for path in ("/", "/ws", "/static/", "/static/js/textual.js", f"/{served.token[:-1]}/", f"/{served.token}x/ws",
                 f"//{served.token}/", f"/x/../{served.token[:-1]}", "/%00", "/%C3%A9/", "/download/a"):  # fmt: skip
        refused = served.get(path)
        assert refused.status_code == 403, path
        assert served.token not in refused.text
    assert served.get(f"/{served.token}/static/js/textual.js").status_code == 200


@needs_extra
def test_each_start_has_a_token_of_its_own(served: Served, mind: Path) -> None:
    running = Served(mind, "--readonly")
    assert running.token != served.token
    running.process.send_signal(signal.SIGINT)
    _, complained = running.process.communicate(timeout=30)
    assert running.process.returncode == 130
    assert complained == ""


@needs_extra
async def test_a_browser_sees_the_desk_and_leaves_no_process(mind: Path) -> None:
    aiohttp = importlib.import_module("aiohttp")
    before = mind.read_bytes()
    running = Served(mind, "--readonly")
    seen = ""
    try:
        async with (
            asyncio.timeout(PATIENCE_S),
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{running.url}ws?width=120&height=40") as socket,
        ):
            while not ("own.mind" in seen and "questions" in seen):
                message = await socket.receive()
                assert message.type in (aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT), message
                seen += message.data.decode("utf-8", "replace") if isinstance(message.data, bytes) else message.data
            await socket.send_json(["stdin", " "])
        ends_s = time.monotonic() + PATIENCE_S
        while desks(running.process.pid):
            assert time.monotonic() < ends_s, "the desk outlived its browser"
            await asyncio.sleep(0.1)
    finally:
        running.process.send_signal(signal.SIGTERM)
        _, complained = running.process.communicate(timeout=30)
    assert running.process.returncode == 143
    assert "Traceback" not in complained
    async with Mind.open(mind, readonly=True) as opened:
        assert not await opened.store.attended()
    assert mind.read_bytes() == before


def desks(parent: int) -> list[str]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False, timeout=10)
    return found.stdout.split()


def test_without_the_extra_the_remedy_is_said(mind: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "textual_serve.py").write_text("raise ModuleNotFoundError(name='textual_serve')\n", encoding="utf-8")
    path = f"{hidden}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    done = program("serve", "--mind", str(mind), env={"PYTHONPATH": path})
    assert done.returncode == 1
    assert "pip install 'perdura[serve]'" in done.stderr
