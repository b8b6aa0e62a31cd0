"""A terminal without braille, or with nothing but ASCII, shows the same desk."""

import pytest

from perdura_core.config import Glyphs
from perdura_tui.glyphs import substitutes, suited
from perdura_tui.panes.map import MapPane
from tests.tui.memories import memory_report
from tests.tui.running import Driven, busy_source, driven


def _shown(at: Driven) -> str:
    """What the terminal would show."""
    width, height = at.app.size
    lines = at.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines[:height])[: (width + 1) * height]


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["120x40", "80x24"])
async def test_in_ascii_every_screen_and_dialog_is_ascii(size: tuple[int, int]) -> None:
    source = busy_source()
    source.report = memory_report()
    for node, value in list(source.script.nodes.items()):
        source.script.nodes[node] = value.model_copy(update={"text": value.text.encode("ascii", "replace").decode()})
    async with driven(source, size, glyphs="ascii") as at:
        for key in ("1", "2", "3", "4", "5", "6", "question_mark", "escape", "ctrl+f", "escape", "1", "s", "escape"):
            await at.press(key)
            await at.until(lambda: not any(pane.is_reading for pane in at.app.screen.query(MapPane)))
            await at.settle()
            strange = {letter for letter in _shown(at) if not letter.isascii()}
            assert not strange, f"after {key}: {sorted(strange)}"


async def test_in_blocks_nothing_is_braille() -> None:
    async with driven(glyphs="blocks") as at:
        await at.settle()
        shown = _shown(at)
        assert any(letter in shown for letter in "▘▝▖▗▚▞▀▄")
        assert not any("\u2800" <= letter <= "\u28ff" for letter in shown)


@pytest.mark.parametrize(
    ("wanted", "environ", "got"),
    [
        ("auto", {}, "braille"),
        ("auto", {"LANG": "de_DE.UTF-8", "TERM": "xterm-256color"}, "braille"),
        ("auto", {"LANG": "C.utf8", "LC_ALL": "C"}, "ascii"),
        ("auto", {"LANG": "C.UTF-8", "TERM": "linux"}, "ascii"),
        ("blocks", {"LC_ALL": "C"}, "blocks"),
    ],
)
def test_what_suits_a_terminal(wanted: Glyphs, environ: dict[str, str], got: Glyphs) -> None:
    assert suited(wanted, environ) == got


@pytest.mark.parametrize("glyphs", ["blocks", "ascii"])
def test_a_substitute_is_one_character(glyphs: Glyphs) -> None:
    assert all(len(plain) == 1 for plain in substitutes(glyphs).values())
