"""Two kinds of news: wake-ups for the journal (read it by sequence number) and progress (bounded, never stored)."""

import asyncio
from collections import deque
from collections.abc import Callable

from perdura_core.vocabulary import Progress

__all__ = ["Bus", "Subscription"]


class Subscription:
    """One listener's view of the bus. `drain` never waits; `changed` waits until there is something to drain."""

    def __init__(self, capacity: int, leave: Callable[["Subscription"], None]) -> None:
        self._progress: deque[Progress] = deque(maxlen=capacity)
        self._leave = leave
        self._news = asyncio.Event()
        self.head = 0
        """Number of the newest event of the journal that this listener was told of."""

    def drain(self) -> list[Progress]:
        """What happened on the seats since the last drain, oldest first; a burst has lost its oldest."""
        self._news.clear()
        drained = list(self._progress)
        self._progress.clear()
        return drained

    async def changed(self) -> None:
        """Return at once if there is news since the last drain, else when there is."""
        await self._news.wait()

    def close(self) -> None:
        """Stop listening. Idempotent."""
        self._leave(self)

    def tell(self, progress: Progress) -> None:
        """Take one piece of progress, dropping the oldest if there is no room."""
        self._progress.append(progress)
        self._news.set()

    def wake(self, head: int) -> None:
        """Take note that the journal grew."""
        self.head = max(self.head, head)
        self._news.set()


class Bus:
    """Carries progress and wake-ups from the conductor to whoever listens. Publishing never waits."""

    def __init__(self, capacity: int = 512) -> None:
        self._capacity = capacity
        self._listeners: list[Subscription] = []

    def subscribe(self) -> Subscription:
        """A new subscription; close it when done."""
        subscription = Subscription(self._capacity, self._forget)
        self._listeners.append(subscription)
        return subscription

    @property
    def is_heard(self) -> bool:
        """Whether anybody listens, so that progress is worth making."""
        return bool(self._listeners)

    def publish(self, progress: Progress) -> None:
        """Give progress to every listener."""
        for listener in self._listeners:
            listener.tell(progress)

    def wake(self, head: int) -> None:
        """Tell every listener that the journal has grown to `head`."""
        for listener in self._listeners:
            listener.wake(head)

    def _forget(self, subscription: Subscription) -> None:
        if subscription in self._listeners:
            self._listeners.remove(subscription)
