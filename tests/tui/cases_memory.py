"""What the mind holds, by keyboard."""

import asyncio

from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import FactObserved, Occurrence
from perdura_tui.panes.memory import MemoryPane
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.memory import MemoryScreen
from tests.tui.cases import CASES, case, on
from tests.tui.memories import memory_report
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
    assert "not worked out yet: U does the upkeep now" in pane.text
    assert "▶ running" in pane.text


@case("memory.open")
async def _open(at: Driven) -> None:
    pane = await _memory(at)
    await at.until(lambda: pane.target == "f3")
    await at.press("enter")
    await on(at, InspectDialog)
    await at.until(lambda: "f3  fact" in at.text("#page"))


async def _kept_up(at: Driven) -> MemoryPane:
    """The page with what an upkeep knows."""
    at.source.report = memory_report()
    pane = await _memory(at)
    await at.until(lambda: "promotions that wait for your word" in pane.text and pane.target is not None)
    return pane


async def _go_to(at: Driven, pane: MemoryPane, target: str) -> None:
    async with asyncio.timeout(10):
        while pane.target != target:
            before = pane.target, pane.text
            await at.press("k" if target == "p7" else "j")
            assert (pane.target, pane.text) != before, f"the cursor never came to {target}"


@case("memory.upkeep")
async def _upkeep(at: Driven) -> None:
    pane = await _memory(at)
    await at.press("U")
    await at.until(lambda: ("keep_up",) in at.source.calls)
    await at.until(lambda: "✓ finished" in pane.text)
    at.source.tended = UpkeepProgress(4, "confidence", 6, 16, "working", 12)
    await at.settle()
    assert "7 of 16  confidence, 12 changes" in pane.text


@case("memory.promote")
async def _promote(at: Driven) -> None:
    pane = await _kept_up(at)
    await _go_to(at, pane, "i3")
    await at.press("plus")
    await at.until(lambda: at.feed.notice is not None)
    assert ("promote", "p7") not in at.source.calls
    await at.press("g")
    await _go_to(at, pane, "p7")
    await at.press("plus")
    await at.until(lambda: ("promote", "p7") in at.source.calls)


@case("memory.refuse")
async def _refuse(at: Driven) -> None:
    pane = await _kept_up(at)
    await _go_to(at, pane, "p7")
    await at.press("minus")
    await at.until(lambda: ("refuse_promotion", "p7") in at.source.calls)


@case("memory.damp")
async def _damp(at: Driven) -> None:
    pane = await _kept_up(at)
    before = at.source.graph.get("i3")
    assert before is not None
    confidence = before.confidence
    await _go_to(at, pane, "i3")
    await at.press("d")
    await at.until(lambda: ("act", "hold i3 down as an echo") in at.source.calls)
    await at.settle()
    after = at.source.graph.get("i3")
    assert after is not None
    assert after.confidence == round(confidence * 0.85, 6)


@case("memory.audit")
async def _audit(at: Driven) -> None:
    pane = await _kept_up(at)
    await _go_to(at, pane, "i3")
    await at.press("a")
    await at.until(lambda: bool(at.source.sent))
    assert at.source.sent[0].mode == "audit"
    author = at.source.graph.get("i3")
    assert author is not None
    assert at.source.sent[0].apart_from == {author.created_by}


@case("memory.pin")
async def _pin(at: Driven) -> None:
    pane = await _kept_up(at)
    await _go_to(at, pane, "i4")
    await at.press("p")
    await at.until(lambda: any(call[0] == "act" and str(call[1]).startswith("pin q") for call in at.source.calls))
