"""Waiting for the write lock, and for work that must not be left half done."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from perdura_core.errors import StoreLockedError
from perdura_core.store.line import Line

__all__ = ["close_all", "patiently", "roll_back", "unbroken"]

T = TypeVar("T")

_PAUSE_S = 0.001
"""Between two attempts to take a lock, beside the time that SQLite itself waits."""


def roll_back(connection: sqlite3.Connection) -> None:
    """End the transaction under way, if there is one, without a change."""
    if connection.in_transaction:
        with suppress(sqlite3.Error):  # a disk that failed once may fail here again; the lock goes all the same
            connection.execute("ROLLBACK")


async def patiently(line: Line, work: Callable[[sqlite3.Connection], T], patience_s: float) -> T:
    """Do the work, again and again while another process holds the lock."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + patience_s
    while True:
        try:
            return await line.run(work)
        except StoreLockedError:
            if loop.time() >= deadline:
                raise
        await asyncio.sleep(_PAUSE_S)


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Wait for the work to its end, also when cancelled meanwhile; the cancellation is then passed on."""
    task = asyncio.ensure_future(work)
    interrupted: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as cancellation:
            interrupted = cancellation
    if interrupted is not None:
        task.exception()  # looked at, so that it is not reported as lost
        raise interrupted
    return task.result()


async def close_all(lines: Sequence[Line]) -> None:
    """Close them, in order."""
    for line in lines:
        await line.close()
