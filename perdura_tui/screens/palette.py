"""The palette: every action by name."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from perdura_tui.actions import Action, Keymap, Place, bindings, valid_in
from perdura_tui.ink import Line, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame
from perdura_tui.panes.lines import Keys
from perdura_tui.screens.dialog import Dialog

__all__ = ["PaletteDialog"]


class PaletteDialog(Dialog[str]):
    """Gives back the id of the action that was picked."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("palette", "list")]
    AUTO_FOCUS = "#words"

    def __init__(self, palette: Palette, keymap: Keymap, *places: Place) -> None:
        super().__init__(palette, keymap)
        self._list = ActionList(palette, keymap, valid_in(*places))

    def compose(self) -> ComposeResult:
        """A line to type in, and what matches."""
        with Vertical(classes="box form palette"):
            yield Input(id="words", compact=True, placeholder="what do you want to do?")
            yield self._list
            yield Keys(self.keymap, self.palette, "palette", "screen", ground="raised")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Narrow while typing."""
        self._list.narrow(event.value)

    def action_perform(self) -> None:
        """Do what the cursor is on."""
        if self._list.selected is not None:
            self.dismiss(self._list.selected)

    def action_move_down(self) -> None:
        """Down in the list."""
        self._list.move(1)

    def action_move_up(self) -> None:
        """Up in the list."""
        self._list.move(-1)

    def action_move_first(self) -> None:
        """To the first."""
        self._list.action_move_first()

    def action_move_last(self) -> None:
        """To the last."""
        self._list.action_move_last()

    def action_page_down(self) -> None:
        """A screenful down."""
        self._list.action_page_down()

    def action_page_up(self) -> None:
        """A screenful up."""
        self._list.action_page_up()


class ActionList(ListFrame):
    """Label, key and what it does."""

    GROUND = "raised"
    IS_FRAMED = False
    can_focus = False

    def __init__(self, palette: Palette, keymap: Keymap, actions: list[Action]) -> None:
        super().__init__(palette, id="actions")
        self._keymap = keymap
        self._actions = {entry.id: entry for entry in actions}
        self._words = ""

    def narrow(self, words: str) -> None:
        """Only actions whose id, label or help hold every word."""
        self._words = words.casefold()
        self.paint()

    def keys(self) -> list[str]:
        wanted = self._words.split()
        return [
            entry.id
            for entry in self._actions.values()
            if all(word in f"{entry.id} {entry.label} {entry.help}".casefold() for word in wanted)
        ]

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        entry = self._actions[key]
        label = self._keymap.label(key)
        name = 22 if width >= 66 else 15
        return [
            join(
                Run(" "), cell(entry.label, name, "strong" if key == self.selected else "text"),
                cell(entry.help, max(width - 10 - name, 0), "dim"), cell(label, 8, "key", right=True),
            )
        ]  # fmt: skip

    def empty(self, width: int) -> list[Line]:
        return [join(Run("  "), run("No action is called that.", "dim"))]
