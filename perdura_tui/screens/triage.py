"""Screen 3: triage. Every dispute with both sides next to each other, and a key for each way to settle it."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import Input

from perdura_core.acts import Act, contradict, dismiss, merge_as_same, prefer, stand_both
from perdura_core.conductor import Errand
from perdura_core.errors import InputError, PerduraError
from perdura_core.vocabulary import Mode, ModelId, NodeId, Suspicion
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import EventLine, Keys, StatusLine
from perdura_tui.panes.side import SidePane
from perdura_tui.panes.small import TooSmall
from perdura_tui.panes.triage import DisputesPane
from perdura_tui.phrases import clock_time
from perdura_tui.screens.arrangement import LEAST_HEIGHT, LEAST_WIDTH, TALL
from perdura_tui.screens.form import FormDialog
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.mode import ModeScreen, SearchWanted
from perdura_tui.screens.sides import read_side
from perdura_tui.states.tray import Field
from perdura_tui.states.triage import (
    Dispute,
    Focus,
    best_frontier,
    disputes,
    favourite,
    mark,
    note,
    refreshed,
    skip,
)

__all__ = ["TriageScreen"]

_EVERY_S = 0.5
"""The list is read again at most so often: one that moves under the cursor cannot be worked through."""
_SIDE_BY_SIDE = 76
"""Columns from which on the sides stand next to each other."""


class TriageScreen(ModeScreen):
    """The list, two sides, and what the operator decides. Whatever is done, the next dispute is selected."""

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
        self._status = StatusLine(feed, palette)
        self._events = EventLine(feed, palette)
        self._small = TooSmall(palette)
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

    # Settling

    def _dispute(self, action_id: str) -> Dispute | None:
        if not self.may(action_id):
            return None
        if self.list.dispute is None:
            self.feed.tell("no dispute is selected: there is nothing to settle here")
        return self.list.dispute

    async def _do(self, act: Act) -> bool:
        try:
            await self.feed.source.act(act)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return False
        await self.feed.tick()
        return True

    async def _settle(self, act: Act) -> None:
        if await self._do(act):
            self.feed.tell(f"{act.title}; {self.keymap.label('undo')} takes it back")
        self._refresh()

    async def action_triage_left(self) -> None:
        """The left side stands."""
        pair = self._dispute("triage.left")
        if pair is not None:
            await self._settle(prefer(pair.left, pair.right))

    async def action_triage_right(self) -> None:
        """The right side stands."""
        pair = self._dispute("triage.right")
        if pair is not None:
            await self._settle(prefer(pair.right, pair.left))

    async def action_triage_same(self) -> None:
        """They are one; the more confident wording stays."""
        pair = self._dispute("triage.same")
        if pair is not None:
            kept, merged = favourite(pair) or (pair.left, pair.right)
            await self._settle(merge_as_same(kept, merged, self.feed.source.clock.now()))

    async def action_triage_contradict(self) -> None:
        """They contradict each other: a dispute from now on."""
        pair = self._suspected("triage.contradict")
        if pair is not None:
            await self._settle(contradict(pair.left, pair.right, self.feed.source.clock.now()))

    async def action_triage_dismiss(self) -> None:
        """They do not: not suspected again."""
        pair = self._suspected("triage.dismiss")
        if pair is not None:
            await self._settle(dismiss(pair.left, pair.right))

    def _suspected(self, action_id: str) -> Dispute | None:
        pair = self._dispute(action_id)
        if pair is not None and not pair.is_suspected:
            self.feed.tell(
                f"{pair.left} and {pair.right} contradict each other, by an edge: settle it, or let both stand"
            )
            return None
        return pair

    def action_triage_both(self) -> None:
        """Both stand, each in its scope."""
        pair = self._dispute("triage.both")
        if pair is None:
            return
        now = self.feed.source.clock.now()

        def check(typed: Mapping[str, str]) -> Act:
            return stand_both(pair.left, pair.right, typed["scope"], now, is_suspected=pair.is_suspected)

        async def filled(typed: Mapping[str, str] | None) -> None:
            if typed is not None:
                await self._settle(check(typed))

        said = f"Say in which scope each holds, in one sentence: it becomes a claim of yours that refines {pair.left} \
and {pair.right}. “{pair.left} holds until 10:04, {pair.right} after it.”"
        form = FormDialog(self.palette, self.keymap, "both stand", said, [Field("scope", "")], check)
        self.app.push_screen(form, filled)

    async def action_triage_by_confidence(self) -> None:
        """One pair after the other, so that each can be taken back; one may settle the next."""
        if not self.may("triage.by_confidence"):
            return
        chosen = self._chosen_keys()
        settled, ties, gone = 0, 0, 0
        for key in chosen:
            pairs, _ = disputes(self.feed.source.graph, self.list.focus_on)
            pair = next((pair for pair in pairs if pair.key == key), None)
            if pair is None:
                gone += 1
                continue
            better = favourite(pair)
            if better is None:
                ties += 1
            elif await self._do(prefer(*better)):
                settled += 1
        parts = [f"{settled} settled by confidence"]
        parts += [f"{gone} went with them"] if gone else []
        parts += [f"{ties} left: both sides are as confident"] if ties else []
        undo = f"; {self.keymap.label('undo')} takes the last back" if settled else ""
        self.feed.tell(", ".join(parts) + undo)
        self._refresh()

    def _chosen_keys(self) -> list[str]:
        """The marked pairs in the order of the list, or the one under the cursor."""
        marked = [pair.key for pair in self.list.shown if pair.key in self.list.triage.marked]
        return marked or ([self.list.selected] if self.list.selected is not None else [])

    def action_triage_mark(self) -> None:
        """Mark, and go on to the next."""
        if self.list.selected is not None:
            self.list.triage = mark(self.list.triage, self.list.selected)
            self.list.move(1)
            self.list.paint()

    def action_triage_skip(self) -> None:
        """To the end of the list, the next one selected; once more brings it back."""
        keys = self._chosen_keys()
        if not keys:
            return
        shown = [pair.key for pair in self.list.shown]
        after = [key for key in shown[shown.index(keys[-1]) + 1 :] if key not in keys]
        self.list.triage = skip(self.list.triage, keys)
        if after:
            self.list.select(after[0])
        self.list.paint()

    # Sending for somebody

    def action_triage_auditor(self) -> None:
        """Somebody else than the authors of the two sides judges the claims of the question."""
        pair = self._dispute("triage.auditor")
        if pair is not None:
            graph = self.feed.source.graph
            authors = [vertex.created_by for node in (pair.left, pair.right) if (vertex := graph.get(node)) is not None]
            self._send(pair, "audit", None, frozenset(authors), "an auditor")

    def action_triage_escalate(self) -> None:
        """The best frontier model that can board, or why there is none."""
        pair = self._dispute("triage.escalate")
        question = self._asked(pair)
        if pair is None or question is None:
            return
        try:
            model, why = best_frontier(self.feed.source.rank(question))
        except PerduraError as error:
            model, why = None, str(error)
        if model is None:
            self.feed.tell(why, is_error=True)
        else:
            self._send(pair, "organic", model, frozenset(), model)

    def _asked(self, pair: Dispute | None) -> NodeId | None:
        if pair is None:
            return None
        if not pair.questions:
            self.feed.tell(f"no open question is near {pair.left} and {pair.right}: ask one to have them worked on")
            return None
        return pair.questions[0]

    def _send(self, pair: Dispute, mode: Mode, model: ModelId | None, apart: frozenset[ModelId], who: str) -> None:
        question = self._asked(pair)
        if question is None:
            return
        source = self.feed.source
        was_idle = source.activity == "idle"
        try:
            source.send(Errand(question, mode, model, apart))
        except InputError as error:
            self.feed.tell(str(error), is_error=True)
            return
        rest = "; everything else is paused" if was_idle or source.activity == "paused" else ""
        self.feed.tell(f"{who} is sent to {question}: the next free seat takes it{rest}")
        said = f"{who} sent to {question} at {clock_time(source.clock.now())}"
        self.list.triage = note(self.list.triage, pair.key, said)
        self.list.move(1)
        self.list.paint()
