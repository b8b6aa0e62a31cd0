"""The tray: elements that the review gate holds, and the whole of the one under the cursor."""

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.binding import BindingType

from perdura_core.vocabulary import BoardingRecord, NodeId
from perdura_tui.actions import Keymap, bindings
from perdura_tui.content import wrap
from perdura_tui.feed import Feed
from perdura_tui.ink import Line, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import Frame, ListFrame, notes
from perdura_tui.panes.sheet import Row
from perdura_tui.phrases import ago, short_model
from perdura_tui.states.tray import Waiting, touches

__all__ = ["HeldPane", "TrayList"]


class TrayList(ListFrame):
    """A line an element: mark, proposal, kind, question, worker, age, and its words or what it would change."""

    GROUND = "raised"
    TITLE = "tray"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="tray")
        self.feed = feed
        self.marked: set[str] = set()
        self.records: Mapping[str, BoardingRecord] = {}
        self.when_chosen: Callable[[], None] = _nothing

    @property
    def entry_under(self) -> Waiting | None:
        """The element under the cursor."""
        return self.feed.tray.waiting.get(self.selected or "")

    def keys(self) -> list[str]:
        self.marked &= self.feed.tray.waiting.keys()
        return list(self.feed.tray.waiting)

    def remark(self) -> Line:
        marked = f" · {len(self.marked)} marked" if self.marked else ""
        return (run(f"{len(self.feed.tray.waiting)} wait · review gate {self.feed.source.review}{marked}", "dim"),)

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        held = self.feed.tray.waiting[key]
        record = self.records.get(held.boarding)
        worker = 18 if width >= 84 else 0
        age = ago(held.at, self.feed.source.clock.now())
        return [
            join(
                Run("◆ ", "accent") if key in self.marked else Run("  "),
                cell(key, 5, "accent"), cell(held.kind, 11, "strong"),
                cell(record.boarding.question if record is not None else "", 5, "dim"),
                cell(short_model(held.by), worker, "dim"), Run(" "),
                cell(_in_brief(held), max(width - 30 - worker, 0)), cell(age, 5, "dim", right=True),
            )
        ]  # fmt: skip

    def empty(self, width: int) -> list[Line]:
        gate = self.feed.source.review
        hint = "Set the review gate to have elements wait here." if gate == "off" else "Seats go on meanwhile."
        return notes(width, "Nothing waits for your word. ✓", ("", hint))

    def chosen(self) -> None:
        self.when_chosen()


def _nothing() -> None:
    """Before the dialog listens."""


def _in_brief(held: Waiting) -> str:
    if held.text:
        return held.text
    return ", ".join(f"{word} {node}" for word, node in touches(held))


class HeldPane(Frame):
    """The element under the cursor: its words, its links with the texts they lead to, who sent it, why it waits."""

    GROUND = "raised"
    TITLE = "held"
    can_focus = False

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(palette, id="held")
        self.feed = feed
        self._keymap = keymap
        self._held: Waiting | None = None
        self._record: BoardingRecord | None = None
        self._texts: Mapping[NodeId, str] = {}

    def show(self, held: Waiting | None, record: BoardingRecord | None, texts: Mapping[NodeId, str]) -> None:
        """Show an element. `texts`: of its question and of what it touches."""
        self._held, self._record, self._texts = held, record, texts
        self.paint()

    def title(self) -> str:
        return "held" if self._held is None else f"{self._held.proposal} {self._held.kind}"

    def body(self, width: int, height: int) -> list[Row]:
        held = self._held
        if held is None:
            return []
        said = held.element
        lines: list[Line] = [join(Run(" "), run(text, "strong")) for text in wrap(held.text, max(width - 2, 1))]
        lines = [*lines[: max(height - 6, 1)], ()] if held.text else []
        for word, node in touches(held):
            waiting = self.feed.tray.waiting.get(node)
            text = waiting.text if waiting is not None else self._texts.get(node, "")
            lines.append(join(Run(" "), cell(word, 14, "dim"), cell(node, 7, "accent"), cell(text, max(width - 23, 0))))
        sure = [f"confidence {said['confidence']}"] if "confidence" in said else []
        domains = [f"domains {', '.join(map(str, said['domains']))}"] if said.get("domains") else []
        source = [f"source {said['source']}"] if said.get("source") else []
        details = " · ".join([*sure, *domains, *source])
        if details:
            lines.append(self._named("says", details, width))
        record = self._record
        question = record.boarding.question if record is not None else ""
        lines.append(self._named("for", f"{question}  {self._texts.get(question, '')}", width))
        lines.append(self._named("from", f"{held.by} · {held.boarding}", width))
        lines.append(self._named("waits", held.why, width))
        return [Row(line, self.GROUND) for line in lines]

    @staticmethod
    def _named(name: str, text: str, width: int) -> Line:
        return join(Run(" "), cell(name, 14, "faint"), cell(text, max(width - 16, 0), "dim"))
