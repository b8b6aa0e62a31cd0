"""Takes in what happened, folds it into the panes' states, and says which panes have something new to show."""

import asyncio
from dataclasses import dataclass
from typing import Literal, get_args

from perdura_core.routing import REGISTRY_KINDS, Quiet
from perdura_core.vocabulary import BoardingEnded, Event, NodeRedacted
from perdura_tui.pager import Pager
from perdura_tui.past import PastSource
from perdura_tui.phrases import is_alarm, sentence, without_folders
from perdura_tui.source import Opening, Source
from perdura_tui.states.contention import Contention, add_samples, sample
from perdura_tui.states.journal import Journal
from perdura_tui.states.lately import Lately, reduce_lately
from perdura_tui.states.models import Leaderboard, leaderboard
from perdura_tui.states.questions import Questions, reduce_questions, with_contention
from perdura_tui.states.status import Session, reduce_session
from perdura_tui.states.tray import Tray, reduce_tray
from perdura_tui.states.workers import Workers, reduce_events, reduce_progress, with_streams
from perdura_tui.surveyor import Surveyor
from perdura_tui.vicinity import Vicinity

__all__ = ["TOPICS", "Feed", "Topic"]

Topic = Literal[
    "questions", "graph", "workers", "contention", "models", "status", "lately", "disputes", "tray", "journal",
    "registry",
]  # fmt: skip
"""What a pane may listen to."""
TOPICS: frozenset[Topic] = frozenset(get_args(Topic))

