"""Chunks between worker and seat: order, backpressure, interruption."""

import asyncio

import pytest

from perdura_core.conductor.inbox import Inbox
from perdura_core.errors import TransientError
from perdura_core.vocabulary import TextChunk


async def drain(inbox: Inbox) -> list[str]:
    texts = []
    while (chunk := await asyncio.wait_for(inbox.get(), 5)) is not None:
        assert isinstance(chunk, TextChunk)
        texts.append(chunk.text)
    return texts


async def test_chunks_come_out_in_order_and_end_when_the_stream_ends() -> None:
    inbox = Inbox()
    for text in "abc":
        await inbox.put(TextChunk(text=text))
    inbox.close()
    assert await drain(inbox) == ["a", "b", "c"]


async def test_what_arrived_before_an_interrupt_is_still_given_out() -> None:
    inbox = Inbox()
    await inbox.put(TextChunk(text="whole"))
    inbox.interrupt()
    assert await drain(inbox) == ["whole"]


async def test_an_interrupt_wakes_a_seat_that_waits() -> None:
    inbox = Inbox()
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(drain(inbox))
        await asyncio.sleep(0)
        inbox.interrupt()
    assert waiting.result() == []


async def test_an_error_comes_after_the_chunks_before_it() -> None:
    inbox = Inbox()
    await inbox.put(TextChunk(text="a"))
    inbox.close(TransientError("anthropic:x", "overloaded"))
    assert await inbox.get() == TextChunk(text="a")
    with pytest.raises(TransientError, match="overloaded"):
        await asyncio.wait_for(inbox.get(), 5)


async def test_a_full_inbox_makes_the_worker_wait() -> None:
    inbox = Inbox(capacity=2)
    for text in "ab":
        await inbox.put(TextChunk(text=text))
    async with asyncio.TaskGroup() as tasks:
        third = tasks.create_task(inbox.put(TextChunk(text="c")))
        await asyncio.sleep(0.01)
        assert not third.done()
        assert await inbox.get() == TextChunk(text="a")
    inbox.close()
    assert await drain(inbox) == ["b", "c"]
