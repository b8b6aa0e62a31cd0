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

    def paint(self) -> None:
        """Ask for the rows and repaint those that differ from what is on the screen."""
        width, height = self.size
        if width <= 0 or height <= 0:
            return
        blank = Row(BLANK, self.GROUND)
        rows = self.rows(width, height)[:height]
        rows.extend([blank] * (height - len(rows)))
        if width != self._painted_width or len(rows) != len(self._rows):
            self._rows, self._painted_width = rows, width
            self._strips = [self._palette.strip(row.line, width, row.ground) for row in rows]
            self.refresh()
            return
        changed = [y for y, (new, old) in enumerate(zip(rows, self._rows, strict=True)) if new != old]
        for y in changed:
            self._strips[y] = self._palette.strip(rows[y].line, width, rows[y].ground)
        self._rows = rows
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def dress(self, palette: Palette) -> None:
        """Paint everything again in another theme."""
        self._palette = palette
        self._painted_width = -1
        self.paint()

    def render_line(self, y: int) -> Strip:
        if y >= len(self._strips) or self._painted_width != self.size.width:
            return self._palette.strip(BLANK, self.size.width, self.GROUND)
        return self._strips[y]

    def on_resize(self) -> None:
        """Paint for the new size."""
        self.paint()

    def on_mount(self) -> None:
        """Paint as soon as there is a size."""
        self.call_after_refresh(self.paint)
