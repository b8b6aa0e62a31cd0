"""Screen 5: the memory. What is known, how surely, and how it came to be so."""

import asyncio
from collections.abc import Awaitable
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.acts import damp, pin
from perdura_core.conductor import Errand
from perdura_core.errors import PerduraError
from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import NodeId
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.memory import MemoryPane, most_seen
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
        self._house = Vertical(self._status, self._page, self._events, Keys(keymap, palette, "memory", "everywhere"))
        self._memoir = Memoir()
        self._is_stale = True
        self._is_reading = False
        self._progress: UpkeepProgress | None = None
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
        if self.feed.source.upkeep != self._progress:
            self._progress = self.feed.source.upkeep
            self._page.paint()
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
        report = await source.memory()
        assert census.counted is not None
        texts = {node: value.text for node, value in nodes.items()}
        self._page.show(census.counted, self._memoir, texts, report)

    def action_memory_open(self) -> None:
        """Inspect the node on the line under the cursor; of a promotion, its first member."""
        node = self._page.node
        if node is not None:
            self.app.push_screen(InspectDialog(self.feed.source, self.palette, self.keymap, node))

    # What the operator does

    def action_memory_upkeep(self) -> None:
        """Have the memory kept up now, beside whatever else goes on."""
        if self.may("memory.upkeep"):
            self.feed.tell("the upkeep has begun: the page says how far it is")
            self.run_worker(self._keep_up(), name="upkeep")

    async def _keep_up(self) -> None:
        if await self._do(self.feed.source.keep_up()):
            self.feed.tell("the memory is kept up")

    async def action_memory_promote(self) -> None:
        """Accept the promotion under the cursor."""
        proposed = self._proposed("memory.promote")
        if proposed is not None and await self._do(self.feed.source.promote(proposed)):
            self.feed.tell(f"{proposed} accepted; {self.keymap.label('undo')} takes it back")

    async def action_memory_refuse(self) -> None:
        """Refuse the promotion under the cursor."""
        proposed = self._proposed("memory.refuse")
        if proposed is not None and await self._do(self.feed.source.refuse_promotion(proposed)):
            self.feed.tell(f"{proposed} refused; {self.keymap.label('undo')} takes it back")

    async def action_memory_damp(self) -> None:
        """Hold the interpretation under the cursor down."""
        node = self._interpretation("memory.damp")
        if node is not None and await self._do(self.feed.source.act(damp(node))):
            self.feed.tell(f"{node} is held down; {self.keymap.label('undo')} takes it back")

    def action_memory_audit(self) -> None:
        """Have somebody else than its author judge the claims of its question."""
        node = self._interpretation("memory.audit")
        question = self._question_of(node)
        if node is None or question is None:
            return
        author = self.feed.source.graph.get(node)
        apart = frozenset() if author is None else frozenset({author.created_by})
        try:
            self.feed.source.send(Errand(question, "audit", None, apart))
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
        else:
            self.feed.tell(f"an auditor was sent to {question}: it boards as soon as a seat is free")

    async def action_memory_pin(self) -> None:
        """Pin the question that the interpretation under the cursor is about."""
        question = self._question_of(self._interpretation("memory.pin"))
        if question is not None and await self._do(self.feed.source.act(pin(question, True))):
            self.feed.tell(f"{question} is pinned; {self.keymap.label('undo')} takes it back")

    def _proposed(self, action_id: str) -> str | None:
        if not self.may(action_id):
            return None
        if self._page.proposed is None:
            self.feed.tell("no promotion is under the cursor")
            return None
        return self._page.proposed.proposal

    def _interpretation(self, action_id: str) -> NodeId | None:
        if not self.may(action_id):
            return None
        node = self._page.node
        if node is None or node[0] != "i":
            self.feed.tell("no interpretation is under the cursor: j and k go to the next one")
            return None
        return node

    def _question_of(self, node: NodeId | None) -> NodeId | None:
        if node is None:
            return None
        graph = self.feed.source.graph
        open_ones = {vertex.id for vertex in graph.open_questions()}
        found = next((question for question in graph.questions_near(node) if question in open_ones), None)
        if found is None:
            self.feed.tell(f"no open question is near {node}: ask one to have it worked on")
        return found

    async def _do(self, done: Awaitable[None]) -> bool:
        try:
            await done
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return False
        await self.feed.tick()
        self._is_stale, self._not_before_s = True, float("-inf")
        return True
