"""Stored text on the screens behind the number keys comes out as it is, at any size, and runs nothing."""

import pytest
from textual.widgets import Input

from perdura_tui.panes.map import MapPane
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.search import SearchDialog
from perdura_tui.screens.settings import SettingsDialog
from tests.tui.memories import memory_report, standing_of
from tests.tui.running import Driven, driven
from tests.tui.test_untrusted_text import SIZED, _assert_clean, _mind_that_says

SHRINKING = [(200, 60), (120, 40), (80, 24), (60, 15), (40, 10), (30, 8), (120, 40)]


async def _read(at: Driven) -> None:
    panes = at.app.screen.query(MapPane)
    await at.until(lambda: not any(pane.is_reading for pane in panes))
    await at.settle()
    _assert_clean(at)


@pytest.mark.parametrize(("text", "size"), SIZED, ids=range(len(SIZED)))
async def test_hostile_text_on_every_screen(text: str, size: tuple[int, int]) -> None:
    async with driven(_mind_that_says(text), size) as at:
        for key in (*"2ljocv", "escape", *"d4jGod5j6kkgv"):
            await at.press(key)
            await _read(at)
        for key in ("1", "2", "3", "4", "5", "6", "l", "space", "space"):
            await at.press(key)
            await _read(at)
        await at.press("slash", *"[/b", "enter")
        await _read(at)
        await at.press("escape", "escape")
        await at.until(lambda: at.feed.past is None)
        await _read(at)
        assert at.app.is_running


async def test_hostile_text_in_the_form_is_refused_or_kept_as_it_is() -> None:
    async with driven() as at:
        await at.press("4", "e")
        await at.until(lambda: isinstance(at.app.screen, FormDialog))
        at.app.screen.query_one("#field0", Input).value = "[@click=app.quit]x[/]"
        await at.press("enter")
        _assert_clean(at)
        assert "[@click=app.quit]x[/]' is no tier" in at.text("#fault")
        at.app.screen.query_one("#field0", Input).value = "local"
        at.app.screen.query_one("#field1", Input).value = "[b, \u202eno"
        await at.press("enter")
        await _read(at)
        assert "[b" in at.text("#card")


@pytest.mark.parametrize(("text", "size"), SIZED, ids=range(len(SIZED)))
async def test_hostile_text_in_the_settings(text: str, size: tuple[int, int]) -> None:
    async with driven(_mind_that_says(text), size) as at:
        await at.press("comma")
        await at.until(lambda: isinstance(at.app.screen, SettingsDialog))
        _assert_clean(at)
        for name in ("seats", "budget_usd"):
            at.app.screen.query_one(f"#{name}", Input).value = text[:500].replace("\n", " ")
            await at.press("enter")
            _assert_clean(at)
        for shrunk in SHRINKING:
            await at.pilot.resize_terminal(*shrunk)
            await at.press("tab", "right")
            _assert_clean(at)
        await at.press("escape")
        assert at.source.calls == []


@pytest.mark.parametrize("key", ["2", "4", "5", "6"])
async def test_any_size_while_events_stream(key: str) -> None:
    async with driven() as at:
        await at.press(key)
        for size in SHRINKING:
            await at.pilot.resize_terminal(*size)
            at.source.script.one_boarding(1)
            await at.settle()
            _assert_clean(at)
        assert at.app.is_running


@pytest.mark.parametrize(("text", "size"), SIZED[::3], ids=range(len(SIZED[::3])))
async def test_hostile_text_in_what_upkeep_knows_and_in_what_search_finds(text: str, size: tuple[int, int]) -> None:
    source = _mind_that_says(text)
    source.report = memory_report(text[:2_000], text[:200])
    source.standings = {node: standing_of(node, text[:2_000]) for node in source.script.nodes if node[0] == "i"}
    async with driven(source, size) as at:
        await at.press("5")
        await _read(at)
        for key in ("j", "j", "j", "ctrl+d", "ctrl+d", "ctrl+u", "G", "g", "enter", "f", "escape", "escape"):
            await at.press(key)
            await _read(at)
        await at.press("ctrl+f")
        await at.until(lambda: isinstance(at.app.screen, SearchDialog))
        for words in ("type:claim", "a", text[:300].replace("\n", " "), "conf>x"):
            at.app.screen.query_one("#words", Input).value = words
            await at.pilot.pause(0.12)
            await _read(at)
        for shrunk in SHRINKING:
            await at.pilot.resize_terminal(*shrunk)
            await _read(at)
        assert at.app.is_running
