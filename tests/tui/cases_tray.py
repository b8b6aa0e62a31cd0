"""The review gate, the tray, and what happened last."""

from perdura_tui.screens.boarding import BoardingDialog
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.lately import LatelyDialog
from perdura_tui.screens.tray import TrayDialog
from tests.tui.cases import CASES, case, on
from tests.tui.running import Driven
from tests.tui.script import Script

__all__ = ["CASES"]


@case("gate")
async def _gate(at: Driven) -> None:
    await at.press("R", "R", "R")
    assert at.source.calls == [("hold", "changes"), ("hold", "all"), ("hold", "off")]
    await at.press("R")
    await at.settle()
    assert "review gate changes" in at.text("#events")


def hold_three(script: Script) -> None:
    """A claim, another that refers to it, and a resolve of another boarding."""
    script.hold("b91", "anthropic:claude-haiku-5-5", {"kind": "claim", "text": "It was the cache.", "confidence": 0.8,
                "links": [{"type": "answers", "to": "q1"}]})  # fmt: skip
    script.hold("b91", "anthropic:claude-haiku-5-5", {"kind": "claim", "text": "It was not.",
                "confidence": 0.4, "links": [{"type": "contradicts", "to": "p1"}]})  # fmt: skip
    script.hold("b92", "ollama:qwen3:8b", {"kind": "resolve", "from": "q2",
                "links": [{"type": "resolved_by", "to": "i1"}]})  # fmt: skip


async def _tray(at: Driven) -> None:
    hold_three(at.source.script)
    await at.settle()
    assert "◇ 3 wait" in at.text("#status")
    await at.press("w")
    await on(at, TrayDialog)
    await at.until(lambda: "b91" in at.text("#held"))


def _waiting(at: Driven) -> list[str]:
    return list(at.feed.tray.waiting)


@case("tray")
async def _open_tray(at: Driven) -> None:
    await _tray(at)
    assert "It was the cache." in at.text("#tray")
    assert "answers" in at.text("#held")
    assert "What caused the outage" in at.text("#held")
    assert "every element waits" in at.text("#held")
    await at.press("G")
    await at.until(lambda: "resolved by" in at.text("#held"))


@case("tray.accept")
async def _accept(at: Driven) -> None:
    await _tray(at)
    await at.press("a")
    await at.until(lambda: _waiting(at) == ["p2", "p3"])
    assert at.source.calls == [("accept", "p1")]
    made = [node for node in at.source.script.nodes.values() if node.text == "It was the cache."]
    assert [node.created_by for node in made] == ["anthropic:claude-haiku-5-5"]


@case("tray.mark")
async def _accept_several(at: Driven) -> None:
    await _tray(at)
    await at.press("space", "space", "space")
    assert "3 marked" in at.text("#tray")
    await at.press("a")
    await at.until(lambda: _waiting(at) == [])
    assert at.source.calls == [("accept", "p1", "p2"), ("accept", "p3")], "one boarding at a time"
    await at.until(lambda: "Nothing waits for your word." in at.text("#tray"))


@case("tray.refuse")
async def _refuse(at: Driven) -> None:
    await _tray(at)
    await at.press("j", "r")
    await on(at, FormDialog)
    await at.press(*"too vague", "enter")
    await at.until(lambda: _waiting(at) == ["p1", "p3"])
    assert at.source.calls == [("refuse", "p2", "too vague")]


@case("tray.edit")
async def _edit(at: Driven) -> None:
    await _tray(at)
    await at.press("e")
    await on(at, FormDialog)
    await at.press("tab", "end", *(["backspace"] * 3), *"2", "enter")
    assert "write a number from 0 to 1" in at.text("#fault")
    await at.press("backspace", *"0.5", "enter")
    await at.until(lambda: _waiting(at) == ["p2", "p3"])
    assert at.source.calls == [("accept", "p1", ("confidence", 0.5))]
    await at.press("G", "e")
    await at.settle()
    assert "without words" in at.text("#events")


@case("tray.undo")
async def _undo_in_the_tray(at: Driven) -> None:
    await _tray(at)
    await at.press("a")
    await at.until(lambda: _waiting(at) == ["p2", "p3"])
    await at.press("u")
    await at.until(lambda: _waiting(at) == ["p2", "p3", "p4"])
    assert at.source.script.nodes[f"i{at.source.script.counters['i']}"].status == "deleted"


@case("tray.boarding")
async def _boarding_of_a_held_element(at: Driven) -> None:
    await _tray(at)
    await at.press("enter")
    await on(at, BoardingDialog)
    await at.until(lambda: "waits for your word" in at.text("#stay"))
    await at.press("escape")
    await on(at, TrayDialog)


@case("lately")
async def _lately(at: Driven) -> None:
    await at.press("e")
    await on(at, LatelyDialog)
    assert "boarded q7 · reader:doubt" in at.text("#lately")


@case("happened")
async def _happened(at: Driven) -> None:
    await at.press("e")
    await on(at, LatelyDialog)
    await at.press("enter")
    await on(at, BoardingDialog)
    await at.until(lambda: "b93" in at.text("#stay"))
