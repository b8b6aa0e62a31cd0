"""Any size, at any time."""

from random import Random

import pytest

from perdura_tui.panes.sheet import Sheet
from perdura_tui.screens.desk import DeskScreen
from tests.tui.running import busy_source, driven
from tests.tui.script import STREAM, told

SIZES = [
    (200, 60),
    (160, 50),
    (120, 40),
    (100, 30),
    (99, 30),
    (100, 29),
    (80, 24),
    (60, 15),
    (59, 15),
    (60, 14),
    (30, 8),
]


async def test_from_large_to_tiny_and_back_while_events_stream() -> None:
    dice = Random(3)
    source = busy_source()
    async with driven(source, (200, 60)) as at:
        for step, size in enumerate([*SIZES, *reversed(SIZES), *(dice.choice(SIZES) for _ in range(12))]):
            await at.pilot.resize_terminal(*size)
            source.script.one_boarding(4)
            source.progress.append(told(1, "streaming", "m:a", "q1", STREAM[: step * 9], boarding=f"b{step // 5}"))
            await at.press(dice.choice(["j", "k", "tab", "Q", "M", "W", "C", "L", "z"]))
            await at.settle()
            for sheet in at.desk.query(Sheet):
                for y in range(sheet.size.height):
                    assert sheet.render_line(y).cell_length == sheet.size.width
        await at.pilot.resize_terminal(120, 40)
        await at.settle()
        assert at.feed.head == len(source.script.events)
        assert at.app.is_running


@pytest.mark.parametrize("size", [(59, 40), (120, 14), (30, 8), (10, 3)])
async def test_too_small_says_what_is_needed(size: tuple[int, int]) -> None:
    async with driven(size=(80, 24)) as at:
        await at.pilot.resize_terminal(*size)
        await at.until(lambda: not at.desk.query_one("#house").display)
        await at.until(lambda: "60 x 15" in at.text("#small") or size[0] < 22)
        await at.pilot.resize_terminal(80, 24)
        await at.until(lambda: bool(at.desk.query_one("#house").display))


@pytest.mark.parametrize("size", [(100, 30), (120, 40), (200, 60)])
async def test_all_five_panes_are_in_sight(size: tuple[int, int]) -> None:
    async with driven(size=size) as at:
        for pane in at.desk.panes:
            assert pane.display
            assert pane.size.height >= 6
            assert pane.text


async def test_below_that_one_pane_is_in_sight_and_the_seats_in_brief() -> None:
    async with driven(size=(80, 24)) as at:
        assert [pane.id for pane in at.desk.panes if pane.display] == ["questions"]
        assert "Q questions  M graph  W workers  C contention  L models" in at.text("#questions")
        assert "claude-haiku-5-5" in at.text("#seats")
        await at.press("W")
        assert [pane.id for pane in at.desk.panes if pane.display] == ["workers"]
        assert not at.desk.query_one("#seats").display


async def test_the_cursor_and_the_scroll_stay_where_they_were() -> None:
    source = busy_source()
    for number in range(60):
        source.script.ask(f"Question number {number}?")
    async with driven(source, (80, 24)) as at:
        screen = at.app.screen
        assert isinstance(screen, DeskScreen)
        questions = screen.panes[0]
        await at.press("G", "k", "k", "k")
        chosen = at.feed.around.question
        await at.pilot.resize_terminal(120, 40)
        source.script.one_boarding(4)
        await at.settle()
        assert at.feed.around.question == chosen
        assert f"▌{chosen}" in questions.text
