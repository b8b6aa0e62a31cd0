"""One connection to SQLite with a thread of its own, and SQLite's errors in the words of the store."""

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, NamedTuple, TypeVar, cast

import aiosqlite

from perdura_core.errors import (
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreFullError,
    StoreLockedError,
    StoreReadOnlyError,
)

__all__ = ["Line", "translated"]

T = TypeVar("T")

_PRIMARY = 0xFF
"""SQLite's extended result codes hold the primary one in their low byte."""


_HOP_S = 0.002
"""What takes longer hands over what is done already before it goes on."""


class _Piece(NamedTuple):
    work: Callable[[sqlite3.Connection], Any]
    done: "asyncio.Future[Any]"


class Line(aiosqlite.Connection):
    """A connection on which whole pieces of work are done in its thread, in the order in which they were handed in.

    A hop to the thread and back costs more than most pieces, so that pieces which were handed in together, or while
    the thread was busy, share one. An await that is cancelled does not stop work that was handed in: it runs, in
    turn, and its result is dropped.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], place: str) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._place = place
        self._pieces: deque[_Piece] = deque()
        self._is_away = False
        """Whether a hop is under way or about to start."""
        self.waiting = 0
        """Pieces of work handed in and not done."""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work on the connection's thread. Raises StoreError in place of sqlite3.Error."""
        loop = asyncio.get_running_loop()
        piece = _Piece(work, loop.create_future())
        self._pieces.append(piece)
        self.waiting += 1
        if not self._is_away:
            self._is_away = True
            loop.call_soon(self._hop)  # what others hand in until then goes along
        return cast(T, await piece.done)

    async def close(self) -> None:
        """Do what was handed in, and close. Idempotent."""
        if self._running and self._connection is not None:
            await self.run(lambda connection: None)
        await super().close()

    def _hop(self) -> None:
        pieces = list(self._pieces)
        if not self._running or self._connection is None:
            closed = StoreError(f"{self._place!r} was closed: open it again")
            self._is_away = False
            self._hand_over([closed] * len(pieces))
            return
        landed: asyncio.Future[list[Any]] = asyncio.get_running_loop().create_future()
        landed.add_done_callback(self._land)
        self._tx.put_nowait((landed, lambda: self._work(pieces)))

    def _work(self, pieces: Sequence[_Piece]) -> list[Any]:
        """On the thread: what came of the pieces, or of the first of them when they take long."""
        until, outcomes = monotonic() + _HOP_S, list[Any]()
        for piece in pieces:
            try:
                with translated(self._place):
                    outcomes.append(piece.work(self._conn))
            except BaseException as error:  # raised where it is awaited
                outcomes.append(error)
            if monotonic() > until:
                break
        return outcomes

    def _land(self, landed: "asyncio.Future[list[Any]]") -> None:
        self._hand_over(landed.result())
        if self._pieces:
            self._hop()
        else:
            self._is_away = False

    def _hand_over(self, outcomes: Sequence[Any]) -> None:
        for outcome in outcomes:
            done = self._pieces.popleft().done
            self.waiting -= 1
            if done.cancelled():
                continue
            if isinstance(outcome, BaseException):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)

    async def read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do reading work on one consistent snapshot, which ends with the work."""

        def inside(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

        return await self.run(inside)


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Raise StoreError, by kind, where SQLite raised its own. `place` is quoted in the message."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translation(error, place) from error


def _translation(error: sqlite3.Error, name: str) -> StoreError:
    place = repr(name)
    code = getattr(error, "sqlite_errorcode", None)
    match None if code is None else code & _PRIMARY:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLockedError(f"{place} is in use by another process: try again, or open it read-only")
        case sqlite3.SQLITE_READONLY if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return StoreFullError(f"{place} was moved or deleted while it was open: put it back and open it again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return StoreReadOnlyError(f"{place} cannot be written: change its permissions, or open it read-only")
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN:
            return StoreFullError(
                f"{place} cannot be written to the disk any more ({error}): make room, see that the file and its "
                "folder are still there, and resume"
            )
        case sqlite3.SQLITE_CORRUPT:
            return StoreCorruptError(f"{place} is damaged ({error}): restore a copy")
        case sqlite3.SQLITE_NOTADB:
            return StoreForeignError(f"{place} is not a mind but some other kind of file: name another file")
        case _:
            return StoreError(f"{place} refused what was asked of it ({error}): please report this as a defect")
