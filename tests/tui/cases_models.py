"""The models and their registry, by keyboard."""

from textual.widgets import Input

from perdura_tui.panes.registry import RegistryPane
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.models import ModelsScreen
from perdura_tui.screens.records import RecordsDialog
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


@case("registry.mark")
async def _mark(at: Driven) -> None:
    pane = await _models(at)
    await at.press("space")
    assert pane.marked == (HAIKU,)
    assert "◆" in pane.text
    await at.press("space")
    assert pane.marked == ()
    assert "◆" not in pane.text


@case("registry.compare")
async def _compare(at: Driven) -> None:
    pane = await _models(at)
    await at.press("c")
    assert isinstance(at.app.screen, ModelsScreen), "one model is no pair"
    pane.select(HAIKU)
    await at.press("space")
    pane.select("reader:support")
    await at.press("space")
    assert pane.marked == (HAIKU, "reader:support")
    await at.press("c")
    await on(at, RecordsDialog)
    await at.until(lambda: "is the more reliable one with a chance of 0.75" in at.text("#records"))
    assert "settled for by operator" in at.text("#records")
    await at.press("v")
    await at.until(lambda: "is graded right" in at.text("#records"))
    await at.press("enter")
    await on(at, InspectDialog)


@case("registry.history")
async def _history(at: Driven) -> None:
    await _models(at)
    await at.press("h")
    await on(at, RecordsDialog)
    await at.until(lambda: "outcomes" in at.text("#records"))
    assert "claude-haiku-5-5" in at.text("#records")


async def _claim(at: Driven) -> str:
    """The inspector, open on a claim."""
    node = next(vertex.id for vertex in at.source.graph.vertices("interpretation") if vertex.is_live)
    at.app.push_screen(InspectDialog(at.source, at.desk.palette, at.desk.keymap, node))
    await at.until(lambda: bool(at.app.screen.query("#page")) and node in at.text("#page"))
    return node


@case("grade.right")
async def _right(at: Driven) -> None:
    node = await _claim(at)
    await at.press("v")
    await at.until(lambda: f"{node} is graded right; u takes it back" in at.text("#page"))
    assert "right, by the operator" in at.text("#page")
    await at.press("v")
    await at.until(lambda: f"the grade of {node} is taken back" in at.text("#page"))


@case("grade.wrong")
async def _wrong(at: Driven) -> None:
    node = await _claim(at)
    await at.press("x")
    await at.until(lambda: f"{node} is graded wrong" in at.text("#page"))
    assert "wrong, by the operator" in at.text("#page")
