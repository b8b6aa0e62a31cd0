"""Several processes on one mind, and processes that are killed while they write."""

import asyncio
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from perdura_core.store import open_sqlite
from perdura_core.store.health import faults_of
from tests.core.store.making import check_whole, put, start

REPO = Path(__file__).parents[3]

WRITER = """
import asyncio, sys
from pathlib import Path
from perdura_core.clock import Clock
from perdura_core.store import Journal, open_sqlite
from tests.core.store.making import element

async def main(path, name, count):
    async with open_sqlite(Path(path)) as store, Journal.open(store, Clock()) as journal:
        async def work(seat):
            number = 0
            while number < count or count < 0:
                await journal.write(element(f"{name}-{seat}-{number}"))
                print(f"{name}-{seat}-{number}", flush=True)
                number += 1
        await store.attend(name)
        print("ready", flush=True)
        await asyncio.gather(*(work(seat) for seat in range(4)))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def write_in_process(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        cwd=REPO, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


async def create(path: Path) -> None:
    async with open_sqlite(path) as store:
        await put(store, *start())


async def names_in(path: Path) -> set[str]:
    async with open_sqlite(path) as store:
        return check_whole(await store.events())


def test_processes_that_interleave_lose_nothing_and_lock_nobody_out(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    asyncio.run(create(path))
    writers = [write_in_process(path, f"p{number}", 30) for number in range(3)]
    told: set[str] = set()
    for writer in writers:
        out, errors = writer.communicate(timeout=90)
        assert (writer.returncode, errors) == (0, "")
        told |= set(out.split()) - {"ready"}
    assert len(told) == 3 * 4 * 30
    assert asyncio.run(names_in(path)) == told
    assert faults_of(path) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_process_that_is_killed_while_committing_leaves_whole_elements(tmp_path: Path, seed: int) -> None:
    path, dice = tmp_path / "a.mind", random.Random(seed)
    asyncio.run(create(path))
    writer = write_in_process(path, "killed", -1)
    assert writer.stdout is not None
    assert writer.stderr is not None
    if writer.stdout.readline() != "ready\n":
        pytest.fail(writer.stderr.read())
    told = {writer.stdout.readline().strip() for _ in range(dice.randint(0, 200))}

    async def attended() -> frozenset[str]:
        async with open_sqlite(path, readonly=True) as store:
            return await store.attended()

    assert asyncio.run(attended()) == {"killed"}
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read()
    writer.communicate(timeout=30)
    told |= set(rest.split("\n")[:-1])  # what follows the last line end is half a line
    assert asyncio.run(attended()) == frozenset()
    kept = asyncio.run(names_in(path))
    assert told <= kept
    assert len(kept) <= len(told) + 4  # one a seat, written and not yet told
    assert faults_of(path) == []
