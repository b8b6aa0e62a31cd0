"""The picker for a swap: every model for this question, the router's favourite first."""

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.routing import Choice, list_price
from perdura_core.vocabulary import ModelId
from perdura_tui.actions import Keymap, bindings
from perdura_tui.ink import Line, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame
from perdura_tui.panes.lines import keys_line
from perdura_tui.panes.models import interval
from perdura_tui.phrases import dollars, rates
from perdura_tui.screens.dialog import Dialog
from perdura_tui.states.models import FEW_OUTCOMES
from perdura_tui.states.workers import Card

__all__ = ["SwapDialog"]


class SwapDialog(Dialog[ModelId]):
    """Gives back the model that was picked; None when none was."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("swap")]

    def __init__(self, palette: Palette, keymap: Keymap, card: Card, choices: Sequence[Choice], on: date) -> None:
        super().__init__(palette, keymap)
        self._list = ChoiceList(palette, keymap, card, choices, on)

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(classes="box picker"):
            yield self._list

    def on_mount(self) -> None:
        """The keys go to the list."""
        self._list.focus()

    def on_resize(self) -> None:
        """As high as the list is long, within the terminal."""
        self._list.styles.height = min(self._list.wished_height, self.size.height - 2)

    def action_choose(self) -> None:
        """Swap to the model under the cursor, unless it cannot board."""
        picked = self._list.picked
        if picked is not None and picked.why_not is None:
            self.dismiss(picked.card.id)


class ChoiceList(ListFrame):
    """Two lines a model: its figures, and why the router ranks it so or why it cannot board."""

    GROUND = "raised"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, palette: Palette, keymap: Keymap, card: Card, choices: Sequence[Choice], on: date) -> None:
        super().__init__(palette, id="choices")
        self._on = on
        self._keymap = keymap
        self._card = card
        self._choices = {choice.card.id: choice for choice in choices}

    @property
    def wished_height(self) -> int:
        """Lines with the frame."""
        return max(len(self._choices) * 2 + 3, 7)

    @property
    def picked(self) -> Choice | None:
        """The choice under the cursor."""
        return self._choices.get(self.selected or "")

    def title(self) -> str:
        return f"swap seat {self._card.seat} on {self._card.question}"

    def remark(self) -> Line:
        return (run(f"aboard: {self._card.model}", "dim"),)

    def foot(self, width: int) -> Line:
        return keys_line(self._keymap, width, "swap", "screen")

    def keys(self) -> list[str]:
        return list(self._choices)

    def entry_height(self, height: int, count: int) -> int:
        return 2

    def head(self, width: int) -> Line:
        name, tier, bar, price = _columns(width)
        return join(
            cell("model", name + 3, "faint"), cell("tier" if tier else "", tier, "faint"),
            cell("record, 90 % sure" if bar >= 16 else "record", bar + 5, "faint"), cell("out", 5, "faint", right=True),
            cell("$ per Mtok in / out" if price else "", price, "faint", right=True),
            cell("at most", 11, "faint", right=True),
        )  # fmt: skip

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        choice = self._choices[key]
        name, tier, bar, price = _columns(width)
        is_aboard = key == self._card.model
        barred = choice.why_not is not None
        mark = Run("● ", "accent") if is_aboard else (Run("✗ ", "faint") if barred else Run("○ ", "dim"))
        record = choice.record
        if record is None:
            figures: Line = (cell("no record yet", bar + 5, "faint"), cell("–", 5, "faint", right=True))
        else:
            few = record.outcomes < FEW_OUTCOMES
            figures = join(
                interval(record, bar, few),
                cell(f"{record.reliability:.2f}", 5, "dim" if few or barred else "strong", right=True),
                cell(str(record.outcomes), 5, "dim", right=True),
            )
        first = join(
            Run(" "), mark, cell(key, name, "faint" if barred else "strong"),
            cell(choice.card.tier, tier, "dim"), figures,
            cell(rates(list_price(choice.card, self._on)) if price else "", price, "dim", right=True),
            cell(dollars(choice.cost_micro_usd), 11, "text", right=True),
        )  # fmt: skip
        kind = "" if choice.card.is_language_model else " · no language model"
        rank = "" if tier else f"{choice.card.tier} · "
        said = cell(rank + (choice.why_not or choice.reason + kind), max(width - 4, 0), "waiting" if barred else "dim")
        return [first, join(Run("   "), said)]

    def empty(self, width: int) -> list[Line]:
        return [join(Run("  The registry holds no model: `perdura doctor` says what is missing.", "dim"))]


def _columns(width: int) -> tuple[int, int, int, int]:
    """Widths of the name, the tier, the interval bar and the price; 0: no such column."""
    price, tier = (20, 10) if width >= 86 else (0, 0)
    rest = width - 4 - tier - 5 - 5 - price - 11
    name = max(min(rest - 10, 34), 14)
    return name + 1, tier, max(rest - name, 0), price
