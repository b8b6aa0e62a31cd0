"""The only source of time and of ids, so that a test can hold both still."""

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

__all__ = ["Clock", "Ids"]


def _system_now() -> datetime:
    return datetime.now(UTC)


class Clock:
    """Wall time in UTC and a monotonic time in seconds. Pass other sources to simulate years in a test."""

    def __init__(
        self, now: Callable[[], datetime] = _system_now, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._now = now
        self._monotonic = monotonic

    def now(self) -> datetime:
        """The present, timezone-aware, UTC. Raises ValueError if the source gave a naive time."""
        moment = self._now()
        if moment.tzinfo is None:
            raise ValueError(f"the clock's source gave a time without a zone: {moment!r}")
        return moment.astimezone(UTC)

    def monotonic_s(self) -> float:
        """Seconds since an arbitrary start; never goes back. For durations only."""
        return self._monotonic()


class Ids:
    """Short typed ids, numbered per prefix from 1: `q7`, `f1042`, `i311`, `e12`, `b3`, `s1`, `p4`.

    `counters` maps each prefix to the last number given out. The journal loads it before it plans a write and owns
    the only live instance, under the store's write lock, so that two processes never give out the same id.
    """

    def __init__(self, counters: Mapping[str, int] | None = None) -> None:
        self._counters = dict(counters or {})

    def next(self, prefix: str) -> str:
        """The next id of this prefix."""
        number = self._counters.get(prefix, 0) + 1
        self._counters[prefix] = number
        return f"{prefix}{number}"

    def seen(self, identifier: str) -> None:
        """Take note of an id that somebody else gave out."""
        prefix, number = identifier[0], int(identifier[1:])
        if number > self._counters.get(prefix, 0):
            self._counters[prefix] = number

    @property
    def counters(self) -> dict[str, int]:
        """The last number given out per prefix, as a copy."""
        return dict(self._counters)
