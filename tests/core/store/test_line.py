"""Pieces of work on a connection's thread: in order, several in one hop, each with its own end."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import AsyncIterator

import pytest

from perdura_core.errors import StoreError
from perdura_core.store.line import Line


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    line = Line(lambda: sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None), "here.mind")
    await line
    yield line
    await line.close()


def _hops(line: Line) -> list[int]:
    """How many pieces each hop did, from now on."""
    done: list[int] = []
    work = line._work

    def counted(pieces: object) -> list[object]:
        outcomes = work(pieces)  # type: ignore[arg-type]
        done.append(len(outcomes))
        return outcomes

    line._work = counted  # type: ignore[method-assign, assignment]
    return done


async def test_what_is_handed_in_together_goes_in_one_hop_and_in_order(line: Line) -> None:
    hops, seen = _hops(line), list[int]()

    async def hand_in(number: int) -> int:
        return await line.run(lambda connection: seen.append(number) or number)  # type: ignore[func-returns-value]

    assert await asyncio.gather(*(hand_in(number) for number in range(20))) == list(range(20))
    assert seen == list(range(20))
    assert hops == [20]
    assert line.waiting == 0


async def test_each_piece_has_its_own_end(line: Line) -> None:
    def breaks(connection: sqlite3.Connection) -> None:
        connection.execute("SELECT * FROM nothing")

    def errs(connection: sqlite3.Connection) -> None:
        raise ValueError("mine")

    done = await asyncio.gather(
        line.run(lambda connection: 1), line.run(breaks), line.run(errs), line.run(lambda connection: 2),
        return_exceptions=True,
    )  # fmt: skip
    assert done[0] == 1
    assert isinstance(done[1], StoreError)
    assert isinstance(done[2], ValueError)
    assert done[3] == 2


async def test_a_long_piece_hands_over_what_was_done_before_it_goes_on(line: Line) -> None:
    hops, order = _hops(line), list[str]()

    async def hand_in(name: str, seconds: float) -> None:
        await line.run(lambda connection: time.sleep(seconds))
        order.append(name)

    began = time.monotonic()
    tasks = [asyncio.create_task(hand_in(*each)) for each in (("short", 0.0), ("long", 0.05), ("last", 0.3))]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    assert time.monotonic() - began < 0.3, "nobody waits for the last piece but who handed it in"
    await asyncio.gather(*tasks)
    assert order == ["short", "long", "last"]
    assert hops == [2, 1]


async def test_cancelling_drops_the_result_and_not_the_work(line: Line) -> None:
    ran = threading.Event()
    task = asyncio.create_task(line.run(lambda connection: ran.set()))
    await asyncio.sleep(0)
    task.cancel()
    assert await line.run(lambda connection: 3) == 3
    assert ran.is_set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_closing_does_what_was_handed_in_and_refuses_the_rest(line: Line) -> None:
    async with asyncio.timeout(10):
        task = asyncio.create_task(line.run(lambda connection: 4))
        await asyncio.sleep(0)
        await line.close()
        assert await task == 4
        with pytest.raises(StoreError, match="was closed"):
            await line.run(lambda connection: 5)
        await line.close()
