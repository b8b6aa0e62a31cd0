"""Screen 1: the desk. Five live panes, the lines around them, and the operator's keys."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input

from perdura_core.errors import PerduraError
from perdura_core.vocabulary import Event, ModelId, NodeId
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.contention import ContentionPane
from perdura_tui.panes.frame import Frame
from perdura_tui.panes.graph import GraphPane
from perdura_tui.panes.lines import EventLine, Keys, SeatLines, StatusLine
from perdura_tui.panes.models import ModelsPane
from perdura_tui.panes.questions import QuestionsPane
from perdura_tui.panes.sheet import Sheet
from perdura_tui.panes.small import TooSmall
from perdura_tui.panes.workers import WorkersPane
from perdura_tui.phrases import sentence
from perdura_tui.screens.arrangement import Arrangement, arrange
from perdura_tui.screens.ask import AskDialog, Asked
from perdura_tui.screens.boarding import BoardingDialog
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.lately import LatelyDialog
from perdura_tui.screens.mode import DisputesWanted, ModeScreen, SearchWanted
from perdura_tui.screens.swap import SwapDialog
from perdura_tui.states.lately import subject
from perdura_tui.states.triage import Focus

__all__ = ["DeskScreen"]


class DeskScreen(ModeScreen):
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
        self._status = StatusLine(feed, palette)
        self._seats = SeatLines(feed, palette)
        self._events = EventLine(feed, palette)
        self._filter = Input(placeholder="filter questions; ! first turns it round", id="filter", compact=True)
        self._small = TooSmall(palette)
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

    # Commands

    def action_pause(self) -> None:
        """Start, pause or resume."""
        if not self.may("pause"):
            return
        source = self.feed.source
        match source.activity:
            case "idle":
                source.start()
            case "running":
                source.pause()
                self.feed.tell("paused: boardings under way go on to their end, no new one starts")
            case "paused":
                source.resume()
            case _:
                self.feed.tell("the session is finishing: it can be started again when it has ended")

    def action_step(self) -> None:
        """One boarding."""
        if self.may("step"):
            if self.feed.source.activity == "idle":
                self.feed.tell("no session is running: space starts one")
            else:
                self.feed.source.step()

    def _seat_aboard(self) -> int | None:
        card = self.feed.workers.cards.get(self.feed.seat or 0)
        if self.feed.source.activity in ("idle", "watching") or card is None:
            self.feed.tell("no session is running here: space starts one, then a seat's model can be swapped")
            return None
        if not card.is_aboard:
            self.feed.tell(f"seat {card.seat} is empty: [ and ] select another seat")
            return None
        return card.seat

    def action_swap(self) -> None:
        """Pick another model for the selected seat."""
        seat = self._seat_aboard() if self.may("swap") else None
        if seat is None:
            return
        card = self.feed.workers.cards[seat]
        if card.question is None:
            return
        try:
            choices = self.feed.source.rank(card.question)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return

        def picked(model: ModelId | None) -> None:
            if model is not None:
                self._swap(seat, model)

        on = self.feed.source.clock.now().date()
        self.app.push_screen(SwapDialog(self.palette, self.keymap, card, choices, on), picked)

    def _swap(self, seat: int, model: ModelId | None) -> None:
        try:
            self.feed.source.swap(seat, model)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
        else:
            self.feed.tell(f"seat {seat}: {model or 'the router chooses'}; what was sent whole stays")

    def action_reroute(self) -> None:
        """Let the router pick."""
        seat = self._seat_aboard() if self.may("reroute") else None
        if seat is not None:
            self._swap(seat, None)

    def action_seat_next(self) -> None:
        """Select the next seat."""
        self._turn_seat(1)

    def action_seat_previous(self) -> None:
        """Select the seat before."""
        self._turn_seat(-1)

    def _turn_seat(self, step: int) -> None:
        seats = sorted(self.feed.workers.cards)
        if seats:
            place = seats.index(self.feed.seat) if self.feed.seat in seats else 0
            self.feed.seat = seats[(place + step) % len(seats)]
            self._workers.paint()
            self._seats.paint()

    def action_ask(self) -> None:
        """Ask a question."""
        if self.may("ask"):
            self.app.push_screen(AskDialog(self.palette, self.keymap, self._domains()), self._asked)

    def _domains(self) -> list[str]:
        return sorted({domain for row in self.feed.questions.rows.values() for domain in row.domains})

    async def _asked(self, asked: Asked | None) -> None:
        if asked is None:
            return
        try:
            node = await self.feed.source.ask(asked.text, asked.domains, asked.stake)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        self.feed.tell(f"{node} asked")
        await self.feed.tick()
        self._go_to(self._questions)
        self._questions.select(node)

    def action_inspect(self) -> None:
        """Open what the cursor is on."""
        pane = self._present
        if pane is self._contention and self._contention.selected is not None:
            self._open_heat(self._contention.selected)
        elif pane is self._models:
            self._models.action_next_domain()
        elif pane is self._workers and (boarding := self._boarding_under()) is not None:
            self._open_boarding(boarding)
        else:
            node = self._node_under(pane)
            if node is not None:
                self.inspect(node)

    def _node_under(self, pane: Frame) -> NodeId | None:
        if pane is self._questions:
            return self._questions.selected
        if pane is self._graph:
            return self._graph.selected
        card = self.feed.workers.cards.get(self.feed.seat or 0)
        return card.question if card is not None else None

    def _boarding_under(self) -> str | None:
        """The boarding of the selected seat, or the last one it had."""
        card = self.feed.workers.cards.get(self.feed.seat or 0)
        if card is None:
            return None
        return card.boarding if card.is_aboard or card.past is None else card.past.boarding

    def _open_boarding(self, boarding: str) -> None:
        self.app.push_screen(BoardingDialog(self.feed, self.palette, self.keymap, boarding))

    def action_lately(self) -> None:
        """What happened last, to open."""

        def picked(event: Event | None) -> None:
            if event is None:
                return
            node = subject(event)
            if event.boarding is not None:
                self._open_boarding(event.boarding)
            elif node is not None:
                self.inspect(node)
            else:
                self.feed.tell(sentence(event))

        self.app.push_screen(LatelyDialog(self.palette, self.keymap, self.feed.lately.events), picked)

    def action_triage(self) -> None:
        """From a question, a seat or a row of contention straight to its disputes."""
        pane = self._present
        if pane is self._contention and self._contention.selected is not None:
            key = self._contention.selected
            focus = Focus(question=key) if self._contention.by == "question" else Focus(domain=key)
        else:
            node = self.feed.question if pane is self._graph else self._node_under(pane)
            focus = Focus(question=node)
        self.post_message(DisputesWanted(focus))

    def inspect(self, node: NodeId) -> None:
        """Open a node."""
        self.app.push_screen(InspectDialog(self.feed.source, self.palette, self.keymap, node))

    def _open_heat(self, key: str) -> None:
        self._go_to(self._questions)
        if self._contention.by == "question":
            self._questions.select(key)
        else:
            self._filter.value = key
