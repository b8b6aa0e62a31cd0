"""A widget that paints its own lines and repaints only those that changed."""

from typing import NamedTuple

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from perdura_tui.ink import BLANK, Line
from perdura_tui.palette import Ground, Palette

__all__ = ["Row", "Sheet"]


class Row(NamedTuple):
    """One painted line and what it stands on."""

    line: Line = BLANK
    ground: Ground = "ground"


class Sheet(Widget):
    """Subclasses give `rows`; `paint` asks for them and sends the difference to the screen."""

    DEFAULT_CSS = "Sheet { height: 1fr; width: 1fr; }"
    ALLOW_SELECT = False
    GROUND: Ground = "ground"

    def __init__(self, palette: Palette, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._palette = palette
        self._rows: list[Row] = []
        self._strips: list[Strip] = []
        self._painted_width = -1

    def rows(self, width: int, height: int) -> list[Row]:
        """What to show: at most `height` rows, none wider than `width` cells."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """What is painted, as text."""
        return "\n".join("".join(part.text for part in row.line).rstrip() for row in self._rows)

    def paint(self) -> None:
        """Ask for the rows and repaint those that differ from what is on the screen."""
        width, height = self.size
        if width <= 0 or height <= 0:
            return
        if not self._is_current():
            self.refresh()  # `render_line` draws, for the size that is known by then
            self._painted_width = -1
            return
        rows = self._drawn(width, height)
        changed = [y for y, (new, old) in enumerate(zip(rows, self._rows, strict=True)) if new != old]
        for y in changed:
            self._strips[y] = self._palette.strip(rows[y].line, width, rows[y].ground)
        self._rows = rows
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def _is_current(self) -> bool:
        return self._painted_width == self.size.width and len(self._rows) == self.size.height

    def _drawn(self, width: int, height: int) -> list[Row]:
        rows = self.rows(width, height)[:height]
        rows.extend([Row(BLANK, self.GROUND)] * (height - len(rows)))
        return rows

    def dress(self, palette: Palette) -> None:
        """Paint everything again in another theme."""
        self._palette = palette
        self._painted_width = -1
        self.refresh()

    def render_line(self, y: int) -> Strip:
        if not self._is_current():
            width, height = self.size
            self._rows = self._drawn(width, height)
            self._strips = [self._palette.strip(row.line, width, row.ground) for row in self._rows]
            self._painted_width = width
        if y >= len(self._strips):
            return self._palette.strip(BLANK, self.size.width, self.GROUND)
        return self._strips[y]
