"""Leaving while workers are aboard."""

from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_tui.actions import Keymap, bindings
from perdura_tui.ink import Line, Run, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.sheet import Row, Sheet
from perdura_tui.screens.dialog import Dialog

__all__ = ["LeaveDialog", "Leaving"]

Leaving = Literal["finish", "cancel"]


class LeaveDialog(Dialog[Leaving]):
    """Finish, cancel or stay. None: stay."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("leave")]

    def __init__(self, palette: Palette, keymap: Keymap, aboard: int) -> None:
        super().__init__(palette, keymap)
        self._aboard = aboard

    def compose(self) -> ComposeResult:
        """What each choice means."""
        with Vertical(classes="box form leave"):
            yield LeaveSheet(self.palette, self.keymap, self._aboard)

    def action_leave_finish(self) -> None:
        """Let them end."""
        self.dismiss("finish")

    def action_leave_cancel(self) -> None:
        """End them."""
        self.dismiss("cancel")

    def action_leave_stay(self) -> None:
        """Stay."""
        self.dismiss(None)


class LeaveSheet(Sheet):
    """Who is aboard, and the three ways."""

    DEFAULT_CSS = "LeaveSheet { height: 6; }"
    GROUND = "raised"

    def __init__(self, palette: Palette, keymap: Keymap, aboard: int) -> None:
        super().__init__(palette)
        self._keymap = keymap
        self._aboard = aboard

    def rows(self, width: int, height: int) -> list[Row]:
        who = "1 worker is aboard." if self._aboard == 1 else f"{self._aboard} workers are aboard."
        lines: list[Line] = [(Run(f" {who}", "title"),), ()]
        for action_id, text in (
            ("leave.finish", "let them end, then leave"),
            ("leave.cancel", "end them now; what they sent whole stays; then leave"),
            ("leave.stay", "stay on the desk"),
        ):
            lines.append(join(Run(" "), run(f"{self._keymap.label(action_id)}  ", "key"), Run(text)))
        return [Row(line, self.GROUND) for line in lines]
