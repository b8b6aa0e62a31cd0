"""A mind of any version comes up to the newest; facts never get a confidence."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from perdura_core.errors import StoreReadOnlyError
from perdura_core.store import open_sqlite
from perdura_core.store.migrations import MIGRATIONS, SCHEMA_VERSION, migrate
from perdura_core.vocabulary import NodeRedacted
from tests.core.store.making import claim, edge, fact, put, start


async def of_version_1(path: Path) -> None:
    """A mind as version 1 wrote it: the same rows, without what came later."""
    async with open_sqlite(path) as store:
        await put(
            store, *start(), fact("Otters swim."), fact("Otters hide.", "f2"), claim("Otters rest."), edge("i1", "q1")
        )
        await put(store, NodeRedacted(node="f2"))
    take_back(path)


def take_back(path: Path) -> None:
    old = sqlite3.connect(":memory:", isolation_level=None)
    migrate(old, MIGRATIONS[:1])
    old.execute("ATTACH ? AS new", (str(path),))
    for (table,) in old.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        old.execute(f"INSERT INTO main.{table} SELECT * FROM new.{table}")  # noqa: S608 - names of our own schema
    old.execute("DETACH new")
    path.unlink()
    with sqlite3.connect(path) as file:
        old.backup(file)
    file.close()
    old.close()


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


async def test_version_1_comes_up_to_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    await of_version_1(path)
    assert version(path) == 1
    with pytest.raises(StoreReadOnlyError, match="older"):
        async with open_sqlite(path, readonly=True):
            pass
    async with open_sqlite(path) as one, open_sqlite(path) as two:
        assert [hit.node for hit in await one.search_text("otters", ["fact", "interpretation"], 9)] == ["f1", "i1"]
        await put(two, fact("Otters dive.", "f3"))
        assert {hit.node for hit in await one.search_text("otters", ["fact"], 9)} == {"f1", "f3"}
        assert (await one.load_graph()).head == 8
    assert version(path) == SCHEMA_VERSION == len(MIGRATIONS)


async def test_many_may_create_one_mind_at_once(tmp_path: Path) -> None:
    async def work(number: int) -> int:
        async with open_sqlite(tmp_path / "a.mind") as store:
            return await store.head() + number

    assert await asyncio.gather(*(work(number) for number in range(8))) == list(range(8))


def test_a_step_that_fails_leaves_the_file_as_it_was() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, MIGRATIONS[:1])
    before = connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()

    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (a)")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        migrate(connection, (*MIGRATIONS[:1], broken))
    assert connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall() == before
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()


def test_the_layers_are_apart_and_facts_have_no_confidence() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")} for table in tables}
    about_facts = [table for table in tables if table.startswith("fact") or "fact" in columns[table]]
    assert {"facts", "fact_occurrences", "fact_entities"} <= set(about_facts)
    for table in about_facts:
        banned = ("confidence", "status", "velocity", "level", "trace", "decay", "vote")
        assert not [column for column in columns[table] for word in banned if word in column], table
    assert {"confidence", "status"} <= columns["interpretations"]
    assert columns["node_ids"] == {"id", "layer"}
    for table in tables:  # a confidence hangs on interpretations, or says what a briefing showed
        if "confidence" in columns[table]:
            assert table in {"interpretations", "confidence_votes", "usage_events"}
    connection.close()
