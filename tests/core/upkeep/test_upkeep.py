"""The daily run: idempotent, resumable, and the same whatever happens to the process in between."""

import sqlite3
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perdura_core.errors import InputError, UpkeepError
from perdura_core.store import Journal, open_sqlite
from perdura_core.upkeep import STEPS, Upkeep
from perdura_core.upkeep.memory import LAYERS
from perdura_core.upkeep.order import Order, Outcome
from perdura_core.upkeep.standing import standing_of
from perdura_core.vocabulary import ConfidencesRevised, StatusChanged, StepName
from tests.core.upkeep.world import World, open_world, work_here

_FACTS, _CLAIMS = 60, 80


async def lived(world: World, days: int = 40) -> None:
    """A few weeks of life without upkeep."""
    await world.begin(_FACTS, _CLAIMS)
    for _ in range(days // 5):
        world.pass_days(5)
        await world.grow(4, 4)
        await world.board(12, 3)
    world.pass_days(0.25)


def portrait(path: Path) -> dict[str, list[Any]]:
    """Everything in the file that upkeep may change, but when and in how many portions it did."""
    connection = sqlite3.connect(path)
    wanted = {
        "interpretations": "SELECT number, confidence, status, level FROM interpretations ORDER BY number",
        "decisions": "SELECT interpretation, before, after, reason FROM archive_decisions ORDER BY interpretation, seq",
        "facts": "SELECT * FROM facts ORDER BY number",
        "layers": "SELECT layer, version, as_of, inputs, columns FROM layer_facts ORDER BY layer",
        "judged": "SELECT layer, version, as_of, inputs, columns FROM layer_interpretations ORDER BY layer",
        "history": "SELECT block, day, as_of, rows FROM factor_history ORDER BY block, day",
        "marks": "SELECT * FROM revalidations ORDER BY 1",
        "steps": "SELECT DISTINCT step FROM pipeline_runs ORDER BY step",
        "proposals": "SELECT what FROM events WHERE kind LIKE 'promotion%' ORDER BY seq",
    }
    try:
        return {name: connection.execute(statement).fetchall() for name, statement in wanted.items()}
    finally:
        connection.close()


async def test_a_run_moves_confidences_and_statuses_by_events_with_reasons(tmp_path: Path) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world)
        before = await world.journal.store.head()
        report = await world.upkeep()
        assert [step.step for step in report.steps] == list(STEPS)
        assert report.is_finished
        events = await world.journal.store.events(after=before)
        revised = [event.what for event in events if isinstance(event.what, ConfidencesRevised)]
        moved = [event.what for event in events if isinstance(event.what, StatusChanged)]
        assert sum(len(one.after) for one in revised) + len(moved) == report.changes > 0
        assert {one.reason for one in moved} <= {"normal_forgetting"}
        assert all(one.as_of == world.now for one in (*revised, *moved))
        kept = {node.id: node for node in await world.journal.store.interpretations()}
        for one in revised:
            for node, confidence in one.after.items():
                vertex = world.journal.graph.get(node)
                assert vertex is not None
                assert kept[node].confidence == vertex.confidence == confidence == round(confidence, 2)


@pytest.mark.parametrize(("facts", "claims"), [(0, 0), (3, 0), (3, 1)])
async def test_a_mind_that_holds_next_to_nothing_is_kept_up_too(tmp_path: Path, facts: int, claims: int) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await world.begin(facts, claims)
        world.pass_days(1)
        report = await world.upkeep()
        assert report.is_finished
        assert [step.step for step in report.steps] == list(STEPS)


async def test_a_second_run_at_the_same_time_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await lived(world)
        first = await world.upkeep()
        head, state = await world.journal.store.head(), portrait(path)
        second = await world.upkeep()
        assert (second.run, second.changes) == (first.run + 1, 0)
        assert await world.journal.store.head() == head
        assert portrait(path) == state


async def test_how_a_confidence_went_is_told_from_the_days_that_are_kept(tmp_path: Path) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world)
        store, graph = world.journal.store, world.journal.graph
        for week in range(9):
            await world.upkeep()
            if week == 0:
                first = await standing_of(store, graph, await store.layers("interpretations", LAYERS), "i1")
                assert first is not None
                assert first.change is None
            world.pass_days(7)
        await world.upkeep()
        followed = 0
        layers = await store.layers("interpretations", LAYERS)
        for number in range(1, 60):
            standing = await standing_of(store, graph, layers, f"i{number}")
            if standing is None or graph.get(f"i{number}").status == "deleted":  # type: ignore[union-attr]
                continue
            said = [one.confidence for one in standing.history]
            assert len(said) == 10
            assert standing.change == pytest.approx(np.mean(said[-4:]) - np.mean(said[:-4]), abs=1e-6)
            followed += standing.change != 0
        assert followed > 10


