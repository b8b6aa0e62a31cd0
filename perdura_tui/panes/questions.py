"""Pane 1: the questions, the most contended first."""

from typing import ClassVar

from textual.binding import BindingType

from perdura_tui.actions import bindings
from perdura_tui.content import flat, wrap
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, bar, cell, heat_role, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.phrases import ago
from perdura_tui.states.questions import QuestionRow, ordered

__all__ = ["QuestionsPane"]

_MOST_LINES = 3
_STAKES: dict[str, Run] = {"high": Run("!", "waiting"), "normal": Run(" "), "low": Run("·", "faint")}


class QuestionsPane(ListFrame):
    """Contention, stake, answers, boardings, and who is aboard. The cursor decides what the graph is centred on."""

    NUMBER = 1
    TITLE = "questions"
    LISTENS: frozenset[Topic] = frozenset({"questions"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="questions")
        self.feed = feed
        self.words = ""
        self._found: dict[str, QuestionRow] = {}
        self._seats: dict[str, list[int]] = {}

    def narrow(self, words: str) -> None:
        """Show only questions that match."""
        self.words = words
        self.paint()

    def keys(self) -> list[str]:
        rows = ordered(self.feed.questions, self.words)
        self._found = {row.id: row for row in rows}
        self._seats = {}
        for card in self.feed.workers.cards.values():
            if card.is_aboard and card.question is not None:
                self._seats.setdefault(card.question, []).append(card.seat)
        return list(self._found)

    def chosen(self) -> None:
        self.feed.around.look_at(self.selected)

    def remark(self) -> Line:
        return (run(f"{self.feed.questions.open_count} open", "dim"),)

    def head(self, width: int) -> Line:
        if self.words.strip():
            said = f"/{self.words.strip()}  {len(self._found)} of {len(self.feed.questions.rows)}, esc shows all"
            return (cell(said, width, "accent"),)
        id_, bar_, text, tail = _columns(width, self._found)
        return join(
            cell("", id_ + 2),
            cell("contention", 5 + bar_, "faint") if bar_ >= 5 else cell("cont.", 5 + bar_, "faint"),
            cell("question", text + 1, "faint"),
            *(cell(name, size, "faint", right=right) for name, size, right in tail),
        )

    def entry_height(self, height: int, count: int) -> int:
        """As many lines as the longest text needs, as long as every question stays in sight; three at most."""
        room = min(height // count, _MOST_LINES)
        if room < 2:
            return 1
        _, _, text, _ = _columns(self.size.width - 4, self._found)
        return min(max(len(wrap(row.text[: text * 4], text)) for row in self._found.values()), room)

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        row = self._found[key]
        id_, bar_, text, tail = _columns(width, self._found)
        quiet: Role = "text" if row.is_open else "faint"
        heat = heat_role(row.contention) if row.contention > 0 else "faint"
        seats = self._seats.get(key, [])
        parts: dict[str, Run] = {
            "domains": cell(
                " " + ", ".join(row.domains), next((size for name, size, _ in tail if name == "domains"), 0), "dim"
            ),
            "age": cell(ago(row.created_at, self.feed.source.clock.now()), 5, "dim", right=True),
            "ans": cell(str(len(row.answers)), 4, "text" if row.answers else "faint", right=True),
            "brd": cell(str(row.boardings), 4, "dim", right=True),
            "": _mark(row, seats),
        }
        text_lines = _in_lines(row.text, text, height)
        first = join(
            cell(row.id, id_, "strong" if key == self.selected else quiet),
            Run("★", "accent") if row.pinned else _STAKES[row.stake],
            Run(" "),
            cell(f"{row.contention:.2f}", 4, heat if row.is_open else "faint"),
            Run(" "),
            bar(row.contention if row.is_open else 0.0, max(bar_ - 1, 0), heat),
            Run(" " if bar_ else ""),
            cell(text_lines[0], text, quiet),
            Run(" "),
            *(parts[name] for name, _, _ in tail),
        )
        before = Run(" " * (id_ + 2 + 5 + bar_))
        return [first, *(join(before, cell(said, text, quiet)) for said in text_lines[1:])]

    def empty(self, width: int) -> list[Line]:
        if self.words.strip():
            return notes(width, f"Nothing matches {self.words.strip()!r}.", ("esc", "shows all questions again."))
        return notes(
            width,
            "No questions yet.",
            ("a", "asks one; readers and models go to work on it."),
            ("", "`perdura read FILES` gives them documents to read."),
        )


def _in_lines(text: str, width: int, height: int) -> list[str]:
    """The text in at most so many lines; the last one is cut with an ellipsis when it does not fit."""
    if height == 1:
        return [text]
    lines = wrap(flat(text[: width * (height + 2)]), width)
    return lines if len(lines) <= height else [*lines[: height - 1], " ".join(lines[height - 1 :])]


def _mark(row: QuestionRow, seats: list[int]) -> Run:
    if not row.is_open:
        return Run("  ✓ ", "settled")
    if not seats:
        return Run("    ")
    return cell(f" ●{seats[0]}" if len(seats) == 1 else f" ●{seats[0]}+", 4, "accent")


def _columns(width: int, rows: dict[str, QuestionRow]) -> tuple[int, int, int, list[tuple[str, int, bool]]]:
    """Widths of id, bar and text, and the columns after the text with theirs."""
    id_ = max((len(key) for key in rows), default=2)
    tail: list[tuple[str, int, bool]] = [("ans", 4, True), ("brd", 4, True), ("", 4, False)]
    if width >= 70:
        tail.insert(0, ("age", 5, True))
    if width >= 84 and any(row.domains for row in rows.values()):
        tail.insert(0, ("domains", 18 if width >= 110 else 12, False))
    bar_ = 9 if width >= 64 else (7 if width >= 40 else 0)
    text = width - id_ - 2 - 5 - bar_ - 1 - sum(size for _, size, _ in tail)
    return id_, bar_, max(text, 0), tail
