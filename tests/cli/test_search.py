"""`perdura search`: what people and programs get."""

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

from perdura_core.mind import Mind
from perdura_core.vocabulary import Draft
from tests.core.graph.making import asked, judged, recorded

Run = Callable[..., "subprocess.CompletedProcess[str]"]


async def fill(path: Path) -> None:
    async with Mind.open(path) as mind:
        happenings = (
            asked("q1", "Why did the crane stop?"),
            recorded("f1", "The harbour crane stopped at noon.\x1b[2J"),
            judged("i1", text="Cranes are old.", confidence=0.9),
            judged("i2", text="The crane is new.", confidence=0.2),
        )
        await mind.journal.append([Draft(what=what, by="operator") for what in happenings])


def test_search_prints_a_table_or_one_document(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    asyncio.run(fill(path))
    shown = run("search", "--mind", str(path), "crane")
    assert shown.returncode == 0, shown.stderr
    assert {line.split()[0] for line in shown.stdout.splitlines()[1:]} >= {"q1", "f1", "i1", "i2"}
    assert "\x1b" not in shown.stdout
    told = run("search", "--mind", str(path), "--json", "crane type:claim conf>0.5")
    document = json.loads(told.stdout)
    [found] = document["results"]
    assert found["id"] == "i1"
    assert found["marks"] == [[0, 6]]
    assert document["coverage"]["embedded"] == 4


def test_what_search_cannot_read_is_refused_in_one_sentence(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    asyncio.run(fill(path))
    assert run("search", "--mind", str(path)).returncode == 2
    refused = run("search", "--mind", str(path), "conf>9")
    assert refused.returncode == 1
    assert "conf>0.6" in refused.stderr
    assert "Nothing found" in run("search", "--mind", str(path), "volcano", "type:decision").stdout
