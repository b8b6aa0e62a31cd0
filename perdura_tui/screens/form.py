"""A few lines to fill in: a scope, a reason, the parts of an element."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from perdura_core.errors import InputError
from perdura_tui.actions import Keymap, bindings
from perdura_tui.content import wrap
from perdura_tui.ink import Run, cell, run
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.sheet import Row, Sheet
from perdura_tui.screens.dialog import Dialog
from perdura_tui.states.tray import Field

__all__ = ["FormDialog"]

_MOST_SAID = 6


class FormDialog(Dialog[Mapping[str, str]]):
    """Gives back what was typed, by the names of the fields, once `check` raises no InputError about it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("form")]

    def __init__(
        self,
        palette: Palette,
        keymap: Keymap,
        title: str,
        said: str,
        fields: Sequence[Field],
        check: Callable[[Mapping[str, str]], object],
    ) -> None:
        super().__init__(palette, keymap)
        self._fields = fields
        self._check = check
        self._top = FormTop(palette, title, said)
        self._fault = FormFault(palette)

    def compose(self) -> ComposeResult:
        """What it is about, a line for each field, and what is wrong."""
        with Vertical(classes="box form"):
            yield self._top
            for number, (name, value) in enumerate(self._fields):
                with Horizontal(classes="field"):
                    yield FieldName(self.palette, name)
                    yield Input(value, id=f"field{number}", compact=True, max_length=8_000)
            yield self._fault
            yield Keys(self.keymap, self.palette, "form", "screen", ground="raised")

    def on_mount(self) -> None:
        """Start in the first field."""
        self.query_one("#field0", Input).focus()

    def action_fill(self) -> None:
        """Give it back, or say what is wrong with it."""
        typed = {name: self.query_one(f"#field{number}", Input).value for number, (name, _) in enumerate(self._fields)}
        try:
            self._check(typed)
        except InputError as error:
            self._fault.show(str(error))
        else:
            self.dismiss(typed)


class FormTop(Sheet):
    """The title, and what the form is about."""

    GROUND = "raised"

    def __init__(self, palette: Palette, title: str, said: str) -> None:
        super().__init__(palette, id="form")
        self._title, self._said = title, said

    def on_resize(self) -> None:
        """As high as the words need."""
        self.styles.height = 2 + len(self._lines(self.size.width))

    def _lines(self, width: int) -> list[str]:
        lines = wrap(self._said, max(width - 2, 1))
        if len(lines) > _MOST_SAID:
            lines = [*lines[: _MOST_SAID - 1], f"{lines[_MOST_SAID - 1][: width - 4]} …"]
        return lines

    def rows(self, width: int, height: int) -> list[Row]:
        said = [Row((Run(" "), run(line, "dim")), self.GROUND) for line in self._lines(width)]
        return [Row((Run(" "), cell(self._title, max(width - 2, 0), "title")), self.GROUND), *said]


class FieldName(Sheet):
    """The name of a field."""

    DEFAULT_CSS = "FieldName { width: 13; height: 1; }"
    GROUND = "raised"

    def __init__(self, palette: Palette, name: str) -> None:
        super().__init__(palette)
        self._text = name

    def rows(self, width: int, height: int) -> list[Row]:
        return [Row((cell(f" {self._text}", width, "faint"),), self.GROUND)]


class FormFault(Sheet):
    """What is wrong with what was typed."""

    DEFAULT_CSS = "FormFault { height: 2; }"
    GROUND = "raised"

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette, id="fault")
        self._said = ""

    def show(self, said: str) -> None:
        """Say it."""
        self._said = said
        self.paint()

    def rows(self, width: int, height: int) -> list[Row]:
        return [Row((Run(" "), run(line, "waiting")), self.GROUND) for line in wrap(self._said, max(width - 2, 1))]
