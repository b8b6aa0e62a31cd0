"""Which processes work for which session, and which holds a lease: the rows of `attendance`."""

import sqlite3
from datetime import datetime

from perdura_core.store.attendance import Attendance, is_alive, this_process
from perdura_core.store.patience import roll_back
from perdura_core.store.writing import stamp

__all__ = ["attend", "attended", "claim", "release"]

_SIGN = """INSERT INTO attendance (session, host, pid, started, beat_at) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT DO UPDATE SET host = ?2, pid = ?3, started = ?4, beat_at = ?5"""


def attend(connection: sqlite3.Connection, session: str, now: datetime) -> None:
    """Say that this process works for the session."""
    seen = this_process(now)
    connection.execute(_SIGN, (session, seen.host, seen.pid, seen.started, stamp(seen.beat_at)))


def attended(connection: sqlite3.Connection, now: datetime) -> frozenset[str]:
    """Sessions and leases whose process is alive."""
    rows = connection.execute("SELECT session, host, pid, started, beat_at FROM attendance").fetchall()
    return frozenset(
        session
        for session, host, pid, started, beat_at in rows
        if is_alive(Attendance(host, pid, started, datetime.fromisoformat(beat_at)), now)
    )


def claim(connection: sqlite3.Connection, name: str, now: datetime) -> bool:
    """Take the lease unless a living process holds it, this one included."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        is_free = name not in attended(connection, now)
        if is_free:
            attend(connection, name, now)
        connection.execute("COMMIT")
    except BaseException:
        roll_back(connection)
        raise
    return is_free


def release(connection: sqlite3.Connection, name: str, now: datetime) -> None:
    """Let go of the lease, if this process holds it."""
    held = this_process(now)
    connection.execute("DELETE FROM attendance WHERE session = ? AND host = ? AND pid = ?", (name, held.host, held.pid))
