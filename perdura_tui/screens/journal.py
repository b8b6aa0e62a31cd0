"""Screen 6: the journal. Everything that happened, and the way into the past."""

from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input

from perdura_core.errors import StoreError
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.journal import JournalPane, Timeline
from perdura_tui.panes.lines import Keys
from perdura_tui.past import SPEEDS
from perdura_tui.screens.arrangement import arrange
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.mode import ModeScreen, SearchWanted
from perdura_tui.states.journal import node_of

__all__ = ["JournalScreen"]


class JournalScreen(ModeScreen):
    """The list follows the journal until the cursor is moved; the scrubber takes every screen to a past event."""

    CSS_PATH = "desk.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("journal",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("journal", "screen")]
    AUTO_FOCUS = "#journal"

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(feed, palette, keymap)
        self._journal = JournalPane(feed, palette)
        self._timeline = Timeline(feed, palette)
        self._filter = Input(
            placeholder="words that an event must say; ! first turns it round", id="filter", compact=True
        )
        self._keys = Keys(keymap, palette, "journal", "everywhere", "screen")
        self._house = Vertical(self._status, self._journal, self._timeline, self._events, self._filter, self._keys)
        self._speed = SPEEDS[0]

    def compose(self) -> ComposeResult:
        """The list, the timeline, and the lines around them."""
        yield self._small
        yield self._house

    def on_mount(self) -> None:
        """Nothing is filtered yet."""
        self._filter.display = False

    def on_resize(self, event: events.Resize) -> None:
        """Say so where the terminal is too small."""
        is_small = arrange(*event.size, 0).shape == "too_small"
        self._small.display, self._house.display = is_small, not is_small

    def on_screen_resume(self) -> None:
        """Read the journal while it can be seen."""
        self.feed.read_journal(True)
        super().on_screen_resume()

    def on_screen_suspend(self) -> None:
        """No longer read it."""
        self.feed.read_journal(False)

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Paint what changed; the cursor goes along with the moment."""
        if not self.is_mounted:
            return
        past = self.feed.past
        if past is not None and past.speed is not None and "journal" in dirty:
            self._journal.stand_at(past.moment.seq)
        self._keys.call(**{"journal.play": "hold" if past is not None and past.speed is not None else "play"})
        for sheet in (self._status, self._journal, self._timeline, self._events):
            if sheet.LISTENS & dirty:
                sheet.paint()

    # Reading

    def action_journal_open(self) -> None:
        """Inspect the node that the event under the cursor is about."""
        event = self._journal.event
        node = None if event is None else node_of(event)
        if node is None or self.feed.source.graph.get(node) is None:
            self.feed.tell("this event is about no node" if node is None else f"{node} did not exist yet")
        else:
            self.app.push_screen(InspectDialog(self.feed.source, self.palette, self.keymap, node))

    def action_journal_follow(self) -> None:
        """To the newest event, and follow."""
        self._journal.go_to_newest()

    def action_journal_filter(self) -> None:
        """Type words that events must say."""
        self._filter.display = True
        self._filter.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """A second `/` searches everything instead."""
        if event.value == "/":
            self._filter.value = self.feed.journal.words
            self._filter.display = False
            self._journal.focus()
            self.post_message(SearchWanted())

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search, from the newest event back."""
        self._end_filter(event.value)

    def _end_filter(self, words: str) -> None:
        self._filter.display = False
        self._filter.value = words
        self._journal.follows = True
        self.feed.look_for(words)
        self._journal.focus()

    async def action_close(self) -> None:
        """Leave the filter, then the past."""
        if self._filter.display or self.feed.journal.words:
            self._end_filter("")
        else:
            await super().action_close()
            self._journal.go_to_newest()

    # Travelling

    def _travel(self, seq: int) -> None:
        past = self.feed.travel(seq)
        past.play(None)
        self._journal.stand_at(past.target)

    def _here(self) -> int:
        past = self.feed.past
        return self.feed.live.graph.head if past is None else past.target

    def action_journal_visit(self) -> None:
        """Show everything as of the event under the cursor."""
        if self._journal.event is not None:
            self._travel(self._journal.event.seq)

    def action_journal_back(self) -> None:
        """One event back."""
        self._travel(self._here() - 1)

    def action_journal_on(self) -> None:
        """One event on."""
        if self.feed.past is None:
            self.feed.tell("this is the present: h goes back")
        else:
            self._travel(self._here() + 1)

    async def action_journal_boarding_back(self) -> None:
        """To the end of the boarding before."""
        await self._to_boarding(forward=False)

    async def action_journal_boarding_on(self) -> None:
        """To the end of the next boarding."""
        if self.feed.past is None:
            self.feed.tell("this is the present: [ goes back")
        else:
            await self._to_boarding(forward=True)

    async def _to_boarding(self, *, forward: bool) -> None:
        live, here, kinds = self.feed.live, self._here(), {"boarding_ended"}
        try:
            if forward:
                found = await live.read_events(here, kinds=kinds, limit=1)
            else:
                found = await live.read_events(until=here - 1, kinds=kinds, limit=1, newest=True)
        except StoreError as error:
            self.feed.tell(str(error), is_error=True)
            return
        if found:
            self._travel(found[0].seq)
        else:
            self.feed.tell("no boarding ended " + ("after this" if forward else "before this"))

    def action_journal_play(self) -> None:
        """Let time pass from the moment on, or from the event under the cursor; or hold it."""
        past = self.feed.past
        if past is not None and past.speed is not None:
            past.play(None)
        else:
            if past is None:
                self.action_journal_visit()
                past = self.feed.past
            if past is not None:
                past.play(self._speed)
        self._journal.paint()
        self._timeline.paint()

    def action_journal_faster(self) -> None:
        """Play faster."""
        self._set_speed(1)

    def action_journal_slower(self) -> None:
        """Play slower."""
        self._set_speed(-1)

    def _set_speed(self, by: int) -> None:
        self._speed = SPEEDS[min(max(SPEEDS.index(self._speed) + by, 0), len(SPEEDS) - 1)]
        past = self.feed.past
        if past is not None and past.speed is not None:
            past.play(self._speed)
        self.feed.tell(f"play at {self._speed}x")
