"""The screens behind the number keys as they look. Update with `pytest --snapshot-update`."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from perdura_tui.panes.map import MapPane
from perdura_tui.panes.memory import MemoryPane
from perdura_tui.screens.inspect import PageFrame
from perdura_tui.screens.search import SearchDialog
from tests.tui.memories import memory_report, standing_of
from tests.tui.running import Driven, busy_source, opened
from tests.tui.scripted import ScriptedSource

Compare = Callable[..., bool]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
THEMES = pytest.mark.parametrize("theme", ["perdura", "perdura-light"])


def _same(
    snap_compare: Compare, size: tuple[int, int], theme: str, *keys: str, source: ScriptedSource | None = None
) -> bool:
    source = source or busy_source()
    feed, app = asyncio.run(opened(source, theme=theme))

    async def settled(pilot: Pilot[Any]) -> None:
        at = Driven(app, pilot, feed, source)
        await at.until(lambda: bool(feed.contention.samples))
        await at.settle()
        for key in keys:
            await at.press(key)
            await at.until(lambda: _is_still(at))
            await at.settle()

    return snap_compare(app, terminal_size=size, run_before=settled)


def _is_still(at: Driven) -> bool:
    """Nothing is being read for the map, and the past has arrived."""
    past = at.feed.past
    reading = any(pane.is_reading for pane in at.app.screen.query(MapPane))
    counting = any("Counting…" in pane.text for pane in at.app.screen.query(MemoryPane))
    screen = at.app.screen
    searching = isinstance(screen, SearchDialog) and screen.is_searching
    loading = any("Reading…" in page.text for page in screen.query(PageFrame))
    if searching or loading:
        return False
    return not reading and not counting and (past is None or past.moment.seq == past.target == at.feed.head)


@SIZES
@THEMES
def test_map(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, size, theme, "2")


@SIZES
def test_one_node_of_the_map(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert _same(snap_compare, size, "perdura", "2", "l", "j")


@SIZES
@THEMES
def test_models(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, size, theme, "4")


@SIZES
@THEMES
def test_memory(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, size, theme, "5")


@SIZES
@THEMES
def test_journal(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, size, theme, "6")


@SIZES
def test_desk_in_the_past(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert _same(snap_compare, size, "perdura", "6", "g", "ctrl+d", "ctrl+d", "ctrl+d", "v", "1")


@SIZES
@THEMES
def test_a_memory_that_is_kept_up(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    source = busy_source()
    source.report = memory_report()
    assert _same(snap_compare, size, theme, "5", "j", source=source)


@SIZES
@THEMES
def test_search(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, size, theme, "ctrl+f", *"cache", "down")


@SIZES
def test_why_an_interpretation_is_worth_what_it_is(snap_compare: Compare, size: tuple[int, int]) -> None:
    source = busy_source()
    source.standings = {node: standing_of(node) for node in source.script.nodes if node[0] == "i"}
    assert _same(snap_compare, size, "perdura", "ctrl+f", *"cache type:claim", "enter", source=source)
