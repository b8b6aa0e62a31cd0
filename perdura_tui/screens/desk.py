"""Screen 1: the desk, and what the operator can do on it."""

from perdura_core.conductor import Errand
from perdura_core.errors import PerduraError
from perdura_core.vocabulary import Event, ModelId, NodeId
from perdura_tui.panes.frame import Frame
from perdura_tui.phrases import sentence
from perdura_tui.screens.ask import AskDialog, Asked
from perdura_tui.screens.boarding import BoardingDialog
from perdura_tui.screens.house import House
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.lately import LatelyDialog
from perdura_tui.screens.mode import DisputesWanted
from perdura_tui.screens.swap import SwapDialog
from perdura_tui.states.agreement import most_agreed
from perdura_tui.states.lately import subject
from perdura_tui.states.triage import Focus

__all__ = ["DeskScreen"]


class DeskScreen(House):
    """The panes with the operator's keys."""

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

    def action_challenge(self) -> None:
        """To the question that is agreed upon most; there, a worker to attack it."""
        graph = self.feed.source.graph
        wanted = most_agreed(graph) if self.feed.is_alarmed else self.feed.around.question
        if wanted is None:
            self.feed.tell("no claim stands undisputed here: let boardings add some first")
        elif wanted != self.feed.around.question:
            self._go_to(self._questions)
            self._end_filter(keep=False)
            self._questions.select(wanted)
            key = self.keymap.label("challenge")
            self.feed.tell(f"{wanted}: {_claims(graph.claims_in(wanted))} and no dispute; {key} again attacks them")
        elif not graph.claims_in(wanted):
            self.feed.tell(f"{wanted} has no claim yet that could be attacked")
        elif self.may("challenge"):
            self._challenge(wanted)

    def _challenge(self, question: NodeId) -> None:
        was_idle = self.feed.source.activity in ("idle", "paused")
        try:
            self.feed.source.send(Errand(question, "adversarial"))
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        rest = "; everything else is paused" if was_idle else ""
        self.feed.tell(f"a worker is sent to attack what is claimed on {question}: the next free seat takes it{rest}")

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
            node = self.feed.around.question if pane is self._graph else self._node_under(pane)
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


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"
