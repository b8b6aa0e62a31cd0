"""From runs in roles to strips in a theme's colours."""

from functools import lru_cache
from typing import Literal

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from perdura_core.config import Glyphs
from perdura_tui.content import flat, width_of
from perdura_tui.glyphs import substitutes
from perdura_tui.ink import Line, Role
from perdura_tui.themes import Theme

__all__ = ["Ground", "Palette"]

Ground = Literal["ground", "raised", "selected", "picked"]
"""What a line stands on: the desk, a dialog, and the row under the cursor in either."""

_GROUNDS: tuple[Ground, ...] = ("ground", "raised", "selected", "picked")


class Palette:
    """One theme, ready to paint with, in the characters that the terminal has."""

    def __init__(self, theme: Theme, glyphs: Glyphs = "braille") -> None:
        self.theme = theme
        self._substitutes = substitutes(glyphs)
        self._styles = {(role, ground): style for ground in _GROUNDS for role, style in _styles(theme, ground).items()}

    def style(self, role: Role, ground: Ground = "ground") -> Style:
        """How a role looks on a ground."""
        return self._styles[role, ground]

    def strip(self, line: Line, width: int, ground: Ground = "ground") -> Strip:
        """The line, exactly so many cells wide."""
        styles, others = self._styles, self._substitutes
        segments, cells = [], 0
        for text, role in line:
            if text:
                shown = text if text.isprintable() else flat(text)
                cells += len(shown) if shown.isascii() else width_of(shown)
                segments.append(Segment(shown.translate(others) if others else shown, styles[role, ground]))
        if cells == width:  # a substitute is as wide as what it stands for
            return Strip(segments, cells)
        return Strip(segments).adjust_cell_length(width, styles["text", ground])


@lru_cache(maxsize=64)
def _styles(theme: Theme, ground: Ground) -> dict[Role, Style]:
    colours = theme.colours
    is_row = ground in ("selected", "picked")
    around = colours.raised if ground in ("raised", "picked") else colours.ground
    back = colours.selected if is_row else around

    def ink(colour: str, *, bold: bool = False, dim: bool = False) -> Style:
        return Style(color=colour, bgcolor=back, bold=bold, dim=dim)

    # Sixteen colours have no two greys that are legible on every ground, and no tint for a row.
    strong_row = theme.ansi and is_row
    return {
        "text": ink(colours.text, bold=strong_row),
        "strong": ink(colours.strong, bold=theme.ansi),
        "title": ink(colours.strong, bold=True),
        "dim": ink(colours.dim, dim=theme.ansi),
        "faint": ink(colours.faint),
        "rule": ink(colours.rule),
        "edge": Style(color=colours.rule, bgcolor=around),
        "edge_focus": Style(color=colours.accent, bgcolor=around),
        "accent": ink(colours.accent),
        "key": ink(colours.accent, bold=True),
        "disputed": ink(colours.disputed),
        "waiting": ink(colours.waiting),
        "settled": ink(colours.settled),
        "cool": ink(colours.cool),
        "warm": ink(colours.warm),
        "hot": ink(colours.hot, bold=True),
    }
