"""The house of screen 1: five live panes and the lines around them, their layout, focus and filter."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.contention import ContentionPane
from perdura_tui.panes.frame import Frame
from perdura_tui.panes.graph import GraphPane
from perdura_tui.panes.lines import Keys, SeatLines
from perdura_tui.panes.models import ModelsPane
from perdura_tui.panes.questions import QuestionsPane
from perdura_tui.panes.sheet import Sheet
from perdura_tui.panes.workers import WorkersPane
from perdura_tui.screens.arrangement import Arrangement, arrange
from perdura_tui.screens.mode import ModeScreen, SearchWanted

__all__ = ["House"]


class House(ModeScreen):
    """Lays out the panes, moves the focus between them, and passes on what time brings."""

    CSS_PATH = "desk.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("desk",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("desk", "screen")]
    AUTO_FOCUS = "#questions"

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(feed, palette, keymap)
        self._questions = QuestionsPane(feed, palette)
        self._graph = GraphPane(feed, palette)
        self._workers = WorkersPane(feed, palette)
        self._contention = ContentionPane(feed, palette)
        self._models = ModelsPane(feed, palette)
        self.panes: tuple[Frame, ...] = (
            self._questions, self._graph, self._workers, self._contention, self._models,
        )  # fmt: skip
        for pane in self.panes:
            pane.key = keymap.label(f"pane.{pane.id}")
        self._seats = SeatLines(feed, palette)
        self._filter = Input(placeholder="filter questions; ! first turns it round", id="filter", compact=True)
        self._keys = Keys(keymap, palette, "desk", "everywhere")
        self._top = Horizontal(self._questions, self._graph, id="top")
        self._bottom = Horizontal(self._contention, self._models, id="bottom")
        self._house = Vertical(
            self._status, self._top, self._workers, self._bottom, self._seats, self._events, self._filter,
            self._keys, id="house",
        )  # fmt: skip
        self._present: Frame = self._questions
        self._is_zoomed = False
        self._arrangement = Arrangement("tabs")

    def compose(self) -> ComposeResult:
        """Every pane exists once; the arrangement decides which are shown."""
        yield self._small
        yield self._house

    def on_mount(self) -> None:
        """Lay out for the first time."""
        self._filter.display = False
        self._arrange()

    # What time brings

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Paint the visible panes whose state changed."""
        if not self.is_mounted:
            return
        if "workers" in dirty and arrange(*self.size, len(self.feed.workers.cards)) != self._arrangement:
            self._arrange()
        self._keys.call(pause={"idle": "start", "paused": "resume"}.get(self.feed.source.activity, "pause"))
        for sheet, listens in self._listeners():
            if listens & dirty and sheet.display and sheet.size.height:
                sheet.paint()

    def _listeners(self) -> Iterator[tuple[Sheet, frozenset[Topic]]]:
        for pane in self.panes:
            yield pane, pane.LISTENS
        for line in (self._status, self._seats, self._events):
            yield line, line.LISTENS

    # Layout

    def on_resize(self, event: events.Resize) -> None:
        """Share the new size out."""
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        plan = self._arrangement = arrange(width, height, len(self.feed.workers.cards))
        is_small = plan.shape == "too_small"
        self._small.display = is_small
        self._house.display = not is_small
        if is_small:
            return
        alone = plan.shape == "tabs" or self._is_zoomed
        self._seats.display = plan.shape == "tabs" and plan.seats > 0 and self._present is not self._workers
        self._seats.styles.height = plan.seats
        for pane in self.panes:
            pane.display = not alone or pane is self._present
        self._top.display = not alone or self._present in (self._questions, self._graph)
        self._bottom.display = not alone or self._present in (self._contention, self._models)
        self._top.styles.height = "1fr" if alone else plan.top
        self._workers.styles.height = "1fr" if alone else plan.middle
        self._bottom.styles.height = "1fr" if alone else plan.bottom
        self._questions.styles.width = "1fr" if alone else plan.left
        self._contention.styles.width = "1fr" if alone else plan.left_low
        for pane in self.panes:
            pane.tabs = tuple((other.key, other.TITLE) for other in self.panes) if alone else ()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The focused pane is the present one."""
        if isinstance(event.widget, Frame) and event.widget is not self._present:
            self._present = event.widget
            self._arrange()

    def _go_to(self, pane: Frame) -> None:
        self._present = pane
        self._arrange()
        pane.focus()

    def action_pane_next(self) -> None:
        """The next pane."""
        self._go_to(self.panes[self._present.NUMBER % len(self.panes)])

    def action_pane_previous(self) -> None:
        """The pane before."""
        self._go_to(self.panes[self._present.NUMBER - 2])

    def action_pane_questions(self) -> None:
        """Pane 1."""
        self._go_to(self._questions)

    def action_pane_graph(self) -> None:
        """Pane 2."""
        self._go_to(self._graph)

    def action_pane_workers(self) -> None:
        """Pane 3."""
        self._go_to(self._workers)

    def action_pane_contention(self) -> None:
        """Pane 4."""
        self._go_to(self._contention)

    def action_pane_models(self) -> None:
        """Pane 5."""
        self._go_to(self._models)

    def action_zoom(self) -> None:
        """This pane alone, or all again."""
        self._is_zoomed = not self._is_zoomed
        self._arrange()

    async def action_close(self) -> None:
        """Leave the filter, then the zoom, then the past."""
        if self._filter.display or self._questions.words:
            self._end_filter(keep=False)
        elif self._is_zoomed:
            self.action_zoom()
        else:
            await super().action_close()

    # Filter

    def action_filter(self) -> None:
        """Type words that questions must hold."""
        self._go_to(self._questions)
        self._filter.display = True
        self._filter.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while typing. A second `/` searches everything instead."""
        if event.value == "/":
            self._end_filter(keep=False)
            self.post_message(SearchWanted())
        else:
            self._questions.narrow(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter and go back to the rows."""
        self._end_filter(keep=True)

    def _end_filter(self, *, keep: bool) -> None:
        if not keep:
            self._filter.value = ""
            self._questions.narrow("")
        self._filter.display = False
        self._questions.focus()
