"""Every model with its card and its record, and the one under the cursor in full."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType

from perdura_tui.actions import bindings
from perdura_tui.content import wrap
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import Frame, ListFrame, notes
from perdura_tui.panes.models import interval
from perdura_tui.panes.sheet import Row
from perdura_tui.phrases import percent, rates, seconds
from perdura_tui.states.models import FEW_OUTCOMES, rejections, survival, usd_per_surviving
from perdura_tui.states.standings import ORDERS, Standing, ordered, standings

__all__ = ["CardPane", "RegistryPane", "next_order"]

_TAIL = (
    ("outcomes", 6),
    ("survival", 6),
    ("rejections", 6),
    ("$/node", 9),
    ("seconds", 8),
    ("Brier", 7),
    ("price", 14),
)
_TITLES = {"outcomes": "out", "survival": "surv", "rejections": "rej", "seconds": "secs", "price": "$/Mtok in/out"}
_GIVES_WAY = ("Brier", "seconds", "$/node", "rejections", "survival", "outcomes")
"""Columns that go first where there is little room."""


class RegistryPane(ListFrame):
    """One line a model, in the operator's order; models that are not aboard stand last and dim."""

    TITLE = "models"
    LISTENS: frozenset[Topic] = frozenset({"models", "registry"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="registry")
        self.feed = feed
        self.by = "reliability"
        self.marked: tuple[str, ...] = ()
        """At most two models, the one marked last at the end."""
        self.show_card: Callable[[], None] = lambda: None
        """Called when the cursor stands on another model."""
        self._found: dict[str, Standing] = {}

    @property
    def standing(self) -> Standing | None:
        """The model under the cursor."""
        return self._found.get(self.selected or "")

    def mark(self) -> None:
        """Mark the model under the cursor, or take its mark back; a third one takes the place of the first."""
        key = self.selected
        if key in self.marked:
            self.marked = tuple(one for one in self.marked if one != key)
        elif key is not None:
            self.marked = (*self.marked, key)[-2:]
        self.paint()

    def keys(self) -> list[str]:
        source = self.feed.source
        rows = standings(source.registry, self.feed.board.records, source.clock.now())
        self._found = {standing.card.id: standing for standing in ordered(rows, self.by)}
        return list(self._found)

    def chosen(self) -> None:
        """Show the card of the model under the cursor."""
        self.show_card()

    def remark(self) -> Line:
        domain = self.feed.board.domain
        aboard = sum(standing.is_aboard for standing in self._found.values())
        said = f"{aboard} of {len(self._found)} aboard · by {self.by} · "
        return join(Run(said, "dim"), run("overall" if domain is None else f"domain: {domain}", "accent"))

    def head(self, width: int) -> Line:
        model, bar, tail = _columns(width, self._found)
        return join(
            cell("", 2), cell("model", model, "faint"), Run(" "), cell("tier", 9, "faint"),
            cell("reliability, 90 % sure" if bar >= 20 else "reliability", bar + 6, self._head_role("reliability")),
            *(cell(_TITLES.get(name, name), size, self._head_role(name), right=True) for name, size in tail),
        )  # fmt: skip

    def _head_role(self, name: str) -> Role:
        return "accent" if name == self.by else "faint"

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        standing = self._found[key]
        model, bar, tail = _columns(width, self._found)
        record, is_able = standing.record, standing.why_not is None
        role: Role = "text" if is_able else "dim" if standing.is_aboard or record is not None else "faint"
        few = record is None or record.outcomes < FEW_OUTCOMES
        mark = Run("◆", "accent") if key in self.marked else _mark(standing)
        figures: Line = (cell("no record here", bar + 6, "faint"),)
        if record is not None:
            figures = join(
                interval(record, bar, few), cell(f"{record.reliability:.2f}", 6, "dim" if few else "strong", right=True)
            )
        return [
            join(
                mark, Run(" "), cell(key, model, role), Run(" "), cell(standing.card.tier, 9, "dim"),
                figures,
                *(_figure(standing, name, size, few) for name, size in tail),
            )
        ]  # fmt: skip

    def empty(self, width: int) -> list[Line]:
        return notes(width, "The registry holds no model.", ("", "`perdura doctor` says what is missing."))


def _mark(standing: Standing) -> Run:
    if standing.why_not is None:
        return Run("●", "settled")
    return Run("✗", "disputed") if standing.is_aboard else Run("○", "faint")


def _figure(standing: Standing, name: str, size: int, few: bool) -> Run:
    record = standing.record
    if name == "price":
        said = rates(standing.price)
        return cell(said, size, "waiting" if standing.price is None else "dim", right=True)
    if record is None:
        return cell("–", size, "faint", right=True)
    refused, cost = rejections(record), usd_per_surviving(record)
    said, role = {
        "outcomes": (f"{record.outcomes}{'?' if few else ''}", "waiting" if few else "text"),
        "survival": (percent(survival(record)), "text"),
        "rejections": (percent(refused), "disputed" if refused is not None and refused >= 0.2 else "text"),
        "$/node": (_cost(record.cost_micro_usd, cost), "text"),
        "seconds": ("–" if record.seconds is None else f"{record.seconds:.1f}", "dim"),
        "Brier": ("–" if record.brier is None else f"{record.brier:.3f}", "dim"),
    }[name]
    return cell(said, size, role, right=True)  # type: ignore[arg-type]


def _cost(spent: int | None, per_node: float | None) -> str:
    if spent is None:
        return "unknown"
    return "–" if per_node is None else "0" if per_node == 0 else f"{per_node:.4f}"


def _columns(width: int, rows: dict[str, Standing]) -> tuple[int, int, list[tuple[str, int]]]:
    """Widths of the model and the interval, and the columns after them."""
    tail = list(_TAIL)
    for name in _GIVES_WAY:
        if width - sum(size for _, size in tail) >= 52:
            break
        tail = [column for column in tail if column[0] != name]
    longest = max((len(key) for key in rows), default=10)
    rest = width - sum(size for _, size in tail) - 2 - 1 - 9 - 6
    model = min(longest, max(rest - 12, 14), 38)
    return model, max(min(rest - model, 48), 0), tail


class CardPane(Frame):
    """The card of the model under the cursor, and what its record says in words."""

    LISTENS: frozenset[Topic] = frozenset({"models", "registry"})
    can_focus = False

    def __init__(self, registry: RegistryPane, palette: Palette) -> None:
        super().__init__(palette, id="card")
        self._registry = registry

    def title(self) -> str:
        standing = self._registry.standing
        return "card" if standing is None else standing.card.id

    def body(self, width: int, height: int) -> list[Row]:
        standing = self._registry.standing
        if standing is None:
            return []
        lines: list[Line] = []
        able = standing.why_not is None
        lines.extend(
            _said("state", "can board" if able else standing.why_not or "", "settled" if able else "waiting", width)
        )
        card = standing.card
        speciality = ", ".join(card.domains) or "no speciality"
        kind = "" if card.is_language_model else " · no language model"
        lines.extend(
            _said(
                "card",
                f"{card.tier} · {speciality} · context {card.num_ctx:,} · reply {card.max_output_tokens:,}{kind}",
                "text",
                width,
            )
        )
        lines.extend(_said("price", _prices(standing), "waiting" if not card.prices else "text", width))
        lines.extend(_said("record", _record(standing), "dim", width))
        if card.note:
            lines.extend(_said("note", card.note, "dim", width))
        return [Row(line) for line in lines[:height]]


def _said(name: str, text: str, role: Role, width: int) -> list[Line]:
    return [
        join(Run(" "), cell(name if number == 0 else "", 9, "faint"), run(line, role))
        for number, line in enumerate(wrap(text, max(width - 11, 10)))
    ]


def _prices(standing: Standing) -> str:
    if not standing.card.prices:
        return "unknown: under a budget this model is refused until a price is given"
    rows = []
    for row in sorted(standing.card.prices, key=lambda row: (row.valid_from, row.over_prompt_tokens or 0)):
        over = f" for prompts over {row.over_prompt_tokens:,} tokens" if row.over_prompt_tokens else ""
        since = f" from {row.valid_from:%Y-%m-%d}" if row.valid_from.year > 1970 else ""
        rows.append(f"{rates(row)}{over}{since}")
    return "$ per Mtok in / out: " + "; ".join(rows)


def _record(standing: Standing) -> str:
    record = standing.record
    if record is None:
        return "none yet: a record grows when others build on what a model said, or dispute it"
    few = f", few: below {FEW_OUTCOMES} it says little" if record.outcomes < FEW_OUTCOMES else ""
    parts = [
        f"reliability {record.reliability:.2f}, with 90 % certainty {record.low:.2f} to {record.high:.2f}",
        f"{record.outcomes} outcomes{few}",
        f"{record.merged} elements merged, {record.rejected} refused, {record.surviving} nodes live",
    ]
    if record.seconds is not None:
        parts.append(f"{seconds(record.seconds)} a boarding")
    if record.brier is not None:
        parts.append(f"Brier {record.brier:.3f}")
    return " · ".join(parts)


def next_order(by: str) -> str:
    """The order after this one."""
    names = list(ORDERS)
    return names[(names.index(by) + 1) % len(names)]
