"""A browser without a window that a test drives over a pipe, as a person would with mouse and keyboard."""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 60.0
FOUND = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_KEYS = {
    "Enter": ("Enter", 13, "\r"), "Escape": ("Escape", 27, ""), "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowRight": ("ArrowRight", 39, ""), "Tab": ("Tab", 9, ""),
}  # fmt: skip


class Browser:
    """One page. What it asked of the network and what its script complained of is kept."""

    def __init__(self, process: "subprocess.Popen[bytes]", send: int, receive: int) -> None:
        self._process = process
        self._send, self._receive = send, receive
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the DevTools protocol."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self._note(answer)

    def _read(self) -> dict[str, Any]:
        ends_s = time.monotonic() + PATIENCE_S
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._receive], [], [], max(0.0, ends_s - time.monotonic()))
            assert ready, "the browser does not answer"
            read = os.read(self._receive, 1 << 20)
            assert read, f"the browser has ended ({self._process.poll()})"
            self._buffer += read
        whole, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(whole)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(message["params"]["exceptionDetails"])[:600])
            case "Log.entryAdded":
                self.complaints.append(message["params"]["entry"]["text"])
            case _:
                pass

    def attach(self) -> None:
        """Take the browser's one tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, view: str = "", *, light: bool = False) -> None:
        """Load a page and wait until its script is through."""
        scheme = {"name": "prefers-color-scheme", "value": "light" if light else "dark"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=f"{path.as_uri()}#{view}")
        self.until(
            "document.documentElement?.dataset.ready === 'yes' && 'ms' in document.getElementById('map').dataset"
        )

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until it is true in the page."""
        ends_s = time.monotonic() + PATIENCE_S
        while not self.ask(expression):
            assert time.monotonic() < ends_s, (expression, self.complaints)
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        """Press keys: names of keys, or characters."""
        for key in keys:
            name, code, text = _KEYS.get(key, (key, ord(key.upper()) if len(key) == 1 else 0, key))
            what = {"key": name, "code": name, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown", **what, **({"text": text} if text else {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", **what)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """One event of the mouse."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x: float, y: float) -> None:
        """Click with the first button."""
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def picture(self, path: Path) -> None:
        """Save what is seen as a PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))


@contextmanager
def browser(folder: Path, width: int = 1400, height: int = 900) -> Iterator[Browser]:
    """A browser with a fresh profile that does nothing of its own accord."""
    assert FOUND is not None
    hears, says = os.pipe()
    listens, answers = os.pipe()
    switches = [
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
        "--remote-debugging-pipe", f"--window-size={width},{height}", f"--user-data-dir={folder / 'profile'}",
    ]  # fmt: skip
    # The protocol speaks on descriptors 3 and 4, which only a shell can set up without a hook in our process.
    command = f'exec "$@" 3<&{hears} 4>&{answers}'
    process = subprocess.Popen(
        ["bash", "-c", command, "bash", FOUND, *switches],
        pass_fds=(hears, answers),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(hears)
    os.close(answers)
    opened = Browser(process, says, listens)
    try:
        opened.attach()
        opened.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        yield opened
    finally:
        os.close(says)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)
        os.close(listens)
