"""A page that scrolls."""

from typing import ClassVar

from textual.binding import BindingType

from perdura_tui.actions import bindings
from perdura_tui.ink import Line, Run, join, run
from perdura_tui.palette import Ground, Palette
from perdura_tui.panes.frame import Frame
from perdura_tui.panes.sheet import Row
from perdura_tui.states.detail_line import DetailLine

__all__ = ["ScrollFrame"]


class ScrollFrame(Frame):
    """Subclasses give `page`. The cursor stops at the lines that lead somewhere; between them the page scrolls."""

    GROUND: Ground = "raised"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self._lines: list[DetailLine] = []
        self._cursor: int | None = None
        self._first = 0
        self._height = 1
        self._said = ""

    def page(self, width: int) -> list[DetailLine]:
        """Every line of the page, laid out for a width in cells."""
        raise NotImplementedError

    def rewind(self) -> None:
        """Show the page from its top."""
        self._first, self._cursor, self._said = 0, None, ""
        self.paint()

    def say(self, said: str) -> None:
        """Answer what the operator just tried, in the upper edge."""
        self._said = said
        self.paint()

    @property
    def target(self) -> str | None:
        """Where the cursor's line leads."""
        return None if self._cursor is None else self._lines[self._cursor].target

    def remark(self) -> Line:
        if self._said:
            return (run(self._said, "waiting"),)
        hidden = len(self._lines) - self._height
        if hidden <= 0:
            return ()
        return (run(f"{min(self._first + self._height, len(self._lines))} of {len(self._lines)}", "dim"),)

    def body(self, width: int, height: int) -> list[Row]:
        self._height = height
        self._lines = self.page(width - 1)
        if self._cursor is None or self._cursor >= len(self._lines):
            self._cursor = next((y for y, line in enumerate(self._lines) if line.target), None)
        self._first = max(min(self._first, len(self._lines) - height), 0)
        rows: list[Row] = []
        for y, (line, _) in enumerate(self._lines[self._first : self._first + height], self._first):
            if y == self._cursor:
                rows.append(Row(join(Run("▌", "accent"), _without_margin(line)), self.row_ground))
            else:
                rows.append(Row(line, self.GROUND))
        return rows

    def thumb(self, height: int) -> range | None:
        if len(self._lines) <= self._height:
            return None
        size = max(height * self._height // len(self._lines), 1)
        top = (height - size) * self._first // max(len(self._lines) - self._height, 1)
        return range(top, top + size)

    def _step(self, by: int) -> None:
        """To the next line that leads somewhere if it is near, else scroll by a line."""
        stops = [y for y, line in enumerate(self._lines) if line.target]
        ahead = [y for y in stops if self._cursor is not None and (y - self._cursor) * by > 0]
        following = (ahead[0] if by > 0 else ahead[-1]) if ahead else None
        if following is not None and self._first - 1 <= following <= self._first + self._height:
            self._cursor = following
            self._first = min(max(self._first, following - self._height + 1), following)
        else:
            self._first += by
        self.paint()

    def _scroll(self, by: int) -> None:
        self._first = max(min(self._first + by, len(self._lines) - self._height), 0)
        shown = range(self._first, self._first + self._height)
        stops = [y for y in shown if y < len(self._lines) and self._lines[y].target]
        if stops and self._cursor not in shown:
            self._cursor = stops[0] if by > 0 else stops[-1]
        self.paint()

    def on_mouse_scroll_down(self) -> None:
        """The wheel scrolls."""
        self._scroll(2)

    def on_mouse_scroll_up(self) -> None:
        """The wheel scrolls."""
        self._scroll(-2)

    def action_move_down(self) -> None:
        """Down."""
        self._step(1)

    def action_move_up(self) -> None:
        """Up."""
        self._step(-1)

    def action_move_first(self) -> None:
        """To the top."""
        self._scroll(-len(self._lines))

    def action_move_last(self) -> None:
        """To the end."""
        self._scroll(len(self._lines))

    def action_page_down(self) -> None:
        """A page down."""
        self._scroll(self._height - 1)

    def action_page_up(self) -> None:
        """A page up."""
        self._scroll(1 - self._height)


def _without_margin(line: Line) -> Line:
    return line[1:] if line and line[0].text == " " else line
