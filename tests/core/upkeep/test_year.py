"""Months and a year, day by day: nothing grows without bound, and what the constants say comes true."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from perdura_core.epistemics.constants import DEFAULTS
from perdura_core.store.keeping import unpack
from perdura_core.vocabulary import ConfidencesRevised
from tests.core.upkeep.world import World, open_world


async def live(world: World, days: int, *, grow: int) -> None:
    """So many days of work, each with its upkeep in the evening."""
    for _ in range(days):
        world.pass_days(0.5)
        await world.grow(grow, grow)
        await world.board(20, 4)
        if world.dice.random() < 0.1:
            await world.supersede_fact()
        world.pass_days(0.5)
        await world.upkeep()


async def rest(world: World, days: int) -> list[int]:
    """So many days on which nothing happens. How many confidences moved on each."""
    moved = []
    for _ in range(days):
        world.pass_days(1)
        head = await world.journal.store.head()
        await world.upkeep()
        events = await world.journal.store.events(after=head)
        moved.append(sum(len(one.what.after) for one in events if isinstance(one.what, ConfidencesRevised)))
    return moved


def counts(path: Path) -> dict[str, int]:
    """Rows of what could grow, and its bytes."""
    connection = sqlite3.connect(path)
    wanted = {
        "days": "SELECT count(DISTINCT day) FROM factor_history",
        "runs": "SELECT count(*) FROM pipeline_runs",
        "decisions": "SELECT count(*) FROM archive_decisions",
        "layers": "SELECT (SELECT sum(length(columns)) FROM layer_facts)"
        " + (SELECT sum(length(columns)) FROM layer_interpretations)",
        "events": "SELECT count(*) FROM events WHERE by = 'conductor'",
        "shadow": "SELECT count(*) FROM interpretations WHERE status = 'shadow'",
        "deleted": "SELECT count(*) FROM interpretations WHERE status = 'deleted'",
        "principles": "SELECT count(*) FROM interpretations WHERE level = 3",
        "forgotten principles": "SELECT count(*) FROM interpretations WHERE level = 3 AND status <> 'active'",
    }
    try:
        return {name: connection.execute(statement).fetchone()[0] for name, statement in wanted.items()}
    finally:
        connection.close()


def maturities(path: Path) -> dict[tuple[int, str], float]:
    """The half-life of each level and velocity, as the maturity of an interpretation tells it."""
    connection = sqlite3.connect(path)
    try:
        (packed,) = connection.execute(
            "SELECT columns FROM layer_interpretations WHERE layer = 'confidence'"
        ).fetchone()
        traits = {
            number: (level, velocity)
            for number, level, velocity in connection.execute("SELECT number, level, velocity FROM interpretations")
        }
        (as_of,) = connection.execute(
            "SELECT julianday(as_of) - (SELECT julianday(at) FROM events WHERE seq = 1) FROM layer_interpretations"
            " WHERE layer = 'confidence'"
        ).fetchone()
    finally:
        connection.close()
    columns = unpack(packed)
    found: dict[tuple[int, str], float] = {}
    for number, maturity, created in zip(
        columns["number"].tolist(), columns["maturity"].tolist(), columns["created_day"].tolist(), strict=True
    ):
        if 0.01 < maturity < 0.9:
            found[traits[number]] = -(as_of - created) / np.log2(1 - maturity)
    return found


async def forgotten_and_fetched_back(world: World) -> None:
    """What lies in shadow comes back when it is cited, and is not sent there again the next day."""
    lying = [one.id for one in world.journal.graph.vertices("interpretation") if one.status == "shadow"]
    assert lying
    node = lying[0]
    world.pass_days(0.1)
    await world.board(5, 1, extra=(node,))
    world.pass_days(0.4)
    await world.upkeep()
    vertex = world.journal.graph.get(node)
    assert vertex is not None
    assert vertex.status == "active"
    world.pass_days(1)
    await world.upkeep()
    assert vertex.status == "active"


async def check_life(path: Path, facts: int, claims: int, days: int, grow: int, quiet: int) -> None:
    async with open_world(path) as world:
        # Paths through the graph are sampled at these sizes too, for the sake of time.
        world.constants = replace(DEFAULTS, exact_most=150, pivots=12)
        await world.begin(facts, claims)
        await live(world, days, grow=grow)
        busy = counts(path)
        assert busy["shadow"] > 0
        assert busy["principles"] > 0
        assert busy["forgotten principles"] == 0
        for (level, velocity), half_life in maturities(path).items():
            decay = {"fast": 0.15, "medium": 0.05, "slow": 0.02}[velocity] * {1: 1.0, 2: 0.7, 3: 0.3}[level]
            assert half_life == pytest.approx(np.log(2) / decay, rel=0.01), (level, velocity)
        await forgotten_and_fetched_back(world)
        moved = await rest(world, quiet)
        assert sum(moved[-5:]) < sum(moved[:5])
        head = await world.journal.store.head()
        again = await world.upkeep()
        assert (again.changes, await world.journal.store.head()) == (0, head)
        calm = counts(path)
        total = claims + days * grow
        assert calm["days"] <= 64
        assert calm["runs"] <= 16 * 401
        assert calm["decisions"] <= 4 * total
        assert calm["layers"] <= 2_000 * (total + facts + days * grow)
        world.pass_days(400)  # nobody was there: some days later everything has settled
        assert max((await rest(world, 16))[-3:]) <= 0.05 * total
        assert counts(path)["deleted"] > busy["deleted"]


async def test_three_weeks_two_of_rest_and_a_year_alone(tmp_path: Path) -> None:
    await check_life(tmp_path / "a.mind", facts=50, claims=60, days=20, grow=2, quiet=15)


@pytest.mark.slow
@pytest.mark.timeout(590)
async def test_a_year_of_a_few_thousand_nodes(tmp_path: Path) -> None:
    await check_life(tmp_path / "a.mind", facts=900, claims=900, days=305, grow=1, quiet=60)
