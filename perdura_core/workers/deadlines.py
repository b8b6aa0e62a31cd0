"""The one timeout policy of every worker: connect, first byte, between chunks, whole call."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar

from perdura_core.errors import TransientError
from perdura_core.vocabulary import Deadlines, ModelId

__all__ = ["LOADING", "connect_limit", "within"]

T = TypeVar("T")

LOADING = 5.0
"""How many times longer a server that loads its model first may take to its first byte."""


def connect_limit(deadlines: Deadlines) -> tuple[float, None, None, None]:
    """Connect, read, write and pool timeouts for an HTTP client: `within` watches over all but the first."""
    return (deadlines.connect_s, None, None, None)


async def within(
    deadlines: Deadlines, model: ModelId, events: AsyncGenerator[T, None], patience: float = 1.0
) -> AsyncGenerator[T, None]:
    """Pass the events on as they come, and close their generator whatever happens.

    The time to the first event is `first_byte_s` times `patience`. Raises TransientError when a wait is over.
    """
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + deadlines.whole_call_s
    step_s, silence = deadlines.first_byte_s * patience, "no first byte"
    async with aclosing(events):
        while True:
            left_s = ends_at - loop.time()
            try:
                async with asyncio.timeout(min(step_s, left_s)) as limit:
                    event = await anext(events)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if not limit.expired():
                    raise
                break
            yield event
            step_s, silence = deadlines.between_chunks_s, "the stream stalled with no chunk"
    if left_s <= step_s:
        whole = f"the call took longer than {deadlines.whole_call_s:g} s and was ended: ask for less at a time"
        raise TransientError(model, whole)
    raise TransientError(model, f"{silence} within {step_s:g} s: the server is overloaded or hangs, try again later")
