"""The list of disputes, the hottest first."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.binding import BindingType

from perdura_core.vocabulary import NodeId
from perdura_tui.actions import bindings
from perdura_tui.feed import Feed
from perdura_tui.ink import Line, Role, Run, cell, heat_role, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.states.triage import Dispute, Focus, Triage, ordered

__all__ = ["DisputesPane"]


class DisputesPane(ListFrame):
    """A pair a line: mark, heat, the two ids with their confidences, the question, and the words of both."""

    TITLE = "disputes"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="disputes")
        self.feed = feed
        self.triage = Triage()
        self.focus_on = Focus()
        self.words = ""
        self.texts: Mapping[NodeId, str] = {}
        self.when_chosen: Callable[[], None] = _nothing
        self._found: dict[str, Dispute] = {}

    @property
    def dispute(self) -> Dispute | None:
        """The pair under the cursor."""
        return self._found.get(self.selected or "")

    @property
    def shown(self) -> list[Dispute]:
        """The pairs of the list in its order."""
        return list(self._found.values())

    def keys(self) -> list[str]:
        self._found = {pair.key: pair for pair in ordered(self.triage, self.words, self.texts)}
        return list(self._found)

    def chosen(self) -> None:
        self.when_chosen()

    def title(self) -> str:
        if self.focus_on.question is not None:
            return f"disputes of {self.focus_on.question}"
        return f"disputes in {self.focus_on.domain}" if self.focus_on.domain is not None else self.TITLE

    def remark(self) -> Line:
        state = self.triage
        suspected = sum(pair.is_suspected for pair in state.disputes)
        parts = [f"{len(state.disputes) - suspected + state.left_out} open"]
        if suspected:
            parts.append(f"{suspected} suspected")
        if self.words.strip():
            parts.insert(0, f"/{self.words.strip()}  {len(self._found)} shown")
        if state.left_out:
            parts.append(f"the hottest {len(state.disputes) - suspected} shown")
        skipped = sum(pair.key in state.skipped for pair in state.disputes)
        if skipped:
            parts.append(f"{skipped} skipped")
        if state.marked:
            parts.append(f"{len(state.marked)} marked")
        return (run(" · ".join(parts), "dim"),)

    def head(self, width: int) -> Line:
        ids, question, text = _columns(width, self._found)
        return join(
            cell("", 2), cell("heat", 5, "faint"),
            cell("left", ids + 5, "faint"), cell("", 2), cell("right", ids + 5, "faint"),
            cell("on", question, "faint"), cell("", 2),
            cell("left says" if text else "", text, "faint"), cell("   right says" if text else "", text, "faint"),
        )  # fmt: skip

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        pair = self._found[key]
        ids, question, text = _columns(width, self._found)
        is_marked, is_skipped = key in self.triage.marked, key in self.triage.skipped
        mark = Run("◆ ", "accent") if is_marked else Run("» ", "faint") if is_skipped else Run("  ")
        left, right = pair.confidences
        note = self.triage.notes.get(key)
        if note is None and pair.is_suspected:
            note = "suspected" + (f": {pair.reasons[0]}" if pair.reasons else "")
        questions = pair.questions[0] if pair.questions else "–"
        if len(pair.questions) > 1:
            questions += f" +{len(pair.questions) - 1}"
        quiet: Role = "faint" if is_skipped else "dim"
        ends = _ends(left, right)
        line = join(
            mark, cell(f"{pair.heat:.2f}", 5, "faint" if is_skipped else heat_role(pair.heat)),
            cell(pair.left, ids, ends[0]), cell(f"{left:.2f}", 5, quiet),
            Run("? ", "waiting") if pair.is_suspected else Run("✗ ", "disputed"),
            cell(pair.right, ids, ends[1]), cell(f"{right:.2f}", 5, quiet),
            cell(questions, question, quiet), Run("⌕ " if note else "  ", "waiting"),
        )  # fmt: skip
        if not text:
            return [line]
        if note:
            return [join(line, cell(note, text, "waiting"), Run("   "), cell(self._says(pair.right), text - 3, quiet))]
        return [
            join(
                line, cell(self._says(pair.left), text, "faint" if is_skipped else "text"), Run(" ✗ ", "disputed"),
                cell(self._says(pair.right), text - 3, "faint" if is_skipped else "text"),
            )
        ]  # fmt: skip

    def _says(self, node: NodeId) -> str:
        return self.texts.get(node, "")

    def empty(self, width: int) -> list[Line]:
        if self.words.strip():
            return notes(width, f"No dispute matches {self.words.strip()!r}.", ("esc", "shows all of them again."))
        where = ""
        if self.focus_on.question is not None:
            where = f" on {self.focus_on.question}"
        elif self.focus_on.domain is not None:
            where = f" in {self.focus_on.domain}"
        hints = [("esc", "looks at the whole mind." if where else "goes back to the desk.")]
        if not where:
            hints.append(("", "When workers contradict each other, you will find both sides here."))
        return notes(width, f"Nothing is in dispute{where}. ✓", *hints)


def _nothing() -> None:
    """Before the screen listens."""


def _ends(left: float, right: float) -> tuple[Role, Role]:
    return ("strong" if left >= right else "dim", "strong" if right >= left else "dim")


def _columns(width: int, found: dict[str, Dispute]) -> tuple[int, int, int]:
    """Widths of an id, the question, and the words of one side (0: no room for words)."""
    ids = max((len(node) for pair in found.values() for node in (pair.left, pair.right)), default=3) + 1
    question = 6 if width < 60 else 8
    text = (width - 2 - 5 - 2 * (ids + 5) - 2 - question - 2 - 1) // 2
    return ids, question, text if text >= 12 else 0
