"""Processes that live and die on a mind, for tests that kill them or let several work at once."""

import asyncio
import json
import multiprocessing
import os
import time
from io import BufferedReader
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any, NamedTuple

from perdura_core.conductor import order_from
from perdura_core.mind import Mind

__all__ = ["Life", "asking", "begin", "working"]

MODELS = ("reader:support", "reader:doubt", "reader:gather")
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.lives"])


class Life(NamedTuple):
    """A process and what it says of itself, one JSON value a line."""

    process: BaseProcess
    news: BufferedReader

    def hear(self) -> Any:
        """The next thing it says."""
        line = self.news.readline()
        if not line.endswith(b"\n"):
            raise EOFError(f"the process ended by itself with {self.process.exitcode}")
        return json.loads(line)

    def hear_all(self) -> list[Any]:
        """Everything else that it says before its end; a line that was cut by its death is not there."""
        with self.news:
            return [json.loads(line) for line in self.news.read().split(b"\n")[:-1]]


def begin(target: Any, mind: Path, *args: Any) -> Life:
    """Start a process. It is running when this returns, and may not have opened the mind yet."""
    reading, writing = os.pipe()
    process = _PROCESSES.Process(target=_live, args=(target, _Pipe(writing), mind, *args), daemon=True)
    process.start()
    os.close(writing)
    return Life(process, os.fdopen(reading, "rb"))


class _Pipe:
    """The writing end of a pipe, which goes to the process when that is started."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __getstate__(self) -> Any:
        return DupFd(self.descriptor)

    def __setstate__(self, state: Any) -> None:
        self.descriptor = state.detach()


def _live(target: Any, pipe: _Pipe, mind: Path, *args: Any) -> None:
    def say(value: Any) -> None:
        os.write(pipe.descriptor, json.dumps(value).encode() + b"\n")

    asyncio.run(target(say, mind, *args))


async def working(say: Any, path: Path, seats: int, pace: float) -> None:
    """Work until killed. Says each head of the journal that is on disk and every piece of text that was streamed."""
    async with Mind.open(path, pace=pace) as mind:
        mind.journal.on_commit(lambda head: say(["head", head]))
        news = mind.bus.subscribe()

        async def follow() -> None:
            while True:
                await news.changed()
                for progress in news.drain():
                    if progress.text and not progress.is_thought:
                        say(["text", progress.boarding, progress.text])

        order = order_from(mind.settings).model_copy(update={"seats": seats, "models": MODELS, "stagnation_after": 99})
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follow())
            tasks.create_task(mind.conductor.run(order))


async def asking(say: Any, path: Path, name: str, seconds: float) -> None:
    """Ask and let readers work for a while beside other processes. Says what it asked and how long it had to wait."""
    async with Mind.open(path) as mind:
        order = order_from(mind.settings).model_copy(update={"seats": 2, "models": MODELS})
        async with asyncio.TaskGroup() as tasks:
            session = tasks.create_task(mind.conductor.run(order))
            end_s = time.monotonic() + seconds
            number = 0
            while time.monotonic() < end_s:
                number += 1
                began_s = time.monotonic()
                question = await mind.ask(f"Question {number} of {name}: did the cache restart before the deploy?")
                say(["asked", question.id, question.text, time.monotonic() - began_s])
                await asyncio.sleep(0.02)
            mind.conductor.cancel()
        report = session.result()
        say(["report", sum(record.merged for record in report.boardings), len(report.boardings)])
