"""A session: seats at work on one mind, under the operator's hand."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from perdura_core.acts import profiles, unsettled
from perdura_core.clock import Ids
from perdura_core.conductor.crew import Yard
from perdura_core.conductor.dispatch import Dispatch
from perdura_core.conductor.joining import join
from perdura_core.conductor.order import Errand, Interrupt, SessionOrder, SessionReport
from perdura_core.conductor.recovery import interrupt_orphans
from perdura_core.conductor.seat import Seat
from perdura_core.errors import InputError, PerduraError, UnknownNodeError
from perdura_core.graph import Graph
from perdura_core.routing import Choice, RouteState, rank, route_state
from perdura_core.vocabulary import CONDUCTOR, Draft, ModelId, NodeId, SessionChanged, SessionEnded, SessionStarted

__all__ = ["Conductor"]

_HEARTBEAT_S = 10.0
_SYNC_S = 0.25
_JOIN_S = 1.0
_LAST_LOOK_S = 5.0
"""How long the end of a session waits for its last claims to be compared."""


class Conductor:
    """Runs one session at a time. Every wish of the operator is a plain call that returns at once."""

    def __init__(self, yard: Yard) -> None:
        self._yard = yard
        self._dispatch: Dispatch | None = None
        self._seats: dict[int, Seat] = {}
        self._tasks: asyncio.TaskGroup | None = None
        self._session: str | None = None
        self._starts_paused = False
        self._errands: list[Errand] = []

    # The session

    async def run(self, order: SessionOrder) -> SessionReport:
        """Work until the boardings of the order are done, nothing is left to do, or `finish` or `cancel` was called.

        Boardings that a dead process left open are ended as interrupted first. Raises StoreError when the mind
        cannot be written any more, InputError when no model is aboard or a session is already running.
        """
        if self._dispatch is not None:
            raise InputError("a session is already running on this mind: finish it before you start another")
        journal = self._yard.journal
        await journal.sync()
        await self._yard.records.catch_up()
        await interrupt_orphans(journal, self._yard.purse)
        if self._yard.suspects is not None:
            self._yard.suspects.start()
        await self._profile_domains()
        session = self._session = await self._start(order)
        dispatch = self._dispatch = Dispatch(self._yard, order, session, self._errands, is_paused=self._starts_paused)
        journal.on_commit(dispatch.wake)
        journal.on_commit(self._look_at_seats)
        journal.follow(dispatch.apply)
        try:
            async with asyncio.TaskGroup() as background:
                upkeep = [
                    background.create_task(self._keep_alive(session)),
                    background.create_task(self._follow_others()),
                    background.create_task(self._keep_joining(session)),
                ]
                try:
                    async with asyncio.TaskGroup() as tasks:
                        self._tasks = tasks
                        for number in range(1, order.seats + 1):
                            self._add_seat(number)
                finally:
                    for task in upkeep:
                        task.cancel()
        except BaseExceptionGroup as group:
            raise _cause(group) from None
        finally:
            journal.forget(dispatch.wake)
            journal.forget(self._look_at_seats)
            journal.unfollow(dispatch.apply)
            self._dispatch, self._tasks, self._session = None, None, None
            self._seats.clear()
            self._errands.clear()
        return await self._end(session, dispatch)

    async def _profile_domains(self) -> None:
        """Settle how fast domains are that have no interpretation yet, by the pace of their facts."""
        journal = self._yard.journal
        if unsettled(journal.graph):
            paces = await journal.store.paces(self._yard.clock.now())
            told = await journal.store.events(kinds=["domain_profiled"])
            await journal.write(profiles(paces, told))

    async def _start(self, order: SessionOrder) -> str:
        for model in (*order.models, *order.pins):
            self._yard.registry.admit(model)
        models = order.models or tuple(card.id for card in self._yard.registry.able(self._yard.clock.now()))
        if not models:
            raise InputError("no model is aboard: `perdura doctor` says what is missing")

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            session = ids.next("s")
            started = SessionStarted(
                session=session,
                operator=order.operator,
                seats=order.seats,
                policy=order.route,
                models=models,
                budget_micro_usd=_micro_usd(order.budget_usd),
                budget_tokens=order.budget_tokens,
            )
            return [Draft(what=started, by=order.operator, session=session)]

        if order.memoric_weight:
            await self._yard.scattering.load()
        started = (await self._yard.journal.write(plan))[0]
        session = started.session or ""
        await self._yard.journal.store.attend(session)
        return session

    async def _end(self, session: str, dispatch: Dispatch) -> SessionReport:
        journal = self._yard.journal
        if self._yard.suspects is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._yard.suspects.caught_up(), _LAST_LOOK_S)
        await self._join(session)
        records = sorted(await journal.store.boardings(session=session), key=lambda record: int(record.boarding.id[1:]))
        spent = sum(record.cost_micro_usd for record in records)
        ending: Literal["finished", "stopped"] = "stopped" if dispatch.was_stopped else "finished"
        ended = SessionEnded(session=session, ending=ending, boardings=len(records), cost_micro_usd=spent)
        await journal.append([Draft(what=ended, by=CONDUCTOR, session=session)])
        return SessionReport(
            session=session,
            ending=ending,
            boardings=tuple(records),
            spent_micro_usd=spent,
            contention=journal.graph.contention_all(),
        )

    async def _keep_alive(self, session: str) -> None:
        while True:
            await asyncio.sleep(_HEARTBEAT_S)
            await self._yard.journal.store.attend(session)

    async def _keep_joining(self, session: str) -> None:
        while True:
            await asyncio.sleep(_JOIN_S)
            await self._join(session)

    async def _join(self, session: str) -> None:
        """Link what says the same, as far as it was found."""
        suspects, journal = self._yard.suspects, self._yard.journal
        if suspects is not None and (restated := suspects.restated()):
            await journal.write(join(restated, self._yard.clock.now(), session))

    async def _follow_others(self) -> None:
        while True:
            await asyncio.sleep(_SYNC_S)
            if await self._yard.journal.store.has_news():
                await self._yard.journal.sync()

    def _add_seat(self, number: int) -> None:
        if self._tasks is None or self._dispatch is None or self._session is None:
            return
        seat = self._seats[number] = Seat(number, self._yard, self._dispatch, self._session)
        self._tasks.create_task(self._occupy(seat), name=f"seat {number}")

    async def _occupy(self, seat: Seat) -> None:
        await seat.run()
        self._seats.pop(seat.number, None)

    def _look_at_seats(self, head: int) -> None:
        """Swap workers in the place of whom another should go on, for what was written meanwhile."""
        dispatch = self._dispatch
        if dispatch is None or not dispatch.take_stir():
            return
        for seat in self._seats.values():
            if seat.ticket is not None and not seat.is_interrupted:
                found = dispatch.trigger(seat.ticket, seat.refused)
                if found is not None:
                    seat.interrupt(Interrupt("swapped", found.model, found))

    # The operator's hand

    @property
    def is_running(self) -> bool:
        """Whether a session is under way (paused or not)."""
        return self._dispatch is not None

    @property
    def is_paused(self) -> bool:
        """Whether no new boarding starts."""
        return self._starts_paused if self._dispatch is None else self._dispatch.is_paused

    @property
    def order(self) -> SessionOrder | None:
        """The order of the running session."""
        return None if self._dispatch is None else self._dispatch.order

    @property
    def busy_seats(self) -> tuple[int, ...]:
        """Seats with a worker aboard."""
        return tuple(number for number, seat in sorted(self._seats.items()) if seat.is_busy)

    def pause(self) -> None:
        """Start no new boarding; those under way go on to their end."""
        self._starts_paused = True
        if self._dispatch is not None:
            self._dispatch.pause()

    def resume(self) -> None:
        """Go on."""
        self._starts_paused = False
        if self._dispatch is not None:
            self._dispatch.resume()

    def step(self) -> None:
        """Let one boarding start, also while paused or when every question rests."""
        if self._dispatch is not None:
            self._dispatch.step()

    def send(self, errand: Errand) -> None:
        """Have a free seat do this before anything else; without a session, the first seat of the next one.

        Raises InputError for a question that is not open, a model that is not aboard, or a session that is ending.
        """
        vertex = self._yard.journal.graph.get(errand.question)
        if vertex is None:
            raise UnknownNodeError(errand.question)
        if vertex.question_status != "open" or vertex.superseded_by is not None:
            raise InputError(f"{errand.question} is not open: reopen it to have it worked on")
        if errand.model is not None:
            self._yard.registry.admit(errand.model)
        if self._dispatch is not None and self._dispatch.is_over:
            raise InputError("the session is ending: start another one, then send again")
        self._errands.append(errand)
        if self._dispatch is not None:
            self._dispatch.wake(0)

    @property
    def errands(self) -> tuple[Errand, ...]:
        """What was sent for and has not come aboard yet, oldest first."""
        return tuple(self._errands)

    def swap(self, seat: int, model: ModelId | None) -> None:
        """Put another model on the question of this seat: `model`, or with None the router's next choice.

        Raises InputError for a seat or a model that is not there.
        """
        if model is not None:
            self._yard.registry.admit(model)
        self._seat(seat).swap(model)

    def swap_all(self, old: ModelId, new: ModelId | None) -> int:
        """Swap every seat on which `old` is aboard. Returns how many there were."""
        seats = [seat for seat in self._seats.values() if seat.ticket is not None and seat.ticket.route.model == old]
        for seat in seats:
            self.swap(seat.number, new)
        return len(seats)

    def disembark(self, seat: int) -> None:
        """End the boarding of this seat; what it merged stays."""
        self._seat(seat).interrupt(Interrupt("cancelled"))

    def resize(self, seats: int) -> None:
        """Have so many seats from now on. A seat that goes ends its boarding first."""
        if self._dispatch is None:
            return
        for number in range(1, seats + 1):
            if number in self._seats:
                self._seats[number].remain()
            elif not self._dispatch.is_over:
                self._add_seat(number)
        for number, seat in self._seats.items():
            if number > seats:
                seat.leave()
        self._dispatch.wake(0)

    def reroute(self, order: SessionOrder) -> None:
        """Take policy, schedules, models and gate from this order for every boarding still to come."""
        if self._dispatch is not None:
            self._dispatch.take(order)

    async def change(self, order: SessionOrder) -> None:
        """Have the running session work by this order from now on, its seats and its budget included.

        Other seats, another policy or budget are told in the journal, where every process takes the cap from. Raises
        StoreError, and InputError for models that are not aboard.
        """
        for model in (*order.models, *order.pins):
            self._yard.registry.admit(model)
        if self._dispatch is None or self._session is None:
            return
        dispatch, before = self._dispatch, self._dispatch.order
        if _told(order) != _told(before):
            what = SessionChanged(
                session=self._session,
                seats=order.seats,
                policy=order.route,
                budget_micro_usd=_micro_usd(order.budget_usd),
                budget_tokens=order.budget_tokens,
            )
            await self._yard.journal.append([Draft(what=what, by=order.operator, session=self._session)])
        if self._dispatch is dispatch:  # it may have ended meanwhile
            self.reroute(order)
            self.resize(order.seats)

    @property
    def opened(self) -> int:
        """Boardings of the running session so far; 0 without one."""
        return 0 if self._dispatch is None else self._dispatch.opened

    @property
    def charged_micro_usd(self) -> int:
        """What the running session has spent and holds; 0 without one."""
        return 0 if self._session is None else self._yard.purse.charged("session", self._session)

    def outlook(self, question: NodeId, order: SessionOrder, ahead: Sequence[ModelId]) -> RouteState:
        """What the router will be told of the question under this order, after boardings of the models `ahead`.

        Only the cap of the session is left out, because the order may change it. Raises UnknownNodeError.
        """
        yard, vertex = self._yard, self._yard.journal.graph.get(question)
        boarded = () if self._dispatch is None else self._dispatch.session_models
        state = route_state(
            yard.journal.graph,
            yard.registry,
            yard.purse,
            question,
            now=yard.clock.now(),
            session=None,
            briefing_tokens=yard.settings.briefing.max_tokens,
            records=yard.records.for_question(vertex.domains if vertex is not None else ()),
            models=order.models,
            session_models=(*boarded, *ahead),
            turn=self.opened + len(ahead) + 1,
            settings=order,
            pins=order.pins,
            contention=yard.scattering.contention(question, order.memoric_weight),
        )
        return state.model_copy(update={"seed": f"{order.seed}:{self._session or ''}"})

    def finish(self) -> None:
        """Start no new boarding and end the session when those under way have ended."""
        if self._dispatch is not None:
            self._dispatch.stop()

    def cancel(self) -> None:
        """End every boarding now, keeping whole elements, and then the session."""
        if self._dispatch is not None:
            self._dispatch.stop()
            for seat in self._seats.values():
                seat.interrupt(Interrupt("cancelled"))

    def rank(self, question: NodeId) -> list[Choice]:
        """Every model of the registry for this question, best first; those that cannot board say why, at the end."""
        yard, vertex = self._yard, self._yard.journal.graph.get(question)
        state = route_state(
            yard.journal.graph,
            yard.registry,
            yard.purse,
            question,
            now=yard.clock.now(),
            session=self._session,
            briefing_tokens=yard.settings.briefing.max_tokens,
            records=yard.records.for_question(vertex.domains if vertex is not None else ()),
            only_aboard=False,
        )
        return rank(state)

    def _seat(self, number: int) -> Seat:
        if number not in self._seats:
            raise InputError(f"there is no seat {number}: this session has {len(self._seats)}")
        return self._seats[number]


def _told(order: SessionOrder) -> tuple[object, ...]:
    """What the journal says of an order."""
    return order.seats, order.route, order.budget_usd, order.budget_tokens


def _micro_usd(usd: float | None) -> int | None:
    return None if usd is None else round(usd * 1_000_000)


def _cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that ended the session: what a seat or the store raised, rather than the group it came in."""
    leaves: list[BaseException] = []
    nested: list[BaseException] = [group]
    while nested:
        error = nested.pop()
        if isinstance(error, BaseExceptionGroup):
            nested.extend(error.exceptions)
        else:
            leaves.append(error)
    return next((leaf for leaf in leaves if isinstance(leaf, PerduraError)), leaves[0])
