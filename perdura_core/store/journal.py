"""The one writer of a mind in this process: plans under the write lock, commits in groups, keeps the graph."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from perdura_core.clock import Clock, Ids
from perdura_core.errors import (
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
)
from perdura_core.graph import Graph
from perdura_core.store.kept import Kept
from perdura_core.store.protocol import Store
from perdura_core.store.subjects import given_ids
from perdura_core.vocabulary import Draft, Event

__all__ = ["Journal", "Plan"]

Plan = Callable[[Graph, Ids], Sequence[Draft]]
"""A pure decision: what to write, given the present. May run again if the group it was in could not be written."""

_MOST_PLANS = 128
"""In one transaction."""
_CHUNK = 500
"""Events that are applied before others get the event loop."""

_NOBODYS_FAULT = (StoreLockedError, StoreReadOnlyError, StoreForeignError, StoreCorruptError, StoreFullError)
"""Errors that would hit each plan of a group alone as well."""


class _Waiting(NamedTuple):
    plan: Plan
    kept: Kept | None
    written: "asyncio.Future[tuple[Event, ...]]"


class _Follower(NamedTuple):
    apply: Callable[[Sequence[Event]], None]
    reset: Callable[[], None] | None
    kinds: Collection[str]


class Journal:
    """Writes plans to the store and moves the graph along. Open one a process, with `Journal.open`.

    Plans that arrive while a transaction is under way share the next one (group commit): the lock is taken, events of
    other processes are applied to the graph, each plan sees the graph as the plans before it left it, and all are
    committed at once. A write that was accepted is never half done and never undone by the caller's cancellation. If
    the disk or the lock fails, every plan of the group fails with the StoreError; if the group is refused because of
    what it holds, each of its plans is tried alone. Either way the graph is reloaded, in place: whoever holds `graph`
    sees the present.
    """

    def __init__(self, store: Store, clock: Clock, graph: Graph, ids: Ids, last_at: datetime) -> None:
        self.store = store
        self.clock = clock
        self.graph = graph
        self._ids = ids
        self._last_at = last_at
        self.committed = graph.head
        """Number of the newest event that is known to be on disk: the graph may be ahead of it."""
        self._waiting: deque[_Waiting] = deque()
        self._news = asyncio.Event()
        self._is_closing = False
        self._turn = asyncio.Lock()
        """Held while the graph may be ahead of the store."""
        self._is_stale = False
        self._wakes: list[Callable[[int], None]] = []
        self._followers: list[_Follower] = []

    @classmethod
    @asynccontextmanager
    async def open(cls, store: Store, clock: Clock) -> "AsyncIterator[Journal]":
        """Load the graph and write for as long as the context lasts. On leaving, what was accepted is written first."""
        newest = await store.events(limit=1, newest=True)
        last_at = newest[0].at if newest else datetime.min.replace(tzinfo=UTC)
        journal = cls(store, clock, await store.load_graph(), Ids(await store.counters()), last_at)
        writer = asyncio.create_task(journal._serve(), name="journal")
        try:
            yield journal
        finally:
            journal._is_closing = True
            journal._news.set()
            await _to_the_end(writer)

    async def write(self, plan: Plan, kept: Kept | None = None) -> tuple[Event, ...]:
        """Run the plan and return the events it became, after they are on disk and in the graph.

        `kept` is written in the same transaction, also when the plan wants no event.

        A plan that raises fails alone: others of its group are written. Raises what the plan raised, or StoreError.
        When cancelled, the plan is carried out all the same, or fails, and nobody is told.
        """
        if self._is_closing:
            raise StoreError(f"{self.store.name!r} is being closed: open it again to write")
        waiting = _Waiting(plan, kept, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._news.set()
        return await waiting.written

    async def append(self, drafts: Sequence[Draft]) -> tuple[Event, ...]:
        """Write drafts that need no look at the present: `write` with a plan that returns them."""
        return await self.write(lambda graph, ids: drafts)

    async def sync(self) -> bool:
        """Apply what other processes wrote. Returns whether there was anything. Works on a read-only store too."""
        before = self.graph.head
        while news := await self.store.events(after=self.graph.head, limit=_CHUNK):
            await self._take_in(news)
        if self._is_stale:
            async with self._turn:
                await self._refresh()
        if self.graph.head == before:
            return False
        self._wake()
        return True

    def on_commit(self, wake: Callable[[int], None]) -> None:
        """Have `wake(head)` called on the event loop after each commit and each sync that brought news."""
        self._wakes.append(wake)

    def forget(self, wake: Callable[[int], None]) -> None:
        """Undo `on_commit`. Unknown callbacks are ignored."""
        if wake in self._wakes:
            self._wakes.remove(wake)

    def follow(
        self,
        apply: Callable[[Sequence[Event]], None],
        *,
        reset: Callable[[], None] | None = None,
        kinds: Collection[str] = (),
    ) -> None:
        """Have `apply` see every event when the graph does: under the write lock, before the next plan of a group.

        Events of a commit that then failed are unsaid by calling `reset`, after which `apply` gets all events of
        `kinds` that the journal holds. Without `reset` they are not unsaid.
        """
        self._followers.append(_Follower(apply, reset, kinds))

    def unfollow(self, apply: Callable[[Sequence[Event]], None]) -> None:
        """Undo `follow`."""
        self._followers = [follower for follower in self._followers if follower.apply != apply]

    # The writer

    async def _serve(self) -> None:
        group: list[_Waiting] = []
        try:
            while not (self._is_closing and not self._waiting):
                await self._news.wait()
                self._news.clear()
                while self._waiting:
                    group = [self._waiting.popleft() for _ in range(min(_MOST_PLANS, len(self._waiting)))]
                    await self._write_group(group)
        finally:
            self._is_closing = True
            for waiting in (*group, *self._waiting):
                _tell(waiting, StoreError(f"{self.store.name!r} was closed before this was written: open it again"))

    async def _write_group(self, group: Sequence[_Waiting]) -> None:
        outcomes: Sequence[tuple[Event, ...] | Exception]
        try:
            async with self._turn:
                outcomes = await self._attempt(group)
        except Exception as error:
            if len(group) > 1 and not isinstance(error, _NOBODYS_FAULT):
                for waiting in group:
                    await self._write_group([waiting])
                return
            outcomes = [error] * len(group)
        for waiting, outcome in zip(group, outcomes, strict=True):
            _tell(waiting, outcome)
        if any(isinstance(outcome, tuple) for outcome in outcomes):
            self._wake()

    async def _attempt(self, group: Sequence[_Waiting]) -> list[tuple[Event, ...] | Exception]:
        """Write what the plans say, in one transaction. Raises when none of it was written."""
        await self._refresh()
        try:
            outcomes = await self._commit(group)
        except Exception as error:
            try:
                await self._refresh()
            except StoreError as another:  # the next write or sync tries again
                error.add_note(f"nor could the mind be read again: {another}")
            raise
        await self._refresh()
        return outcomes

    async def _commit(self, group: Sequence[_Waiting]) -> list[tuple[Event, ...] | Exception]:
        news = await self.store.begin(self.graph.head)
        outcomes: list[tuple[Event, ...] | Exception] = []
        try:
            await self._take_in(news)
            since = 0
            for waiting in group:
                outcome = self._carry_out(waiting.plan)
                outcomes.append(outcome)
                since += len(outcome) if isinstance(outcome, tuple) else 0
                if since > _CHUNK:
                    since = 0
                    await asyncio.sleep(0)
        except BaseException:
            self._is_stale = True
            await self.store.rollback()
            raise
        events = [event for outcome in outcomes if isinstance(outcome, tuple) for event in outcome]
        kept = [
            waiting.kept
            for waiting, outcome in zip(group, outcomes, strict=True)
            if waiting.kept is not None and isinstance(outcome, tuple)
        ]
        if not (events or kept):
            await self.store.rollback()
            return outcomes
        try:
            await self.store.commit(events, kept)
        except BaseException:
            self._is_stale = True
            raise
        self.committed = self.graph.head
        self._note_redactions(events)
        return outcomes

    def _carry_out(self, plan: Plan) -> tuple[Event, ...] | Exception:
        """Run the plan, stamp its drafts and apply them. Raises only if the graph could not take them."""
        counters = self._ids.counters
        try:
            drafts = plan(self.graph, self._ids)
        except Exception as error:
            self._ids = Ids(counters)
            return error
        at = self._last_at = max(self._last_at, self.clock.now())
        events = tuple(
            Event.model_construct(
                seq=seq, at=at, by=draft.by, boarding=draft.boarding, session=draft.session, what=draft.what
            )
            for seq, draft in enumerate(drafts, self.graph.head + 1)
        )
        self._apply(events)
        return events

    # The graph

    def _apply(self, events: Sequence[Event]) -> None:
        self.graph.apply(events)
        for follower in self._followers:
            follower.apply(events)

    async def _take_in(self, news: Sequence[Event]) -> None:
        """Apply events of other processes, unless they were meanwhile."""
        for start in range(0, len(news), _CHUNK):
            fresh = [event for event in news[start : start + _CHUNK] if event.seq > self.graph.head]
            for event in fresh:
                for identifier in given_ids(event):
                    self._ids.seen(identifier)
                self._last_at = max(self._last_at, event.at)
            self._apply(fresh)
            if fresh:
                self.committed = fresh[-1].seq
            self._note_redactions(fresh)
            await asyncio.sleep(0)

    def _note_redactions(self, events: Iterable[Event]) -> None:
        # Nodes that quoted the text lost it too, which only the store can tell.
        if any(event.kind == "node_redacted" for event in events):
            self._is_stale = True

    async def _refresh(self) -> None:
        """Read the graph and what follows it anew if they may differ from the store."""
        if not self._is_stale:
            return
        graph, counters = await self.store.load_graph(), await self.store.counters()
        refolded = [
            (follower, await self.store.events(kinds=follower.kinds, until=graph.head))
            for follower in self._followers
            if follower.reset is not None
        ]
        self.graph.become(graph)
        self._ids = Ids(counters)
        self.committed = graph.head
        for follower, events in refolded:
            if follower.reset is not None:
                follower.reset()
                follower.apply(events)
        self._is_stale = False

    def _wake(self) -> None:
        for wake in tuple(self._wakes):
            wake(self.graph.head)


def _tell(waiting: _Waiting, outcome: tuple[Event, ...] | Exception) -> None:
    """Give the outcome to whoever waits, if somebody still does."""
    if waiting.written.done():
        return
    if isinstance(outcome, tuple):
        waiting.written.set_result(outcome)
    else:
        waiting.written.set_exception(outcome)


async def _to_the_end(task: "asyncio.Task[None]") -> None:
    """Wait for the task even when cancelled meanwhile; the cancellation is then passed on."""
    interrupted: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as cancellation:
            interrupted = cancellation
    if interrupted is not None:
        raise interrupted
    task.result()
