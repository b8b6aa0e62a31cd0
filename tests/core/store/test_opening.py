"""Opening a file that is no usable mind ends in one sentence of the right class, and leaves the file as it was."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from perdura_core.config import StoreSettings
from perdura_core.errors import (
    StoreCorruptError,
    StoreError,
    StoreForeignError,
    StoreFullError,
    StoreLockedError,
    StoreNewerError,
    StoreReadOnlyError,
)
from perdura_core.store import open_sqlite
from tests.core.store.making import fact, put, start

QUICK = StoreSettings(patience_s=0.5)
REPO = Path(__file__).parents[3]


async def fill(path: Path, facts: int = 3) -> Path:
    async with open_sqlite(path) as store:
        await put(store, *start(), *(fact(f"Fact number {n}.", f"f{n}") for n in range(1, facts + 1)))
    return path


def modes_in(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


def held_by(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


async def sentence(path: Path, kind: type[StoreError], *, readonly: bool = False) -> str:
    """The message of the refusal, checked for what every message must have."""
    before = held_by(path)
    with pytest.raises(kind) as caught:
        async with open_sqlite(path, QUICK, readonly=readonly):
            pass
    assert type(caught.value) is kind
    assert held_by(path) == before
    message = str(caught.value)
    assert repr(str(path)) in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize("readonly", [True, False])
async def test_other_files_are_refused_and_left_alone(tmp_path: Path, readonly: bool) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("Just notes. " * 100)
    assert "not a mind" in await sentence(text, StoreForeignError, readonly=readonly)
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE a (b)")
    connection.commit()
    connection.close()
    assert "another program" in await sentence(other, StoreForeignError, readonly=readonly)
    assert "folder" in await sentence(tmp_path, StoreForeignError, readonly=readonly)
    assert "does not exist" in await sentence(tmp_path / "no" / "a.mind", StoreForeignError, readonly=readonly)
    os.mkfifo(tmp_path / "pipe")
    assert "regular" in await sentence(tmp_path / "pipe", StoreForeignError, readonly=readonly)


async def test_a_missing_file_is_created_only_for_writing(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    assert "check the name" in await sentence(path, StoreForeignError, readonly=True)
    assert not path.exists()
    async with open_sqlite(path) as store:
        assert store.name == "a.mind"
        assert not store.is_readonly
        assert modes_in(tmp_path) == {"a.mind": 0o600, "a.mind-wal": 0o600, "a.mind-shm": 0o600}
    assert list(modes_in(tmp_path)) == ["a.mind"]


async def test_an_empty_file_becomes_a_mind(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    path.touch()
    assert "empty" in await sentence(path, StoreForeignError, readonly=True)
    await fill(path)


@pytest.mark.parametrize("readonly", [True, False])
async def test_a_newer_schema_is_not_touched(tmp_path: Path, readonly: bool) -> None:
    path = await fill(tmp_path / "a.mind")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "schema 99" in await sentence(path, StoreNewerError, readonly=readonly)


@pytest.mark.parametrize("readonly", [True, False])
async def test_a_file_held_by_another_is_locked(tmp_path: Path, readonly: bool) -> None:
    path = await fill(tmp_path / "a.mind")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    try:
        assert "another process" in await sentence(path, StoreLockedError, readonly=readonly)
    finally:
        connection.close()


async def test_a_writer_that_never_ends_locks_writing_and_not_reading(tmp_path: Path) -> None:
    path = await fill(tmp_path / "a.mind")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    try:
        async with open_sqlite(path, QUICK, readonly=True) as store:
            assert len(await store.facts()) == 3
    finally:
        connection.close()
    async with open_sqlite(path, QUICK) as one, open_sqlite(path, QUICK) as two:
        await one.begin(5)
        with pytest.raises(StoreLockedError):
            await two.begin(5)
        await one.rollback()
        await put(two, fact("Late.", "f9"))


@pytest.mark.parametrize("readonly", [True, False])
async def test_damage_is_told(tmp_path: Path, readonly: bool) -> None:
    path = await fill(tmp_path / "a.mind", 2000)
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\x07" * 4000 + whole[4100:])
    assert "restore" in await sentence(path, StoreCorruptError, readonly=readonly)
    path.write_bytes(whole[:4096] + b"\x07" * (len(whole) - 4096))
    with pytest.raises(StoreCorruptError, match="restore"):
        async with open_sqlite(path, QUICK, readonly=readonly) as store:
            await store.load_graph()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreCorruptError, match="restore"):
        async with open_sqlite(path, QUICK, readonly=readonly) as store:
            await store.load_graph()


async def test_reading_changes_nothing_and_follows_a_writer(tmp_path: Path) -> None:
    path = await fill(tmp_path / "a.mind")
    before = path.read_bytes()
    async with open_sqlite(path, readonly=True) as reader:
        assert reader.is_readonly
        assert len(await reader.facts()) == 3
        for refused in (reader.begin(0), reader.attend("s1"), reader.purge()):
            with pytest.raises(StoreReadOnlyError, match="read-only"):
                await refused
        assert path.read_bytes() == before
        async with open_sqlite(path) as writer:
            assert await reader.has_news()
            await put(writer, fact("New.", "f4"))
            assert await reader.has_news()
            assert [node.text for node in await reader.facts(limit=1, newest=True)] == ["New."]


async def test_a_file_that_is_gone_takes_no_writes(tmp_path: Path) -> None:
    path = await fill(tmp_path / "a.mind")
    async with open_sqlite(path, QUICK) as store:
        path.rename(tmp_path / "b.mind")
        for _ in range(2):
            with pytest.raises(StoreFullError, match="put it back"):
                await put(store, fact("Lost.", "f9"))
        (tmp_path / "b.mind").rename(path)
        await put(store, fact("Kept.", "f9"))
    async with open_sqlite(path) as store:
        assert (await store.nodes(["f9"]))["f9"].text == "Kept."


FULL_DISK = """
import asyncio, resource, signal, sys
from pathlib import Path
from perdura_core.errors import StoreFullError
from perdura_core.store import open_sqlite
from tests.core.store.making import fact, put, start

