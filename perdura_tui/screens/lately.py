"""What happened last, to open."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.vocabulary import Event
from perdura_tui.actions import Keymap, bindings
from perdura_tui.ink import Line, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame
from perdura_tui.panes.lines import keys_line
from perdura_tui.phrases import clock_time, sentence, tone
from perdura_tui.screens.dialog import Dialog

__all__ = ["LatelyDialog"]


class LatelyDialog(Dialog[Event]):
    """Gives back the event that was picked."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("events")]

    def __init__(self, palette: Palette, keymap: Keymap, lately: tuple[Event, ...]) -> None:
        super().__init__(palette, keymap)
        self._list = EventList(palette, keymap, lately)

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(classes="box page"):
            yield self._list

    def on_mount(self) -> None:
        """The keys go to the list."""
        self._list.focus()

    def action_happened(self) -> None:
        """Open what the cursor is on."""
        picked = self._list.picked
        if picked is not None:
            self.dismiss(picked)


class EventList(ListFrame):
    """A line an event, the newest first."""

    GROUND = "raised"
    TITLE = "what happened last"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, palette: Palette, keymap: Keymap, lately: tuple[Event, ...]) -> None:
        super().__init__(palette, id="lately")
        self._keymap = keymap
        self._events = {str(event.seq): event for event in reversed(lately)}

    @property
    def picked(self) -> Event | None:
        """The event under the cursor."""
        return self._events.get(self.selected or "")

    def keys(self) -> list[str]:
        return list(self._events)

    def foot(self, width: int) -> Line:
        return keys_line(self._keymap, width, "events", "screen")

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        event = self._events[key]
        return [
            join(
                Run(" "), run(clock_time(event.at), "faint"), Run("  "),
                cell(event.boarding or "", 6, "accent" if event.boarding else "faint"),
                cell(sentence(event), max(width - 18, 0), tone(event)),
            )
        ]  # fmt: skip

    def empty(self, width: int) -> list[Line]:
        return [join(Run("  "), run("Nothing has happened in this mind yet.", "dim"))]
