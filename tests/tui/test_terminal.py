"""The program in a real terminal: what a person at the keyboard sees, and what is left when it is gone."""

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux, the terminal that the test drives"),
]

PATIENCE_S = 60.0
ROOT = Path(__file__).resolve().parents[2]


class Terminal:
    """One tmux session of its own, with a shell that says how the program ended."""

    def __init__(self, home: Path, columns: int, rows: int) -> None:
        self._socket = f"perdura-{uuid.uuid4().hex[:8]}"
        self._home = home
        program = f"{sys.executable} -m perdura_tui demo"
        line = f'stty -g > before; {program}; echo "[exit $?]"; stty -g > after; sleep 600'
        environment = {**os.environ, "HOME": str(home), "TERM": "tmux-256color", "PYTHONPATH": str(ROOT)}
        environment.pop("TMUX", None)
        environment["PERDURA_DEMO__CHARACTERS_PER_S"] = "40"  # so slow that a busy machine still sees the middle
        subprocess.run(
            [
                "tmux",
                "-f",
                "/dev/null",
                "-L",
                self._socket,
                "new-session",
                "-d",
                "-x",
                str(columns),
                "-y",
                str(rows),
                line,
            ],
            check=True,
            cwd=home,
            env=environment,
        )

    def _tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-L", self._socket, *words], check=True, capture_output=True, text=True)
        return done.stdout

    @property
    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def until(self, holds: Callable[[str], bool]) -> str:
        ends = time.monotonic() + PATIENCE_S
        while not holds(screen := self.screen):
            assert time.monotonic() < ends, screen
            time.sleep(0.1)
        return screen

    def send(self, signal: str) -> None:
        """Send a signal to the program, the only child of this terminal's shell that runs Python."""
        shell = self._tmux("display-message", "-p", "#{pane_pid}").strip()
        children = subprocess.run(["pgrep", "-P", shell], check=True, capture_output=True, text=True).stdout.split()
        subprocess.run(["kill", f"-{signal}", children[0]], check=True)

    def is_restored(self) -> bool:
        """Whether the terminal's settings are what they were."""
        before, after = self._home / "before", self._home / "after"
        return after.exists() and before.read_text() == after.read_text()

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.fixture(params=[(80, 24), (120, 40)], ids=["80x24", "120x40"])
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path, *request.param)
    yield opened
    opened.close()


def test_the_demo_fills_swaps_and_leaves_the_terminal_as_it_was(terminal: Terminal) -> None:
    terminal.until(lambda screen: "questions" in screen and "● streaming" in screen)
    terminal.press("space")
    terminal.until(lambda screen: "‖ paused" in screen)
    terminal.press("space")
    terminal.until(lambda screen: "▶ running" in screen and "● streaming" in screen)
    terminal.press("s")
    terminal.until(lambda screen: "swap seat" in screen and "reader:gather" in screen)
    terminal.press("j")
    terminal.press("Enter")
    terminal.until(lambda screen: "swap seat" not in screen)
    terminal.until(lambda screen: "before: reader:" in screen or "● streaming" in screen)
    terminal.press("q")
    terminal.until(lambda screen: "aboard." in screen)
    terminal.press("c")
    screen = terminal.until(lambda screen: "[exit 0]" in screen)
    assert "Traceback" not in screen
    terminal.until(lambda _: terminal.is_restored())


def test_a_sigterm_leaves_the_terminal_as_it_was(terminal: Terminal) -> None:
    terminal.until(lambda screen: "● streaming" in screen)
    terminal.send("TERM")
    screen = terminal.until(lambda screen: "[exit 143]" in screen)
    assert "Traceback" not in screen
    terminal.until(lambda _: terminal.is_restored())
