"""What the screens behind the number keys share: each stays as it was left while another is shown."""

from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual.message import Message
from textual.screen import Screen

from perdura_core.errors import StoreError
from perdura_tui.actions import Keymap, Place, action
from perdura_tui.feed import TOPICS, Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import EventLine, StatusLine
from perdura_tui.panes.sheet import Sheet
from perdura_tui.panes.small import TooSmall
from perdura_tui.states.triage import Focus

__all__ = ["DisputesWanted", "ModeScreen", "SearchWanted"]


class DisputesWanted(Message):
    """Somebody wants to settle these."""

    def __init__(self, focus: Focus) -> None:
        super().__init__()
        self.focus = focus


class SearchWanted(Message):
    """Somebody wants to search everything, and not this list alone."""


class ModeScreen(Screen[None]):
    """Subclasses lay out its lines beside their panes, and paint in `show_news`.

    The app calls that ten times a second while the screen is the present one.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ()
    """Whose actions the palette and the footer offer here, besides those that are valid everywhere."""

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__()
        self.feed = feed
        self.palette = palette
        self.keymap = keymap
        self._status = StatusLine(feed, palette)
        self._events = EventLine(feed, palette, keymap.label("challenge") if "desk" in self.PLACES else "")
        self._small = TooSmall(palette)

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Paint the visible panes that show one of these topics."""
        raise NotImplementedError

    def on_screen_resume(self) -> None:
        """Show what happened while another screen was up."""
        self.dress(self.palette)
        self.show_news(TOPICS)

    def dress(self, palette: Palette) -> None:
        """Paint everything in another theme."""
        self.palette = palette
        for sheet in self.query(Sheet):
            sheet.dress(palette)

    async def action_close(self) -> None:
        """Return from the past to the present. Screens that have something else to close do that first."""
        if self.feed.past is None:
            return
        try:
            await self.feed.come_back()
        except StoreError as error:
            self.feed.tell(str(error), is_error=True)
        self.show_news(TOPICS)

    def may(self, action_id: str) -> bool:
        """Whether the action is allowed here; says why if not."""
        if action(action_id).changes_mind and self.feed.past is not None:
            self.feed.tell("you look at the past, which cannot be changed: esc returns to the present", is_error=True)
            return False
        if action(action_id).changes_mind and self.feed.source.is_readonly:
            self.feed.tell("this desk is read-only: open the mind without --readonly to change it", is_error=True)
            return False
        return True
