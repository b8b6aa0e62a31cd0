"""A mind that is open in this process, as the desk sees it."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from perdura_core.acts import REVIEW_KINDS, Act
from perdura_core.briefing import recall
from perdura_core.conductor import Errand, SessionOrder
from perdura_core.config import ReviewGate, Settings
from perdura_core.errors import InputError, PerduraError
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.retrieval import Coverage, Found
from perdura_core.routing import Choice, Comparison, PastRecords, Quiet, Registry
from perdura_core.store import Tail
from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    BoardingRecord,
    Briefing,
    Event,
    MemoryReport,
    ModelId,
    Near,
    Node,
    NodeId,
    Progress,
    Stake,
    Standing,
    Suspicion,
    TrackRecord,
)
from perdura_tui.source import Activity, Opening, Source
from perdura_tui.states.contention import KEPT, Contention, Sample, replay
from perdura_tui.states.lately import Lately, reduce_lately
from perdura_tui.states.questions import Questions, row_of
from perdura_tui.states.settings import Outlook
from perdura_tui.states.status import Session, reduce_session
from perdura_tui.states.tray import Tray, reduce_tray
from perdura_tui.states.workers import Workers, reduce_events

__all__ = ["LiveSource"]

_LOOK_FOR_OTHERS_S = 0.25
_LONGEST_REPLAY = 20_000
"""Events; a longer journal is not replayed for the contention of its past."""
_SLICE = 200
"""Events replayed between two turns of the event loop."""
_LATELY = 200
_FEW_CLAIMS = 2_000


class LiveSource(Source):
    """`order` is what `start` asks the conductor for. Close with `closed` after `cancel` or `finish`."""

    def __init__(self, mind: Mind, order: SessionOrder) -> None:
        self._mind = mind
        self._order = order
        self._news = mind.bus.subscribe()
        self._tail = Tail(mind.journal)
        self._session: asyncio.Task[object] | None = None
        self._fault: str | None = None
        self._is_finishing = False
        self._looked_at_s = float("-inf")
        self.name = mind.name
        self.is_readonly = mind.store.is_readonly
        self.clock = mind.clock

    @property
    def graph(self) -> Graph:
        return self._mind.graph

    # News

    async def opening(self) -> Opening:
        await self._mind.journal.sync()
        graph, store = self._mind.graph, self._mind.store
        head = graph.head
        questions = {
            question.id: row_of(
                question,
                [link.id for link in graph.links(question.id) if link.type == "answers" and link.dst == question.id],
                graph.boardings_of(question.id),
            )
            for question in await store.questions()
        }
        turns = await store.events(kinds={"session_started", "session_ended"}, limit=2, newest=True)
        turns += await store.events(kinds={"session_changed"}, limit=1, newest=True)
        turns.sort(key=lambda event: event.seq)
        session = reduce_session(Session(), turns)
        workers = Workers()
        if session.id is not None:
            settled = [row.cost_micro_usd for row in await store.spend() if row.session == session.id]
            session = Session(
                session.id, session.is_open, session.seats, session.policy, session.budget_micro_usd, sum(settled)
            )
        if session.is_open:
            started = [event for event in turns if event.kind != "session_ended" and event.session == session.id]
            workers = reduce_events(workers, started + await self._boarded(), self.clock.monotonic_s())
        lately = reduce_lately(Lately(), await store.events(limit=_LATELY, newest=True))
        return Opening(
            head, Questions(questions), workers, Contention((), graph.contention_all()), session, lately.events,
            reduce_tray(Tray(), await store.events(kinds=REVIEW_KINDS)),
        )  # fmt: skip

    async def _boarded(self) -> list[Event]:
        open_ones = await self._mind.store.boardings(only_open=True)
        return [
            Event(
                seq=0,
                at=record.boarding.opened_at,
                by=record.boarding.model,
                what=BoardingOpened(boarding=record.boarding),
            )
            for record in open_ones
        ]

    async def history(self) -> Contention | None:
        head, boardings = self._mind.graph.head, self._mind.graph.total_boardings()
        if head > _LONGEST_REPLAY or boardings == 0:
            return None
        past, samples = Graph(), list[Sample]()
        while past.head < head:
            events = await self._mind.store.events(past.head, until=head, limit=_SLICE)
            if not events:
                break
            samples.extend(replay(past, events, boardings))
        return Contention(tuple(samples[-KEPT:]), past.contention_all())

    def drain(self) -> list[Progress]:
        return self._news.drain()

    async def sync(self) -> None:
        now_s = self.clock.monotonic_s()
        if not self._is_running and now_s - self._looked_at_s >= _LOOK_FOR_OTHERS_S:
            self._looked_at_s = now_s  # while a session runs, its conductor follows other processes
            await self._mind.journal.sync()

    async def events(self, after: int, limit: int) -> list[Event]:
        told = self._tail.after(after, limit)
        return await self._mind.store.events(after, limit=limit) if told is None else list(told)

    @property
    def fault(self) -> str | None:
        return self._fault

    # Reading

    async def read_events(
        self,
        after: int = 0,
        *,
        until: int | None = None,
        limit: int | None = None,
        kinds: Collection[str] | None = None,
        newest: bool = False,
    ) -> list[Event]:
        return await self._mind.store.events(after, until=until, limit=limit, kinds=kinds, newest=newest)

    @property
    def registry(self) -> Registry:
        return self._mind.registry

    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        return await self._mind.store.nodes(ids)

    async def history_of(self, node: NodeId, limit: int) -> list[Event]:
        return await self._mind.store.events(node=node, limit=limit, newest=True)

    async def tracks(self, domain: str | None) -> list[TrackRecord]:
        return await self._mind.tracks(domain)

    def prepare_tracks(self) -> None:
        self._mind.catch_up()

    async def compare(self, one: ModelId, other: ModelId, domain: str | None) -> Comparison:
        return await self._mind.compare(one, other, domain)

    async def past_tracks(self, domain: str | None) -> list[PastRecords]:
        return await self._mind.past_tracks(domain)

    def rank(self, question: NodeId) -> Sequence[Choice]:
        return self._mind.conductor.rank(question)

    async def boardings(self, ids: Collection[str]) -> dict[str, BoardingRecord]:
        return {record.boarding.id: record for record in await self._mind.store.boardings(ids=ids)}

    async def told_by(self, boarding: str) -> list[Event]:
        return await self._mind.store.events(boarding=boarding)

    def suspected(self) -> Sequence[Suspicion]:
        self._mind.suspects.start()
        return self._mind.suspects.suspected()

    def near(self, node: NodeId) -> Sequence[Near]:
        self._mind.suspects.start()
        return self._mind.suspects.near(node)

    @property
    def likeness_version(self) -> int:
        return self._mind.suspects.version

    def alike_among(self, nodes: Collection[NodeId]) -> tuple[Sequence[Near], Sequence[Suspicion]]:
        if self._mind.graph.count("interpretation") <= _FEW_CLAIMS:
            self._mind.suspects.start()  # in a large mind that takes a while: there a session or a visit begins it
        return self._mind.suspects.near(within=nodes), self._mind.suspects.suspected(nodes)

    def code(self, node: NodeId) -> str | None:
        self._mind.suspects.start()
        return self._mind.suspects.code(node)

    @property
    def quiet(self) -> Quiet:
        return self._mind.quiet

    async def briefing(self, boarding: Boarding) -> Briefing:
        return await recall(self._mind.store, self._mind.graph, boarding, self._mind.settings.briefing)

    async def search(self, words: str, limit: int) -> Sequence[Found]:
        return await self._mind.search(words, limit)

    @property
    def coverage(self) -> Coverage:
        return self._mind.finder.coverage

    # The memory

    async def memory(self) -> MemoryReport | None:
        return await self._mind.memory.report()

    async def standing(self, node: NodeId) -> Standing | None:
        return await self._mind.memory.standing(node)

    @property
    def upkeep(self) -> UpkeepProgress | None:
        return self._mind.upkeep.progress

    async def keep_up(self) -> None:
        if self.is_readonly:
            raise InputError("this desk is read-only: open the mind without --readonly to keep it up")
        await self._mind.keep_up()

    async def promote(self, proposal: str) -> None:
        await self._mind.promote(proposal)

    async def refuse_promotion(self, proposal: str) -> None:
        await self._mind.refuse_promotion(proposal)

    # The operator's commands

    @property
    def _is_running(self) -> bool:
        return self._session is not None and not self._session.done()

    @property
    def activity(self) -> Activity:
        if self.is_readonly:
            return "watching"
        if not self._is_running:
            return "idle"
        if self._is_finishing:
            return "finishing"
        return "paused" if self._mind.conductor.is_paused else "running"

    @property
    def aboard(self) -> int:
        return len(self._mind.conductor.busy_seats)

    def start(self) -> None:
        if not self._is_running and not self.is_readonly:
            self._mind.conductor.resume()
            self._begin()

    def _begin(self) -> None:
        self._fault, self._is_finishing = None, False
        self._session = asyncio.create_task(self._conduct(), name="session")

    async def _conduct(self) -> None:
        try:
            await self._mind.conductor.run(self._order)
        except PerduraError as error:
            self._fault = str(error)
        except Exception as error:  # the desk goes on without its session
            kind = type(error).__name__
            self._fault = f"the session broke ({kind}: {error}): start another, and please report this"

    def pause(self) -> None:
        self._mind.conductor.pause()

    def resume(self) -> None:
        self._mind.conductor.resume()

    def step(self) -> None:
        self._mind.conductor.step()

    def swap(self, seat: int, model: ModelId | None) -> None:
        self._mind.conductor.swap(seat, model)

    def finish(self) -> None:
        self._is_finishing = True
        self._mind.conductor.finish()

    def cancel(self) -> None:
        self._is_finishing = True
        self._mind.conductor.cancel()

    async def ask(self, text: str, domains: tuple[str, ...], stake: Stake) -> NodeId:
        return (await self._mind.ask(text, domains, stake)).id

    async def act(self, act: Act) -> None:
        await self._mind.act(act)

    async def undo(self) -> str:
        return await self._mind.undo()

    async def accept(self, proposals: Sequence[str], changes: Mapping[str, Any] | None = None) -> tuple[Event, ...]:
        return await self._mind.accept(proposals, changes)

    async def refuse(self, proposal: str, reason: str | None) -> None:
        await self._mind.refuse(proposal, reason)

    def send(self, errand: Errand) -> None:
        if self.is_readonly:
            raise InputError("this desk is read-only: open the mind without --readonly to send a worker")
        self._mind.conductor.send(errand)
        if not self._is_running:
            self._mind.conductor.pause()
            self._begin()

    @property
    def errands(self) -> tuple[Errand, ...]:
        return self._mind.conductor.errands

    @property
    def review(self) -> ReviewGate:
        return self._order.review

    def hold(self, gate: ReviewGate) -> None:
        self._order = self._order.model_copy(update={"review": gate})
        running = self._mind.conductor.order
        if running is not None:
            self._mind.conductor.reroute(running.model_copy(update={"review": gate}))

    @property
    def settings(self) -> Settings:
        return self._mind.settings

    @property
    def order(self) -> SessionOrder:
        return self._order

    def outlook(self) -> Outlook:
        conductor = self._mind.conductor
        return Outlook(self._mind.graph, conductor.opened, conductor.charged_micro_usd, conductor.outlook)

    async def change(self, order: SessionOrder) -> None:
        if self.is_readonly:
            raise InputError("this desk is read-only: open the mind without --readonly to change its session")
        await self._mind.conductor.change(order)
        self._order = order

    async def closed(self) -> None:
        if self._session is not None:
            await self._session
        self._news.close()
        self._tail.end()
