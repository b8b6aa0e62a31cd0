"""Starting the process that works a run out, and hearing from it."""

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress

from perdura_core.errors import UpkeepError
from perdura_core.upkeep.frames import LENGTH
from perdura_core.upkeep.order import Failure, Order, Outcome
from perdura_core.vocabulary import StepName

__all__ = ["work_apart"]

_AHEAD = 1 << 26
"""Bytes that are taken in before they are asked for, so that the work goes on while what came of it is written."""


async def work_apart(order: Order) -> AsyncGenerator[StepName | Outcome, None]:
    """What `working.outcomes` says, from another process. Closing the generator ends the process.

    Raises UpkeepError when the process broke or could not read the mind.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "perdura_core.upkeep.apart",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            start_new_session=True, limit=_AHEAD,
            env={"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )  # fmt: skip
    except OSError as error:
        raise UpkeepError(f"no process can be started for the upkeep ({error.strerror}): free some memory") from error
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    complaints = asyncio.create_task(process.stderr.read())
    try:
        process.stdin.write(pickle.dumps(order))
        process.stdin.close()
        while True:
            try:
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                frame = await process.stdout.readexactly(length)
            except asyncio.IncompleteReadError:
                break
            told = pickle.loads(frame)
            if isinstance(told, Failure):
                raise UpkeepError(told.reason)
            yield told
        said = (await complaints).decode(errors="replace").strip().splitlines()
        if await process.wait() != 0:
            raise UpkeepError(
                f"the upkeep's process ended early ({said[-1] if said else f'exit {process.returncode}'}): "
                "run `perdura upkeep` again, it goes on where it stopped"
            )
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with the processes that it started
        complaints.cancel()
        await process.wait()
