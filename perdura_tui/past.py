"""A mind as it was: a source that folds the journal up to any event and forbids every change."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, NoReturn

from perdura_core.acts import Act
from perdura_core.clock import Clock
from perdura_core.conductor import Errand, SessionOrder
from perdura_core.config import ReviewGate, Settings
from perdura_core.errors import InputError
from perdura_core.graph import Graph, Vertex
from perdura_core.retrieval import Coverage, Found
from perdura_core.routing import (
    RECORD_KINDS,
    REGISTRY_KINDS,
    Choice,
    Comparison,
    PastRecords,
    Records,
    Registry,
    compare,
)
from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import (
    Boarding,
    BoardingRecord,
    Briefing,
    Event,
    Fact,
    MemoryReport,
    ModelId,
    Node,
    NodeId,
    Progress,
    Question,
    Stake,
    Standing,
    TrackRecord,
)
from perdura_tui.freezing import frozen, thawed
from perdura_tui.source import Activity, Opening, Source
from perdura_tui.states.contention import Contention
from perdura_tui.states.moment import Moment, moved
from perdura_tui.states.settings import Outlook

__all__ = ["SPEEDS", "PastSource"]

SPEEDS = (1, 5, 20, 50)
"""How many seconds of the mind's time pass in one of the operator's."""

_SLICE = 100
"""Events folded between two turns of the event loop."""
_FEWEST_BETWEEN_MARKS = 1_000
_MARKS = 24
_MOST_MARK_BYTES = 96_000_000
_LONGEST_WAIT_S = 1.5
"""Seconds of the operator's time; a longer silence of the mind is skipped in play."""
_PAGE = 200


class _Mark(NamedTuple):
    """A moment to start from, with its graph."""

    moment: Moment
    graph: bytes


