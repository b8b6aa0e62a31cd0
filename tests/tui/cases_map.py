"""The graph as a map, by keyboard."""

from perdura_tui.panes.map import MapPane
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.map import MapScreen
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _map(at: Driven) -> MapPane:
    await at.press("2")
    await on(at, MapScreen)
    pane = at.app.screen.query_one(MapPane)
    await at.until(lambda: not pane.is_reading and bool(pane.keys()))
    return pane


async def _read(at: Driven, pane: MapPane) -> None:
    """Wait for the next picture."""
    await at.until(lambda: not pane.is_reading)


@case("screen.map")
async def _screen(at: Driven) -> None:
    pane = await _map(at)
    assert pane.picture.atlas is not None
    assert {cluster.key for cluster in pane.picture.atlas.clusters} >= {"q1", "q2", "q3"}
    assert "nodes · by question · live" in pane.text


@case("map.into")
async def _into(at: Driven) -> None:
    pane = await _map(at)
    key = pane.selected
    await at.press("l")
    await _read(at, pane)
    assert pane.picture.nearby.centre == key
    await at.press("j", "right")
    await _read(at, pane)
    assert pane.picture.nearby.centre not in (key, None)


@case("map.out")
async def _out(at: Driven) -> None:
    pane = await _map(at)
    await at.press("l")
    await _read(at, pane)
    first = pane.picture.nearby.centre
    await at.press("j", "l")
    await _read(at, pane)
    await at.press("h")
    await _read(at, pane)
    assert pane.picture.nearby.centre == first
    await at.press("left")
    await _read(at, pane)
    assert pane.picture.atlas is not None
    await at.press("l")
    await _read(at, pane)
    await at.press("j", "l")
    await _read(at, pane)
    await at.press("escape")
    await _read(at, pane)
    assert pane.picture.atlas is not None, "esc goes to the overview at once"


@case("map.inspect")
async def _inspect(at: Driven) -> None:
    await _map(at)
    await at.press("enter")
    await on(at, InspectDialog)


@case("map.hops")
async def _hops(at: Driven) -> None:
    pane = await _map(at)
    await at.press("l")
    await _read(at, pane)
    assert pane.picture.nearby.hops == 2
    await at.press("o")
    await _read(at, pane)
    assert pane.picture.nearby.hops == 1
    assert "1 hop" in pane.text


@case("map.disputes")
async def _disputes(at: Driven) -> None:
    pane = await _map(at)
    await at.press("l")
    await _read(at, pane)
    await at.press("c")
    await _read(at, pane)
    assert "only contradictions" in pane.text
    assert all(dot.is_disputed for dot in pane.picture.nearby.dots[1:])
    await at.press("c")
    await _read(at, pane)
    assert "only contradictions" not in pane.text


@case("map.history")
async def _history(at: Driven) -> None:
    pane = await _map(at)
    await at.press("l")
    await _read(at, pane)
    await at.press("v")
    await _read(at, pane)
    assert "with history" in pane.text


@case("map.by")
async def _by(at: Driven) -> None:
    pane = await _map(at)
    await at.press("d")
    await _read(at, pane)
    assert pane.picture.atlas is not None
    assert "storage" in {cluster.key for cluster in pane.picture.atlas.clusters}
    await at.press("l")
    await _read(at, pane)
    assert str(pane.picture.nearby.centre).startswith("q")
