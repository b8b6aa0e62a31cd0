"""The models and their registry, by keyboard."""

from textual.widgets import Input

from perdura_tui.panes.registry import RegistryPane
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.models import ModelsScreen
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven

__all__ = ["CASES"]

HAIKU = "anthropic:claude-haiku-5-5"


async def _models(at: Driven) -> RegistryPane:
    await at.press("4")
    await on(at, ModelsScreen)
    pane = at.app.screen.query_one(RegistryPane)
    await at.until(lambda: bool(pane.text))
    pane.select(HAIKU)
    await at.settle()
    return pane


@case("screen.models")
async def _screen(at: Driven) -> None:
    pane = await _models(at)
    assert "0.10 / 0.50" in pane.text
    assert "2 / 12" in pane.text, "the price of ordinary prompts, not of long ones"
    assert "can board" in at.text("#card")
    pane.select("gemini:gemini-3.8-flash")
    assert "gemini is not aboard" in at.text("#card")


@case("registry.enable")
async def _enable(at: Driven) -> None:
    await _models(at)
    await at.press("x")
    await at.settle()
    assert "disabled: by the operator" in at.text("#card")
    await at.press("x")
    await at.settle()
    assert "can board" in at.text("#card")


@case("registry.tier")
async def _tier(at: Driven) -> None:
    await _models(at)
    assert at.source.registry.card(HAIKU).tier == "standard"
    await at.press("t")
    await at.settle()
    assert at.source.registry.card(HAIKU).tier == "frontier"


@case("registry.edit")
async def _edit(at: Driven) -> None:
    pane = await _models(at)
    await at.press("e")
    await on(at, FormDialog)
    await at.press("enter")
    assert "nothing is changed yet" in at.text("#fault")
    at.app.screen.query_one("#field1", Input).value = "Storage, ,deploy"
    at.app.screen.query_one("#field2", Input).value = "cheap"
    await at.press("enter")
    assert "'cheap' is no number" in at.text("#fault")
    at.app.screen.query_one("#field2", Input).value = ""
    at.app.screen.query_one("#field3", Input).value = ""
    await at.press("enter")
    await on(at, ModelsScreen)
    await at.settle()
    card = at.source.registry.card(HAIKU)
    assert (card.domains, card.prices) == (("storage", "deploy"), ())
    assert "unknown" in pane.text
    assert "under a budget this model is refused" in at.text("#card")


@case("registry.sort")
async def _sort(at: Driven) -> None:
    pane = await _models(at)
    seen = []
    for _ in range(9):
        await at.press("o")
        seen.append(pane.by)
    assert seen[-1] == "reliability"
    assert len(set(seen)) == 9


@case("registry.domain")
async def _domain(at: Driven) -> None:
    pane = await _models(at)
    assert "overall" in pane.text
    await at.press("d")
    await at.until(lambda: "domain: billing" in pane.text)
