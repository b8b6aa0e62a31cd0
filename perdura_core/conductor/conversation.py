"""One call of a boarding: the stream comes in, every element merges as soon as it is complete."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import NamedTuple

from perdura_core.briefing import estimate_tokens
from perdura_core.conductor.inbox import Inbox
from perdura_core.delta import Aboard, DeltaParser, Intake, RawElement, plan_elements
from perdura_core.errors import PerduraError
from perdura_core.store import Journal
from perdura_core.vocabulary import (
    Call,
    ElementMerged,
    ElementRejected,
    Phase,
    Stop,
    StopReason,
    TextChunk,
    ThoughtChunk,
    Usage,
    UsageChunk,
)
from perdura_core.workers import Worker

__all__ = ["Conversation", "Reply"]


class Reply(NamedTuple):
    """What one call gave."""

    text: str = ""
    stop: StopReason | None = None
    """None: the stream ended without a reason, so it was cut (or interrupted)."""
    has_delta: bool = False
    """Whether an object of a delta's shape was in it, be it empty."""


class Conversation:
    """Streams the calls of one boarding. `tell(phase, text, is_thought)` is called as things move."""

    def __init__(self, journal: Journal, aboard: Aboard, tell: Callable[[Phase, str, bool], None]) -> None:
        self._journal = journal
        self._aboard = aboard
        self._tell = tell
        self._inbox: Inbox | None = None
        self._is_interrupted = False
        self.merged = 0
        self.rejected = 0
        self.output_tokens = 0
        """Of the call under way: an upper bound by length until the provider says."""
        self.usage: Usage | None = None
        """The provider's latest counts for the call under way."""

    def interrupt(self) -> None:
        """End the call under way, or the next one. Elements that have arrived whole are still merged."""
        self._is_interrupted = True
        if self._inbox is not None:
            self._inbox.interrupt()

    async def hear(self, worker: Worker, call: Call) -> Reply:
        """Make the call and merge what it says.

        The worker's stream is closed when this returns, whatever happened. Raises WorkerError as the worker did,
        after everything that had arrived before it is merged, and StoreError.
        """
        self.usage, self.output_tokens = None, 0
        inbox = self._inbox = Inbox()
        if self._is_interrupted:
            inbox.interrupt()
        failure: Exception | None = None
        reply = Reply()
        try:
            async with asyncio.TaskGroup() as tasks:
                pumping = tasks.create_task(_pump(worker, call, inbox))
                try:
                    reply = await self._listen(inbox)
                except Exception as error:  # leaves the group as it is, not wrapped in one
                    failure = error
                finally:
                    pumping.cancel()
        finally:
            self._inbox = None
        if failure is not None:
            raise failure
        return reply

    async def _listen(self, inbox: Inbox) -> Reply:
        parser, intake = DeltaParser(), Intake(self._aboard.shown)
        pieces: list[str] = []
        stop: StopReason | None = None
        failure: PerduraError | None = None
        try:
            while (chunk := await inbox.get()) is not None:
                match chunk:
                    case TextChunk(text=text):
                        pieces.append(text)
                        self.output_tokens += estimate_tokens(text)
                        self._tell("streaming", text, False)
                        await self._merge([group for raw in parser.feed(text) for group in intake.offer(raw)])
                    case ThoughtChunk(text=text):
                        self.output_tokens += estimate_tokens(text)
                        self._tell("streaming", text, True)
                    case UsageChunk(usage=usage):
                        self.usage = usage
                        if usage.output_tokens is not None:
                            self.output_tokens = usage.output_tokens
                    case Stop(reason=reason):
                        stop = reason
        except PerduraError as error:
            failure = error
        self._tell("merging", "", False)
        await self._merge([group for raw in parser.close() for group in intake.offer(raw)])
        await self._merge(intake.close())
        if failure is not None:
            raise failure
        return Reply("".join(pieces), stop, parser.found_delta)

    async def _merge(self, groups: Sequence[Sequence[RawElement]]) -> None:
        if not groups:
            return
        now = self._journal.clock.now()
        plans = [plan_elements(group, self._aboard, now) for group in groups]
        for events in await asyncio.gather(*(self._journal.write(plan) for plan in plans)):
            for event in events:
                self.merged += isinstance(event.what, ElementMerged)
                self.rejected += isinstance(event.what, ElementRejected)
        self._tell("merging", "", False)


async def _pump(worker: Worker, call: Call, inbox: Inbox) -> None:
    try:
        async with aclosing(worker.stream(call)) as chunks:
            async for chunk in chunks:
                await inbox.put(chunk)
    except Exception as error:  # handed to the seat, which decides
        inbox.close(error)
    else:
        inbox.close()
