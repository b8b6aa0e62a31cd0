"""Settling disputes by their keys, and taking it back."""

from perdura_core.vocabulary import Suspicion
from perdura_tui.screens.desk import DeskScreen
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.triage import TriageScreen
from perdura_tui.states.triage import Dispute
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _triage(at: Driven) -> TriageScreen:
    await at.press("3")
    await on(at, TriageScreen)
    screen = at.app.screen
    assert isinstance(screen, TriageScreen)
    await at.until(lambda: screen.list.dispute is not None and f"left · {screen.list.dispute.left}" in at.text("#left"))
    return screen


def _keys(screen: TriageScreen) -> list[str]:
    return [pair.key for pair in screen.list.shown]


def _acts(at: Driven) -> list[str]:
    return [str(call[1]) for call in at.source.calls if call[0] == "act"]


async def _settles(at: Driven, key: str, says: str) -> None:
    """The key settles the hottest dispute, the next one is selected, and `u` brings it back."""
    screen = await _triage(at)
    first, second = screen.list.shown[:2]
    await at.press(key)
    await at.until(lambda: bool(_acts(at)))
    assert _acts(at) == [says.format(left=first.left, right=first.right)]
    await at.until(lambda: first.key not in _keys(screen))
    assert screen.list.selected == second.key
    assert "u takes it back" in at.text("#events")
    await at.press("u")
    await at.settle()
    assert f"undone: {_acts(at)[0]}" in at.text("#events")
    at.source.monotonic_s += 1
    await at.until(lambda: first.key in _keys(screen))


@case("screen.triage")
async def _to_triage(at: Driven) -> None:
    screen = await _triage(at)
    assert len(screen.list.shown) == len(at.source.graph.disputes())
    await at.press("1")
    await on(at, DeskScreen)


@case("triage")
async def _from_a_question(at: Driven) -> None:
    question = at.feed.around.question
    await at.press("t")
    await on(at, TriageScreen)
    await at.until(lambda: f"disputes of {question}" in at.text("#disputes"))
    shown = at.app.screen.list.shown  # type: ignore[attr-defined]
    assert {frozenset((pair.left, pair.right)) for pair in shown} == {
        frozenset(pair) for pair in at.source.graph.disputes(question)
    }
    await at.press("escape")
    await at.until(lambda: "─ disputes ─" in at.text("#disputes"))
    await at.press("escape")
    await on(at, DeskScreen)
    await at.press("C", "t")
    await at.until(lambda: "disputes in " in at.text("#disputes"))


@case("triage.left")
async def _left(at: Driven) -> None:
    await _settles(at, "l", "prefer {left} to {right}")


@case("triage.right")
async def _right(at: Driven) -> None:
    await _settles(at, "r", "prefer {right} to {left}")


@case("triage.same")
async def _same(at: Driven) -> None:
    await _settles(at, "m", "merge {left} into {right}")


@case("triage.both")
async def _both(at: Driven) -> None:
    screen = await _triage(at)
    pair = screen.list.dispute
    assert pair is not None
    await at.press("b")
    await on(at, FormDialog)
    await at.press("enter")
    assert "say in which scope each side holds" in at.text("#fault")
    await at.press(*"before noon", "enter")
    await on(at, TriageScreen)
    await at.until(lambda: bool(_acts(at)))
    assert _acts(at) == [f"let {pair.left} and {pair.right} both stand"]
    await at.until(lambda: pair.key not in _keys(screen))


@case("fill")
async def _fill(at: Driven) -> None:
    await _triage(at)
    await at.press("b")
    await on(at, FormDialog)
    await at.press(*"x", "escape")
    await on(at, TriageScreen)
    assert _acts(at) == [], "esc leaves the dispute as it was"
    await at.press("b")
    await on(at, FormDialog)
    await at.press(*"y", "enter")
    await at.until(lambda: len(_acts(at)) == 1)


@case("triage.auditor")
async def _auditor(at: Driven) -> None:
    screen = await _triage(at)
    pair = screen.list.dispute
    assert pair is not None
    await at.press("a")
    assert at.source.calls == [("send", pair.questions[0], "audit", None)]
    assert at.source.sent[0].apart_from == {at.source.script.nodes[node].created_by for node in (pair.left, pair.right)}
    await at.settle()
    assert "an auditor is sent to" in at.text("#events")
    assert "an auditor sent to" in at.text("#disputes")
    assert screen.list.dispute != pair


@case("triage.escalate")
async def _escalate(at: Driven) -> None:
    await _triage(at)
    await at.press("e")
    assert at.source.calls[0][2:] == ("organic", "anthropic:claude-opus-5-5")
    at.source.absent.add("anthropic:claude-opus-5-5")
    await at.press("g", "e")
    await at.settle()
    assert "no frontier model is in the registry" in at.text("#events")
    assert len(at.source.calls) == 1


