"""A slot for one worker: boarding after boarding, until the session has no more for it."""

import asyncio

from perdura_core.conductor.crew import Yard
from perdura_core.conductor.dispatch import Dispatch
from perdura_core.conductor.order import Departure, Interrupt, Ticket
from perdura_core.conductor.stay import LeaseLostError, Stay
from perdura_core.errors import OverBudgetError
from perdura_core.vocabulary import ModelId, Progress

__all__ = ["Seat"]


class Seat:
    """One seat of a session. The conductor runs it as a task and passes the operator's wishes on to it."""

    def __init__(self, number: int, yard: Yard, dispatch: Dispatch, session: str) -> None:
        self.number = number
        self._yard = yard
        self._dispatch = dispatch
        self._session = session
        self._stay: Stay | None = None
        self._wish: Interrupt | None = None
        self._is_leaving = False

    @property
    def is_busy(self) -> bool:
        """Whether a worker is aboard."""
        return self._stay is not None

    @property
    def ticket(self) -> Ticket | None:
        """What the worker aboard is doing."""
        return None if self._stay is None else self._stay.ticket

    @property
    def is_interrupted(self) -> bool:
        """Whether the present boarding is being cut short already."""
        return self._stay is not None and self._stay.is_interrupted

    @property
    def refused(self) -> int:
        """Elements of the worker aboard that were refused, while none was merged."""
        return 0 if self._stay is None else self._stay.refused

    def interrupt(self, interrupt: Interrupt) -> None:
        """Cut the present boarding short. A swap asked for between two boardings applies to the next one."""
        if self._stay is not None:
            self._stay.interrupt(interrupt)
        elif interrupt.ending == "swapped":
            self._wish = interrupt

    def leave(self) -> None:
        """Take no further boarding. Whoever waits for one is to be woken."""
        self._is_leaving = True

    def remain(self) -> None:
        """Take boardings again, unless the seat is closed already."""
        self._is_leaving = False

    def _is_wanted(self) -> bool:
        return not self._is_leaving

    async def run(self) -> None:
        """Work until the session is over or the seat is taken away. Raises StoreError."""
        successor: Ticket | None = None
        while not self._is_leaving:
            ticket = successor or await self._dispatch.next_ticket(self.number, self._is_wanted)
            if ticket is None:
                break
            if self._wish is not None:
                ticket = self._dispatch.rerouted(ticket, self._wish.model)
                self._wish = None
            departure = await self._board(ticket)
            await asyncio.sleep(0)
            if departure is not None and departure.ending == "merged" and departure.boarding is not None:
                card = self._yard.registry.card(ticket.route.model)
                await self._dispatch.unsure.ask(card, self._session, ticket.question, departure.boarding)
            successor = self._dispatch.successor(ticket, departure) if departure is not None else None
            if successor is None:
                self._dispatch.release(ticket)
        if successor is not None:
            self._dispatch.release(successor)
        self._yard.bus.publish(Progress(seat=self.number, phase="empty", reason="the seat is closed"))

    async def _board(self, ticket: Ticket) -> Departure | None:
        """One boarding, by a cheaper model if no cap has room for the chosen one; None when none could be opened."""
        refused: list[ModelId] = []
        trying: Ticket | None = ticket
        while trying is not None:
            card = self._yard.registry.card(trying.route.model)
            stay = self._stay = Stay(self._yard, self._dispatch.order, self._session, self.number, trying, card)
            try:
                return await stay.run()
            except LeaseLostError:
                break
            except OverBudgetError as refusal:
                refused.append(trying.route.model)
                trying = self._dispatch.cheaper(ticket, refused, str(refusal))
                if trying is None:
                    self._dispatch.hold(ticket)
            finally:
                self._stay = None
        self._dispatch.count_back()
        return None

    def swap(self, model: ModelId | None) -> None:
        """Put another worker on the question at hand: this model, or the router's next choice."""
        self.interrupt(Interrupt("swapped", model))
