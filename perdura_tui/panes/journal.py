"""The journal, newest at the bottom, and the line that says where in it the desk stands."""

from typing import ClassVar

from textual.binding import BindingType

from perdura_core.vocabulary import Event
from perdura_tui.actions import bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.panes.sheet import Row, Sheet
from perdura_tui.phrases import is_quiet, sentence, short_model, tone

__all__ = ["JournalPane", "Timeline"]

_NEAR_EDGE = 40
"""Rows from either end of the stretch at which the next page is read."""


class JournalPane(ListFrame):
    """One line an event. The cursor stays at the newest until it is moved; what is later than the moment is faint."""

    TITLE = "journal"
    LISTENS: frozenset[Topic] = frozenset({"journal"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="journal")
        self.feed = feed
        self.follows = True
        """Whether the cursor stays at the newest event."""
        self._found: dict[str, Event] = {}

    @property
    def event(self) -> Event | None:
        """What the cursor is on."""
        return self._found.get(self.selected or "")

    def stand_at(self, seq: int) -> None:
        """Put the cursor on an event, reading the journal around it if need be."""
        self.follows = False
        self.selected = str(seq)
        journal = self.feed.journal
        if not journal.after < seq <= journal.last:
            self.feed.look_around(seq)
        self.paint()

    def go_to_newest(self) -> None:
        """Follow again."""
        self.follows = True
        if self.feed.journal.last < self.feed.live.graph.head:
            self.feed.look_for(self.feed.journal.words)
        self.paint()

    def keys(self) -> list[str]:
        self._found = {str(event.seq): event for event in self.feed.journal.rows}
        keys = list(self._found)
        if self.follows and keys:
            self.selected = keys[-1]
        return keys

    def chosen(self) -> None:
        """Read on where the cursor comes near an end."""
        rows = len(self._found)
        if self._place < _NEAR_EDGE and self.feed.journal.after > 0:
            self.feed.page("older")
        elif self._place > rows - _NEAR_EDGE and not self.follows:
            self.feed.page("newer")

    def move(self, rows: int) -> None:
        """Move the cursor; at the newest event it follows again."""
        self.follows = False
        super().move(rows)
        at_end = self._place >= self._count - 1
        self.follows = at_end and self.feed.journal.last >= self.feed.live.graph.head and self.feed.past is None

    def action_move_first(self) -> None:
        """To the first event of all."""
        if self.feed.journal.after > 0:
            self.feed.look_around(0)
            self.follows, self.selected, self._place = False, None, 0
        else:
            super().action_move_first()

    def action_move_last(self) -> None:
        """To the newest event, and follow."""
        self.go_to_newest()

    def remark(self) -> Line:
        journal = self.feed.journal
        if journal.words.strip():
            looked = f"{len(journal.rows):,} found in {journal.after + 1:,} to {journal.last:,}, esc shows all"
            return join(run(f"/{journal.words.strip()}", "accent"), Run(f"  {looked}", "dim"))
        head = self.feed.live.graph.head
        return join(
            Run(f"{head:,} events · ", "dim"), Run("following", "accent") if self.follows else Run("held", "dim")
        )

    def head(self, width: int) -> Line:
        time, said, boarding = _columns(width)
        return join(
            cell("event", _SEQ, "faint", right=True), Run("  "), cell("time", time, "faint"), Run("  "),
            cell("what happened", said, "faint"), Run("  "),
            cell("boarding", boarding, "faint"), cell("by", _BY, "faint"),
        )  # fmt: skip

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        event = self._found[key]
        past = self.feed.past
        is_here = past is not None and event.seq == past.moment.seq
        is_later = past is not None and event.seq > past.moment.seq
        role: Role = "faint" if is_later else "dim" if is_quiet(event) else _plain(tone(event))
        side: Role = "faint" if is_later else "dim"
        mark = Run("▶" if is_here else " ", "waiting")
        said = sentence(event).removesuffix(f" · {short_model(event.by)}")
        time, room, boarding = _columns(width)
        at = f"{event.at.astimezone():%Y-%m-%d %H:%M:%S}"
        return [
            join(
                cell(f"{event.seq}", _SEQ, side, right=True), Run(" "), mark,
                cell(at[-time:], time, side), Run("  "),
                cell(said, room, "waiting" if is_here else role), Run("  "),
                cell(event.boarding or "", boarding, side), cell(short_model(event.by), _BY, side),
            )
        ]  # fmt: skip

    def empty(self, width: int) -> list[Line]:
        if self.feed.journal.words.strip():
            return notes(width, f"No event says {self.feed.journal.words.strip()!r}.", ("esc", "shows all events."))
        return notes(width, "Reading the journal…")


_ROOMY = 90
_SEQ = 8
_BY = 18


def _columns(width: int) -> tuple[int, int, int]:
    """Cells for the time, for what happened and for the boarding: where room is short, neither year nor boarding."""
    time, boarding = (19, 10) if width >= _ROOMY else (14, 0)
    return time, max(width - _SEQ - 2 - time - 2 - 2 - boarding - _BY, 10), boarding


def _plain(role: Role) -> Role:
    return "text" if role == "dim" else role


class Timeline(Sheet):
    """The whole journal as one line, with the place of the moment, or of the present at its end."""

    DEFAULT_CSS = "Timeline { height: 1; }"
    LISTENS: ClassVar[frozenset[Topic]] = frozenset({"journal", "status"})

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="timeline")
        self.feed = feed

    def rows(self, width: int, height: int) -> list[Row]:
        past, head = self.feed.past, max(self.feed.live.graph.head, 1)
        here = head if past is None else past.moment.seq
        said = "the present" if past is None else f"{here * 100 // head} %"
        if past is not None and past.speed is not None:
            said = f"▶ {past.speed}x  {said}"
        cells = max(width - len(said) - 6, 4)
        place = min(here * (cells - 1) // head, cells - 1)
        role: Role = "accent" if past is None else "waiting"
        line = join(
            Run(" ├", "dim"), Run("━" * place, role), Run("●", role), Run("─" * (cells - 1 - place), "rule"),
            Run("┤ ", "dim"), Run(said, role),
        )  # fmt: skip
        return [Row(line)]
