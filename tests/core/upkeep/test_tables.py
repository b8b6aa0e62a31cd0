"""What upkeep reads is what the mind holds: dates, references, uses, votes and statuses as of a time."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from perdura_core.acts import acted, prefer, revive
from perdura_core.acts.undo import undo
from perdura_core.epistemics.snapshot import STATUSES
from perdura_core.store.tables import Tables, read_tables
from perdura_core.vocabulary import ConfidenceVoted, Draft, Fact, FactRecorded, Occurrence, StatusChanged
from tests.core.upkeep.world import World, open_world


def read(path: Path, world: World, reliability: dict[tuple[str, str | None], float] | None = None) -> Tables:
    connection = sqlite3.connect(path)
    try:
        return read_tables(connection, world.now, reliability or {})
    finally:
        connection.close()


async def test_rows_are_what_the_store_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(12, 15)
        world.pass_days(2.5)
        await world.grow(3, 3)
        gone = await world.supersede_fact()
        tables = read(path, world)
        facts, table = tables.snapshot.facts, tables.snapshot.interpretations
        kept = await world.journal.store.facts()
        assert facts.numbers.tolist() == [int(fact.id[1:]) for fact in kept]
        assert facts.recorded_day == pytest.approx([0.0] * 12 + [2.5] * 3, abs=1e-6)
        day = facts.superseded_day[facts.numbers == int(gone[1:])]
        assert day == pytest.approx([2.5], abs=1e-6)
        assert np.isnan(facts.superseded_day).sum() == len(kept) - 1
        for row, fact in enumerate(kept):
            places = facts.entity.values[facts.entity.starts[row] : facts.entity.starts[row + 1]]
            assert {facts.entities[place] for place in places} == set(fact.entities)
        for row, one in enumerate(await world.journal.store.interpretations()):
            held = table.fact.values[table.fact.starts[row] : table.fact.starts[row + 1]]
            assert {f"f{facts.numbers[place]}" for place in held} == set(one.facts)
            assert table.asserted[row] == one.asserted_confidence
            assert table.models[table.author[row]] == one.created_by
            assert table.domains[table.primary[row]] == one.domains[0]
        edges = await world.journal.store.edges()
        assert len(tables.snapshot.edges) == len(edges)
        assert tables.head == await world.journal.store.head()


async def test_spellings_of_one_entity_are_one_entity(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(2, 2)
        seen = (Occurrence(recorded_at=world.now, recorded_by="m:a"),)
        spelled = {"f3": ("the Frobnicator", "gauge"), "f4": ("frobnicators", "Frobnicator"), "f5": ("Gauges",)}
        for number, names in spelled.items():
            fact = Fact(
                id=number, text=f"Fact {number}.", entities=names, occurrences=seen, created_by="m:a",
                created_at=world.now,
            )  # fmt: skip
            await world.journal.append([Draft(what=FactRecorded(fact=fact), by="m:a")])
        facts = read(path, world).snapshot.facts
        named = [
            [facts.entities[place] for place in facts.entity.values[start:end]]
            for start, end in zip(facts.entity.starts[2:-1], facts.entity.starts[3:], strict=True)
        ]
        assert [sorted(names) for names in named] == [["gauge", "the Frobnicator"], ["the Frobnicator"], ["gauge"]]


async def test_a_briefing_shows_and_an_edge_from_elsewhere_cites(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(5, 8)
        world.pass_days(1)
        await world.board(3, 0, extra=("i1",))
        uses = read(path, world).snapshot.interpretations.uses
        own = uses.row == 0
        assert min(uses.kind[own].tolist()) == 0
        assert (uses.kind[own] > 0).sum() == 1
        assert uses.day == pytest.approx(np.ones(len(uses.day)), abs=1e-6)
        assert (uses.domain >= 0).all()


async def test_what_the_operator_settled_counts_as_a_certain_vote_until_it_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(5, 8)
        voted = Draft(what=ConfidenceVoted(node="i2", confidence=0.3), by="south:b")
        await world.journal.append([voted])
        act = await world.journal.write(acted(prefer("i1", "i3")))
        table = read(path, world, {("south:b", None): 0.8}).snapshot.interpretations
        votes = table.votes
        assert [(int(row), table.models[voter]) for row, voter in zip(votes.row, votes.voter, strict=True)] == [
            (1, "south:b"), (0, "operator")
        ]  # fmt: skip
        assert votes.reliability.tolist() == [0.8, 1.0]
        await world.journal.write(undo(act[0], act[1:]))
        assert len(read(path, world).snapshot.interpretations.votes.row) == 1


async def test_statuses_are_those_before_what_the_run_itself_decides(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(5, 8)
        world.pass_days(10)
        gone = StatusChanged(node="i1", before="active", after="shadow", reason="test", as_of=world.now)
        await world.journal.append([Draft(what=gone, by="conductor")])
        tables = read(path, world)
        assert STATUSES[tables.status[0]] == "shadow"
        assert STATUSES[tables.snapshot.interpretations.status[0]] == "active"
        world.pass_days(1)
        later = read(path, world).snapshot.interpretations
        assert STATUSES[later.status[0]] == "shadow"
        assert later.shadow_day[0] == pytest.approx(10, abs=1e-6)
        await world.journal.write(acted(revive("i1")))
        back = read(path, world)
        assert STATUSES[back.snapshot.interpretations.status[0]] == "active"
        assert back.revived_day[0] == pytest.approx(11, abs=1e-6)
        assert back.began_at + timedelta(days=11) == pytest.approx(world.now, abs=timedelta(seconds=1))
