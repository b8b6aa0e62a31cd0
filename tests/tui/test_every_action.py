"""One test for each action of the registry, by its default key."""

import pytest
from textual.widgets import Input

from perdura_core.routing import Quiet
from perdura_tui.actions import ACTIONS
from perdura_tui.panes.questions import QuestionsPane
from perdura_tui.screens.ask import AskDialog
from perdura_tui.screens.desk import DeskScreen
from perdura_tui.screens.help import HelpDialog
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.leave import LeaveDialog
from perdura_tui.screens.palette import PaletteDialog
from perdura_tui.screens.swap import SwapDialog
from perdura_tui.states.agreement import most_agreed
from tests.tui import (
    cases_journal,
    cases_map,
    cases_memory,
    cases_models,
    cases_search,
    cases_settings,
    cases_taking,
    cases_tray,
    cases_triage,
)
from tests.tui.cases import CASES, Case, case
from tests.tui.cases import on as _on
from tests.tui.running import Driven, driven

for module in (
    cases_journal, cases_map, cases_memory, cases_models, cases_search, cases_settings, cases_taking,
    cases_tray, cases_triage,
):  # fmt: skip
    assert module.CASES is CASES, "every module of cases fills the one registry"


def test_every_action_has_a_test() -> None:
    assert set(CASES) == {entry.id for entry in ACTIONS}


@pytest.mark.parametrize("action_id", [entry.id for entry in ACTIONS])
async def test_action(action_id: str) -> None:
    async with driven() as at:
        await CASES[action_id](at)


def _selected(at: Driven) -> str | None:
    return at.desk.query_one(QuestionsPane).selected


@case("help")
async def _help(at: Driven) -> None:
    await at.press("question_mark")
    await _on(at, HelpDialog)
    assert "Choose another model for the selected seat." in at.text("#help")
    await at.press("ctrl+d")
    assert "pane.contention" in at.text("#help")


@case("palette")
async def _palette(at: Driven) -> None:
    await at.press("ctrl+p")
    await _on(at, PaletteDialog)
    await at.press("z", "o", "o", "m")
    assert "Show this pane alone" in at.text("#actions")


@case("perform")
async def _perform(at: Driven) -> None:
    await at.press("ctrl+p")
    await _on(at, PaletteDialog)
    await at.press("n", "e", "x", "t", "space", "p", "a", "n", "e", "enter")
    await _on(at, DeskScreen)
    await at.until(lambda: at.app.focused is not None and at.app.focused.id == "graph")


@case("quit")
async def _quit(at: Driven) -> None:
    await at.press("q")
    await _on(at, LeaveDialog)
    assert "3 workers are aboard." in at.app.screen.query_one("LeaveSheet").text  # type: ignore[attr-defined]


@case("theme")
async def _theme(at: Driven) -> None:
    seen = []
    for _ in range(4):
        await at.press("ctrl+t")
        seen.append(at.app.theme)
    assert sorted(seen) == ["perdura", "perdura-16", "perdura-contrast", "perdura-light"]


@case("screen.desk")
async def _to_the_desk(at: Driven) -> None:
    await at.press("1")
    assert at.app.screen is at.desk


@case("close")
async def _close(at: Driven) -> None:
    await at.press("question_mark")
    await _on(at, HelpDialog)
    await at.press("escape")
    await _on(at, DeskScreen)


@case("pause")
async def _pause(at: Driven) -> None:
    await at.press("space")
    await at.settle()
    assert "paused" in at.text("#status")
    await at.press("space")
    at.source._activity = "idle"
    await at.press("space")
    assert at.source.calls == [("pause",), ("resume",), ("start",)]


@case("step")
async def _step(at: Driven) -> None:
    await at.press("n")
    assert at.source.calls == [("step",)]


