"""Triage at every size, while workers go on, and where nothing may be changed."""

import pytest

from perdura_tui.panes.sheet import Sheet
from perdura_tui.screens.triage import TriageScreen
from tests.tui.running import Driven, busy_source, driven


async def _triage(at: Driven) -> TriageScreen:
    await at.press("3")
    screen = at.app.screen
    assert isinstance(screen, TriageScreen)
    await at.until(lambda: "left · i" in at.text("#left"))
    return screen


async def test_sides_stand_next_to_each_other_or_are_stacked_when_narrow() -> None:
    async with driven(size=(120, 40)) as at:
        screen = await _triage(at)
        left, right = screen.query_one("#left").region, screen.query_one("#right").region
        assert (left.y, left.width) == (right.y, right.width)
        await at.pilot.resize_terminal(60, 20)
        await at.until(lambda: screen.query_one("#left").region.width == 60)
        left, right = screen.query_one("#left").region, screen.query_one("#right").region
        assert left.x == right.x == 0
        assert left.bottom == right.y


async def test_resizing_while_disputes_come_and_go_loses_nothing() -> None:
    source = busy_source()
    async with driven(source) as at:
        screen = await _triage(at)
        for size in ((200, 60), (80, 24), (60, 15), (30, 8), (59, 40), (100, 30), (120, 40)):
            await at.pilot.resize_terminal(*size)
            source.script.one_boarding(4)
            source.monotonic_s += 1
            await at.press("j")
            await at.settle()
            for sheet in screen.query(Sheet):
                for y in range(sheet.size.height):
                    assert sheet.render_line(y).cell_length == sheet.size.width
        assert len(screen.list.shown) == len(source.graph.disputes())


async def test_the_selected_dispute_stays_selected_when_hotter_ones_come() -> None:
    source = busy_source()
    async with driven(source) as at:
        screen = await _triage(at)
        await at.press("j", "j")
        chosen = screen.list.selected
        claim = source.script.claim("Certainly not.", "m:a", None, confidence=1.0)
        source.script.join("contradicts", claim, "i1", "m:a")
        source.monotonic_s += 1
        await at.until(lambda: any(claim in pair for pair in screen.list.shown))
        assert screen.list.selected == chosen


@pytest.mark.parametrize("key", ["l", "r", "b", "m", "a", "e", "c", "u"])
async def test_a_desk_that_only_watches_settles_nothing(key: str) -> None:
    async with driven(busy_source(readonly=True)) as at:
        await _triage(at)
        before = len(at.source.script.events)
        await at.press(key)
        await at.settle()
        assert "read-only" in at.text("#events")
        assert len(at.source.script.events) == before
        assert at.source.calls == []


async def test_another_theme_reaches_screens_that_were_not_shown_yet() -> None:
    async with driven() as at:
        await at.press("ctrl+t")
        screen = await _triage(at)
        assert {sheet._palette for sheet in screen.query(Sheet)} == {at.app._palette}
