"""Screen 5: the memory. What is known, how surely, and how it came to be so."""

import asyncio
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.errors import PerduraError
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import EventLine, Keys, StatusLine
from perdura_tui.panes.memory import MemoryPane, most_seen
from perdura_tui.panes.small import TooSmall
from perdura_tui.screens.arrangement import arrange
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.mode import ModeScreen
from perdura_tui.states.memory import MEMOIR_KINDS, Census, Memoir, reduce_memoir

__all__ = ["MemoryScreen"]

_LISTENS: frozenset[Topic] = frozenset({"disputes", "questions", "contention", "status", "lately"})
_SLICE_S = 0.01
_PAGE = 1_000
_REST_S = 1.0
_RESTS_PER_WORK = 5


class MemoryScreen(ModeScreen):
    """Counts again when something happened, at most once a second and never twice at once."""

    CSS_PATH = "desk.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("memory",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("memory", "screen")]
    AUTO_FOCUS = "#memory"

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(feed, palette, keymap)
        self._page = MemoryPane(feed, palette)
        self._status = StatusLine(feed, palette)
        self._events = EventLine(feed, palette)
        self._small = TooSmall(palette)
        self._house = Vertical(self._status, self._page, self._events, Keys(keymap, palette, "memory", "everywhere"))
        self._memoir = Memoir()
        self._is_stale = True
        self._is_reading = False
        self._not_before_s = float("-inf")

    def compose(self) -> ComposeResult:
        """The page between the lines."""
        yield self._small
        yield self._house

    def on_resize(self, event: events.Resize) -> None:
        """Say so where the terminal is too small."""
        is_small = arrange(*event.size, 0).shape == "too_small"
        self._small.display, self._house.display = is_small, not is_small

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Paint the lines, and count again when something happened."""
        if not self.is_mounted:
            return
        for line in (self._status, self._events):
            if line.LISTENS & dirty:
                line.paint()
        self._is_stale = self._is_stale or bool(dirty & _LISTENS)
        if self._is_stale and not self._is_reading and self.feed.wall_s >= self._not_before_s:
            self._is_reading = True
            self.run_worker(self._read(), name="census")

    async def _read(self) -> None:
        self._is_stale, started_s = False, self.feed.wall_s
        try:
            await self._read_once()
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
        finally:
            now_s = self.feed.wall_s
            self._not_before_s = now_s + max(_REST_S, _RESTS_PER_WORK * (now_s - started_s))
            self._is_reading = False

    async def _read_once(self) -> None:
        source = self.feed.source
        census, clock = Census(source.graph), self.feed.live.clock.monotonic_s
        while not census.work(clock() + _SLICE_S, clock):  # noqa: ASYNC110 - a slice at a time, so that keys get the loop
            await asyncio.sleep(0)
        if source.graph.head < self._memoir.head:
            self._memoir = Memoir()  # the desk went back in time
        while told := await source.read_events(self._memoir.head, kinds=MEMOIR_KINDS, limit=_PAGE):
            self._memoir = reduce_memoir(self._memoir, told)
        nodes = await source.nodes([node for node, _ in most_seen(self._memoir)])
        assert census.counted is not None
        self._page.show(census.counted, self._memoir, {node: value.text for node, value in nodes.items()})

    def action_memory_open(self) -> None:
        """Inspect the node on the line under the cursor."""
        if self._page.target is not None:
            self.app.push_screen(InspectDialog(self.feed.source, self.palette, self.keymap, self._page.target))
