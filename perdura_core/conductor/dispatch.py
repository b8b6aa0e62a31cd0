"""Which seat does what next: question, model and mode, with leases, the gate and the session's end."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from perdura_core.conductor.crew import Yard
from perdura_core.conductor.order import Departure, Errand, SessionOrder, Ticket
from perdura_core.conductor.unsure import Unsure
from perdura_core.config import SwapTrigger
from perdura_core.routing import (
    RouteState,
    choose_mode,
    choose_question,
    fallback,
    instead_of,
    route,
    route_state,
    swap_of,
)
from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    CostSettled,
    Event,
    ModelId,
    NodeId,
    Progress,
    Route,
)

__all__ = ["Dispatch"]

_STIRRING = frozenset({
    "question_asked",
    "question_reopened",
    "question_pinned",
    "fact_recorded",
    "model_enabled",
    "edge_retracted",
    "node_restored",
    "session_started",
})  # fmt: skip
"""What ends the rest of questions that had stagnated: something is new."""

_TRIGGERS: Mapping[SwapTrigger, frozenset[str]] = {
    "budget": frozenset({"session_changed", "cost_settled"}),
    "specialist": frozenset({"edge_added", "node_superseded", "question_resolved", "answer_graded", "card_changed"}),
    "stagnation": frozenset({"element_rejected"}),
    "contention": frozenset({"edge_added", "confidence_revised", "confidences_revised"}),
}
"""What may pull each trigger."""


class Dispatch:
    """Hands out tickets. All decisions are made without waiting, so that two seats never get the same question."""

    def __init__(
        self, yard: Yard, order: SessionOrder, session: str, errands: list[Errand], *, is_paused: bool
    ) -> None:
        self.order = order
        self._errands = errands
        self.unsure = Unsure(yard)
        """What is in its layer for want of anything better, to be asked about between boardings."""
        self._yard = yard
        self._session = session
        self._is_paused = is_paused
        self._steps = 0
        self._was_stopped = False
        self._opened = 0
        self._leases: dict[NodeId, int] = {}
        self._held: set[NodeId] = set()
        self._failed: dict[NodeId, list[ModelId]] = {}
        self._session_models: list[ModelId] = []
        self._stirred_at = yard.journal.graph.head
        self._worked_at: dict[NodeId, int] = {}
        self._news = asyncio.Event()
        self._stirs_seats = False

    # Tickets

    async def next_ticket(self, seat: int, is_wanted: Callable[[], bool]) -> Ticket | None:
        """What this seat does next, waiting while there is nothing; None when the session is over, or the seat is not
        wanted any more.

        Whoever takes a ticket gives it back with `release`, or turns it into its `successor`.
        """
        while not self.is_over and is_wanted():
            ticket, why_none = self._sent_for(), ""
            if ticket is None and self._is_paused and not self._steps:
                self._tell_empty(seat, "paused: space resumes, n steps one boarding", is_paused=True)
            else:
                if ticket is None:
                    ticket, why_none = self._choose()
                    self._steps = max(0, self._steps - (ticket is not None))
                if ticket is not None:
                    self._opened += 1
                    self._leases[ticket.question] = seat
                    return ticket
                if self.order.boardings is not None and not self._leases:
                    self._opened = self.order.boardings
                    self.wake(0)
                    return None
                self._tell_empty(seat, why_none)
            news = self._news
            await news.wait()
        return None

    def release(self, ticket: Ticket) -> None:
        """Let the question go, for others to take."""
        self._leases.pop(ticket.question, None)
        self._failed.pop(ticket.question, None)
        self.wake(0)

    def count_back(self) -> None:
        """The ticket led to no boarding."""
        self._opened -= 1

    def rerouted(self, ticket: Ticket, model: ModelId | None) -> Ticket:
        """The same work for this model, or with None for the router's choice among the others."""
        return self._rerouted(ticket, self._operators(ticket.question, model, ticket.route.model))

    def _rerouted(self, ticket: Ticket, chosen: Route) -> Ticket:
        return ticket._replace(route=chosen, alternatives=instead_of(self._state(ticket.question), chosen))

    def take_stir(self) -> bool:
        """Whether something happened since the last call that may pull a trigger."""
        stirs, self._stirs_seats = self._stirs_seats, False
        return stirs

    def trigger(self, ticket: Ticket, refused: int) -> Route | None:
        """Whom one of the order's triggers puts in the place of the worker aboard; None: it goes on."""
        if ticket.was_swapped or not self.order.swap_on:
            return None
        vertex = self._yard.journal.graph.get(ticket.question)
        overdrawn = self._yard.purse.overdrawn(
            session=self._session,
            day=self._yard.clock.now().date(),
            model=ticket.route.model,
            question=ticket.question,
            domains=() if vertex is None else vertex.domains,
        )
        on = self.order.swap_on
        if overdrawn is None and set(on) == {"budget"}:  # the usual case, after every settlement
            return None
        return swap_of(self._state(ticket.question), ticket.route.model, on, overdrawn=overdrawn, refused=refused)

    def successor(self, ticket: Ticket, departure: Departure) -> Ticket | None:
        """Who boards the same question right after: the one it was swapped for, or the next of the fallback chain."""
        by_trigger = departure.interrupt.route if departure.interrupt is not None else None
        if departure.ending == "swapped" and by_trigger is not None:
            chosen = by_trigger
            self._session_models.append(chosen.model)
        elif departure.ending == "swapped" and departure.interrupt is not None:
            chosen = self._operators(ticket.question, departure.interrupt.model, ticket.route.model)
        elif departure.should_fall_back and not self.is_over:
            failed = self._failed.setdefault(ticket.question, [])
            failed.append(ticket.route.model)
            following = fallback(self._state(ticket.question), failed)
            if following is None:
                return None
            chosen = following
        else:
            return None
        self._opened += 1
        return self._rerouted(ticket, chosen)._replace(was_swapped=by_trigger is not None)

    def cheaper(self, ticket: Ticket, refused: Sequence[ModelId], why: str) -> Ticket | None:
        """The same work for the cheapest model that no cap has refused yet; None when there is none."""
        state = self._state(ticket.question)
        left = state.model_copy(update={"why_not": {**state.why_not, **dict.fromkeys(refused, why)}, "pins": ()})
        chosen = route(left, "cheap")
        if chosen is None:
            return None
        told = chosen.model_copy(update={"reason": f"{refused[-1]} is over budget: {chosen.reason}"})
        return ticket._replace(route=told, alternatives=instead_of(left, told))

    def hold(self, ticket: Ticket) -> None:
        """No model fits into what a cap has left for this question: leave it until money is settled."""
        self._held.add(ticket.question)

    def _choose(self) -> tuple[Ticket | None, str]:
        """The next ticket; None, and why, when no question is left for which a model can board."""
        graph, number = self._yard.journal.graph, self._opened + 1
        taken = {question for question, _ in graph.open_boardings().values()}
        why_none = ""
        while (pick := choose_question(graph, {*self._leases, *self._held, *taken}, self.order, number)) is not None:
            vertex = graph.get(pick.question)
            rests = graph.idle_boardings(pick.question) >= self.order.stagnation_after
            is_stale = self._worked_at.get(pick.question, 0) > self._stirred_at
            is_pinned = vertex is not None and vertex.pinned
            if rests and is_stale and self.order.boardings is None and not self._steps and not is_pinned:
                return None, "every open question rests: ask another, read more, or step with n"
            state = self._state(pick.question)
            chosen = route(state, self.order.route)
            if chosen is not None:
                quiet = self._yard.consensus.quiet(self.order.collapse_after)
                mode = choose_mode(number, self.order, graph.claims_in(pick.question), quiet)
                self._session_models.append(chosen.model)
                return Ticket(pick.question, mode, chosen, instead_of(state, chosen)), ""
            self._held.add(pick.question)
            why_none = "no model can board: see the models pane, or `perdura doctor`"
        return None, why_none or self._why_nothing()

    def _sent_for(self) -> Ticket | None:
        """The first errand whose question is free and for which a model can board."""
        graph = self._yard.journal.graph
        taken = {question for question, _ in graph.open_boardings().values()}
        for errand in list(self._errands):
            vertex = graph.get(errand.question)
            if vertex is None or vertex.question_status != "open" or vertex.superseded_by is not None:
                self._errands.remove(errand)  # it was settled meanwhile
            elif errand.question not in {*self._leases, *self._held, *taken}:
                chosen = self._route_for(errand)
                if chosen is not None:
                    self._errands.remove(errand)
                    self._session_models.append(chosen.model)
                    return self._rerouted(Ticket(errand.question, errand.mode, chosen), chosen)
        return None

    def _route_for(self, errand: Errand) -> Route | None:
        if errand.model is not None:
            return Route(model=errand.model, policy="operator", reason="sent by the operator")
        state = self._state(errand.question)
        left_out = {**state.why_not, **dict.fromkeys(errand.apart_from, "it is to judge its own words")}
        chosen = route(state.model_copy(update={"why_not": left_out}), self.order.route) or route(
            state, self.order.route
        )
        return chosen and chosen.model_copy(update={"reason": f"sent by the operator: {chosen.reason}"})

    def _why_nothing(self) -> str:
        if self._held:
            return "the budget has no room, or no model can board"
        if self._leases:
            return "every open question has a worker"
        return "no open question: ask one with a"

    def _operators(self, question: NodeId, model: ModelId | None, present: ModelId) -> Route:
        if model is not None:
            self._session_models.append(model)
            return Route(model=model, policy="operator", reason="chosen by the operator")
        state = self._state(question)
        others = state.model_copy(update={"why_not": {**state.why_not, present: "it is to be replaced"}})
        chosen = route(others, self.order.route)
        if chosen is None:
            return Route(model=present, policy="operator", reason="no other model can board")
        self._session_models.append(chosen.model)
        return chosen.model_copy(update={"reason": f"swapped by the router: {chosen.reason}"})

    def _state(self, question: NodeId) -> RouteState:
        vertex = self._yard.journal.graph.get(question)
        domains = vertex.domains if vertex is not None else ()
        return route_state(
            self._yard.journal.graph,
            self._yard.registry,
            self._yard.purse,
            question,
            now=self._yard.clock.now(),
            session=self._session,
            briefing_tokens=self._yard.settings.briefing.max_tokens,
            records=self._yard.records.for_question(domains),
            models=self.order.models,
            session_models=self.session_models,
            turn=self._opened + 1,
            settings=self.order,
            pins=self.order.pins,
            contention=self._yard.scattering.contention(question, self.order.memoric_weight),
        )

    def take(self, order: SessionOrder) -> None:
        """Decide by this order from now on. What a cap held up is looked at again."""
        self.order = order
        self._held.clear()
        self.wake(0)

    @property
    def opened(self) -> int:
        """Boardings that were handed out."""
        return self._opened

    @property
    def session_models(self) -> tuple[ModelId, ...]:
        """Who was handed one lately, oldest first."""
        return tuple(self._session_models[-64:])

    # The gate

    @property
    def is_paused(self) -> bool:
        """Whether no new boarding starts by itself."""
        return self._is_paused

    @property
    def was_stopped(self) -> bool:
        """Whether somebody ended the session before its work was done."""
        return self._was_stopped

    def pause(self) -> None:
        """Hand out no ticket until `resume` or `step`."""
        self._is_paused = True
        self.wake(0)

    def resume(self) -> None:
        """Hand out tickets again."""
        self._is_paused = False
        self._steps = 0
        self.wake(0)

    def step(self) -> None:
        """Hand out one ticket, also while paused or when every question rests."""
        self._steps += 1
        self.wake(0)

    def stop(self) -> None:
        """Hand out no ticket ever again."""
        self._was_stopped = True
        self.wake(0)

    def wake(self, head: int) -> None:
        """Have every waiting seat look again."""
        self._news.set()
        self._news = asyncio.Event()

    def apply(self, events: Sequence[Event]) -> None:
        """Take note of what ends a rest and of what frees money."""
        self.unsure.apply(events)
        for event in events:
            if any(event.kind in _TRIGGERS[trigger] for trigger in self.order.swap_on):
                self._stirs_seats = True
            if event.kind in _STIRRING:
                self._stirred_at = event.seq
            match event.what:
                case BoardingOpened(boarding=boarding):
                    self._worked_at[boarding.question] = event.seq
                case BoardingEnded() | CostSettled():
                    self._held.clear()
                case _:
                    pass

    @property
    def is_over(self) -> bool:
        """Whether no ticket will be handed out any more."""
        return self._was_stopped or (self.order.boardings is not None and self._opened >= self.order.boardings)

    def _tell_empty(self, seat: int, why: str, *, is_paused: bool = False) -> None:
        self._yard.bus.publish(Progress(seat=seat, phase="paused" if is_paused else "empty", reason=why))
