"""One line of a page that scrolls."""

from typing import NamedTuple

from perdura_tui.ink import BLANK, Line

__all__ = ["DetailLine"]


class DetailLine(NamedTuple):
    """One line, and where `enter` leads from it: a node, or a proposal."""

    line: Line = BLANK
    target: str | None = None
