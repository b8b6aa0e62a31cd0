"""The journal and the way into the past, by keyboard."""

from perdura_tui.panes.journal import JournalPane
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.journal import JournalScreen
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _journal(at: Driven) -> JournalPane:
    await at.press("6")
    await on(at, JournalScreen)
    pane = at.app.screen.query_one(JournalPane)
    await at.until(lambda: bool(pane.keys()))
    await at.settle()
    return pane


async def _arrived(at: Driven, seq: int) -> None:
    await at.until(lambda: at.feed.past is not None and at.feed.past.moment.seq == seq)
    await at.settle()


@case("screen.journal")
async def _screen(at: Driven) -> None:
    pane = await _journal(at)
    last = len(at.source.script.events)
    assert pane.selected == str(last)
    assert "following" in pane.text
    at.source.script.ask("Is this one new?")
    await at.until(lambda: pane.selected == str(last + 1))
    assert "Is this one new?" in pane.text


@case("journal.visit")
async def _visit(at: Driven) -> None:
    pane = await _journal(at)
    questions = at.feed.questions.open_count
    last = len(at.source.script.events)
    await at.press("k", "k", "v")
    await _arrived(at, last - 2)
    assert "THE PAST" in at.text("#status")
    assert f"event {last - 2} of {last}" in at.text("#status")
    await at.press("g", "v")
    await _arrived(at, 1)
    assert at.feed.questions.open_count == 0
    await at.press("escape")
    await at.until(lambda: at.feed.past is None)
    assert at.feed.questions.open_count == questions
    assert "THE PAST" not in at.text("#status")
    assert pane.follows


@case("journal.back")
async def _back(at: Driven) -> None:
    await _journal(at)
    last = len(at.source.script.events)
    await at.press("h", "left", "left")
    await _arrived(at, last - 3)


@case("journal.on")
async def _on(at: Driven) -> None:
    await _journal(at)
    last = len(at.source.script.events)
    await at.press("l")
    await at.settle()
    assert "this is the present" in at.text("#events")
    await at.press("h", "h", "right")
    await _arrived(at, last - 1)


@case("journal.boarding_back")
async def _boarding_back(at: Driven) -> None:
    await _journal(at)
    ends = [event.seq for event in at.source.script.events if event.kind == "boarding_ended"]
    await at.press("left_square_bracket", "left_square_bracket")
    await _arrived(at, ends[-2])


@case("journal.boarding_on")
async def _boarding_on(at: Driven) -> None:
    await _journal(at)
    ends = [event.seq for event in at.source.script.events if event.kind == "boarding_ended"]
    await at.press("left_square_bracket", "left_square_bracket", "right_square_bracket")
    await _arrived(at, ends[-1])
    await at.press("right_square_bracket")
    await at.settle()
    assert "no boarding ended after this" in at.text("#events")


@case("journal.play")
async def _play(at: Driven) -> None:
    await _journal(at)
    last = len(at.source.script.events)
    await at.press("h", "h", "h", "h", "h", "h")
    await _arrived(at, last - 6)
    await at.press("space")
    at.source.monotonic_s += 2
    await at.until(lambda: at.feed.past is not None and at.feed.past.moment.seq > last - 6)
    await at.until(lambda: "▶ 1x" in at.text("#status"))
    await at.press("space")
    await at.until(lambda: at.feed.past is not None and at.feed.past.speed is None)


@case("journal.faster")
async def _faster(at: Driven) -> None:
    await _journal(at)
    await at.press("plus", "plus", "plus", "plus", "h", "space")
    assert at.feed.past is not None
    assert at.feed.past.speed == 50


@case("journal.slower")
async def _slower(at: Driven) -> None:
    await _journal(at)
    await at.press("plus", "plus", "minus", "h", "space")
    assert at.feed.past is not None
    assert at.feed.past.speed == 5


@case("journal.open")
async def _open(at: Driven) -> None:
    pane = await _journal(at)
    await at.press("slash", *"answers", "enter")
    await at.until(lambda: pane.event is not None and pane.event.kind == "edge_added")
    await at.press("enter")
    await on(at, InspectDialog)


@case("journal.filter")
async def _filter(at: Driven) -> None:
    pane = await _journal(at)
    await at.press("slash", *"refused", "enter")
    await at.until(lambda: bool(at.feed.journal.rows))
    await at.settle()
    assert {event.kind for event in at.feed.journal.rows} == {"element_rejected"}
    assert "/refused" in pane.text
    await at.press("escape")
    await at.until(lambda: len({event.kind for event in at.feed.journal.rows}) > 1)


@case("journal.follow")
async def _follow(at: Driven) -> None:
    pane = await _journal(at)
    await at.press("k", "k")
    assert "held" in pane.text
    await at.press("f")
    assert "following" in pane.text
