"""What dialogs share: a box over the desk, closed by `esc`."""

from collections.abc import Set as AbstractSet
from typing import ClassVar, Generic, TypeVar

from textual.binding import BindingType
from textual.screen import ModalScreen

from perdura_tui.actions import Keymap, bindings
from perdura_tui.feed import Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.sheet import Sheet

__all__ = ["Dialog"]

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer], Generic[Answer]):
    """A modal screen that can change its theme while it is open."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("screen")]

    def __init__(self, palette: Palette, keymap: Keymap) -> None:
        super().__init__()
        self.palette = palette
        self.keymap = keymap

    def action_close(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Something happened. Most dialogs show what was so when they were opened."""

    def dress(self, palette: Palette) -> None:
        """Paint everything in another theme."""
        self.palette = palette
        for sheet in self.query(Sheet):
            sheet.dress(palette)
