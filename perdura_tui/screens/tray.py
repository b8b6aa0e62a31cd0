"""The tray over any screen: accept, refuse with a reason, edit then accept, one or several at once."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.errors import PerduraError
from perdura_core.vocabulary import BoardingRecord, ProposalSettled
from perdura_tui.actions import Keymap, action, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import EventLine, Keys
from perdura_tui.panes.tray import HeldPane, TrayList
from perdura_tui.screens.boarding import BoardingDialog
from perdura_tui.screens.dialog import Dialog
from perdura_tui.screens.form import FormDialog
from perdura_tui.states.tray import Field, Waiting, by_boarding, changes, fields, touches

__all__ = ["TrayDialog"]


class TrayDialog(Dialog[None]):
    """Follows what happens while it is open: seats go on sending."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("tray")]

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(palette, keymap)
        self._feed = feed
        self._list = TrayList(feed, palette)
        self._list.when_chosen = self._read
        self._held = HeldPane(feed, palette, keymap)
        self._events = EventLine(feed, palette)
        self._events.GROUND = "raised"
        self._records: dict[str, BoardingRecord] = {}

    def compose(self) -> ComposeResult:
        """The list above, the element under the cursor below."""
        with Vertical(classes="box page"):
            yield self._list
            yield self._held
            yield self._events
            yield Keys(self.keymap, self.palette, "tray", "screen", ground="raised")

    def on_mount(self) -> None:
        """The keys go to the list."""
        self._list.focus()
        self._read()

    def on_resize(self) -> None:
        """The list as high as it is long, and the element the rest."""
        self._fit_list()

    def _fit_list(self) -> None:
        self._list.styles.height = min(max(len(self._feed.tray.waiting), 4) + 2, max(self.size.height * 2 // 5, 5))

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Elements came or went."""
        if "tray" in dirty:
            self._fit_list()
            self._list.paint()
            self._read()
        if self._events.LISTENS & dirty:
            self._events.paint()

    def _read(self) -> None:
        if self.is_mounted:
            self._fetch()

    @work(exclusive=True, group="held")
    async def _fetch(self) -> None:
        source, waiting = self._feed.source, self._feed.tray.waiting
        held = self._list.entry_under
        try:
            missing = {entry.boarding for entry in waiting.values()} - self._records.keys()
            if missing:
                self._records |= await source.boardings(missing)
                self._list.records = self._records
                self._list.paint()
            record = self._records.get(held.boarding) if held is not None else None
            wanted = {node for _, node in touches(held)} if held is not None else set()
            if record is not None:
                wanted.add(record.boarding.question)
            found = await source.nodes(wanted)
        except PerduraError as error:
            self._feed.tell(str(error), is_error=True)
            return
        self._held.show(held, record, {node: value.text for node, value in found.items()})

    # What the operator says

    def _may(self, action_id: str) -> bool:
        if action(action_id).changes_mind and self._feed.source.is_readonly:
            self._feed.tell("this desk is read-only: open the mind without --readonly to change it", is_error=True)
            return False
        return True

    def _chosen(self, action_id: str) -> list[str]:
        """The marked elements, or the one under the cursor."""
        if not self._may(action_id):
            return []
        marked = [key for key in self._feed.tray.waiting if key in self._list.marked]
        return marked or ([self._list.selected] if self._list.selected is not None else [])

    def action_tray_mark(self) -> None:
        """Mark, and go on to the next."""
        if self._list.selected is not None:
            self._list.marked ^= {self._list.selected}
            self._list.move(1)
            self._list.paint()

    async def action_tray_accept(self) -> None:
        """Merge them, boarding by boarding."""
        await self._accept(self._chosen("tray.accept"), {})

    async def _accept(self, chosen: list[str], changed: Mapping[str, object]) -> None:
        if not chosen:
            return
        accepted, refused = list[str](), list[str]()
        try:
            for group in by_boarding(self._feed.tray, chosen):
                for event in await self._feed.source.accept(group, changed):
                    if isinstance(event.what, ProposalSettled):
                        if event.what.accepted:
                            accepted.append(event.what.proposal)
                        else:
                            refused.append(f"{event.what.proposal} no longer fits: {event.what.reason}")
        except PerduraError as error:
            refused.append(str(error))
        said = [f"{', '.join(accepted)} merged; {self.keymap.label('tray.undo')} takes it back"] if accepted else []
        self._feed.tell("; ".join([*refused, *said]), is_error=bool(refused))
        await self._feed.tick()

    def action_tray_refuse(self) -> None:
        """Ask for a reason, then refuse them."""
        chosen = self._chosen("tray.refuse")
        if not chosen:
            return

        async def filled(typed: Mapping[str, str] | None) -> None:
            if typed is not None:
                await self._refuse(chosen, typed["reason"].strip() or None)

        said = "A reason stays in the journal, and in the worker's record. It may be left empty."
        title = f"refuse {', '.join(chosen)}"
        form = FormDialog(self.palette, self.keymap, title, said, [Field("reason", "")], _anything)
        self.app.push_screen(form, filled)

    async def _refuse(self, chosen: list[str], reason: str | None) -> None:
        try:
            for proposal in chosen:
                await self._feed.source.refuse(proposal, reason)
        except PerduraError as error:
            self._feed.tell(str(error), is_error=True)
        else:
            self._feed.tell(f"{', '.join(chosen)} refused; {self.keymap.label('tray.undo')} takes it back")
        await self._feed.tick()

    def action_tray_edit(self) -> None:
        """Change the element under the cursor, then merge it."""
        held: Waiting | None = self._list.entry_under
        if held is None or not self._may("tray.edit"):
            return
        parts = fields(held.element)
        if not parts:
            self._feed.tell(f"{held.proposal} is a {held.kind} without words: accept or refuse it as it is")
            return

        async def filled(typed: Mapping[str, str] | None) -> None:
            if typed is not None:
                await self._accept([held.proposal], changes(held.element, typed))

        title = f"edit {held.proposal}, then accept it"
        said = f"{held.kind} by {held.by}. It stays attributed to its worker; the journal keeps what was sent."
        form = FormDialog(self.palette, self.keymap, title, said, parts, partial(changes, held.element))
        self.app.push_screen(form, filled)

    async def action_tray_undo(self) -> None:
        """Take back the last act, whatever it was."""
        await self.app.run_action("undo", self.app)

    def action_tray_boarding(self) -> None:
        """The boarding that sent it."""
        held = self._list.entry_under
        if held is not None:
            self.app.push_screen(BoardingDialog(self._feed, self.palette, self.keymap, held.boarding))


def _anything(typed: Mapping[str, str]) -> None:
    """A reason may be anything."""
