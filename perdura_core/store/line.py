"""One connection to SQLite with a thread of its own, and SQLite's errors in the words of the store."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

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


class Line(aiosqlite.Connection):
    """A connection on which a whole piece of work is done in one hop to its thread.

    An await that is cancelled does not stop work that was handed in: it runs, in turn, and its result is dropped.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], place: str) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._place = place
        self.waiting = 0
        """Pieces of work handed in and not done."""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do the work on the connection's thread. Raises StoreError in place of sqlite3.Error."""
        self.waiting += 1
        try:
            return cast(T, await self._execute(self._translate, work))  # type: ignore[no-untyped-call]
        except ValueError as error:
            if self._running:
                raise
            raise StoreError(f"{self._place!r} was closed: open it again") from error
        finally:
            self.waiting -= 1

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

    def _translate(self, work: Callable[[sqlite3.Connection], T]) -> T:
        with translated(self._place):
            return work(self._conn)


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
