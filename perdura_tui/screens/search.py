"""Search over everything that the mind holds: words, meaning and filters, from every screen."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from perdura_core.errors import PerduraError
from perdura_core.retrieval import Found
from perdura_core.vocabulary import Interpretation, NodeId, layer_of
from perdura_tui.actions import Keymap, bindings
from perdura_tui.content import flat
from perdura_tui.ink import Line, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.panes.lines import Keys
from perdura_tui.screens.dialog import Dialog
from perdura_tui.source import Source

__all__ = ["SearchDialog", "Sought"]

_MOST = 60
_STILL_TYPING_S = 0.08
_BEFORE_A_HIT = 24
"""Characters of the text that are kept before the first word that was found."""


class Sought(NamedTuple):
    """A node that was found, and what to do with it."""

    node: NodeId
    on_map: bool


class SearchDialog(Dialog[Sought]):
    """Gives back the node that was picked."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("search", "list")]
    AUTO_FOCUS = "#words"

    def __init__(self, source: Source, palette: Palette, keymap: Keymap) -> None:
        super().__init__(palette, keymap)
        self._source = source
        self.is_searching = False
        """Whether an answer to what was typed is still to come."""
        self._list = FoundList(palette)

    def compose(self) -> ComposeResult:
        """A line to type in, and what was found."""
        with Vertical(classes="box form search"):
            yield Input(id="words", compact=True, placeholder="words, and filters: type:claim domain:x conf>0.6")
            yield self._list
            yield Keys(self.keymap, self.palette, "search", "screen", ground="raised")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while typing."""
        self.is_searching = True
        self._search(event.value)

    @work(exclusive=True, group="search")
    async def _search(self, words: str) -> None:
        await asyncio.sleep(_STILL_TYPING_S)
        try:
            found = await self._source.search(words, _MOST) if words.strip() else []
        except PerduraError as error:
            self._answer((), str(error))
            return
        if not words.strip():
            self._answer((), None)
            return
        coverage = self._source.coverage
        said = ""
        if coverage.fault is not None:
            said = f"by words alone: {coverage.fault}"
        elif coverage.embedded < coverage.total:
            said = f"{coverage.embedded:,} of {coverage.total:,} texts can be found by meaning so far"
        self._answer(found, said)

    def _answer(self, found: Sequence[Found], said: str | None) -> None:
        self.is_searching = False
        self._list.show(found, said)

    def action_found_open(self) -> None:
        """Open what the cursor is on."""
        self._pick(on_map=False)

    def action_found_show(self) -> None:
        """Show it in the graph."""
        self._pick(on_map=True)

    def _pick(self, *, on_map: bool) -> None:
        if self._list.selected is not None:
            self.dismiss(Sought(self._list.selected, on_map))

    def action_move_down(self) -> None:
        """Down in the list."""
        self._list.move(1)

    def action_move_up(self) -> None:
        """Up in the list."""
        self._list.move(-1)

    def action_move_first(self) -> None:
        """To the first."""
        self._list.action_move_first()

    def action_move_last(self) -> None:
        """To the last."""
        self._list.action_move_last()

    def action_page_down(self) -> None:
        """A screenful down."""
        self._list.action_page_down()

    def action_page_up(self) -> None:
        """A screenful up."""
        self._list.action_page_up()


class FoundList(ListFrame):
    """Id, kind, confidence, and the text with the words that were found in it."""

    GROUND = "raised"
    IS_FRAMED = False
    can_focus = False

    def __init__(self, palette: Palette) -> None:
        super().__init__(palette, id="found")
        self._found: dict[str, Found] = {}
        self._said: str | None = None

    def show(self, found: Sequence[Found], said: str | None) -> None:
        """Show an answer, and a sentence about it; None: nothing was typed."""
        self._found = {one.node.id: one for one in found}
        self._said = said
        self.selected, self._place = next(iter(self._found), None), 0
        self.paint()

    def keys(self) -> list[str]:
        return list(self._found)

    def head(self, width: int) -> Line:
        count = f"{len(self._found)} found" + (", the best shown" if len(self._found) == _MOST else "")
        return join(cell(f"{count}  {self._said or ''}", width, "faint"))

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        found = self._found[key]
        node = found.node
        kind: str = node.kind if isinstance(node, Interpretation) else layer_of(node.id)
        if node.superseded_by is not None:
            kind = f"→ {node.superseded_by}"
        elif isinstance(node, Interpretation) and node.status != "active":
            kind = node.status
        figure = f"{node.confidence:.2f}" if isinstance(node, Interpretation) else ""
        return [
            join(
                cell(node.id, 7, "accent"), cell(kind, 9, "dim"), cell(figure, 5, right=True), Run("  "),
                _marked(found, max(width - 23, 0)),
            )
        ]  # fmt: skip

    def empty(self, width: int) -> list[Line]:
        if self._said is None:
            return notes(
                width,
                "Facts, claims, decisions and questions, by words and by meaning.",
                ("", "type:claim  domain:storage  by:reader:  after:2026-10-01  conf>0.6  status:shadow"),
            )
        if self._said:
            return notes(width, "Nothing found.", ("", self._said))
        return notes(width, "Nothing found: try other words, or fewer filters.")


def _marked(found: Found, width: int) -> Line:
    """The text on one line around the first hit, hits standing out, in so many cells."""
    text, marks = found.node.text, found.marks
    start = max(marks[0][0] - _BEFORE_A_HIT, 0) if marks else 0
    pieces: list[Run] = [Run("…", "faint")] if start else []
    at = start
    for low, high in marks:
        if low - start > width * 2:
            break
        pieces += [run(flat(text[at:low])), run(flat(text[low:high]), "key")]
        at = high
    pieces.append(cell(text[at : at + width * 2], width))
    return tuple(piece for piece in pieces if piece.text)
