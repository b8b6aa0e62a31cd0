"""Which processes are alive: on this host by process id and start, elsewhere by a heartbeat."""

import os
import platform
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

__all__ = ["Attendance", "is_alive", "this_process"]

_BEAT = timedelta(seconds=30)
"""How often a session must say that it lives."""
_MISSED = 3
"""After so many heartbeats that did not come, a session of another host counts as dead."""

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_SPACE = "/proc/self/ns/pid"
_START_FIELD = 22 - 3
"""Place of the start time in /proc/<pid>/stat, counted from the state that follows the command's name."""


class Attendance(NamedTuple):
    """One process at work for a session."""

    host: str
    """The machine, its boot and its process id space: only within one can process ids be compared."""
    pid: int
    started: str | None
    """In the system's own count; None where it does not tell, so that only the heartbeat counts."""
    beat_at: datetime


def this_process(now: datetime) -> Attendance:
    """The attendance of this process."""
    pid = os.getpid()
    return Attendance(_host(), pid, _start_of(pid), now)


def is_alive(seen: Attendance, now: datetime) -> bool:
    """Whether the process is alive, as far as can be told from here."""
    if seen.host == _host() and seen.started is not None:
        return _start_of(seen.pid) == seen.started
    return now - seen.beat_at < _MISSED * _BEAT


def _host() -> str:
    try:
        return f"{platform.node()} {_BOOT.read_text(encoding='ascii').strip()} {os.readlink(_SPACE)}"
    except OSError:
        return platform.node()


def _start_of(pid: int) -> str | None:
    """When the process began; None when there is none, or the system does not tell."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, *rest = stat.rpartition(")")[2].split()
    # A process that ended and that nobody has waited for yet still has an entry.
    return None if state in {"Z", "X"} else rest[_START_FIELD - 1]
