"""Searching everything, and correcting the layer of a node, by keyboard."""

from textual.widgets import Input

from perdura_tui.panes.map import MapPane
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.map import MapScreen
from perdura_tui.screens.search import SearchDialog
from tests.tui.cases import CASES, case, on
from tests.tui.memories import standing_of
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _found(at: Driven, words: str = "cache type:claim") -> None:
    await at.press("ctrl+f")
    await on(at, SearchDialog)
    await at.press(*words)
    dialog = at.app.screen
    assert isinstance(dialog, SearchDialog)
    # Half of the words may have been answered already.
    await at.until(lambda: dialog.query_one(Input).value == "".join(words) and not dialog.is_searching)
    await at.until(lambda: " found" in at.text("#found"))


@case("search")
async def _search(at: Driven) -> None:
    await at.press("5", "slash")
    await on(at, SearchDialog)
    assert "type:claim" in at.text("#found")
    await at.press("escape", "1")
    await at.press("slash", "slash")
    await on(at, SearchDialog)
    await at.press("escape")
    assert not at.app.screen.query_one("#filter").display
    await _found(at)
    assert "texts can be found by meaning so far" in at.text("#found")
    assert "The cache should be disabled" in at.text("#found")
    assert "The network between" not in at.text("#found")


@case("found.open")
async def _open(at: Driven) -> None:
    await _found(at)
    await at.press("down", "enter")
    await on(at, InspectDialog)
    await at.until(lambda: "claim" in at.text("#page"))


@case("found.show")
async def _show(at: Driven) -> None:
    await _found(at)
    node = at.app.screen.query_one("#found").selected  # type: ignore[attr-defined]
    await at.press("ctrl+o")
    await on(at, MapScreen)
    pane = at.app.screen.query_one(MapPane)
    await at.until(lambda: pane.picture.nearby.centre == node)


async def _inspected(at: Driven, words: str) -> str:
    await _found(at, words)
    node = str(at.app.screen.query_one("#found").selected)  # type: ignore[attr-defined]
    at.source.standings[node] = standing_of(node)
    await at.press("enter")
    await on(at, InspectDialog)
    await at.until(lambda: node in at.text("#page"))
    return node


@case("node.fact")
async def _fact(at: Driven) -> None:
    node = await _inspected(at, "cache type:claim")
    assert "half-life 45 days" in at.text("#page")
    await at.press("f")
    await at.until(lambda: ("act", f"move {node} to the facts") in at.source.calls)
    await at.until(lambda: f"inspect  {node}" in at.text("#page"))
    await at.press("f")
    await at.until(lambda: "is a fact already" in at.text("#page"))


@case("node.judgement")
async def _judgement(at: Driven) -> None:
    node = await _inspected(at, "replica type:fact")
    await at.press("i")
    await at.until(lambda: ("act", f"move {node} to the interpretations") in at.source.calls)
    await at.until(lambda: f"inspect  {node}" in at.text("#page"))