@case("swap")
async def _swap(at: Driven) -> None:
    await at.press("s")
    await _on(at, SwapDialog)
    text = at.text("#choices")
    assert "swap seat 1 on q1" in text
    assert "rests until 14:20" in text
    await at.press("escape")
    await _on(at, DeskScreen)
    assert at.source.calls == []


@case("choose")
async def _choose(at: Driven) -> None:
    await at.press("s")
    await _on(at, SwapDialog)
    await at.press("j", "enter")
    await _on(at, DeskScreen)
    assert at.source.calls == [("swap", 1, "reader:support")]
    await at.press("s")
    await _on(at, SwapDialog)
    await at.press("G", "enter")
    assert isinstance(at.app.screen, SwapDialog), "a model that cannot board is not chosen"


@case("reroute")
async def _reroute(at: Driven) -> None:
    await at.press("S")
    assert at.source.calls == [("swap", 1, None)]
    await at.settle()
    assert "the router chooses" in at.text("#events")


@case("ask")
async def _ask(at: Driven) -> None:
    await at.press("a")
    await _on(at, AskDialog)
    assert at.app.focused is at.app.screen.query_one("#text", Input)


@case("submit")
async def _submit(at: Driven) -> None:
    await at.press("a")
    await _on(at, AskDialog)
    await at.press("enter")
    assert isinstance(at.app.screen, AskDialog), "a question needs words"
    await at.press(*"why?", "tab", *"Storage, ,ops", "enter")
    await _on(at, DeskScreen)
    await at.until(lambda: _selected(at) == "q8")
    assert at.source.calls == [("ask", "why?", ("storage", "ops"), "normal")]
    assert "why?" in at.text("#questions")


@case("stake")
async def _stake(at: Driven) -> None:
    await at.press("a")
    await _on(at, AskDialog)
    await at.press("w", "ctrl+s", "enter")
    await _on(at, DeskScreen)
    assert at.source.calls == [("ask", "w", (), "high")]


@case("inspect")
async def _inspect(at: Driven) -> None:
    await at.press("enter")
    await _on(at, InspectDialog)
    node = _selected(at)
    await at.until(lambda: f"{node}  question" in at.text("#page"))


@case("follow")
async def _follow(at: Driven) -> None:
    await at.press("enter")
    await _on(at, InspectDialog)
    await at.until(lambda: "edges" in at.text("#page"))
    await at.press("enter")
    await at.until(lambda: "claim · instance" in at.text("#page"))
    await at.press("escape")
    await at.until(lambda: "question · open" in at.text("#page"))
    await at.press("escape")
    await _on(at, DeskScreen)


@case("zoom")
async def _zoom(at: Driven) -> None:
    await at.press("z")
    await at.pilot.pause()
    assert [pane.id for pane in at.desk.panes if pane.display] == ["questions"]
    await at.press("tab")
    assert [pane.id for pane in at.desk.panes if pane.display] == ["graph"]
    await at.press("escape")
    assert all(pane.display for pane in at.desk.panes)


@case("seat.next")
async def _seat_next(at: Driven) -> None:
    await at.press("right_square_bracket", "right_square_bracket", "S")
    assert at.source.calls == [("swap", 3, None)]


@case("seat.previous")
async def _seat_previous(at: Driven) -> None:
    await at.press("left_square_bracket", "S")
    assert at.source.calls == [], "seat 4 is empty"
    await at.press("left_square_bracket", "S")
    assert at.source.calls == [("swap", 3, None)]


@case("pane.next")
async def _pane_next(at: Driven) -> None:
    seen = []
    for _ in range(5):
        await at.press("tab")
        seen.append(at.app.focused.id if at.app.focused else None)
    assert seen == ["graph", "workers", "contention", "models", "questions"]


@case("pane.previous")
async def _pane_previous(at: Driven) -> None:
    await at.press("shift+tab")
    assert at.app.focused is not None
    assert at.app.focused.id == "models"


def _jump(key: str, pane: str) -> Case:
    async def jump(at: Driven) -> None:
        await at.press("W" if key != "W" else "Q", key)
        assert at.app.focused is not None
        assert at.app.focused.id == pane

    return jump


