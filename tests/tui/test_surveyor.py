import asyncio
import io
import json

import pytest

from perdura_tui.layout import place, serve
from perdura_tui.surveyor import Surveyor

IDS = [f"q{number}" for number in range(40)]
TIES = [(IDS[number], IDS[number // 2]) for number in range(1, 40)]


async def test_the_process_places_as_the_function_does_and_stays_warm() -> None:
    surveyor = Surveyor()
    try:
        first = await surveyor.place(IDS, TIES, 3.0, {})
        assert first == pytest.approx(place(IDS, TIES, 3.0, {}))
        moved = await surveyor.place(IDS, TIES, 3.0, {**first, "i99": (0.5, 0.5)})
        far = max(abs(moved[node][0] - first[node][0]) + abs(moved[node][1] - first[node][1]) for node in IDS)
        assert far < 0.6, "known nodes stay about where they were"
    finally:
        await surveyor.close()


async def test_orders_at_once_get_each_their_own_answer() -> None:
    surveyor = Surveyor()
    try:
        answers = await asyncio.gather(*(surveyor.place(IDS[:size], [], 2.0, {}) for size in (1, 9, 3)))
        assert [len(answer) for answer in answers] == [1, 9, 3]
    finally:
        await surveyor.close()


async def test_an_order_given_up_does_not_spoil_the_next() -> None:
    surveyor = Surveyor()
    try:
        task = asyncio.create_task(surveyor.place(IDS, TIES, 3.0, {}))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert list(await surveyor.place(["q1"], [], 3.0, {})) == ["q1"]
    finally:
        await surveyor.close()
        await surveyor.close()


def test_the_process_answers_line_by_line() -> None:
    answers = io.StringIO()
    serve([json.dumps([["a", "b"], [["a", "b"]], 2.0, {"a": [0, 0]}]), json.dumps([[], [], 1.0, {}])], answers)
    first, second = answers.getvalue().splitlines()
    assert json.loads(first).keys() == {"a", "b"}
    assert json.loads(second) == {}
