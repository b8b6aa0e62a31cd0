"""A mind that is open keeps itself up: when it is due, once, and without holding anybody up."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from perdura_core.config import Settings, UpkeepSettings
from perdura_core.mind import Mind
from perdura_core.upkeep import daily
from tests.core.upkeep.world import open_world


async def settled(mind: Mind) -> None:
    """Until a run is over."""
    listener = mind.bus.subscribe()
    async with asyncio.timeout(60):
        while mind.upkeep.progress is None or mind.upkeep.progress.state != "done":
            await listener.changed()
            listener.drain()
    listener.close()


async def test_a_run_that_is_due_is_done_in_another_process_while_the_mind_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "_SETTLING_S", 0.0)
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(20, 30)
        now = world.now + timedelta(days=30)
    async with open_world(path, now=now) as world, Mind.open(path, clock=world.journal.clock) as mind:
        async with mind.tended():
            await settled(mind)
        report = await mind.memory.report()
        assert report.runs[0].is_finished
        assert report.as_of == now
        assert report.active + report.shadow == 30
        assert sum(one.interpretations for one in report.keeping) == 30
        standing = await mind.memory.standing("i1")
        assert standing is not None
        assert [one.confidence for one in standing.history] == pytest.approx([standing.confidence])
        assert sum(one.weight for one in standing.factors) == pytest.approx(1)
        async with mind.tended():  # not due any more
            await asyncio.sleep(0.05)
        assert len(await mind.store.runs(9)) == 1


async def test_it_can_be_turned_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "_SETTLING_S", 0.0)
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(3, 3)
        world.pass_days(3)
        settings = Settings(upkeep=UpkeepSettings(daily=False))
        async with Mind.open(path, settings, clock=world.journal.clock) as mind, mind.tended():
            await asyncio.sleep(0.05)
            assert await mind.store.runs(1) == []
