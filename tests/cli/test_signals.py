"""Sessions that are stopped from outside, and the journal as another process sees it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from perdura_tui.cli import main
from tests.cli.conftest import TOP

Document = Any


def begin(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "perdura_tui", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=TOP,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_records_its_endings(document: Document, mind: Path, number: signal.Signals, code: int) -> None:
    process = begin("run", "--boardings", "100000", "--plain", "--mind", str(mind))
    assert process.stdout is not None
    for line in process.stdout:  # somebody is aboard
        if "boarded" in line:
            break
    process.send_signal(number)
    said, faults = process.communicate(timeout=60)
    assert process.returncode == code
    assert faults == ""
    assert " stopped: " in said.splitlines()[-1]
    session = document("sessions", "--mind", mind)[-1]
    assert session["state"] == "stopped"
    assert session["boardings"] > 0
    events = document("events", "--mind", mind)
    opened = {event["boarding"] for event in events if event["kind"] == "boarding_opened"}
    assert opened == {event["boarding"] for event in events if event["kind"] == "boarding_ended"}


def test_a_stopped_run_still_prints_its_document(document: Document, mind: Path) -> None:
    process = begin("run", "--boardings", "100000", "--json", "--mind", str(mind))
    end_s = time.monotonic() + 60
    while document("sessions", "--mind", mind)[-1]["boardings"] < 10:  # those of the session before are 9
        assert time.monotonic() < end_s
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(said)["boardings"]


def test_following_shows_what_another_process_writes(mind: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = 0
    process = begin("events", "--follow", "--json", "--kind", "question_asked", "--mind", str(mind))
    try:
        assert process.stdout is not None
        head = json.loads(process.stdout.readline())["seq"]
        for text in ("Is it seen?", "And this one?"):
            assert main(["ask", text, "--mind", str(mind)]) == 0
            event = json.loads(process.stdout.readline())
            assert event["question"]["text"] == text
            assert event["seq"] > head
            head = event["seq"]
    finally:
        process.send_signal(signal.SIGINT)
        _, faults = process.communicate(timeout=30)
    assert process.returncode == 130
    assert faults == ""


def test_a_follower_whose_reader_left_ends_quietly(mind: Path) -> None:
    follow = f"{sys.executable} -m perdura_tui events --follow --json --mind {mind} | head -1; echo ${{PIPESTATUS[0]}}"
    process = subprocess.Popen(
        ["bash", "-c", follow], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=TOP
    )
    said, faults = process.communicate(timeout=60)
    assert faults == ""
    assert json.loads(said.splitlines()[0])["seq"] == 1
    assert said.splitlines()[1] == "1"
