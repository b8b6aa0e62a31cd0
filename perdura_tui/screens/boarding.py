"""One boarding, opened: its briefing as sent, its stream, and what became of each element."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.errors import PerduraError, UnknownNodeError
from perdura_core.vocabulary import ElementMerged
from perdura_tui.actions import Keymap, bindings
from perdura_tui.feed import Feed
from perdura_tui.ink import Line, Run, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import keys_line
from perdura_tui.panes.scroll import ScrollFrame
from perdura_tui.screens.dialog import Dialog
from perdura_tui.screens.grading import grade
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.states.boarding import Stay, boarding_lines
from perdura_tui.states.detail import DetailLine

__all__ = ["BoardingDialog"]


class BoardingDialog(Dialog[None]):
    """`enter` opens the node under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("node")]

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap, boarding: str) -> None:
        super().__init__(palette, keymap)
        self._feed = feed
        self._boarding = boarding
        self._page = StayFrame(palette, keymap, boarding)

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(classes="box page"):
            yield self._page

    async def on_mount(self) -> None:
        """Read the boarding."""
        try:
            self._page.show(await read_stay(self._feed, self._boarding))
        except PerduraError as error:
            self._page.fail(str(error))
        self._page.focus()

    def action_follow(self) -> None:
        """Open the node under the cursor."""
        if self._page.target is not None:
            source = self._feed.source
            self.app.push_screen(InspectDialog(source, self.palette, self.keymap, self._page.target))

    async def action_grade_right(self) -> None:
        """Grade the answer under the cursor right, or take that back."""
        self._page.say(await grade(self._feed.source, self._page.target, "right"))

    async def action_grade_wrong(self) -> None:
        """Grade the answer under the cursor wrong, or take that back."""
        self._page.say(await grade(self._feed.source, self._page.target, "wrong"))


async def read_stay(feed: Feed, boarding: str) -> Stay | None:
    """Everything about a boarding; None when the mind holds no such boarding. Raises StoreError."""
    source = feed.source
    record = (await source.boardings([boarding])).get(boarding)
    if record is None:
        return None
    told = await source.told_by(boarding)
    try:
        briefing = await source.briefing(record.boarding)
    except UnknownNodeError:
        briefing = None
    made = {event.what.node for event in told if isinstance(event.what, ElementMerged) and event.what.node}
    ids = {record.boarding.question, *made, *(shown.node for shown in record.boarding.shown)}
    stream = next((card.tail for card in feed.workers.cards.values() if card.boarding == boarding), "")
    return Stay(record, told, briefing, await source.nodes(ids), stream)


class StayFrame(ScrollFrame):
    """The page about one boarding."""

    def __init__(self, palette: Palette, keymap: Keymap, boarding: str) -> None:
        super().__init__(palette, id="stay")
        self._keymap = keymap
        self._boarding = boarding
        self._stay: Stay | None = None
        self._missing = "Reading…"

    def show(self, stay: Stay | None) -> None:
        """Show a boarding, from the top."""
        self._stay = stay
        self._missing = f"This mind holds no boarding {self._boarding}: it was another mind's."
        self.rewind()

    def fail(self, sentence: str) -> None:
        """Say why there is nothing to show."""
        self._missing = sentence
        self.rewind()

    def title(self) -> str:
        return f"boarding {self._boarding}"

    def foot(self, width: int) -> Line:
        return keys_line(self._keymap, width, "node", "screen")

    def page(self, width: int) -> list[DetailLine]:
        if self._stay is None:
            return [DetailLine(), DetailLine(join(Run("  "), run(self._missing, "dim")))]
        return boarding_lines(self._stay, width)
