"""Chunks on their way from a worker to its seat."""

import asyncio
from collections import deque

from perdura_core.vocabulary import Chunk

__all__ = ["Inbox"]


class Inbox:
    """A bounded queue whose end and whose interruption never overtake what has already arrived.

    The worker's side calls `put` and `close`, the seat's side `get`; anybody may `interrupt`. After an interrupt the
    seat still gets every chunk that was in the queue, so that no complete element is lost, and then None.
    """

    def __init__(self, capacity: int = 256) -> None:
        self._capacity = capacity
        self._chunks: deque[Chunk] = deque()
        self._error: Exception | None = None
        self._is_closed = False
        self._is_interrupted = False
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    async def put(self, chunk: Chunk) -> None:
        """Add a chunk, waiting while the queue is full."""
        await self._room.wait()
        self._chunks.append(chunk)
        if len(self._chunks) >= self._capacity:
            self._room.clear()
        self._news.set()

    def close(self, error: Exception | None = None) -> None:
        """Say that no more chunks come, because the stream ended or because it failed."""
        self._is_closed = True
        self._error = error
        self._news.set()

    def interrupt(self) -> None:
        """Have `get` return None as soon as it has given out what is here."""
        self._is_interrupted = True
        self._news.set()

    @property
    def is_interrupted(self) -> bool:
        """Whether somebody interrupted."""
        return self._is_interrupted

    async def get(self) -> Chunk | None:
        """The next chunk; None at the end or after an interrupt. Raises the error the stream ended with."""
        while not self._chunks:
            if self._is_interrupted:
                return None
            if self._is_closed:
                if self._error is not None:
                    raise self._error
                return None
            self._news.clear()
            await self._news.wait()
        chunk = self._chunks.popleft()
        self._room.set()
        return chunk
