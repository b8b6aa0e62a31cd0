"""Work goes on while upkeep writes: what it changes goes into small transactions, and others get in between."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.upkeep import planning
from perdura_core.vocabulary import ConfidencesRevised, ConfidenceVoted, Draft, Event
from tests.core.upkeep.test_upkeep import lived
from tests.core.upkeep.world import open_world


def voting(node: str) -> Draft:
    """What somebody else writes meanwhile."""
    return Draft(what=ConfidenceVoted(node=node, confidence=0.5), by="north:a")


async def test_others_are_written_between_the_portions_of_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "PORTION", 5)
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world)

        async def others() -> None:
            while True:
                await world.journal.append([voting("i1")])

        before = await world.journal.store.head()
        working = asyncio.create_task(others())
        report = await world.upkeep()
        working.cancel()
        events = await world.journal.store.events(after=before)
    moved = [event for event in events if isinstance(event.what, ConfidencesRevised)]
    assert len(moved) > 10
    assert all(isinstance(one.what, ConfidencesRevised) and len(one.what.after) <= 5 for one in moved)
    assert between(events, moved) >= len(moved) - 1
    assert sum(len(one.what.after) for one in moved if isinstance(one.what, ConfidencesRevised)) <= report.changes


def between(events: list[Event], moved: list[Event]) -> int:
    """How many neighbouring portions have something of others between them."""
    return sum(
        any(first.seq < event.seq < second.seq and event.kind == "confidence_voted" for event in events)
        for first, second in pairwise(moved)
    )


async def test_what_somebody_changed_since_it_was_read_is_left_to_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world)
        dry = await world.upkeep(is_dry=True)
        assert dry.changes
        seen: list[str] = []
        revising = planning._revising

        def late(*given: object) -> object:
            """Before upkeep's plan runs, somebody else moves what it is about to move."""
            plan = revising(*given)  # type: ignore[arg-type]

            def after_others(graph: Graph, ids: Ids) -> object:
                vertex = graph.get("i1")
                assert vertex is not None
                vertex.confidence = 0.123
                seen.append(vertex.id)
                return plan(graph, ids)

            return after_others

        monkeypatch.setattr(planning, "_revising", late)
        before = await world.journal.store.head()
        await world.upkeep()
        moved = [
            event.what
            for event in await world.journal.store.events(after=before)
            if isinstance(event.what, ConfidencesRevised)
        ]
    assert seen
    assert not [one for one in moved if "i1" in one.after]
