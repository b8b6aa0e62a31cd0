"""A process that is killed in the middle of a run leaves a mind on which the next one goes on."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.core.upkeep.test_upkeep import lived, portrait
from tests.core.upkeep.world import open_world

_PATIENCE_S = 60.0


def rows(path: Path) -> int:
    """Steps that are done."""
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM pipeline_runs").fetchone()[0])
    finally:
        connection.close()


def upkeep(path: Path, now: str, folder: Path) -> "subprocess.Popen[bytes]":
    """The verb, as a person would start it."""
    return subprocess.Popen(
        [sys.executable, "-m", "perdura_tui", "upkeep", "--mind", str(path), "--now", now, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)},
    )


def finish(process: "subprocess.Popen[bytes]") -> None:
    _, complaints = process.communicate(timeout=_PATIENCE_S)
    assert process.returncode == 0, complaints.decode()


@pytest.mark.timeout(300)
async def test_killed_after_some_steps_the_next_process_ends_in_the_same_state(tmp_path: Path) -> None:
    template = tmp_path / "template.mind"
    async with open_world(template) as world:
        await lived(world)
        now = world.now.isoformat()
    whole = Path(shutil.copy(template, tmp_path / "whole.mind"))
    finish(upkeep(whole, now, tmp_path))
    was_cut = 0
    for after in (1, 3, 8):
        path = Path(shutil.copy(template, tmp_path / f"{after}.mind"))
        process = upkeep(path, now, tmp_path)
        deadline_s = time.monotonic() + _PATIENCE_S
        while rows(path) < after and process.poll() is None:
            assert time.monotonic() < deadline_s
            await asyncio.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=_PATIENCE_S)
        was_cut += rows(path) < 16
        finish(upkeep(path, now, tmp_path))
        assert portrait(path) == portrait(whole)
        assert rows(path) == 16
    assert was_cut, "no kill came in time: nothing was tested"
