"""What the mind holds, by keyboard."""

from perdura_core.vocabulary import FactObserved, Occurrence
from perdura_tui.panes.memory import MemoryPane
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.memory import MemoryScreen
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _memory(at: Driven) -> MemoryPane:
    script = at.source.script
    seen = Occurrence(source="again.md#L1", recorded_at=script.now, recorded_by="ingest")
    script.add(FactObserved(node="f3", occurrence=seen), by="ingest")
    await at.press("5")
    await on(at, MemoryScreen)
    pane = at.app.screen.query_one(MemoryPane)
    await at.until(lambda: "last sessions" in pane.text)
    return pane


@case("screen.memory")
async def _screen(at: Driven) -> None:
    pane = await _memory(at)
    await at.until(lambda: "2×" in pane.text)
    assert "8 live" in pane.text
    assert "6 open" in pane.text
    assert "The daily pipeline has not run on this mind." in pane.text
    assert "▶ running" in pane.text


@case("memory.open")
async def _open(at: Driven) -> None:
    pane = await _memory(at)
    await at.until(lambda: pane.target == "f3")
    await at.press("enter")
    await on(at, InspectDialog)
    await at.until(lambda: "f3  fact" in at.text("#page"))
