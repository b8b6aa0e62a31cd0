"""The desk as it looks, in dark and light, at the two common sizes. Update with `pytest --snapshot-update`."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from perdura_core.vocabulary import Near
from tests.tui.cases_tray import hold_three
from tests.tui.running import Driven, busy_source, opened
from tests.tui.script import Script
from tests.tui.scripted import ScriptedSource

Compare = Callable[..., bool]


def _same(snap_compare: Compare, source: ScriptedSource, size: tuple[int, int], theme: str, *keys: str) -> bool:
    feed, app = asyncio.run(opened(source, theme=theme))

    async def settled(pilot: Pilot[Any]) -> None:
        at = Driven(app, pilot, feed, source)
        await at.until(lambda: bool(feed.contention.samples) or not source.script.events)
        await at.settle()
        for key in keys:
            await at.press(key)
            await at.settle()

    return snap_compare(app, terminal_size=size, run_before=settled)


@pytest.mark.parametrize("theme", ["perdura", "perdura-light"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_desk(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, busy_source(), size, theme)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_swap_picker(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert _same(snap_compare, busy_source(), size, "perdura", "s")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_inspector(snap_compare: Compare, size: tuple[int, int]) -> None:
    source = busy_source()
    claims = [node for node in source.script.nodes if node[0] == "i"]
    source.codes = dict.fromkeys(claims, "8f03d21c77aa4e19b0c2d3e4")
    source.alike = [Near(claim, claims[0], 5, says_the_same=False) for claim in claims[1:4]]
    assert _same(snap_compare, source, size, "perdura", "enter", "enter")


@pytest.mark.parametrize("theme", ["perdura", "perdura-light"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_triage(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    assert _same(snap_compare, busy_source(), size, theme, "3", "j", "space", "j")


@pytest.mark.parametrize("theme", ["perdura", "perdura-light"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
def test_tray(snap_compare: Compare, size: tuple[int, int], theme: str) -> None:
    source = busy_source()
    hold_three(source.script)
    assert _same(snap_compare, source, size, theme, "w", "space")


def test_boarding(snap_compare: Compare) -> None:
    assert _same(snap_compare, busy_source(), (120, 40), "perdura", "e", "G", "enter")


def test_no_dispute_is_left(snap_compare: Compare) -> None:
    assert _same(snap_compare, ScriptedSource(Script(), "idle"), (80, 24), "perdura", "3")


def test_each_pane_alone(snap_compare: Compare) -> None:
    assert _same(snap_compare, busy_source(), (80, 24), "perdura", "M", "j", "j")


def test_empty_mind(snap_compare: Compare) -> None:
    assert _same(snap_compare, ScriptedSource(Script(), "idle"), (120, 40), "perdura")