class PastSource(Source):
    """Stands at one event and can be sent to another. The session of the live source goes on meanwhile."""

    def __init__(self, live: Source, between_marks: int = _FEWEST_BETWEEN_MARKS) -> None:
        """`between_marks`: events between two moments that are kept to start from, at least."""
        self.live = live
        self.name = live.name
        self.is_readonly = True
        self.moment = Moment()
        self.target = 0
        """The event it is on the way to."""
        self.speed: int | None = None
        """Of play; None: standing still."""
        self.clock = Clock(lambda: self.moment.at, self._moment_s)
        self._graph = Graph()
        self._registry = live.registry.as_of(())
        self._records: Records | None = None
        self._marks: list[_Mark] = []
        self._between_marks = between_marks
        self._play_at: datetime | None = None
        self._played_s = 0.0

    def _moment_s(self) -> float:
        """Elapsed times of seats end at the moment."""
        return self.moment.at.timestamp()

    # Travelling

    def aim(self, seq: int) -> None:
        """Set out for an event: the nearest that there is."""
        self.target = min(max(seq, 1), max(self.live.graph.head, 1))

    async def advance(self, budget_s: float) -> bool:
        """Fold towards the target for so long at most. Returns whether it has just arrived. Raises StoreError."""
        if self.moment.seq == self.target:
            return False
        clock = self.live.clock.monotonic_s
        until_s = clock() + budget_s
        await self._start_from_mark()
        while self.moment.seq < self.target and clock() < until_s:
            events = await self.live.read_events(self.moment.seq, until=self.target, limit=_SLICE)
            if not events:
                self.target = self.moment.seq
                break
            self.moment = moved(self.moment, self._graph, events)
            if self._records is not None:
                self._records.apply(events)
            await self._leave_mark()
            await asyncio.sleep(0)
        return self.moment.seq == self.target

    async def _start_from_mark(self) -> None:
        """Go to the mark nearest before the target, unless standing nearer."""
        here = self.moment.seq if self.moment.seq <= self.target else -1
        mark = max((m for m in self._marks if m.moment.seq <= self.target), key=lambda m: m.moment.seq, default=None)
        if mark is not None and mark.moment.seq > here:
            self._graph = await asyncio.to_thread(thawed, mark.graph)
            self.moment, self._records = mark.moment, None
        elif here < 0:
            self._graph, self.moment, self._records = Graph(), Moment(), None

    async def _leave_mark(self) -> None:
        newest = self._marks[-1].moment.seq if self._marks else 0
        if self.moment.seq - newest < max(self._between_marks, self.live.graph.head // _MARKS):
            return
        self._marks.append(_Mark(self.moment, await asyncio.to_thread(frozen, self._graph)))
        while sum(len(mark.graph) for mark in self._marks) > _MOST_MARK_BYTES and len(self._marks) > 1:
            del self._marks[-2::-2]  # every second one, never the newest

    def play(self, speed: int | None) -> None:
        """Let time pass at this speed, or hold it."""
        self.speed, self._play_at, self._played_s = speed, None, self.live.clock.monotonic_s()

    async def play_on(self) -> bool:
        """Aim at what time has brought since the last call. False when the present is reached. Raises StoreError."""
        now_s = self.live.clock.monotonic_s()
        passed_s, self._played_s = now_s - self._played_s, now_s
        if self.speed is None or self.moment.seq != self.target:
            return True
        ahead = await self.live.read_events(self.moment.seq, limit=_PAGE)
        if not ahead:
            return False
        at = (self._play_at or self.moment.at) + timedelta(seconds=passed_s * self.speed)
        self._play_at = max(at, ahead[0].at - timedelta(seconds=_LONGEST_WAIT_S * self.speed))
        due = [event.seq for event in ahead if event.at <= self._play_at]
        if due:
            self.aim(due[-1])
        return True

    # What was

    @property
    def graph(self) -> Graph:
        return self._graph

    async def opening(self) -> Opening:
        moment = self.moment
        self._registry = self.live.registry.as_of(await self.read_events(kinds=REGISTRY_KINDS))
        return Opening(
            moment.seq, moment.questions, moment.workers, moment.contention, moment.session, moment.lately.events,
            moment.tray,
        )  # fmt: skip

    async def history(self) -> Contention | None:
        return self.moment.contention

    def drain(self) -> list[Progress]:
        return []

    async def events(self, after: int, limit: int) -> list[Event]:
        return []

    async def read_events(
        self, after: int = 0, *, until: int | None = None, limit: int | None = None,
        kinds: Collection[str] | None = None, newest: bool = False,
    ) -> list[Event]:  # fmt: skip
        end = self.moment.seq if until is None else min(until, self.moment.seq)
        return await self.live.read_events(after, until=end, limit=limit, kinds=kinds, newest=newest)

    @property
    def fault(self) -> str | None:
        return self.live.fault

    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        found = await self.live.nodes(ids)
        return {
            node: self._as_it_was(value, vertex)
            for node, value in found.items()
            if (vertex := self._graph.get(node)) is not None
        }

    def _as_it_was(self, node: Node, vertex: Vertex) -> Node:
        changes: dict[str, Any] = {"superseded_by": vertex.superseded_by}
        if isinstance(node, Question):
            row = self.moment.questions.rows.get(node.id)
            changes |= {"status": vertex.question_status, "pinned": vertex.pinned}
            changes["resolved_by"] = row.resolved_by if row is not None else None
        elif isinstance(node, Fact):
            seen = [sighting for sighting in node.occurrences if sighting.recorded_at <= self.moment.at]
            changes["occurrences"] = tuple(seen) or node.occurrences[:1]
        else:
            changes |= {"status": vertex.status, "confidence": vertex.confidence}
        return node.model_copy(update=changes)

    async def history_of(self, node: NodeId, limit: int) -> list[Event]:
        told = await self.live.history_of(node, limit)
        return [event for event in told if event.seq <= self.moment.seq]

    async def _read_records(self) -> Records:
        if self._records is None:
            records = Records(self._graph)
            records.apply(await self.read_events(kinds=RECORD_KINDS))
            self._records = records
        while not self._records.refresh(_SLICE):  # noqa: ASYNC110 - a slice at a time, so that keys get the loop
            await asyncio.sleep(0)
        return self._records

    async def tracks(self, domain: str | None) -> list[TrackRecord]:
        records = await self._read_records()
        unpriced = [card.id for card in self._registry.cards if not card.prices]
        return records.track(domain, unpriced)

    async def compare(self, one: ModelId, other: ModelId, domain: str | None) -> Comparison:
        return compare(await self._read_records(), one, other, domain)

    async def past_tracks(self, domain: str | None) -> list[PastRecords]:
        return [moment for moment in await self.live.past_tracks(domain) if moment.seq <= self.moment.seq]

    @property
    def registry(self) -> Registry:
        return self._registry

    def rank(self, question: NodeId) -> Sequence[Choice]:
        return _refuse()

    async def boardings(self, ids: Collection[str]) -> dict[str, BoardingRecord]:
        return await self.live.boardings(ids)

    async def told_by(self, boarding: str) -> list[Event]:
        return [event for event in await self.live.told_by(boarding) if event.seq <= self.moment.seq]

    async def briefing(self, boarding: Boarding) -> Briefing:
        return await self.live.briefing(boarding)

    async def search(self, words: str, limit: int) -> Sequence[Found]:
        """Of what is found at present, what was there by then."""
        return [found for found in await self.live.search(words, limit) if self._graph.get(found.node.id) is not None]

    @property
    def coverage(self) -> Coverage:
        return self.live.coverage

    async def memory(self) -> MemoryReport | None:
        return None

    async def standing(self, node: NodeId) -> Standing | None:
        return None

    @property
    def upkeep(self) -> UpkeepProgress | None:
        return self.live.upkeep

    async def keep_up(self) -> None:
        _refuse()

    async def promote(self, proposal: str) -> None:
        _refuse()

    async def refuse_promotion(self, proposal: str) -> None:
        _refuse()

    # The session of the present goes on, and can be ended from anywhere

    @property
    def activity(self) -> Activity:
        return self.live.activity

    @property
    def aboard(self) -> int:
        return self.live.aboard

    def finish(self) -> None:
        self.live.finish()

    def cancel(self) -> None:
        self.live.cancel()

    async def closed(self) -> None:
        await self.live.closed()

    # Nothing can be changed in the past

    def start(self) -> None:
        _refuse()

    def pause(self) -> None:
        _refuse()

    def resume(self) -> None:
        _refuse()

    def step(self) -> None:
        _refuse()

    def swap(self, seat: int, model: ModelId | None) -> None:
        _refuse()

    async def ask(self, text: str, domains: tuple[str, ...], stake: Stake) -> NodeId:
        return _refuse()

    async def act(self, act: Act) -> None:
        _refuse()

    async def undo(self) -> str:
        return _refuse()

    async def accept(self, proposals: Sequence[str], changes: Mapping[str, Any] | None = None) -> tuple[Event, ...]:
        return _refuse()

    async def refuse(self, proposal: str, reason: str | None) -> None:
        _refuse()

    def send(self, errand: Errand) -> None:
        _refuse()

    @property
    def errands(self) -> tuple[Errand, ...]:
        return ()

    @property
    def review(self) -> ReviewGate:
        return self.live.review

    def hold(self, gate: ReviewGate) -> None:
        _refuse()

    @property
    def settings(self) -> Settings:
        return self.live.settings

    @property
    def order(self) -> SessionOrder:
        return self.live.order

    def outlook(self) -> Outlook:
        return _refuse()

    async def change(self, order: SessionOrder) -> None:
        _refuse()


def _refuse() -> NoReturn:
    raise InputError("you look at the past, which cannot be changed: esc returns to the present")