async def main():
    async with open_sqlite(Path(sys.argv[1])) as store:
        await put(store, *start())
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        roomy = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, roomy[1]))
        for _ in range(2):
            try:
                await put(store, *(fact("x" * 1000, f"f{n}") for n in range(1, 2001)))
            except StoreFullError as error:
                print("full:", error)
        assert await store.head() == 2 and await store.facts() == []
        resource.setrlimit(resource.RLIMIT_FSIZE, roomy)
        await put(store, *(fact("x" * 1000, f"f{n}") for n in range(1, 2001)))
        print("written:", len(await store.facts()))

asyncio.run(main())
"""


def test_a_full_disk_loses_nothing_and_lets_go(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "a.mind")],
        cwd=REPO, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("full:") == 2
    assert "make room" in done.stdout
    assert "written: 2000" in done.stdout


OPEN = """
import asyncio, os, sys
from pathlib import Path
from perdura_core.store import open_sqlite

async def main():
    async with open_sqlite(Path(sys.argv[1]), readonly=sys.argv[2] == "read") as store:
        print("facts:", len(await store.facts()))

asyncio.run(asyncio.to_thread(int))  # loads what could not be loaded later
if os.geteuid() == 0:  # root may write everywhere, so the question is put by nobody
    os.setgid(65534)
    os.setuid(65534)
try:
    asyncio.run(main())
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user can reach."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)


async def test_permissions_are_told(shared: Path) -> None:
    path = await fill(shared / "a.mind")

    def ask(how: str, name: str = "a.mind") -> str:
        return subprocess.run(
            [sys.executable, "-c", OPEN, str(shared / name), how],
            cwd=REPO, capture_output=True, text=True, timeout=60, check=False,
        ).stdout  # fmt: skip

    os.chmod(shared, 0o555)
    try:
        os.chmod(path, 0)
        assert ask("read").startswith("StoreReadOnlyError")
        os.chmod(path, 0o444)
        assert ask("write").startswith("StoreReadOnlyError")
        assert ask("read") == "facts: 3\n"
        os.chmod(path, 0o666)
        assert "folder" in ask("write")
        assert "cannot be created" in ask("write", "new.mind")
    finally:
        os.chmod(shared, 0o755)
    assert list(modes_in(shared)) == ["a.mind"]
