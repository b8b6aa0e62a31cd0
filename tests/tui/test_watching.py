"""`--readonly`: a desk on a mind that another process is working on."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdura_core.conductor import SessionOrder
from perdura_core.mind import Mind
from perdura_tui.live import LiveSource
from perdura_tui.panes.sheet import Sheet
from tests.tui.running import opened
from tests.tui.test_live_source import PATIENCE_S, _fill

TOP = Path(__file__).parents[2]


@pytest.fixture
def working(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process, whose readers work on the mind."""
    path = tmp_path / "a.mind"

    async def fill() -> None:
        async with Mind.open(path) as mind:
            await _fill(mind)

    asyncio.run(fill())
    words = ["run", "--boardings", "100000", "--seats", "2", "--plain", "--mind", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "perdura_tui", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TOP,
        env=os.environ | {"OLLAMA_HOST": "http://127.0.0.1:9", "PERDURA_CONFIG": os.devnull},
    )  # fmt: skip
    assert process.stdout is not None
    assert "session started" in process.stdout.readline()
    yield process
    if process.poll() is None:
        process.kill()
    process.communicate(timeout=30)


async def test_a_readonly_desk_follows_live_and_cannot_change_anything(
    working: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    async with Mind.open(tmp_path / "a.mind", readonly=True) as mind:
        source = LiveSource(mind, SessionOrder(operator="operator"))
        feed, app = await opened(source)
        async with app.run_test(size=(120, 40)) as pilot:

            async def until(word: str, pane: str) -> None:
                async with asyncio.timeout(PATIENCE_S):
                    while word not in app.screen.query_one(pane, Sheet).text:
                        await pilot.pause(0.05)

            await until("reader:", "#workers")
            await until("boarded", "#events")
            async with asyncio.timeout(PATIENCE_S):
                before = feed.head
                while feed.head < before + 20:
                    await pilot.pause(0.05)
            assert feed.session.is_open
            assert source.activity == "watching"
            head = mind.graph.head
            await pilot.press("space")
            await until("read-only", "#events")
            await pilot.press("s", "a", "n")
            assert len(app.screen_stack) == 1
            working.send_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE_S):
                while feed.session.is_open:
                    await pilot.pause(0.05)
            assert feed.head > head
            await pilot.press("q")
            async with asyncio.timeout(PATIENCE_S):
                while app.is_running:
                    await asyncio.sleep(0.02)
        await source.closed()
        told = await mind.store.events(kinds={"operator_acted", "session_started", "question_asked"}, after=head)
    assert told == []
