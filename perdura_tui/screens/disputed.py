"""The house of screen 3: every dispute with both sides next to each other, their layout, focus and filter."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import Input

from perdura_core.errors import PerduraError
from perdura_core.vocabulary import Suspicion
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.side import SidePane
from perdura_tui.panes.triage import DisputesPane
from perdura_tui.screens.arrangement import LEAST_HEIGHT, LEAST_WIDTH, TALL
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.mode import ModeScreen, SearchWanted
from perdura_tui.screens.sides import read_side
from perdura_tui.states.triage import (
    Dispute,
    Focus,
    disputes,
    mark,
    refreshed,
)

__all__ = ["Disputed"]

_EVERY_S = 0.5
"""The list is read again at most so often: one that moves under the cursor cannot be worked through."""
_SIDE_BY_SIDE = 76
"""Columns from which on the sides stand next to each other."""


class Disputed(ModeScreen):
    """The list and two sides, read as time goes on."""

    CSS_PATH = "triage.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("triage",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("triage", "screen")]
    AUTO_FOCUS = "#disputes"

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(feed, palette, keymap)
        self.list = DisputesPane(feed, palette)
        self.list.when_chosen = self._chosen
        self._left = SidePane(feed, palette, id="left")
        self._right = SidePane(feed, palette, id="right")
        self._filter = Input(placeholder="filter disputes; ! first turns it round", id="triage-filter", compact=True)
        self._sides = Container(self._left, self._right, id="sides")
        self._house = Vertical(
            self._status, self.list, self._sides, self._events, self._filter,
            Keys(keymap, palette, "triage", "everywhere", "screen"), id="triage",
        )  # fmt: skip
        self._is_stale = self._texts_are_stale = True
        self._read_at_s = float("-inf")
        self._suspected_before: Sequence[Suspicion] = ()

    def compose(self) -> ComposeResult:
        """Everything once."""
        yield self._small
        yield self._house

    def on_mount(self) -> None:
        """Lay out, and read for the first time."""
        self._filter.display = False
        self._arrange()
        self._refresh()

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        """Next to each other, or stacked when narrow."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        is_small = width < LEAST_WIDTH or height < LEAST_HEIGHT
        self._small.display, self._house.display = is_small, not is_small
        self._sides.styles.layout = "horizontal" if width >= _SIDE_BY_SIDE else "vertical"
        self._fit_list()

    def _fit_list(self) -> None:
        """As high as it is long, up to a third of the screen, so that the sides have the room."""
        height = self.size.height
        rows = max(len(self.list.shown), 1 if self.list.triage.disputes else 4)
        self.list.styles.height = min(rows + 3, max(height // 3 if height >= TALL else height // 4, 5))
        self._sides.display = bool(self.list.shown)
        if not self._sides.display:
            self.list.styles.height = "1fr"

    # What time brings

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Read the disputes again when they changed, and paint the lines around them."""
        if not self.is_mounted:
            return
        suspected = self.feed.source.suspected() if self.feed.past is None else ()
        self._is_stale = self._is_stale or "disputes" in dirty or suspected != self._suspected_before
        self._suspected_before = suspected
        if self._is_stale and self.feed.wall_s - self._read_at_s >= _EVERY_S:
            self._refresh()
        for line in (self._status, self._events):
            if line.LISTENS & dirty:
                line.paint()

    def _refresh(self) -> None:
        self._is_stale, self._read_at_s = False, self.feed.wall_s
        self._texts_are_stale = True
        self.list.triage = refreshed(self.list.triage, self._present())
        self.list.keys()
        self.list.paint()
        self._fit_list()
        self._read()

    def _present(self) -> tuple[tuple[Dispute, ...], int]:
        """Disputes and suspected pairs as they are now."""
        source = self.feed.source
        suspected = source.suspected() if self.feed.past is None else ()
        return disputes(source.graph, self.list.focus_on, suspected)

    def _chosen(self) -> None:
        if self.is_mounted:
            self._read()

    def _read(self) -> None:
        """Fetch both sides and the words of the list, the latest wish only."""
        self._fetch()

    @work(exclusive=True, group="sides")
    async def _fetch(self) -> None:
        try:
            wanted = {node for pair in self.list.triage.disputes for node in (pair.left, pair.right)}
            missing = wanted - self.list.texts.keys()
            if missing or self._texts_are_stale:
                self._texts_are_stale = False
                found = await self.feed.source.nodes(wanted)
                self.list.texts = {node: value.text for node, value in found.items()}
                self.list.paint()
            pair = self.list.dispute
            left = await read_side(self.feed.source, pair.left) if pair is not None else None
            right = await read_side(self.feed.source, pair.right) if pair is not None else None
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        self._left.show(left, right)
        self._right.show(right, left)

    # Which disputes

    def look_at(self, focus: Focus) -> None:
        """Show the disputes of a question or a domain, the hottest selected."""
        self.list.focus_on, self.list.selected = focus, None
        if self.is_mounted:
            self._end_filter(keep=False)
            self._refresh()
            self.list.move(-len(self.list.shown))
            self.list.focus()

    def action_triage_filter(self) -> None:
        """Type words that a dispute must hold."""
        self._filter.display = True
        self._filter.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing. A second `/` searches everything instead."""
        if event.value == "/":
            self._end_filter(keep=False)
            self.post_message(SearchWanted())
            return
        self.list.words = event.value
        self.list.paint()
        self._fit_list()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter and go back to the list."""
        self._end_filter(keep=True)

    def _end_filter(self, *, keep: bool) -> None:
        if not keep:
            self._filter.value = self.list.words = ""
            self.list.paint()
        self._filter.display = False
        self.list.focus()

    async def action_close(self) -> None:
        """Leave the filter, then the marks, then the question, then the past, then the screen."""
        if self._filter.display or self.list.words:
            self._end_filter(keep=False)
        elif self.list.triage.marked:
            for key in self.list.triage.marked:
                self.list.triage = mark(self.list.triage, key)
            self.list.paint()
        elif self.list.focus_on != Focus():
            self.look_at(Focus())
        elif self.feed.past is not None:
            await super().action_close()
        else:
            self.app.switch_mode("desk")

    def action_triage_pane(self) -> None:
        """List, left, right, list."""
        self.focus_next()

    def action_triage_inspect(self) -> None:
        """Open the node under the cursor; in the list the left side."""
        side = next((pane for pane in (self._left, self._right) if pane.has_focus), None)
        pair = self.list.dispute
        node = side.target if side is not None else pair.left if pair is not None else None
        if node is not None:
            self.app.push_screen(InspectDialog(self.feed.source, self.palette, self.keymap, node))
