"""A yard on a real store in a temporary folder, with scripted workers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from perdura_core.clock import Clock, Ids
from perdura_core.conductor import Conductor, Crew, Yard
from perdura_core.config import BudgetSettings, RunSettings, Settings
from perdura_core.graph import Graph
from perdura_core.routing import Purse, Records, Registry
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import (
    OPERATOR,
    Card,
    Draft,
    Fact,
    FactRecorded,
    ModelId,
    NodeId,
    Occurrence,
    Price,
    Question,
    QuestionAsked,
    Stake,
    Tier,
)
from tests.core.conductor.scripted import Script, ScriptedWorker


class Bench:
    """One mind under test: what a test needs at hand."""

    def __init__(self, yard: Yard, workers: dict[ModelId, ScriptedWorker]) -> None:
        self.yard = yard
        self.workers = workers
        self.conductor = Conductor(yard)
        self.graph = yard.journal.graph
        self.store = yard.journal.store

    async def ask(self, text: str, stake: Stake = "normal", domains: tuple[str, ...] = ()) -> NodeId:
        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            question = Question(
                id=ids.next("q"),
                text=text,
                stake=stake,
                domains=domains,
                created_by=OPERATOR,
                created_at=self.yard.clock.now(),
            )
            return [Draft(what=QuestionAsked(question=question), by=OPERATOR)]

        await self.yard.journal.write(plan)
        return next(reversed(self.graph.open_questions())).id

    async def observe(self, text: str) -> NodeId:
        now = self.yard.clock.now()

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            fact = Fact(
                id=ids.next("f"),
                text=text,
                occurrences=(Occurrence(source="notes.md#L1", recorded_at=now, recorded_by="ingest"),),
                created_by="ingest",
                created_at=now,
            )
            return [Draft(what=FactRecorded(fact=fact), by="ingest")]

        events = await self.yard.journal.write(plan)
        what = events[0].what
        assert isinstance(what, FactRecorded)
        return what.fact.id


def card(model: ModelId, tier: Tier = "local", usd_in: float = 0, usd_out: float = 0) -> Card:
    """A priced card of a model that needs no provider."""
    return Card(id=model, tier=tier, prices=(Price(usd_per_mtok_in=usd_in, usd_per_mtok_out=usd_out),))


@asynccontextmanager
async def bench(
    path: Path,
    scripts: Mapping[ModelId, Script],
    cards: tuple[Card, ...] = (),
    budget: BudgetSettings | None = None,
    run: RunSettings | None = None,
) -> AsyncIterator[Bench]:
    """A mind whose only models are these scripts; cards not given are free and local."""
    known = {one.id: one for one in cards}
    cards = tuple(known.get(model, card(model)) for model in scripts)
    settings = Settings(model=cards, budget=budget or BudgetSettings(), run=run or RunSettings())
    workers = {model: ScriptedWorker(model, script) for model, script in scripts.items()}
    async with open_sqlite(path / "test.mind") as store, Journal.open(store, Clock()) as journal:
        registry, purse = Registry(cards), Purse(settings.budget)
        registry.withdraw("reader", "not under test")
        for model in scripts:
            registry.provide(model.partition(":")[0])
        records = Records(journal.graph)
        for fold in (registry.apply, purse.apply, records.apply):
            journal.follow(fold)
        crew = Crew(lambda one: workers[one.id])
        yield Bench(Yard(journal, registry, purse, records, crew, settings), workers)
        await crew.close()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder for a mind."""
    return tmp_path
