"""Taking something away from the desk, by keyboard."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tui.cases import CASES, case
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _written(at: Driven, key: str) -> tuple[str, str]:
    """Press a key that writes a file. Returns the file's name and what is in it."""
    with TemporaryDirectory() as folder:
        at.app._folder = Path(folder)
        await at.press(key)
        await at.until(lambda: at.feed.notice is not None)
        assert at.feed.notice is not None
        assert at.feed.notice.text.startswith(f"written: {folder}")
        [path] = await asyncio.to_thread(lambda: list(Path(folder).iterdir()))
        assert path.stat().st_mode & 0o777 == 0o600
        return path.name, path.read_text(encoding="utf-8")


@case("copy")
async def _copy(at: Driven) -> None:
    await at.press("y")
    await at.until(lambda: at.feed.notice is not None)
    assert at.app.clipboard == "q3: Which region failed first, and when?"
    await at.press("W", "y")
    await at.until(lambda: "workers" in at.app.clipboard)


@case("export")
async def _export(at: Driven) -> None:
    name, text = await _written(at, "E")
    assert name.startswith("perdura-questions-")
    assert name.endswith(".txt")
    assert "Which region failed first" in text


@case("picture")
async def _picture(at: Driven) -> None:
    name, text = await _written(at, "P")
    assert name.startswith("perdura-desk-")
    assert text.startswith("<svg")
    assert "@font-face" not in text
    assert "url(http" not in text


@case("theme.reload")
async def _reload(at: Driven) -> None:
    with TemporaryDirectory() as folder:
        at.app._themes_from = [*at.app._themes_from, Path(folder)]
        shipped = Path(at.app._themes_from[0], "perdura.toml").read_text(encoding="utf-8")
        Path(folder, "mine.toml").write_text(shipped.replace('"perdura"', '"mine"', 1), encoding="utf-8")
        await at.press("T")
        await at.until(lambda: "mine" in at.app._themes)
        Path(folder, "mine.toml").write_text("label = 3", encoding="utf-8")
        await at.press("T")
        await at.until(lambda: at.feed.notice is not None and at.feed.notice.is_error)
        assert at.feed.notice is not None
        assert "mine.toml, line 1" in at.feed.notice.text
