"""A mind outlives the processes that work on it, however they end."""

import asyncio
import os
import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from perdura_core.conductor import order_from
from perdura_core.delta import DeltaParser
from perdura_core.ingest.documents import read_documents
from perdura_core.mind import Mind
from perdura_core.store.health import faults_of
from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    EdgeAdded,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Event,
    InterpretationAdded,
)
from tests.lives import MODELS, Life, asking, begin, working

KILLS = 50
AT_ONCE = 5
THINGS = ("cache", "queue", "ledger", "index", "gateway", "scheduler")


def documents(folder: Path) -> list[Path]:
    """Two sides that tell of the same things and disagree on most of them."""
    paths = []
    for side, shift in (("night", 0), ("day", 17)):
        path = folder / f"{side}.md"
        said = [
            f"The {thing} of the storage service restarted at {9 + number}:{10 + shift + number} on Tuesday.\n\n"
            f"The {thing} took {100 * (number + 1) + shift} ms for a read after the deploy.\n\n"
            f"The {thing} was {'not ' if shift else ''}part of the deploy on Tuesday.\n"
            for number, thing in enumerate(THINGS)
        ]
        path.write_text(f"# {side}\n\n" + "\n".join(said), encoding="utf-8")
        paths.append(path)
    return paths


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mind with work to do for four seats."""
    folder = tmp_path_factory.mktemp("template")
    paths = documents(folder)

    async def fill() -> None:
        async with Mind.open(folder / "template.mind") as mind:
            await read_documents(mind, paths)
            for thing in THINGS:
                await mind.ask(f"When did the {thing} restart, how long did a read take, and was it in the deploy?")

    asyncio.run(fill())
    return folder / "template.mind"


@pytest.mark.timeout(400)
def test_killed_at_any_moment_nothing_complete_is_lost(template: Path, tmp_path: Path) -> None:
    dice = random.Random(20261130)
    seen: Counter[str] = Counter()
    for turn in range(KILLS // AT_ONCE):
        minds = [Path(shutil.copy(template, tmp_path / f"{turn}-{number}.mind")) for number in range(AT_ONCE)]
        lives = [begin(working, mind, 4, 2_500.0) for mind in minds]
        for mind, heard in zip(minds, kill_one_by_one(lives, dice), strict=True):
            asyncio.run(check_after_death(mind, heard, seen))
    # The kills must have met what they are about.
    assert seen["kills"] == KILLS
    assert seen["boardings interrupted"] > KILLS
    assert seen["elements merged"] > KILLS
    assert seen["elements cut"] > KILLS // 5


def kill_one_by_one(lives: Sequence[Life], dice: random.Random) -> list[list[Any]]:
    """Let each say a random number of things, then end it without a word. Returns what each had said."""
    heard = []
    for life in lives:
        said = [life.hear() for _ in range(dice.randint(2, 160))]
        time.sleep(dice.uniform(0.0, 0.02))
        assert life.process.pid is not None
        os.kill(life.process.pid, signal.SIGKILL)
        life.process.join(timeout=30)
        assert life.process.exitcode == -signal.SIGKILL
        heard.append(said + life.hear_all())
    return heard


async def check_after_death(path: Path, heard: list[Any], seen: Counter[str]) -> None:
    async with Mind.open(path, readonly=True) as mind:
        events = await mind.store.events()
        edges = {edge.id for edge in await mind.store.edges()}
        nodes = {node.id for node in await mind.store.interpretations()}
    assert faults_of(path) == []
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    committed = max((value[1] for value in heard if value[0] == "head"), default=0)
    assert len(events) >= committed, "what was said to be on disk is not there"
    check_elements_are_whole(events, nodes, edges)
    check_streamed_elements_are_there(events, heard, seen)
    aboard = open_boardings(events)
    async with Mind.open(path) as mind:
        order = order_from(mind.settings).model_copy(update={"seats": 1, "boardings": 1, "models": MODELS[:1]})
        report = await mind.conductor.run(order)
        later = await mind.store.events(after=len(events))
        assert await mind.store.boardings(only_open=True) == []
    assert [record.ending for record in report.boardings] == ["merged"]
    endings = {event.what.boarding: event.what.ending for event in later if isinstance(event.what, BoardingEnded)}
    assert {boarding: endings[boarding] for boarding in aboard} == dict.fromkeys(aboard, "interrupted")
    seen["kills"] += 1
    seen["boardings interrupted"] += len(aboard)
    seen["elements merged"] += sum(isinstance(event.what, ElementMerged) for event in events)


def open_boardings(events: Sequence[Event]) -> set[str]:
    opened = {event.what.boarding.id for event in events if isinstance(event.what, BoardingOpened)}
    return opened - {event.what.boarding for event in events if isinstance(event.what, BoardingEnded)}


def check_elements_are_whole(events: Sequence[Event], nodes: set[str], edges: set[str]) -> None:
    """Every node and edge that a worker added is named by the end of its element, and the other way round."""
    named: set[str] = set()
    for event in events:
        if isinstance(event.what, ElementMerged):
            assert set(event.what.edges) <= edges
            assert event.what.node is None or event.what.node[0] != "i" or event.what.node in nodes
            named |= {*event.what.edges, event.what.node or ""}
    added = {
        event.what.edge.id if isinstance(event.what, EdgeAdded) else event.what.interpretation.id
        for event in events
        if event.boarding is not None and isinstance(event.what, EdgeAdded | InterpretationAdded)
    }
    assert added <= named


def check_streamed_elements_are_there(events: Sequence[Event], heard: list[Any], seen: Counter[str]) -> None:
    """Of what a worker had sent, at most the element that was being taken in is missing."""
    settled: Counter[str] = Counter()
    for event in events:
        if isinstance(event.what, ElementMerged | ElementRejected | ElementHeld):
            settled[event.what.boarding] += 1
    parsers: dict[str, DeltaParser] = {}
    complete: Counter[str] = Counter()
    for kind, *value in heard:
        if kind == "text":
            boarding, text = value
            complete[boarding] += len(parsers.setdefault(boarding, DeltaParser()).feed(text))
    for boarding, count in complete.items():
        assert settled[boarding] >= count - 1, (boarding, count, settled[boarding])
    for boarding in open_boardings(events):
        seen["elements cut"] += boarding in parsers and not parsers[boarding].is_complete


@pytest.mark.timeout(120)
def test_four_processes_share_a_mind(template: Path, tmp_path: Path) -> None:
    share(template, tmp_path, seconds=4.0)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_four_processes_share_a_mind_for_a_minute(template: Path, tmp_path: Path) -> None:
    share(template, tmp_path, seconds=60.0)


def share(template: Path, folder: Path, seconds: float) -> None:
    """Nothing that any of them wrote is lost, and none had to wait long."""
    path = Path(shutil.copy(template, folder / "shared.mind"))
    lives = [begin(asking, path, f"process {number}", seconds) for number in range(4)]
    heard = [life.hear_all() for life in lives]
    for life in lives:
        life.process.join(timeout=60)
        assert life.process.exitcode == 0
    asked = {value[1]: value[2] for said in heard for value in said if value[0] == "asked"}
    assert len(asked) == sum(value[0] == "asked" for said in heard for value in said), "an id was given out twice"
    assert all(sum(value[0] == "asked" for value in said) >= seconds for said in heard), "somebody was locked out"
    assert max(value[3] for said in heard for value in said if value[0] == "asked") < 10
    reports = [value for said in heard for value in said if value[0] == "report"]
    assert len(reports) == 4
    asyncio.run(check_shared(path, asked, reports))


async def check_shared(path: Path, asked: dict[str, str], reports: list[Any]) -> None:
    async with Mind.open(path, readonly=True) as mind:
        events = await mind.store.events()
        questions = {question.id: question.text for question in await mind.store.questions()}
        loaded = {vertex.id for vertex in mind.graph.vertices()}
    assert faults_of(path) == []
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert asked.items() <= questions.items()
    assert questions.keys() <= loaded
    merged = sum(isinstance(event.what, ElementMerged) for event in events)
    assert merged == sum(report[1] for report in reports)
    assert sum(isinstance(event.what, BoardingOpened) for event in events) == sum(report[2] for report in reports)
    assert open_boardings(events) == set()
