"""A mind with a past: facts of several domains, interpretations of them, and boardings that use them, day by day."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from perdura_core.clock import Clock, Ids
from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.graph import Graph
from perdura_core.store import Journal, open_sqlite
from perdura_core.upkeep import Upkeep
from perdura_core.upkeep.order import Order, Outcome
from perdura_core.upkeep.working import outcomes
from perdura_core.vocabulary import (
    Boarding,
    BoardingEnded,
    BoardingOpened,
    Draft,
    Edge,
    EdgeAdded,
    EdgeType,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    MindCreated,
    NodeId,
    NodeSuperseded,
    Occurrence,
    Question,
    QuestionAsked,
    Route,
    RunReport,
    Shown,
    StepName,
)

BEGAN = datetime(2030, 1, 1, 6, tzinfo=UTC)
DOMAINS = ("storage", "network", "climate")
MODELS = ("north:a", "south:b", "east:c")
_LEVELS: tuple[Any, ...] = (1, 1, 1, 1, 1, 1, 1, 2, 2, 3)


async def work_here(order: Order) -> AsyncGenerator[StepName | Outcome, None]:
    """The work of a run, in this process."""
    for each in outcomes(order):
        yield each


@dataclass
class World:
    """Writes what happens on a day. The dice decide, so that the same seed gives the same mind."""

    journal: Journal
    dice: Random
    now: datetime = BEGAN
    constants: Epistemics = DEFAULTS
    questions: list[NodeId] = field(default_factory=list)
    facts: list[NodeId] = field(default_factory=list)
    claims: list[NodeId] = field(default_factory=list)

    async def begin(self, facts: int, claims: int) -> None:
        """The first day: so many facts and interpretations, and edges among them."""
        drafts = [Draft(what=MindCreated(version="1"), by="conductor")]
        ids = Ids()
        for number in range(6):
            asked = Question(
                id=ids.next("q"), text=f"Why {number}?", domains=(DOMAINS[number % 3],), created_by="operator",
                created_at=self.now,
            )  # fmt: skip
            self.questions.append(asked.id)
            drafts.append(Draft(what=QuestionAsked(question=asked), by="operator"))
        await self.journal.append(drafts)
        await self.grow(facts, claims)

    async def grow(self, facts: int, claims: int) -> None:
        """More of both."""

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            return [
                *(Draft(what=self._fact(ids), by="ingest") for _ in range(facts)),
                *(draft for _ in range(claims) for draft in self._claim(ids)),
            ]

        await self.journal.write(plan)

    async def board(self, shown: int, cited: int, extra: tuple[NodeId, ...] = ()) -> None:
        """One boarding that is shown interpretations and cites some of them."""
        model = self.dice.choice(MODELS)
        seen = [*extra, *self.dice.sample(self.claims, min(shown, len(self.claims)))]

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            boarding = ids.next("b")
            live = [node for node in seen if (vertex := graph.get(node)) is not None and vertex.is_live]
            opened = Boarding(
                id=boarding, seat=1, question=self.dice.choice(self.questions), model=model,
                route=Route(model=model, policy="cheap", reason="test"), opened_at=self.now,
                shown=tuple(Shown(node=node) for node in live),
            )  # fmt: skip
            happenings: list[Happening] = [BoardingOpened(boarding=opened)]
            ends = [*extra, *self.dice.sample(live, min(cited, len(live)))]
            kinds: tuple[EdgeType, ...] = ("supports", "supports", "refines", "contradicts")
            for dst in ends:
                src = self.dice.choice(self.claims)
                kind = "supports" if dst in extra else self.dice.choice(kinds)
                if src != dst and graph.edge_between(kind, src, dst) is None:
                    happenings.append(EdgeAdded(edge=self._edge(ids, kind, src, dst, model, boarding)))
            happenings.append(
                BoardingEnded(boarding=boarding, ending="merged", seconds=1.0, merged=len(ends), rejected=0)
            )
            return [Draft(what=what, by=model, boarding=boarding) for what in happenings]

        await self.journal.write(plan)

    async def supersede_fact(self) -> NodeId:
        """A fact gives way to a newer one."""
        old, new = self.dice.sample(self.facts, 2)
        await self.journal.append([Draft(what=NodeSuperseded(node=old, superseded_by=new), by="operator")])
        self.facts.remove(old)
        return old

    def _fact(self, ids: Ids) -> FactRecorded:
        domain = self.dice.choice(DOMAINS)
        names = [f"{domain} unit {self.dice.randrange(40)}" for _ in range(2)]
        seen = Occurrence(source="a.md", recorded_at=self.now, recorded_by="ingest")
        new = Fact(
            id=ids.next("f"),
            text=f"The latency of {names[0]} near {names[1]} was {self.dice.randint(1, 90)} ms.",
            domains=(domain,),
            entities=tuple(dict.fromkeys(names)),
            occurrences=(seen,),
            created_by="ingest",
            created_at=self.now,
        )
        self.facts.append(new.id)
        return FactRecorded(fact=new)

    def _claim(self, ids: Ids) -> list[Draft]:
        model, asserted = self.dice.choice(MODELS), round(self.dice.uniform(0.2, 0.95), 2)
        place = self.dice.randrange(len(self.questions))
        new = Interpretation(
            id=ids.next("i"),
            kind="claim",
            text=f"Claim {len(self.claims)} of {model}.",
            level=self.dice.choice(_LEVELS),
            domains=(DOMAINS[place % 3],),
            facts=tuple(self.dice.sample(self.facts, min(2, len(self.facts)))),
            asserted_confidence=asserted,
            confidence=asserted,
            velocity=self.dice.choice(["fast", "medium", "slow"]),
            created_by=model,
            created_at=self.now,
        )
        drafts = [
            Draft(what=InterpretationAdded(interpretation=new), by=model),
            Draft(what=EdgeAdded(edge=self._edge(ids, "answers", new.id, self.questions[place], model)), by=model),
        ]
        if self.claims and self.dice.random() < 0.7:
            kind: EdgeType = self.dice.choice(["supports", "refines", "contradicts"])
            other = self.dice.choice(self.claims)
            drafts.append(Draft(what=EdgeAdded(edge=self._edge(ids, kind, new.id, other, model)), by=model))
        self.claims.append(new.id)
        return drafts

    def _edge(self, ids: Ids, kind: EdgeType, src: NodeId, dst: NodeId, by: str, boarding: str | None = None) -> Edge:
        return Edge(
            id=ids.next("e"), type=kind, src=src, dst=dst, created_by=by, boarding=boarding, created_at=self.now
        )

    async def upkeep(self, **wishes: Any) -> RunReport:
        """The day's run, in this process."""
        return await Upkeep(self.journal, work_here, self.constants).run(self.now, {}, **wishes)

    def pass_days(self, days: float) -> None:
        """Time goes by."""
        self.now += timedelta(days=days)


@asynccontextmanager
async def open_world(path: Path, seed: int = 1, now: datetime = BEGAN) -> AsyncIterator[World]:
    """The world of this file, by its own clock."""
    times = [now]
    clock = Clock(lambda: times[0])
    async with open_sqlite(path, clock=clock) as store, Journal.open(store, clock) as journal:

        class Ticking(World):
            def __setattr__(self, name: str, value: Any) -> None:
                if name == "now":
                    times[0] = value
                super().__setattr__(name, value)

        yield Ticking(journal, Random(seed), now)
