"""How the session works: seats, policy, schedules, budget, gate and theme, with what the next boardings would cost."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from perdura_core.conductor import SessionOrder
from perdura_core.errors import InputError, PerduraError
from perdura_core.routing import POLICIES
from perdura_tui.actions import Keymap, bindings
from perdura_tui.content import wrap
from perdura_tui.ink import Line, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.sheet import Row, Sheet
from perdura_tui.phrases import dollars, short_model
from perdura_tui.screens.dialog import Dialog
from perdura_tui.screens.form import FieldName
from perdura_tui.source import Source
from perdura_tui.states.settings import (
    CHOICES,
    GATES,
    MASKING,
    POLICY_WORDS,
    TYPED,
    Ahead,
    Forecast,
    chosen,
    forecast,
    order_of,
    toml_lines,
    toml_text,
    typed,
)
from perdura_tui.taking import to_clipboard

__all__ = ["Arranged", "SettingsDialog"]

_ROWS = (
    ("periodic_k", "seats"), ("explore_every", "audit_every"), ("adversarial_every", "collapse_after"), ("budget_usd",),
)  # fmt: skip
_LONGEST = 12


class Arranged(NamedTuple):
    """What the operator wants from now on."""

    order: SessionOrder
    theme: str
    said: str


class SettingsDialog(Dialog[Arranged]):
    """Shows at every change what it would mean, and gives back an order that is right. `esc` changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("settings")]
    AUTO_FOCUS = "#route"

    def __init__(
        self, source: Source, palette: Palette, keymap: Keymap, themes: Sequence[str], theme: str, config: Path
    ) -> None:
        super().__init__(palette, keymap)
        self._source = source
        self._order = source.order
        self._theme = theme
        options: Mapping[str, Mapping[str, str]] = {
            "route": {name: POLICY_WORDS[name] for name in POLICIES},
            "mask_confidence": MASKING,
            "review": {str(gate): said for gate, said in GATES.items()},
            "theme": dict.fromkeys(themes, ""),
        }
        now = chosen(self._order, theme)
        self._choosers = {name: Chooser(palette, name, now[name], options[name]) for name in CHOICES}
        self._ahead = ForecastSheet(palette)
        self._lasting = LastingSheet(palette, config)

    def compose(self) -> ComposeResult:
        """The fields, what they would mean, and what is wrong with them."""
        now = typed(self._order)
        with Vertical(classes="box form settings"):
            yield SettingsTop(self.palette)
            yield from self._choice("route")
            for row in _ROWS:
                with Horizontal():
                    for name in row:
                        yield FieldName(self.palette, TYPED[name])
                        hint = "no cap" if name == "budget_usd" else ""
                        yield Input(now[name], id=name, compact=True, max_length=_LONGEST, placeholder=hint)
            for name in ("mask_confidence", "review", "theme"):
                yield from self._choice(name)
            yield self._ahead
            yield self._lasting
            yield Keys(self.keymap, self.palette, "settings", "screen", ground="raised")

    def _choice(self, name: str) -> ComposeResult:
        with Horizontal():
            yield FieldName(self.palette, CHOICES[name])
            yield self._choosers[name]

    def on_mount(self) -> None:
        """Say what would happen as things stand."""
        self._look()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Reckon again while typing."""
        self._look()

    # What stands there

    def _fields(self) -> dict[str, str]:
        fields = {name: self.query_one(f"#{name}", Input).value for name in TYPED}
        return fields | {name: chooser.value for name, chooser in self._choosers.items()}

    def _wanted(self) -> SessionOrder:
        return order_of(self._order, self._fields(), self._source.settings)

    def _look(self) -> None:
        try:
            order = self._wanted()
            ahead = forecast(self._source.outlook(), order)
        except PerduraError as error:
            self._ahead.fail(str(error))
            return
        self._ahead.show(ahead)
        self._lasting.show(toml_lines(order, self._choosers["theme"].value, self._source.settings))

    # What the keys do

    def action_settings_next(self) -> None:
        """The next field."""
        self.focus_next()

    def action_settings_previous(self) -> None:
        """The field before."""
        self.focus_previous()

    def action_settings_on(self) -> None:
        """What comes next."""
        self._turn(1)

    def action_settings_back(self) -> None:
        """What comes before."""
        self._turn(-1)

    def _turn(self, step: int) -> None:
        if isinstance(self.focused, Chooser):
            self.focused.turn(step)
            self._look()

    def action_settings_apply(self) -> None:
        """Give it back, or say which field is wrong."""
        try:
            order = self._wanted()
        except InputError as error:
            self._ahead.fail(str(error))
            return
        cap = "no cap" if order.budget_usd is None else f"at most {dollars(round(order.budget_usd * 1e6))}"
        said = f"from now on: {order.seats} seats, {order.route}, {cap}"
        self.dismiss(Arranged(order, self._choosers["theme"].value, said))

    async def action_settings_copy(self) -> None:
        """The lines to put into the configuration file."""
        try:
            tables = toml_lines(self._wanted(), self._choosers["theme"].value, self._source.settings)
        except InputError as error:
            self._ahead.fail(str(error))
            return
        if not tables:
            self._lasting.say("the configuration says all of this already")
            return
        text = toml_text(tables)
        self.app.copy_to_clipboard(text)  # OSC 52, for a terminal that is far away
        by = "the clipboard" if await to_clipboard(text) else "the clipboard, if your terminal allows OSC 52"
        self._lasting.say(f"the lines went to {by}")


class SettingsTop(Sheet):
    """The title."""

    DEFAULT_CSS = "SettingsTop { height: 1; }"
    GROUND = "raised"

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette)

    def rows(self, width: int, height: int) -> list[Row]:
        line = join(Run(" settings", "title"), Run("  of this session and the next", "dim"))
        return [Row(line, self.GROUND)]


class Chooser(Sheet, can_focus=True):
    """One of a few words, with what it means."""

    DEFAULT_CSS = "Chooser { height: 1; }"
    GROUND = "raised"

    def __init__(self, palette: Palette, name: str, value: str, options: Mapping[str, str]) -> None:
        super().__init__(palette, id=name)
        self.value = value
        self._options = options

    def turn(self, step: int) -> None:
        """Choose another one."""
        words = list(self._options)
        self.value = words[(words.index(self.value) + step) % len(words)]
        self.paint()

    def on_focus(self) -> None:
        """Show that the keys go here."""
        self.call_later(self.paint)

    def on_blur(self) -> None:
        """Show that they no longer do; who has the focus is known after this."""
        self.call_later(self.paint)

    def rows(self, width: int, height: int) -> list[Row]:
        edge = Run("‹ ", "accent"), Run(" ›", "accent")
        plain = Run("  "), Run("  ")
        left, right = edge if self.has_focus else plain
        word = run(self.value, "accent" if self.has_focus else "strong")
        said = self._options[self.value]
        shown = max(len(self.value), 14)
        gap = Run(" " * (shown - len(self.value)))
        line = join(left, word, right, gap, cell(said, max(width - shown - 4, 0), "dim"))
        return [Row(line, "picked" if self.has_focus else self.GROUND)]


class ForecastSheet(Sheet):
    """The next boardings, one on each open question, or what is wrong with the fields."""

    GROUND = "raised"

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette, id="forecast")
        self._forecast = Forecast((), None)
        self._fault = ""

    def show(self, ahead: Forecast) -> None:
        """Show these."""
        self._forecast, self._fault = ahead, ""
        self.paint()

    def fail(self, said: str) -> None:
        """Say what is wrong instead."""
        self._fault = said
        self.paint()

    def rows(self, width: int, height: int) -> list[Row]:
        if self._fault:
            faults = [join(Run(" ✗ " if y == 0 else "   ", "waiting"), run(said, "waiting"))
                      for y, said in enumerate(wrap(self._fault, max(width - 4, 1)))]  # fmt: skip
            return [Row(line, self.GROUND) for line in ((), *faults)]
        ahead = self._forecast.ahead
        if not ahead:
            return [Row(line, self.GROUND) for line in ((), (Run(" no open question: nothing would board", "dim"),))]
        room = max(height - 4, 0)
        shown = ahead if len(ahead) <= room else ahead[: max(room - 1, 0)]
        lines = [(), _head(width), *(_line(one, width) for one in shown)]
        if len(shown) < len(ahead):
            lines.append((Run(f"   … and {len(ahead) - len(shown)} more", "faint"),))
        return [Row(line, self.GROUND) for line in (*lines, self._sum(width), self._under(width))]

    def _sum(self, width: int) -> Line:
        ahead = self._forecast
        count = sum(one.model is not None for one in ahead.ahead)
        what = f" {count} boarding{'' if count == 1 else 's'}"
        left = "" if ahead.room_micro_usd is None else f", {dollars(ahead.room_micro_usd)} left"
        return join(
            cell(what + left, max(width - 21, 0), "strong"),
            cell(dollars(ahead.expected_micro_usd), 10, "strong", right=True),
            cell(dollars(ahead.most_micro_usd), 10, "strong", right=True),
        )

    def _under(self, width: int) -> Line:
        """The same boardings under each policy; those that cost the same share a sum."""
        by_sum: dict[str, list[str]] = {}
        for policy, cost in self._forecast.under.items():
            by_sum.setdefault(dollars(cost), []).append(policy)
        said = "   ".join(f"{cost} {', '.join(policies)}" for cost, policies in by_sum.items())
        return join(cell(f" about, by policy: {said}", width, "dim"))


def _columns(width: int) -> tuple[int, int]:
    """Widths of the model and of the reason; 0: no such column."""
    rest = max(width - 6 - 12 - 21, 0)
    model = min(rest, 26)
    return model, max(rest - model, 0)


def _head(width: int) -> Line:
    model, why = _columns(width)
    return join(
        cell(" next", 6, "faint"), cell("mode", 12, "faint"), cell("model", model, "faint"), cell(" why", why, "faint"),
        cell("about", 10, "faint", right=True), cell("at most", 10, "faint", right=True),
    )  # fmt: skip


def _line(one: Ahead, width: int) -> Line:
    model, why = _columns(width)
    if one.model is None:
        return join(cell(f" {one.question}", 6), cell(f"✗ {one.why}", max(width - 7, 0), "waiting"))
    return join(
        cell(f" {one.question}", 6), cell(one.mode, 12, "dim"), cell(short_model(one.model), model, "text"),
        cell(f" {one.why}" if why else "", why, "dim"),
        cell(dollars(one.expected_micro_usd), 10, "text", right=True),
        cell(dollars(one.most_micro_usd), 10, "text", right=True),
    )  # fmt: skip


class LastingSheet(Sheet):
    """What to put where so that it holds for good."""

    DEFAULT_CSS = "LastingSheet { height: 3; }"
    GROUND = "raised"

    def __init__(self, palette: Palette, config: Path) -> None:
        super().__init__(palette, id="lasting")
        self._config = config
        self._tables: Mapping[str, Sequence[str]] = {}
        self._said = ""

    def show(self, tables: Mapping[str, Sequence[str]]) -> None:
        """Show these lines."""
        self._tables, self._said = tables, ""
        self.paint()

    def say(self, said: str) -> None:
        """Say what came of copying them."""
        self._said = said
        self.paint()

    def rows(self, width: int, height: int) -> list[Row]:
        home = str(Path.home())
        where = str(self._config)
        where = f"~{where.removeprefix(home)}" if where.startswith(home) else where
        first = join(Run(" for good: ", "faint"), cell(where, max(width - 12, 0), "dim"))
        parts = [" ".join(([f"[{table}]"] if table else []) + [f"{line};" for line in lines])
                 for table, lines in self._tables.items()]  # fmt: skip
        text = self._said or "  ".join(parts).replace("; ", "   ").rstrip(";") or "the file says all of this already"
        said = wrap(text, max(width - 2, 1))
        return [Row(line, self.GROUND) for line in (first, *(join(Run(" "), run(line, "dim")) for line in said))]
