"""What a terminal shows that is too small for the desk."""

from perdura_tui.ink import Run, run
from perdura_tui.palette import Palette
from perdura_tui.panes.sheet import Row, Sheet

__all__ = ["TooSmall"]


class TooSmall(Sheet):
    """Says what size is needed; the mind goes on meanwhile."""

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette, id="small")

    def rows(self, width: int, height: int) -> list[Row]:
        said = ["Perdura needs 60 x 15.", f"This is {width} x {height}.", "Work goes on."]
        above = max((height - len(said)) // 2, 0)
        rows = [Row()] * above
        for index, text in enumerate(said):
            left = " " * max((width - len(text)) // 2, 0)
            rows.append(Row((Run(left), run(text, "title" if index == 0 else "dim"))))
        return rows
