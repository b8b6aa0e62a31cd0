"""Who is alive: by process on this host, by heartbeat elsewhere."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from perdura_core.store.attendance import is_alive, this_process

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)


def test_this_process_is_alive_however_old_its_heartbeat() -> None:
    me = this_process(NOW)
    if me.started is None:
        pytest.skip("this system does not tell when a process began")
    assert is_alive(me, NOW + timedelta(days=9))


def test_a_number_that_went_to_another_process_is_not_alive() -> None:
    me = this_process(NOW)
    if me.started is None:
        pytest.skip("this system does not tell when a process began")
    assert not is_alive(me._replace(started="1"), NOW)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, gone.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(me._replace(pid=gone.pid), NOW)  # ended, and nobody has waited for it yet
    gone.wait(timeout=10)
    assert not is_alive(me._replace(pid=gone.pid), NOW)


def test_elsewhere_the_heartbeat_counts() -> None:
    far = this_process(NOW)._replace(host="far away")
    assert is_alive(far, NOW + timedelta(seconds=60))
    assert not is_alive(far, NOW + timedelta(seconds=91))
    assert is_alive(far._replace(started=None), NOW)
