"""What is left of the terminal when the desk itself breaks."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.test_terminal import Terminal, terminal

__all__ = ["terminal"]

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.timeout(240),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

BREAKING = """
import asyncio, sys
from pathlib import Path

from perdura_core.conductor import order_from
from perdura_core.mind import Mind
from perdura_tui.actions import keymap
from perdura_tui.desk import DeskApp
from perdura_tui.feed import Feed
from perdura_tui.live import LiveSource
from perdura_tui.themes import load_themes, shipped_folder


class Breaking(Feed):
    ticks = 0

    async def tick(self):
        secret = "local-" + "variable"
        self.ticks += 1
        if self.ticks > 10:
            raise ZeroDivisionError("a mistake")
        await super().tick()


async def main():
    async with Mind.open(Path(sys.argv[1])) as mind:
        source = LiveSource(mind, order_from(mind.settings))
        feed = Breaking(source)
        await feed.open()
        app = DeskApp(feed, load_themes([shipped_folder()]), "perdura", keymap({}))
        await app.run_async()
        source.cancel()
        await source.closed()
        print("the desk said:", app.failure)


asyncio.run(main())
"""


def is_restored(terminal: Terminal) -> None:
    """No alternate screen, the cursor to be seen, no mouse, and typing echoes."""
    assert terminal.modes == "0 1 0"
    terminal.type("echo it echoes")
    terminal.wait(r"echo it echoes")


def test_a_desk_that_breaks_gives_the_terminal_back(terminal: Terminal, tmp_path: Path) -> None:
    script = tmp_path / "breaking.py"
    script.write_text(BREAKING, encoding="utf-8")
    terminal.type(f"{sys.executable} {script} own.mind; echo left''-with $?")
    terminal.press("Enter")
    screen = terminal.wait(r"the desk said: .*a mistake", r"left-with \d")
    assert "local-variable" not in screen
    is_restored(terminal)
