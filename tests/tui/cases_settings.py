"""The settings of the session, by keyboard."""

from textual.widgets import Input

from perdura_core.routing import POLICIES
from perdura_tui.screens.desk import DeskScreen
from perdura_tui.screens.settings import SettingsDialog
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven

__all__ = ["CASES"]


async def _settings(at: Driven) -> None:
    await at.press("comma")
    await on(at, SettingsDialog)
    await at.until(lambda: "boardings" in at.text("#forecast"))


def _field(at: Driven, name: str) -> Input:
    return at.app.screen.query_one(f"#{name}", Input)


@case("settings")
async def _open(at: Driven) -> None:
    await _settings(at)
    assert "periodic" in at.text("#route")
    assert (_field(at, "seats").value, _field(at, "budget_usd").value) == ("4", "2")
    assert "claude-opus" in at.text("#forecast"), "every third boarding escalates"
    _field(at, "seats").value = "9"
    await at.press("escape")
    await on(at, DeskScreen)
    assert at.source.calls == [], "esc leaves everything as it was"


@case("settings.apply")
async def _apply(at: Driven) -> None:
    await _settings(at)
    _field(at, "seats").value = "0"
    await at.press("enter")
    assert "seats '0' should be greater than or equal to 1" in at.text("#forecast")
    _field(at, "seats").value = "2"
    _field(at, "budget_usd").value = "$0.50"
    _field(at, "collapse_after").value = "5"
    await at.press("right", "enter")
    await on(at, DeskScreen)
    assert at.source.calls == [("change",)]
    order = at.source.order
    assert (order.seats, order.budget_usd, order.route, order.collapse_after) == (2, 0.5, "random", 5)
    await at.settle()
    assert "random" in at.text("#status")
    assert "of $0.500" in at.text("#status")
    assert "seats 3/3" in at.text("#status"), "the third seat goes when its boarding has ended"


@case("settings.next")
async def _next(at: Driven) -> None:
    await _settings(at)
    seen = []
    for key in ("tab", "down", "tab", "down"):
        await at.press(key)
        seen.append(at.app.focused.id if at.app.focused else None)
    await at.until(lambda: "‹" not in at.text("#route"))
    assert seen == ["periodic_k", "seats", "explore_every", "audit_every"]
    await at.press("backspace", "7")
    assert _field(at, "audit_every").value == "7"


@case("settings.previous")
async def _previous(at: Driven) -> None:
    await _settings(at)
    await at.press("shift+tab")
    assert at.app.focused is not None
    assert at.app.focused.id == "theme"
    await at.press("up")
    assert at.app.focused.id == "review"


@case("settings.on")
async def _on(at: Driven) -> None:
    await _settings(at)
    before = at.text("#forecast")
    for _ in POLICIES:
        await at.press("right")
    assert at.text("#forecast") == before, "every policy, and round"
    await at.press("left", "left", "left")
    assert "cheap" in at.text("#route")
    assert "claude-opus" not in at.text("#forecast")


@case("settings.back")
async def _back(at: Driven) -> None:
    await _settings(at)
    await at.press("shift+tab", "left", "enter")
    await on(at, DeskScreen)
    assert at.app.theme == "perdura-light"


@case("settings.copy")
async def _copy(at: Driven) -> None:
    await _settings(at)
    _field(at, "seats").value = "7"
    await at.pilot.pause()
    assert "[run] seats = 7" in at.text("#lasting")
    await at.press("ctrl+y")
    await at.until(lambda: "the lines went to the clipboard" in at.text("#lasting"))
    assert at.app.clipboard == "[run]\nseats = 7\n\n[budget]\nsession_usd = 2.0\n"
