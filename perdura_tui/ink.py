"""What panes are painted with: runs of text in named roles, and the small marks made of them. No Textual in here.

Every run passes through `content.flat` on its way in, so that a pane cannot paint a control character.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from perdura_tui.content import fit, flat, width_of
from perdura_tui.drawn import sparkline as spark

__all__ = [
    "BLANK",
    "Line",
    "Role",
    "Run",
    "bar",
    "beside",
    "cell",
    "cells_of",
    "heat_role",
    "join",
    "run",
    "spark",
]

Role = Literal[
    "text", "strong", "dim", "faint", "title", "accent", "rule", "edge", "edge_focus",
    "disputed", "waiting", "settled", "cool", "warm", "hot", "key",
]  # fmt: skip
"""What a run means; the theme decides how it looks. Red, amber and green come only with a meaning and a glyph."""


class Run(NamedTuple):
    """A piece of one line in one role."""

    text: str
    role: Role = "text"


Line = tuple[Run, ...]
BLANK: Line = ()


def run(text: str, role: Role = "text") -> Run:
    """A run as wide as its text."""
    return Run(flat(text), role)


def cell(text: str, width: int, role: Role = "text", *, right: bool = False) -> Run:
    """A run of exactly so many cells: padded, or cut with an ellipsis."""
    return Run(fit(text, width, right=right), role)


def join(*parts: Run | Iterable[Run]) -> Line:
    """One line of runs and of groups of runs."""
    line: list[Run] = []
    for part in parts:
        if isinstance(part, Run):
            line.append(part)
        else:
            line.extend(part)
    return tuple(line)


def cells_of(line: Iterable[Run]) -> int:
    """Cells that the line takes."""
    cells = 0
    for text, _role in line:  # a loop of its own: every row of every paint is measured here
        cells += len(text) if text.isascii() else width_of(text)
    return cells


def beside(left: Line, right: Line, cells: int, fill: str = " ", role: Role = "text") -> Line:
    """`left` and `right` at the two ends of a line so wide; the right one gives way when there is no room for both."""
    gap = cells - cells_of(left) - cells_of(right)
    if gap < 0 or (gap == 0 and right):
        return left
    return join(left, Run(fill * gap, role), right)


def bar(value: float, cells: int, role: Role) -> tuple[Run, Run]:
    """A thin bar of `value` (0..1, cut off there) in half cells, on a track: `━━━╸────`."""
    halves = round(min(max(value, 0.0), 1.0) * cells * 2)
    if value > 0 and halves == 0:
        halves = 1
    drawn = "━" * (halves // 2) + ("╸" if halves % 2 else "")
    return Run(drawn[:cells], role), Run("─" * (cells - len(drawn)), "rule")


def heat_role(contention: float) -> Role:
    """How strongly a contention is coloured."""
    if contention >= 0.4:
        return "hot"
    if contention >= 0.15:
        return "warm"
    return "cool"
