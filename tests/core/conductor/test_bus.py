"""News that is shown: nothing waits, bursts lose their oldest, the journal's head is never lost."""

import asyncio

from perdura_core.conductor import Bus
from perdura_core.vocabulary import Progress


def progress(text: str) -> Progress:
    return Progress(seat=1, phase="streaming", text=text)


async def test_every_listener_gets_every_piece_once() -> None:
    bus = Bus()
    one, two = bus.subscribe(), bus.subscribe()
    bus.publish(progress("a"))
    assert [piece.text for piece in one.drain()] == ["a"]
    assert one.drain() == []
    assert [piece.text for piece in two.drain()] == ["a"]


async def test_a_burst_drops_its_oldest_and_keeps_the_head() -> None:
    bus = Bus(capacity=3)
    listener = bus.subscribe()
    for number in range(10):
        bus.publish(progress(str(number)))
    bus.wake(41)
    bus.wake(40)
    assert [piece.text for piece in listener.drain()] == ["7", "8", "9"]
    assert listener.head == 41


async def test_changed_returns_when_there_is_news_and_close_ends_it() -> None:
    bus = Bus()
    listener = bus.subscribe()
    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(listener.changed())
        await asyncio.sleep(0)
        assert not waiting.done()
        bus.wake(1)
    listener.drain()
    listener.close()
    listener.close()
    bus.publish(progress("late"))
    assert listener.drain() == []
