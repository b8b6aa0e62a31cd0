"""Pane 3: the seats, a card each, with what streams from them."""

from typing import ClassVar

from textual.binding import BindingType

from perdura_core.vocabulary import Phase
from perdura_tui.actions import bindings
from perdura_tui.content import wrap
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.phrases import dollars, seconds, short_model
from perdura_tui.states.workers import Card, spoken, tokens_per_s

__all__ = ["PHASES", "WorkersPane"]

PHASES: dict[Phase, Run] = {
    "empty": Run("○", "faint"),
    "routing": Run("◌", "waiting"),
    "briefing": Run("◔", "waiting"),
    "waiting": Run("◐", "waiting"),
    "streaming": Run("●", "accent"),
    "repairing": Run("◑", "waiting"),
    "merging": Run("◆", "settled"),
    "paused": Run("‖", "waiting"),
}
_ROOM_FOR_INSTEAD = 3
"""Lines under the first from which on there is room for whom other policies would have sent."""
_MARGIN = "     "


class WorkersPane(ListFrame):
    """Phase, model, question, reason, elapsed, speed, cost, merged and refused; below, the tail of the stream."""

    NUMBER = 3
    TITLE = "workers"
    LISTENS: frozenset[Topic] = frozenset({"workers"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="workers")
        self.feed = feed
        self._model_width = 16

    def keys(self) -> list[str]:
        if self.feed.seat is not None:
            self.selected = str(self.feed.seat)
        cards = self.feed.workers.cards
        self._model_width = max((len(card.model) for card in cards.values() if card.model), default=16)
        return [str(seat) for seat in sorted(cards)]

    def chosen(self) -> None:
        self.feed.seat = None if self.selected is None else int(self.selected)

    def remark(self) -> Line:
        seats, aboard = len(self.feed.workers.cards), self.feed.workers.aboard
        if not seats:
            return ()
        return (run(f"{aboard}/{seats}" if self.tabs else f"{aboard} of {seats} seats taken", "dim"),)

    def entry_height(self, height: int, count: int) -> int:
        return min(max(height // count, 2), 7)

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        card = self.feed.workers.cards[int(key)]
        now_s = self.feed.now_s
        if not card.is_aboard:
            return [_empty_seat(card, width), _past(card, width)]
        first = [_wide(card, now_s, width, self._model_width)] if width >= 92 else _narrow(card, now_s, width)
        if card.instead and height - len(first) >= _ROOM_FOR_INSTEAD:
            told = f"others would have sent {card.instead}"
            first.append(join(Run(_MARGIN), cell(told, width - len(_MARGIN), "faint")))
        return first + _stream(card, width, height - len(first))

    def empty(self, width: int) -> list[Line]:
        if self.feed.source.is_readonly:
            return notes(
                width, "Nobody is aboard.", ("", "This desk only watches: workers of other processes show here.")
            )
        return notes(width, "Nobody is aboard.", ("space", "starts a session: a worker takes each seat."))


def _wide(card: Card, now_s: float, width: int, model: int) -> Line:
    model = min(model, max(width - 82, 12))
    counts = _counts(card, now_s)
    fixed = 2 + 2 + 10 + 1 + model + 1 + 6 + 1 + 1 + sum(len(part.text) for part in counts)
    return join(
        *_label(card), Run(" "),
        cell(card.model or "", model, "strong"), Run(" "),
        cell(card.question or "", 6, "text"), Run(" "),
        cell(_why(card), max(width - fixed, 0), "dim"), Run(" "),
        counts,
    )  # fmt: skip


def _narrow(card: Card, now_s: float, width: int) -> list[Line]:
    model = short_model(card.model or "")
    left = join(*_label(card), Run(" "), cell(model, max(width - 15 - 7 - 17, 8), "strong"), Run(" "),
                cell(card.question or "", 6, "text"))  # fmt: skip
    tally = join(
        cell(str(card.merged), 4, "settled" if card.merged else "faint", right=True),
        Run(" ✓", "settled" if card.merged else "faint"),
        cell(str(card.rejected), 4, "disputed" if card.rejected else "faint", right=True),
        Run(" ✗", "disputed" if card.rejected else "faint"),
    )
    rate = tokens_per_s(card, now_s)
    figures = "   ".join(
        part
        for part in (
            seconds(card.elapsed_at(now_s)),
            f"{rate:.0f} tok/s" if rate is not None else "",
            dollars(card.cost_micro_usd),
        )
        if part
    )
    figures_run = run(figures, "dim")
    second = join(
        Run(_MARGIN), cell(_why(card), max(width - len(_MARGIN) - len(figures) - 2, 0), "dim"), Run("  "), figures_run
    )
    return [join(left, tally), second]


def _label(card: Card) -> tuple[Run, ...]:
    mark = PHASES[card.phase]
    return cell(str(card.seat), 2, "text"), mark, Run(" "), cell(card.phase, 9, mark.role)


def _why(card: Card) -> str:
    return card.reason if card.mode in (None, "organic") else f"{card.mode} · {card.reason}"


def _counts(card: Card, now_s: float) -> Line:
    rate = tokens_per_s(card, now_s)
    refused: Role = "disputed" if card.rejected else "faint"
    merged: Role = "settled" if card.merged else "faint"
    return join(
        cell(seconds(card.elapsed_at(now_s)), 8, "text", right=True),
        cell("" if rate is None else f"{rate:.0f} tok/s", 11, "dim", right=True),
        cell(dollars(card.cost_micro_usd), 9, "text", right=True),
        cell(str(card.merged), 4, merged, right=True), Run(" ✓", merged),
        cell(str(card.rejected), 4, refused, right=True), Run(" ✗", refused),
    )  # fmt: skip


def _stream(card: Card, width: int, height: int) -> list[Line]:
    """The last lines of what streams; before anything does, what the boarding before it came to."""
    if height <= 0:
        return []
    if not card.tail:
        return [_past(card, width)]
    said = spoken(card.tail[-max(width * (height + 2), 400) :] if "{" not in card.tail else card.tail)
    lines = wrap(said, max(width - len(_MARGIN) - 2, 1))
    lines = [line for line in lines if line.strip()]
    if len(lines) > height:
        lines = ["… " + lines[-height].lstrip(), *lines[len(lines) - height + 1 :]]
    role: Role = "faint" if card.is_thought else "dim"
    return [join(Run(_MARGIN), cell(line, width - len(_MARGIN), role)) for line in lines]


def _past(card: Card, width: int) -> Line:
    past = card.past
    if past is None:
        return ()
    text = f"before: {short_model(past.model)} on {past.question} {past.ending}, {past.merged} kept"
    if past.rejected:
        text += f", {past.rejected} refused"
    if past.reason and past.ending not in ("merged", "swapped"):
        text += f": {past.reason}"
    return join(Run(_MARGIN), cell(text, width - len(_MARGIN), "faint"))


def _empty_seat(card: Card, width: int) -> Line:
    return join(*_label(card), Run(" "), cell(card.reason or "waits for the router", width - 15, "dim"))
