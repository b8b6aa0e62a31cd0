"""How the desk shares a terminal among its panes: pure arithmetic."""

from typing import Literal, NamedTuple

__all__ = ["LEAST_HEIGHT", "LEAST_WIDTH", "TALL", "Arrangement", "arrange"]

Shape = Literal["panes", "tabs", "too_small"]

WIDE, TALL = 100, 30
"""From this size on all panes are visible."""
LEAST_WIDTH, LEAST_HEIGHT = 60, 15


class Arrangement(NamedTuple):
    """Sizes in cells. With `panes`: three rows of panes. With `tabs`: one pane, and the seats in brief under it."""

    shape: Shape
    left: int = 0
    """Width of the left pane in the first and third row."""
    left_low: int = 0
    top: int = 0
    middle: int = 0
    bottom: int = 0
    seats: int = 0
    """Lines for the seats in brief."""


def arrange(width: int, height: int, seats: int) -> Arrangement:
    """Share out a terminal. `seats`: how many the session has; 0 without one."""
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return Arrangement("too_small")
    room = height - 3  # status, events, keys
    if width < WIDE or height < TALL:
        return Arrangement("tabs", seats=min(seats, 3 if height < 22 else 4) if height >= 19 else 0)
    # A card needs two lines; with more room it shows more of its stream.
    lines_each = 2 if height < 46 else 3
    middle = min(max(seats, 2) * lines_each + 2, room // 3 + 1)
    bottom = min(max((room - middle) * 2 // 5, 7), 18)
    return Arrangement("panes", width // 2, min(width * 9 // 20, 90), room - middle - bottom, middle, bottom)
