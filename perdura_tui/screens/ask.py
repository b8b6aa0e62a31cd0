"""Asking a question."""

from typing import ClassVar, NamedTuple, get_args

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from perdura_core.vocabulary import Stake
from perdura_tui.actions import Keymap, bindings
from perdura_tui.ink import Line, Role, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.sheet import Row, Sheet
from perdura_tui.screens.dialog import Dialog

__all__ = ["AskDialog", "Asked"]

_STAKES: tuple[Stake, ...] = get_args(Stake)


class Asked(NamedTuple):
    """A question as it was typed."""

    text: str
    domains: tuple[str, ...]
    stake: Stake


class AskDialog(Dialog[Asked]):
    """Text, domains, stake. `tab` moves between the fields."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("ask")]
    AUTO_FOCUS = "#text"

    def __init__(self, palette: Palette, keymap: Keymap, domains: list[str]) -> None:
        super().__init__(palette, keymap)
        self._known = domains
        self._stake: Stake = "normal"
        self._sheet = AskSheet(palette, domains)

    def compose(self) -> ComposeResult:
        """A line for each field; the labels are painted beside them."""
        with Vertical(classes="box form"):
            yield AskTop(self.palette)
            with Horizontal(classes="field"):
                yield Label(self.palette, "question")
                yield Input(id="text", compact=True, max_length=4_000)
            with Horizontal(classes="field"):
                yield Label(self.palette, "domains")
                yield Input(id="domains", compact=True, max_length=400, placeholder="comma-separated, may stay empty")
            yield self._sheet
            yield Keys(self.keymap, self.palette, "ask", "screen", ground="raised")

    def action_stake(self) -> None:
        """Low, normal, high, low."""
        self._stake = _STAKES[(_STAKES.index(self._stake) + 1) % len(_STAKES)]
        self._sheet.show(self._stake, "")

    def action_submit(self) -> None:
        """Ask, or say what is missing."""
        text = self.query_one("#text", Input).value.strip()
        if not text:
            self._sheet.show(self._stake, "a question needs words: type them, or esc to leave it")
            return
        names = self.query_one("#domains", Input).value.split(",")
        domains = dict.fromkeys(name.strip().casefold() for name in names if name.strip())
        self.dismiss(Asked(text, tuple(domains), self._stake))


class AskTop(Sheet):
    """The title."""

    DEFAULT_CSS = "AskTop { height: 2; }"
    GROUND = "raised"

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette)

    def rows(self, width: int, height: int) -> list[Row]:
        return [Row((Run(" ask a question", "title"),), self.GROUND)]


class Label(Sheet):
    """The name of a field."""

    DEFAULT_CSS = "Label { width: 12; height: 1; }"
    GROUND = "raised"

    def __init__(self, palette: Palette, name: str) -> None:
        super().__init__(palette)
        self._text = name

    def rows(self, width: int, height: int) -> list[Row]:
        return [Row((cell(f" {self._text}", width, "faint"),), self.GROUND)]


class AskSheet(Sheet):
    """Stake, known domains, and what is missing."""

    DEFAULT_CSS = "AskSheet { height: 4; }"
    GROUND = "raised"

    def __init__(self, palette: Palette, domains: list[str]) -> None:
        super().__init__(palette)
        self._domains = domains
        self._stake: Stake = "normal"
        self._missing = ""

    def show(self, stake: Stake, missing: str) -> None:
        """Show another stake."""
        self._stake, self._missing = stake, missing
        self.paint()

    def rows(self, width: int, height: int) -> list[Row]:
        stakes: list[Run] = []
        for stake in _STAKES:
            here = stake == self._stake
            role: Role = "strong" if here else "faint"
            stakes.extend((Run("● " if here else "○ ", "accent" if here else "faint"), Run(f"{stake}   ", role)))
        known = ", ".join(self._domains) or "none yet"
        lines: list[Line] = [
            join(cell(" known", 12, "faint"), cell(known, max(width - 13, 0), "dim")),
            join(cell(" stake", 12, "faint"), stakes),
            (),
            (run(f" {self._missing}", "waiting"),) if self._missing else (),
        ]
        return [Row(line, self.GROUND) for line in lines]
