"""The end of the journal in memory: who follows a busy session need not ask the store many times a second."""

from collections.abc import Sequence

from perdura_core.store.journal import Journal
from perdura_core.vocabulary import Event

__all__ = ["Tail"]

_KEPT = 1_000
"""Events: more than a tick takes in of the greatest flood."""


class Tail:
    """Keeps what the journal wrote and what it took in of other processes. Call `end` when done."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._events: list[Event] = []
        journal.follow(self._take, reset=self._events.clear)

    def end(self) -> None:
        """Keep nothing any more."""
        self._journal.unfollow(self._take)
        self._events.clear()

    def after(self, seq: int, limit: int) -> Sequence[Event] | None:
        """Up to `limit` events after this one that are on disk; None when some of them are no longer kept."""
        known, last = self._events, self._journal.committed
        if last <= seq:
            return ()
        if not known or known[0].seq > seq + 1:
            return None
        start = seq + 1 - known[0].seq
        return known[start : min(start + limit, last + 1 - known[0].seq)]

    def _take(self, events: Sequence[Event]) -> None:
        self._events.extend(events)
        if len(self._events) > 2 * _KEPT:
            del self._events[:-_KEPT]