async def test_a_dry_run_says_what_would_change_and_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await lived(world)
        head, state = await world.journal.store.head(), portrait(path)
        dry = await world.upkeep(is_dry=True)
        assert not dry.is_finished
        assert (await world.journal.store.head(), portrait(path)) == (head, state)
        wet = await world.upkeep()
        assert [(step.step, step.changes, step.counts) for step in wet.steps] == [
            (step.step, step.changes, step.counts) for step in dry.steps
        ]


class Cut(Exception):  # noqa: N818 - not a fault: the test's own knife
    pass


async def test_a_run_that_is_cut_after_any_step_resumes_to_the_same_state(tmp_path: Path) -> None:
    async with open_world(tmp_path / "whole.mind") as world:
        await lived(world)
        await world.upkeep()
    whole = portrait(tmp_path / "whole.mind")
    for number, last in enumerate(STEPS[:-1]):
        path = tmp_path / f"{number}.mind"

        async def cut(order: Order, last: StepName = last) -> AsyncGenerator[StepName | Outcome, None]:
            async for each in work_here(order):
                yield each
                if isinstance(each, Outcome) and each.step == last:
                    raise Cut

        async with open_world(path) as world:
            await lived(world)
            with pytest.raises(Cut):
                await Upkeep(world.journal, cut).run(world.now, {})
            now = world.now
        async with open_world(path, now=now + timedelta(minutes=5)) as world:  # another process, a little later
            report = await world.upkeep()
            assert (report.run, report.as_of, report.is_finished) == (1, now, True)
            assert [step.step for step in report.steps] == list(STEPS)
        assert portrait(path) == whole, last


async def test_a_run_of_another_day_is_not_gone_on_with(tmp_path: Path) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world)

        async def cut(order: Order) -> AsyncGenerator[StepName | Outcome, None]:
            async for each in work_here(order):
                if isinstance(each, Outcome) and each.step == "M3":
                    raise Cut
                yield each

        with pytest.raises(Cut):
            await Upkeep(world.journal, cut).run(world.now, {})
        world.pass_days(1)
        report = await world.upkeep()
        assert (report.run, report.as_of) == (2, world.now)


async def test_how_often_it_ran_makes_no_difference_to_a_confidence(tmp_path: Path) -> None:
    """Apart from what forgetting, which has a memory, took out of the graph: here nothing is forgotten yet."""
    found = []
    for name, days in (("daily", range(1, 9)), ("once", [8])):
        async with open_world(tmp_path / f"{name}.mind") as world:
            await world.begin(_FACTS, _CLAIMS)
            start = world.now
            for day in days:
                world.now = start + timedelta(days=day)
                report = await world.upkeep()
            forgotten = sum(step.counts.get("shadow", 0) for step in report.steps)
            found.append((forgotten, [one.confidence for one in await world.journal.store.interpretations()]))
    (_, daily), (_, once) = found
    assert [abs(a - b) for a, b in zip(daily, once, strict=True) if abs(a - b) > 0.2] == []


async def test_only_one_process_is_at_it(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await lived(world, 5)

        async def nosy(order: Order) -> AsyncGenerator[StepName | Outcome, None]:
            async with open_sqlite(path) as store, Journal.open(store, world.journal.clock) as other:
                with pytest.raises(UpkeepError, match="another process"):
                    await Upkeep(other, work_here).run(world.now, {})
            async for each in work_here(order):
                yield each

        assert (await Upkeep(world.journal, nosy).run(world.now, {})).is_finished
        assert (await world.upkeep()).is_finished  # the lease was let go


async def test_a_time_before_the_newest_event_is_refused(tmp_path: Path) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world, 10)
        with pytest.raises(InputError, match="before the newest event"):
            await Upkeep(world.journal, work_here).run(world.now - timedelta(days=3), {})


async def test_it_is_due_once_a_day_and_not_in_a_mind_of_today(tmp_path: Path) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await world.begin(5, 5)
        upkeep = Upkeep(world.journal, work_here)
        assert not await upkeep.is_due(world.now)
        world.pass_days(1)
        assert await upkeep.is_due(world.now)
        await world.upkeep()
        assert not await upkeep.is_due(world.now)
        assert await upkeep.is_due(world.now + timedelta(days=1))
        assert not await upkeep.is_due(world.now + timedelta(minutes=50), hour=7)  # it is ten to seven
        assert await upkeep.is_due(world.now + timedelta(minutes=70), hour=7)


async def test_a_fact_that_gives_way_marks_what_refers_to_it_until_the_next_run(tmp_path: Path) -> None:
    async with open_world(tmp_path / "a.mind") as world:
        await lived(world, 10)
        await world.upkeep()
        assert await world.journal.store.marked() == []
        fact = await world.supersede_fact()
        citing = {int(node[1:]) for node in world.journal.graph.cited_by(fact)}
        assert set(await world.journal.store.marked()) == citing
        world.pass_days(1)
        report = await world.upkeep()
        confidence = next(step for step in report.steps if step.step == "confidence")
        assert confidence.counts["revalidated"] == len(citing)
        assert await world.journal.store.marked() == []