for number, name in enumerate(("questions", "graph", "workers", "contention", "models")):
    case(f"pane.{name}")(_jump("QMWCL"[number], name))


@case("challenge")
async def _challenge(at: Driven) -> None:
    graph, chosen = at.source.graph, _selected(at)
    at.source.silence = Quiet(14, 12)
    await at.settle()
    assert "≡ 14 agree" in at.text("#status")
    assert "≡ no contradiction in 14 boardings  ! challenge" in at.text("#events")
    assert "≡ by domain" in at.text("#contention")
    wanted = most_agreed(graph)
    assert wanted not in (None, chosen)
    await at.press("exclamation_mark")
    assert _selected(at) == wanted
    assert f"{wanted}: " in at.text("#events")
    assert "! again attacks them" in at.text("#events")
    assert at.source.sent == []
    await at.press("exclamation_mark")
    assert [(errand.question, errand.mode) for errand in at.source.sent] == [(wanted, "adversarial")]
    at.source.silence = Quiet(0, 12)
    await at.settle()
    assert "agree" not in at.text("#status")


@case("filter")
async def _filter(at: Driven) -> None:
    await at.press("slash", *"cache")
    await at.until(lambda: "/cache  1 of 7" in at.text("#questions"))
    await at.press("enter")
    assert "Is the cache safe" in at.text("#questions")
    assert at.app.focused is at.desk.panes[0]
    await at.press("escape")
    assert "6 open" in at.text("#questions")


@case("move_down")
async def _down(at: Driven) -> None:
    first = _selected(at)
    await at.press("j", "down")
    assert _selected(at) != first
    assert at.feed.around.question == _selected(at)


@case("move_up")
async def _up(at: Driven) -> None:
    first = _selected(at)
    await at.press("j", "down", "k", "up", "up")
    assert _selected(at) == first


@case("move_first")
async def _first(at: Driven) -> None:
    first = _selected(at)
    await at.press("G", "g")
    assert _selected(at) == first


@case("move_last")
async def _last(at: Driven) -> None:
    await at.press("G")
    assert _selected(at) == "q4", "the resolved question stands last"


@case("page_down")
async def _page_down(at: Driven) -> None:
    await at.press("ctrl+d", "pagedown")
    assert _selected(at) == "q4"


@case("page_up")
async def _page_up(at: Driven) -> None:
    first = _selected(at)
    await at.press("G", "ctrl+u", "pageup")
    assert _selected(at) == first


@case("heat_by")
async def _heat_by(at: Driven) -> None:
    await at.press("C")
    assert "by domain" in at.text("#contention")
    await at.press("d")
    assert "by question" in at.text("#contention")
    await at.press("enter")
    assert _selected(at) is not None
    assert at.app.focused is at.desk.panes[0]


@case("next_domain")
async def _next_domain(at: Driven) -> None:
    await at.press("L")
    assert "overall" in at.text("#models")
    await at.press("d")
    await at.until(lambda: "domain: billing" in at.text("#models"))


@case("leave.finish")
async def _finish(at: Driven) -> None:
    await at.press("q")
    await _on(at, LeaveDialog)
    await at.press("f")
    await _on(at, DeskScreen)
    assert at.source.calls == [("finish",)]
    assert at.app.is_running
    at.source._activity = "idle"
    await at.until(lambda: at.app._exit)


@case("leave.cancel")
async def _cancel(at: Driven) -> None:
    await at.press("q")
    await _on(at, LeaveDialog)
    await at.press("c")
    await at.until(lambda: at.app._exit)
    assert at.source.calls == [("cancel",)]


@case("leave.stay")
async def _stay(at: Driven) -> None:
    await at.press("q")
    await _on(at, LeaveDialog)
    await at.press("s")
    await _on(at, DeskScreen)
    assert at.source.calls == []
