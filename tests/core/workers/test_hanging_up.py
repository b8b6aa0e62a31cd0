"""A call can be ended at any moment, and the server notices."""

import asyncio
from contextlib import aclosing

import pytest

from perdura_core.vocabulary import Call, TextChunk
from perdura_core.workers import Worker
from tests.core.workers.calls import NAMES, a_call
from tests.core.workers.conftest import Bench
from tests.servers.fault import FaultServer
from tests.servers.scenario import Kind, Scenario

pytestmark = pytest.mark.timeout(30)

PROMPT_S = 0.2
every_provider = pytest.mark.parametrize("provider", NAMES)


async def seen_by(server: FaultServer) -> None:
    """Wait until the server saw its client go; fail when that takes too long."""
    async with asyncio.timeout(PROMPT_S):
        await server.ledger[0].gone.wait()


@every_provider
async def test_closing_between_two_chunks_closes_the_connection(
    provider: str, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario("stall")
    loop = asyncio.get_running_loop()
    stream = worker(provider).stream(a_call())
    async for chunk in stream:
        if isinstance(chunk, TextChunk):
            break

    started = loop.time()
    await stream.aclose()

    assert loop.time() - started < PROMPT_S
    await seen_by(server)
    assert not server.ledger[0].is_complete


async def _listen(worker: Worker, call: Call, spoken: asyncio.Event) -> None:
    async with aclosing(worker.stream(call)) as chunks:
        async for chunk in chunks:
            if isinstance(chunk, TextChunk):
                spoken.set()


@every_provider
@pytest.mark.parametrize("kind", ["stall", "slow"])
async def test_cancelling_a_silent_call_closes_the_connection(
    provider: str, kind: Kind, server: FaultServer, worker: Bench
) -> None:
    server.choose = Scenario(kind)
    loop = asyncio.get_running_loop()
    spoken = asyncio.Event()
    task = asyncio.create_task(_listen(worker(provider), a_call(first_byte_s=20, between_chunks_s=20), spoken))
    async with asyncio.timeout(5):
        await (spoken if kind == "stall" else server.called).wait()

    started = loop.time()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert loop.time() - started < PROMPT_S
    await seen_by(server)


@every_provider
async def test_a_stream_that_was_never_begun_closes_without_a_call(
    provider: str, server: FaultServer, worker: Bench
) -> None:
    stream = worker(provider).stream(a_call())
    await stream.aclose()

    assert server.ledger == []


@every_provider
async def test_calls_of_one_worker_do_not_touch_each_other(provider: str, server: FaultServer, worker: Bench) -> None:
    plans = iter([Scenario("stall"), *[Scenario(pieces=9, pause_s=0.01)] * 3])
    server.choose = lambda request: next(plans)
    working = worker(provider)
    task = asyncio.create_task(_listen(working, a_call(), asyncio.Event()))
    async with asyncio.timeout(5):
        await server.called.wait()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(_listen(working, a_call(), asyncio.Event()))

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert [entry.is_complete for entry in server.ledger] == [False, True, True, True]