TICK_S = 0.1
_BATCH = 500
"""Events that one tick folds at most: a flood is taken in over several ticks, so that keys stay quick."""
_TRACKS_EVERY_S = 1.0
_PAST_BUDGET_S = 0.2
"""How long a tick folds the journal on the way to a past event."""
_RECORD_KINDS = frozenset(
    {"boarding_ended", "edge_added", "edge_retracted", "node_superseded", "node_restored", "status_changed",
     "interpretation_added", "element_rejected", "node_redacted", "proposal_settled"}
)  # fmt: skip
_GRAPH_KINDS = frozenset(
    {"edge_added", "edge_retracted", "node_superseded", "node_restored", "status_changed", "confidence_revised",
     "confidences_revised",
     "interpretation_added", "question_resolved"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the operator, shown for a while in place of the event line."""

    text: str
    is_error: bool
    until_s: float


class Feed:
    """The desk's present. Only `open`, `tick` and the setters change it; panes read it and paint."""

    def __init__(self, source: Source, surveyor: Surveyor | None = None) -> None:
        self.source = source
        self.surveyor = surveyor or Surveyor()
        """What gives the nodes of maps their places."""
        self.live = source
        """The present, also while `source` stands in the past."""
        self.questions = Questions()
        self.workers = Workers()
        self.contention = Contention()
        self.session = Session()
        self.lately = Lately()
        self.board = Leaderboard()
        self.around = Vicinity()
        """What stands around the selected question."""
        self.tray = Tray()
        self.head = 0
        self.notice: Notice | None = None
        self.quiet: Quiet | None = None
        """For how long nobody has contradicted anything; None: unknown, as in the past."""
        self.seat: int | None = None
        """The selected seat: what a swap acts on."""
        self._domain: str | None = None
        self._dirty: set[Topic] = set()
        self._told_fault: str | None = None
        self._activity = source.activity
        self._tracks_are_stale = False
        self._tracks_at_s = float("-inf")
        self._turn = asyncio.Lock()
        self._reading = asyncio.Lock()
        self._pager = Pager()
        self._reads_journal = False
        self._live_workers = Workers()
        self._live_contention = Contention()

    # What the panes set

    def judge(self, domain: str | None) -> None:
        """Show the records of one domain, or overall."""
        self._domain = domain
        self._tracks_are_stale = True
        self._tracks_at_s = float("-inf")

    def judge_next(self) -> None:
        """Overall, then each domain in turn."""
        domains: list[str | None] = [None, *sorted(self.source.graph.contention_of_domains())]
        place = domains.index(self.board.domain) + 1 if self.board.domain in domains else 0
        self.judge(domains[place % len(domains)])

    def tell(self, text: str, *, is_error: bool = False) -> None:
        """Show the operator a sentence."""
        if is_error:
            text = without_folders(text)
        self.notice = Notice(text, is_error, self.wall_s + (12.0 if is_error else 5.0))
        self._dirty.add("lately")

    @property
    def now_s(self) -> float:
        """Seconds by which elapsed times of seats are reckoned: in the past, those of the moment."""
        return self.source.clock.monotonic_s()

    @property
    def wall_s(self) -> float:
        """Monotonic seconds of the present."""
        return self.live.clock.monotonic_s()

    def take_dirty(self) -> set[Topic]:
        """What changed since the last call."""
        dirty, self._dirty = self._dirty, set()
        return dirty

    # The journal

    @property
    def journal(self) -> Journal:
        """The stretch that a screen shows."""
        return self._pager.journal

    def read_journal(self, reads: bool) -> None:
        """Whether a screen shows the journal."""
        self._reads_journal = reads

    def look_for(self, words: str) -> None:
        """Show only events that hold these words, from the newest on."""
        self._pager.look_for(self.live.graph.head, words)
        self._dirty.add("journal")

    def look_around(self, seq: int) -> None:
        """Show the journal around an event."""
        self._pager.look_around(seq)
        self._dirty.add("journal")

    def page(self, direction: Literal["older", "newer"]) -> None:
        """Read on at one end of the stretch."""
        self._pager.page(direction)

    # The past

    @property
    def past(self) -> PastSource | None:
        """Where the desk stands in the past; None in the present."""
        return self.source if isinstance(self.source, PastSource) else None

    def travel(self, seq: int) -> PastSource:
        """Show every pane as of an event, as soon as the journal is folded up to it."""
        past = self.past
        if past is None:
            self._live_workers, self._live_contention = self.workers, self.contention
            past = PastSource(self.live)
            self.source = past
        past.aim(seq)
        self._dirty.update(("status", "journal"))
        return past

    async def come_back(self) -> None:
        """Show the present again. Raises StoreError."""
        async with self._turn:
            if self.past is None:
                return
            opening = await self.live.opening()
            self.source = self.live
            self._show(opening)
            self.contention = add_samples(self._live_contention, (), self.live.graph.contention_all())
            self.workers = with_streams(self.workers, self._live_workers)
            self._tracks_are_stale = True
            self.around.doubt()
        await self.recall()

    # What time brings

    async def open(self) -> None:
        """Read the present. Raises StoreError."""
        self._show(await self.source.opening())

    def _show(self, opening: Opening) -> None:
        self.head = opening.head
        self.questions = opening.questions
        self.workers = opening.workers
        self.session = opening.session
        self.contention = opening.contention
        self.lately = Lately(opening.lately)
        self.tray = opening.tray
        if self.seat not in self.workers.cards:
            self.seat = min(self.workers.cards, default=None)
        self._dirty.update(TOPICS)
        self._measure()

    async def recall(self) -> None:
        """Fill in what a long past makes slow to know: track records, and the contention of boardings so far.

        May run beside `tick`.
        """
        await self._read_tracks()
        past = await self.source.history()
        if past is not None:
            lived = [
                entry for entry in self.contention.samples if entry.boarding not in {s.boarding for s in past.samples}
            ]
            self.contention = add_samples(past, lived, self.source.graph.contention_all())
            self._dirty.update(("contention", "status"))

    async def tick(self) -> None:
        """Take in what is new since the last tick. Two at once follow each other. Raises StoreError."""
        async with self._turn:
            await self._tick()

    async def _tick(self) -> None:
        now_s = self.wall_s
        if self.past is not None:
            await self._follow_past(self.past)
        else:
            await self._follow_present(now_s)
        self._watch_session(now_s)
        self._watch_consensus()
        if self.around.look(self.source, now_s):
            self._dirty.add("graph")
        if self._tracks_are_stale:
            self.source.prepare_tracks()  # a little with each tick, so that no reading has to do all of it

    async def read(self) -> None:
        """Read from the store what ticks found wanting; what follows shows it. May run beside `tick`.

        Two at once follow each other. Raises StoreError.
        """
        async with self._reading:
            await self.live.sync()
            if await self.around.read_texts(self.source):
                self._dirty.add("graph")
            if self._tracks_are_stale and self.wall_s - self._tracks_at_s >= _TRACKS_EVERY_S:
                await self._read_tracks()
            if self._reads_journal and await self._pager.read(self.live):
                self._dirty.add("journal")

    async def _follow_present(self, now_s: float) -> None:
        news = self.source.drain()
        if news:
            self._set_workers(reduce_progress(self.workers, news, now_s))
        events = await self.source.events(self.head, _BATCH)
        if events:
            self._fold(events, now_s)
        elif self.workers.aboard:
            self._dirty.add("workers")  # elapsed time goes on

    async def _follow_past(self, past: PastSource) -> None:
        self._live_workers = reduce_progress(self._live_workers, self.live.drain(), self.wall_s)
        if past.speed is not None and not await past.play_on():
            past.play(None)
            self.tell("this is the present as far as it was told: esc returns to it")
        before = past.moment.seq
        if await past.advance(_PAST_BUDGET_S):
            self._show(await past.opening())
            self._tracks_are_stale = True
            self.around.doubt()
        if past.moment.seq != before:
            self._dirty.update(("status", "journal"))

    def _fold(self, events: list[Event], now_s: float) -> None:
        self.head = events[-1].seq
        kinds = {event.kind for event in events}
        questions = reduce_questions(self.questions, events)
        if questions is not self.questions:
            self.questions = questions
            self._dirty.add("questions")
        self._set_workers(reduce_events(self.workers, events, now_s))
        session = reduce_session(self.session, events)
        if session is not self.session:
            self.session = session
            self._dirty.add("status")
        lately = reduce_lately(self.lately, events)
        if lately is not self.lately:
            self.lately = lately
            self._dirty.add("lately")
        tray = reduce_tray(self.tray, events)
        if tray is not self.tray:
            self.tray = tray
            self._dirty.update(("tray", "status"))
        for event in events:
            if is_alarm(event):
                self.tell(sentence(event), is_error=True)
            if isinstance(event.what, NodeRedacted):
                self.around.forget(event.what.node)
                self._dirty.add("disputes")
        graph = self.source.graph
        ended = [event.what.boarding for event in events if isinstance(event.what, BoardingEnded)]
        self.contention = add_samples(
            self.contention, [sample(graph, boarding) for boarding in ended], graph.contention_all()
        )
        if ended:
            self._dirty.update(("contention", "status"))
        if kinds & _GRAPH_KINDS:
            self._measure()
            self.around.doubt()
            self._dirty.add("disputes")
        if kinds & _RECORD_KINDS:
            self._tracks_are_stale = True
        if kinds & REGISTRY_KINDS:
            self._dirty.add("registry")

    def _set_workers(self, workers: Workers) -> None:
        if workers is self.workers:
            return
        if workers.aboard != self.workers.aboard:
            self._dirty.update(("status", "questions"))
        self.workers = workers
        self._dirty.add("workers")
        if self.seat not in workers.cards:
            self.seat = min(workers.cards, default=None)

    def _measure(self) -> None:
        graph = self.source.graph
        measured = with_contention(
            self.questions, {node: graph.contention(node) for node, row in self.questions.rows.items() if row.is_open}
        )
        if measured is not self.questions:
            self.questions = measured
            self._dirty.add("questions")

    async def _read_tracks(self) -> None:
        self._tracks_are_stale = False
        self._tracks_at_s = float("inf")  # a tick that comes meanwhile goes on without them
        try:
            board = leaderboard(await self.source.tracks(self._domain), self._domain)
        finally:
            self._tracks_at_s = self.wall_s
        if board != self.board:
            self.board = board
            self._dirty.add("models")

    @property
    def is_alarmed(self) -> bool:
        """Whether consensus may have collapsed."""
        return self.quiet is not None and self.quiet.is_alarm

    def _watch_consensus(self) -> None:
        quiet, before = self.source.quiet, self.quiet
        if quiet == before:
            return
        was_alarmed = self.is_alarmed
        self.quiet = quiet
        if self.is_alarmed or was_alarmed:
            self._dirty.update(("status", "contention", "lately"))

    def _watch_session(self, now_s: float) -> None:
        activity = self.source.activity
        if activity != self._activity:
            self._activity = activity
            self._dirty.update(("status", "workers"))
        fault = self.source.fault
        if fault is not None and fault != self._told_fault:
            self.tell(fault, is_error=True)
        self._told_fault = fault
        if self.notice is not None and now_s >= self.notice.until_s:
            self.notice = None
            self._dirty.add("lately")