@case("triage.skip")
async def _skip(at: Driven) -> None:
    screen = await _triage(at)
    first, second = screen.list.shown[:2]
    await at.press("s")
    assert screen.list.selected == second.key
    assert screen.list.shown[-1] == first
    assert "1 skipped" in at.text("#disputes")
    await at.press("G", "s", "g")
    assert screen.list.selected == first.key


@case("triage.mark")
async def _mark(at: Driven) -> None:
    screen = await _triage(at)
    await at.press("space", "space")
    assert "2 marked" in at.text("#disputes")
    first, second, third = screen.list.shown[:3]
    assert screen.list.selected == third.key
    await at.press("s")
    assert screen.list.shown[-2:] == [first, second]
    await at.press("space", "escape")
    assert "marked" not in at.text("#disputes")


@case("triage.by_confidence")
async def _by_confidence(at: Driven) -> None:
    screen = await _triage(at)
    marked = screen.list.shown[:3]
    await at.press("space", "space", "space", "c")
    await at.until(lambda: "settled by confidence" in at.text("#events"))
    for pair in marked:
        assert pair.key not in _keys(screen)
    for title in _acts(at):
        winner, loser = title.removeprefix("prefer ").split(" to ")
        pair = next(pair for pair in marked if {pair.left, pair.right} == {winner, loser})
        assert pair.confidences[pair.left != winner] == max(pair.confidences)


@case("triage.inspect")
async def _inspect_side(at: Driven) -> None:
    screen = await _triage(at)
    pair = screen.list.dispute
    assert pair is not None
    await at.press("enter")
    await on(at, InspectDialog)
    await at.until(lambda: f"{pair.left}  claim" in at.text("#page"))
    await at.press("escape", "tab", "tab", "enter")
    await on(at, InspectDialog)
    await at.until(lambda: f"{pair.right}  claim" in at.text("#page"))


@case("triage.filter")
async def _filter_disputes(at: Driven) -> None:
    screen = await _triage(at)
    pair = screen.list.shown[3]
    await at.press("slash", *pair.left, "enter")
    assert all(pair.left in f"{shown.key} {' '.join(shown.questions)}" for shown in screen.list.shown)
    assert at.app.focused is screen.list
    await at.press("escape")
    assert len(screen.list.shown) == len(at.source.graph.disputes())


@case("triage.pane")
async def _sides(at: Driven) -> None:
    await _triage(at)
    seen = []
    for _ in range(3):
        await at.press("tab")
        seen.append(at.app.focused.id if at.app.focused else None)
    assert seen == ["left", "right", "disputes"]


@case("undo")
async def _undo(at: Driven) -> None:
    await at.press("u")
    await at.settle()
    assert "there is nothing to undo" in at.text("#events")
    await _triage(at)
    await at.press("l")
    await at.until(lambda: bool(_acts(at)))
    await at.press("1", "u")
    await at.settle()
    assert f"undone: {_acts(at)[0]}" in at.text("#events")


async def _suspects(at: Driven) -> tuple[TriageScreen, Dispute]:
    """The screen with one suspected pair, which is selected."""
    graph = at.source.graph
    claims = [one.id for one in graph.vertices("interpretation") if one.kind == "claim" and one.is_live]
    linked = {frozenset((link.src, link.dst)) for node in claims for link in graph.links(node)}
    left, right = next(
        (a, b) for a in claims for b in claims if int(a[1:]) < int(b[1:]) and frozenset((a, b)) not in linked
    )
    at.source.doubted = [Suspicion(left, right, 0.61, ("the figures differ",))]
    screen = await _triage(at)
    await at.until(lambda: any(pair.is_suspected for pair in screen.list.shown))
    screen.list.select(f"{left} {right}")
    await at.until(lambda: "1 suspected" in at.text("#disputes"))
    pair = screen.list.dispute
    assert pair is not None
    assert pair.is_suspected
    return screen, pair


@case("triage.contradict")
async def _contradict(at: Driven) -> None:
    _, pair = await _suspects(at)
    await at.press("x")
    await at.until(lambda: bool(_acts(at)))
    assert _acts(at) == [f"say that {pair.left} and {pair.right} contradict each other"]
    assert at.source.graph.edge_between("contradicts", pair.right, pair.left)


@case("triage.dismiss")
async def _dismiss(at: Driven) -> None:
    _, pair = await _suspects(at)
    await at.press("d")
    await at.until(lambda: bool(_acts(at)))
    assert _acts(at) == [f"suspect {pair.left} and {pair.right} no longer"]
