"""The desk in a real terminal: the sample mind at work, a swap by hand, a clean way out."""

import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from perdura_tui.actions import action

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.timeout(240),
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]

PATIENCE_S = 60.0
TOP = Path(__file__).parent.parent


class Terminal:
    """A tmux session of its own server with a shell in it."""

    def __init__(self, columns: int, rows: int, folder: Path) -> None:
        self._socket = f"perdura-{uuid.uuid4().hex[:8]}"
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "-c", str(folder), "sh")

    def _tmux(self, *words: str) -> str:
        command = ["tmux", "-L", self._socket, *words]
        return subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout

    def press(self, *keys: str) -> None:
        for key in keys:
            self._tmux("send-keys", key)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    @property
    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    @property
    def modes(self) -> str:
        """Alternate screen, cursor, mouse: what a program must put back."""
        return self._tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").strip()

    def wait(self, *expected: str, until: Callable[[str], bool] | None = None) -> str:
        """The screen, once every pattern is on it."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            screen = self.screen
            if all(re.search(pattern, screen) for pattern in expected) and (until is None or until(screen)):
                return screen
            assert time.monotonic() < end_s, f"still waiting for {expected}:\n{screen}"
            time.sleep(0.1)

    def close(self) -> None:
        self._tmux("kill-server")


@pytest.fixture(params=[(120, 40), (80, 24)], ids=["120x40", "80x24"])
def terminal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Terminal]:
    columns, rows = request.param
    opened = Terminal(columns, rows, tmp_path)
    opened.wait(r"[#$]")
    opened.type(f"unset COLUMNS LINES; export PYTHONPATH={TOP} XDG_CONFIG_HOME={tmp_path}; echo rea''dy")
    opened.press("Enter")
    opened.wait(r"^ready|\nready")
    yield opened
    opened.close()


def start(terminal: Terminal, *words: str) -> None:
    terminal.type(f"{sys.executable} -m perdura_tui {' '.join(words)}; echo left''-with $?")
    terminal.press("Enter")


FILLED = {
    "pane.questions": r"(?s) questions .*q1.*root cause.* \d ",
    "pane.graph": r"(?s) graph .*◆.*q\d.*[●■]",
    "pane.workers": r"(?s) workers .*reader:\w+ +q\d.*claim: ",
    "pane.contention": r"(?s) contention .*[▂▃▄▅▆▇█].* 0\.[1-9]",
    "pane.models": r"(?s) models .*reader:\w+ +├.*\d",
}
"""What each pane shows when the readers have been at work for a while."""


def test_the_sample_mind_comes_to_life_and_a_swap_is_honoured(terminal: Terminal) -> None:
    start(terminal, "demo")
    terminal.wait(r"demo\.mind", r"running", r"seats \d/3")
    terminal.press(action("pane.workers").keys[0])
    terminal.wait(FILLED["pane.workers"])
    terminal.press("s")
    offered = terminal.wait(r"reader:gather", r"reader:support", r"reader:doubt")
    terminal.press("j", "Enter")
    terminal.wait(until=lambda screen: screen != offered)
    for pane, pattern in FILLED.items():
        terminal.press(action(pane).keys[0])
        terminal.wait(pattern)
    terminal.press("?")
    terminal.wait(r"Show every key")
    terminal.press("Escape")  # alone: with a key close behind it would read as one with alt
    terminal.wait(until=lambda screen: "Show every key" not in screen)
    leave(terminal)


def leave(terminal: Terminal) -> None:
    """Out by `q`, whatever is aboard, with the terminal as it was."""
    terminal.press("q")
    terminal.wait(until=lambda screen: "left-with" in screen or "stay on the desk" in screen)
    if "left-with" not in terminal.screen:
        terminal.press("c")
    terminal.wait(r"left-with 0")
    assert terminal.modes == "0 1 0"
    assert "ready" in terminal.screen
    terminal.type("echo it echoes")
    terminal.wait(r"echo it echoes")


def test_a_new_mind_opens_empty_and_watching_changes_nothing(terminal: Terminal, tmp_path: Path) -> None:
    start(terminal, "ask", "Why?", "--mind", "own.mind")
    terminal.wait(r"q1 asked: Why\?", r"left-with 0")
    terminal.press("C-l")
    before = (tmp_path / "own.mind").read_bytes()
    start(terminal, "own.mind", "--readonly")
    terminal.wait(r"own\.mind", r"q1.*Why\?")
    terminal.press("space", "s", "q")
    terminal.wait(r"left-with 0")
    assert (tmp_path / "own.mind").read_bytes() == before
