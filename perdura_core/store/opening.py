"""Whether a file may be opened as a mind, and getting its connections ready."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from perdura_core.errors import StoreCorruptError, StoreForeignError, StoreNewerError, StoreReadOnlyError
from perdura_core.store.migrations import APPLICATION_ID, SCHEMA_VERSION, migrate
from perdura_core.store.patience import roll_back
from perdura_core.store.searching import prepare_search

__all__ = ["check_place", "connector", "create", "is_same_file", "prepare_reader", "prepare_writer"]

_READING_SLICE_S = 0.25
_WRITING_SLICE_S = 0.002
"""How long SQLite itself waits for a lock before the store gets the word again. Its own waits grow to 100 ms, in which
busy processes pass the lock on among themselves many times: who writes looks more often instead."""


def check_place(path: Path, readonly: bool) -> None:
    """Raise StoreError, with one sentence that names the remedy, where opening could only fail."""
    place = repr(str(path))
    if path.is_dir():
        raise StoreForeignError(f"{place} is a folder, not a mind: name a file in it")
    if not path.parent.is_dir():
        raise StoreForeignError(f"{place} lies in a folder that does not exist: create {str(path.parent)!r} first")
    if not path.exists():
        if readonly:
            raise StoreForeignError(
                f"{place} does not exist, and opening it read-only does not create it: check the name"
            )
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise StoreReadOnlyError(f"{place} cannot be created, for its folder cannot be written: name another place")
        return
    if not path.is_file():
        raise StoreForeignError(f"{place} is no regular file and so no mind: name another file")
    if not os.access(path, os.R_OK):
        raise StoreReadOnlyError(f"{place} cannot be read: change its permissions")
    if readonly:
        if path.stat().st_size == 0:
            raise StoreForeignError(f"{place} is empty, so there is nothing to read: check the name")
        return
    if not os.access(path, os.W_OK):
        raise StoreReadOnlyError(f"{place} cannot be written: change its permissions, or open it read-only")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise StoreReadOnlyError(
            f"{place} cannot be written, for its log has to be written beside it: change the folder's permissions, "
            "or open it read-only"
        )


def create(path: Path) -> None:
    """Make an empty file that only its owner may read, if there is none. SQLite gives its log the same mode."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return


def connector(path: Path, readonly: bool) -> Callable[[], sqlite3.Connection]:
    """A function that connects. Transactions are begun and ended by statements alone.

    A read-only connection changes no byte of the mind. It needs the log's index (`-shm`) to know which pages other
    processes have written, and SQLite creates that file, and an empty log, where they are missing. Where it cannot,
    because the folder is read-only and nobody has the mind open, the file is read as one that does not change.
    """
    mode = "ro" if readonly else "rw"
    if readonly and not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
        mode = "ro&immutable=1"
    uri = f"file:{quote(str(path.absolute()))}?mode={mode}"
    slice_s = _READING_SLICE_S if readonly else _WRITING_SLICE_S

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=slice_s)

    return connect


def prepare_writer(path: Path) -> Callable[[sqlite3.Connection], None]:
    """What makes a connection the writer of this mind, creating or migrating it where needed."""

    def prepare(connection: sqlite3.Connection) -> None:
        # Looked at before anything is set, so that a foreign file stays as it was.
        _identify(connection, path)
        connection.execute("PRAGMA journal_mode = WAL").fetchone()
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON").fetchone()
        connection.execute("PRAGMA cache_size = -32000")
        migrate(connection)

    return prepare


def prepare_reader(path: Path) -> Callable[[sqlite3.Connection], None]:
    """What makes a connection a reader of this mind."""

    def prepare(connection: sqlite3.Connection) -> None:
        version = _identify(connection, path)
        if version < SCHEMA_VERSION:
            raise StoreReadOnlyError(
                f"{str(path)!r} was written by an older Perdura: open it once for writing to bring it up to date"
            )
        connection.execute("PRAGMA cache_size = -16000")
        prepare_search(connection)

    return prepare


def is_same_file(path: Path, device_and_inode: tuple[int, int]) -> bool:
    """Whether the path still leads to that file. SQLite would go on writing to one that was deleted."""
    try:
        found = path.stat()
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == device_and_inode


def _identify(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of a mind, 0 of an empty file. Raises StoreError for anything else."""
    place = repr(str(path))
    connection.execute("BEGIN")  # one snapshot: another process may be creating the mind at this moment
    try:
        (identity,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (things,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    finally:
        roll_back(connection)
    if identity != APPLICATION_ID:
        if identity == version == things == 0:
            return 0
        raise StoreForeignError(f"{place} is a database of another program, not a mind: name another file")
    if version > SCHEMA_VERSION:
        raise StoreNewerError(
            f"{place} was written by a newer Perdura (schema {version}, this one knows {SCHEMA_VERSION}): "
            "upgrade Perdura"
        )
    if things == 0:
        raise StoreCorruptError(f"{place} is a mind that has lost its tables: restore a copy")
    connection.execute("SELECT max(seq) FROM events").fetchone()
    return int(version)
