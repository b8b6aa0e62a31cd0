"""The order in which processes get the write lock."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from perdura_core.clock import Clock
from perdura_core.store import Journal, open_sqlite, turnstile
from perdura_core.store.turnstile import Turnstile
from tests.core.store.making import draft, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks on Windows")

STAND = """
import asyncio, sys
from pathlib import Path
from perdura_core.store.turnstile import Turnstile

async def stand():
    async with Turnstile(Path(sys.argv[1])).standing():
        print("in", flush=True)
        await asyncio.sleep(100)

asyncio.run(stand())
"""


@pytest.fixture
def mind(tmp_path: Path) -> Path:
    return tmp_path / "a.mind"


async def test_one_at_a_time_stands_in_it(mind: Path) -> None:
    heard: list[str] = []

    async def pass_through(name: str) -> None:
        async with Turnstile(mind).standing():
            heard.append(f"{name} in")
            await asyncio.sleep(0.01)
            heard.append(f"{name} out")

    async with asyncio.TaskGroup() as tasks:
        for name in "abcd":
            tasks.create_task(pass_through(name))
    assert len(heard) == 8
    for came, went in zip(heard[::2], heard[1::2], strict=True):
        assert (came[0], came[2:], went[2:]) == (went[0], "in", "out")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_dies_or_is_suspended_in_it_keeps_nobody_out(
    mind: Path, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == signal.SIGSTOP:
        monkeypatch.setattr(turnstile, "_POLITE_S", 0.2)

    async def pass_through() -> None:
        async with asyncio.timeout(4), Turnstile(mind).standing():  # less than patience with a living one
            pass

    with subprocess.Popen([sys.executable, "-c", STAND, str(mind)], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"in\n"
            process.send_signal(how)
            asyncio.run(pass_through())
        finally:
            process.kill()


async def test_without_a_file_to_lock_there_is_no_order_and_no_error(tmp_path: Path) -> None:
    async with Turnstile(tmp_path / "missing" / "a.mind").standing():
        pass
    Turnstile(tmp_path / "missing" / "a.mind").remove()


async def test_the_file_goes_with_the_mind_closed(mind: Path) -> None:
    async with open_sqlite(mind) as store, Journal.open(store, Clock()) as journal:
        await journal.append([draft(each) for each in start()])
        assert {file.name for file in mind.parent.iterdir()} >= {"a.mind", "a.mind-turn"}
    assert [file.name for file in mind.parent.iterdir()] == ["a.mind"]


async def test_who_writes_waits_behind_who_stands_in_it(mind: Path) -> None:
    async with open_sqlite(mind) as store, Journal.open(store, Clock()) as journal:
        async with Turnstile(mind).standing():
            writing = asyncio.create_task(journal.append([draft(each) for each in start()]))
            signing = asyncio.create_task(store.attend("s1"))
            await asyncio.sleep(0.2)
            assert not writing.done()
            assert not signing.done()
            assert await store.head() == 0
        async with asyncio.timeout(10):
            assert len(await writing) == 2
            await signing
