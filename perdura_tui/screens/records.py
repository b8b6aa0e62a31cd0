"""Records in full: two models side by side, or all of them over time."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_tui.actions import Keymap, bindings
from perdura_tui.ink import Line
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import keys_line
from perdura_tui.panes.scroll import ScrollFrame
from perdura_tui.screens.dialog import Dialog
from perdura_tui.screens.grading import grade
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.source import Source
from perdura_tui.states.detail import DetailLine

__all__ = ["Page", "RecordsDialog"]

Page = Callable[[int], list[DetailLine]]
"""Lines for a width in cells."""


class RecordsDialog(Dialog[None]):
    """`enter` opens the node of the outcome under the cursor, and grades it like the inspector does."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("node")]

    def __init__(self, source: Source, palette: Palette, keymap: Keymap, title: str, page: Page) -> None:
        super().__init__(palette, keymap)
        self._source = source
        self._page = RecordsFrame(palette, keymap, title, page)

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(classes="box page"):
            yield self._page

    def on_mount(self) -> None:
        """Show it from its top."""
        self._page.rewind()
        self._page.focus()

    def action_follow(self) -> None:
        """Open the node under the cursor."""
        if self._page.target is not None:
            self.app.push_screen(InspectDialog(self._source, self.palette, self.keymap, self._page.target))

    async def action_grade_right(self) -> None:
        """Grade the answer under the cursor right, or take that back."""
        self._page.say(await grade(self._source, self._page.target, "right"))

    async def action_grade_wrong(self) -> None:
        """Grade the answer under the cursor wrong, or take that back."""
        self._page.say(await grade(self._source, self._page.target, "wrong"))


class RecordsFrame(ScrollFrame):
    """The page."""

    def __init__(self, palette: Palette, keymap: Keymap, title: str, page: Page) -> None:
        super().__init__(palette, id="records")
        self._keymap = keymap
        self._title = title
        self._draw = page

    def title(self) -> str:
        return self._title

    def foot(self, width: int) -> Line:
        return keys_line(self._keymap, width, "node", "screen")

    def page(self, width: int) -> list[DetailLine]:
        return self._draw(width)
