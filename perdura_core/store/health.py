"""What a doctor asks of SQLite and of one file."""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from perdura_core.store.line import translated

__all__ = ["Library", "faults_of", "library"]

_MOST_FAULTS = 10


class Library(NamedTuple):
    """The SQLite that this Python was built with."""

    version: str
    has_fts5: bool
    """Without it no mind can be opened."""


def library() -> Library:
    """Ask the library itself."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5 (words)")
        has_fts5 = True
    except sqlite3.OperationalError:
        has_fts5 = False
    finally:
        connection.close()
    return Library(sqlite3.sqlite_version, has_fts5)


def faults_of(path: Path) -> list[str]:
    """What is wrong with a mind's file, one sentence each; empty when it is sound. Reads all of it: slow if large.

    Checks pages and indexes, references, and that the journal counts from 1 without a gap. Raises StoreError when the
    file cannot be read at all.
    """
    with translated(str(path)):
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            found = [row[0] for row in connection.execute(f"PRAGMA integrity_check({_MOST_FAULTS})") if row[0] != "ok"]
            for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check").fetchmany(_MOST_FAULTS):
                found.append(f"row {row} of {table} refers to a row of {parent} that is not there")
            count, last = connection.execute("SELECT count(*), coalesce(max(seq), 0) FROM events").fetchone()
            if count != last:
                found.append(f"the journal has {count} events and its last number is {last}")
        finally:
            connection.close()
    return found
