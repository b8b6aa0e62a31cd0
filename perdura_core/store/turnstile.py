"""Whose turn it is to take the write lock, when several processes write to one mind."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

__all__ = ["Turnstile"]

_GLANCE_S = 0.003
"""Between two looks at whether it is free, at first. Who has waited for a tenth of a second looks twice as often, and
so on, so that it is likely to be the next."""
_POLITE_S = 5.0
"""After so long, who stands in it is thought to be suspended, and is passed."""


class Turnstile:
    """Lets one process at a time wait for SQLite's write lock, which by itself goes to whoever happens to look.

    Who has written and wants to write again comes to the turnstile behind the one that stands in it, so that nobody
    takes the lock twice in a row while others wait. It orders and protects nothing: where there are no such locks
    (Windows, some network file systems), and when somebody stands in it for too long, the lock alone decides. Its file
    lies beside the mind, is empty, and goes when a process closes the mind.
    """

    def __init__(self, mind: Path) -> None:
        self._path = mind.with_name(mind.name + "-turn")

    @asynccontextmanager
    async def standing(self) -> AsyncIterator[None]:
        """Stand in the turnstile while the context lasts."""
        held = await self._come_in()
        try:
            yield
        finally:
            if held is not None:
                os.close(held)

    def remove(self) -> None:
        """Take the file away. Whoever stands in it loses nothing but the order."""
        with contextlib.suppress(OSError):
            self._path.unlink()

    async def _come_in(self) -> int | None:
        """The descriptor that holds the place; None when there is none to hold."""
        if sys.platform == "win32":
            return None
        loop = asyncio.get_running_loop()
        began = loop.time()
        while (waited_s := loop.time() - began) < _POLITE_S:
            try:
                # Opened each time: the file may have been removed by a process that closed the mind.
                held = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except OSError:
                return None
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(held)
            except OSError:
                os.close(held)
                return None
            else:
                return held
            await asyncio.sleep(_GLANCE_S / (1 + 10 * waited_s))
        return None
