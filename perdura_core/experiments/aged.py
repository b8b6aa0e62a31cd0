"""A made-up mind with a past, of any size: facts of named things, judgements of them, boardings that used them."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from perdura_core.clock import Ids
from perdura_core.store import Store
from perdura_core.vocabulary import (
    CONDUCTOR,
    INGEST,
    OPERATOR,
    Boarding,
    BoardingEnded,
    BoardingOpened,
    Draft,
    Edge,
    EdgeAdded,
    EdgeType,
    Event,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    Level,
    MindCreated,
    NodeId,
    Occurrence,
    Question,
    QuestionAsked,
    Route,
    Shown,
    Velocity,
)

__all__ = ["AgedMind", "fill_aged"]

_MODELS = ("synthetic:north", "synthetic:south", "synthetic:east", "synthetic:west")
_DOMAINS = ("storage", "network", "deploy", "billing", "search", "mobile", "security", "climate")
_KINDS = ("cache", "queue", "ledger", "index", "gateway", "scheduler", "replica", "sensor", "archive", "router")
_MEASURES = (
    "The {measure} of {thing} was {number} ms on {day} March.",
    "{thing} served {number} requests a minute while {other} was being moved.",
    "Nobody restarted {thing} before {other} had been tested.",
    "{thing} held {number} gigabytes after the deploy of {other}.",
)
_NAMES = ("latency", "backlog", "retry time", "lag")
_LEVELS: tuple[Level, ...] = (1, 1, 1, 1, 1, 1, 1, 2, 2, 3)
_VELOCITIES: tuple[Velocity, ...] = ("fast", "medium", "slow")
_TYPES: tuple[EdgeType, ...] = ("supports", "supports", "supports", "refines", "refines", "contradicts", "depends_on")
_NODES_PER_QUESTION = 200
_SHOWN = 20
_DAYS = 120
"""Over which everything happened."""
_BATCH = 5_000


class AgedMind(NamedTuple):
    """What was made."""

    began_at: datetime
    ends_at: datetime
    events: int


async def fill_aged(
    store: Store, facts: int, interpretations: int, edges: int, ends_at: datetime, seed: int = 1
) -> AgedMind:
    """Write so many nodes and edges into an empty mind, spread over the 120 days before `ends_at`.

    A tenth of the interpretations is shown by boardings, twenty at a time, and a quarter of the edges beyond those to
    questions is drawn aboard one. The same arguments give the same mind. Events go straight to the store, so that a
    large mind is made in a minute; open a journal on it afterwards.
    """
    maker = _Maker(random.Random(seed), ends_at - timedelta(days=_DAYS))
    written: list[Event] = []
    seq = await store.head()

    async def flush() -> None:
        nonlocal seq
        if written:
            await store.begin(seq)
            await store.commit(written)
            seq = written[-1].seq
            written.clear()

    for number, (at, draft) in enumerate(maker.history(facts, interpretations, edges), seq + 1):
        written.append(
            Event.model_construct(
                seq=number, at=at, by=draft.by, boarding=draft.boarding, session=draft.session, what=draft.what
            )
        )
        if len(written) >= _BATCH:
            await flush()
    await flush()
    return AgedMind(ends_at - timedelta(days=_DAYS), ends_at, seq)


class _Maker:
    """Draws what happens, in order of time."""

    def __init__(self, dice: random.Random, began_at: datetime) -> None:
        self._dice = dice
        self._ids = Ids()
        self._now = began_at
        self._questions: list[NodeId] = []
        self._facts: list[NodeId] = []
        self._claims: list[NodeId] = []
        self._things: list[str] = []
        self._joined: set[tuple[NodeId, NodeId]] = set()

    def history(self, facts: int, interpretations: int, edges: int) -> Iterator[tuple[datetime, Draft]]:
        """Each happening with its time."""
        self._things = [f"{_KINDS[number % 10]} {number}" for number in range(max(20, facts // 5))]
        yield self._told(MindCreated(version="0"), CONDUCTOR)
        for _ in range(max(8, (facts + interpretations) // _NODES_PER_QUESTION)):
            yield self._ask()
        steps = 200
        step = timedelta(days=_DAYS) / (steps + 1)
        drawn = max(0, edges - interpretations)
        boardings = interpretations // (10 * _SHOWN) + steps
        for number in range(steps):
            for _ in range(_share(facts, number, steps)):
                yield self._record()
            for _ in range(_share(interpretations, number, steps)):
                yield from self._judge()
            left = _share(drawn, number, steps)
            for _ in range(_share(boardings, number, steps)):
                yield from self._board(left // 4 // max(1, _share(boardings, number, steps)))
            for _ in range(left - left // 4):
                yield self._told(EdgeAdded(edge=self._edge(None)), self._dice.choice(_MODELS))
            self._now += step

    def _told(self, what: Happening, by: str, boarding: str | None = None) -> tuple[datetime, Draft]:
        return self._now, Draft(what=what, by=by, boarding=boarding)

    def _ask(self) -> tuple[datetime, Draft]:
        number = len(self._questions)
        asked = Question(
            id=self._ids.next("q"),
            text=f"Why did the {_KINDS[number % 10]} stop?",
            domains=(_DOMAINS[number % len(_DOMAINS)],),
            created_by=OPERATOR,
            created_at=self._now,
        )
        self._questions.append(asked.id)
        return self._told(QuestionAsked(question=asked), OPERATOR)

    def _record(self) -> tuple[datetime, Draft]:
        dice = self._dice
        # Some things come up much more often than others.
        thing, other = (self._things[int(len(self._things) * dice.random() ** 2)] for _ in range(2))
        text = dice.choice(_MEASURES).format(
            measure=dice.choice(_NAMES), thing=thing, other=other, number=dice.randint(1, 900), day=dice.randint(1, 31)
        )
        new = Fact(
            id=self._ids.next("f"),
            text=text,
            domains=(_DOMAINS[_number_of(thing) % len(_DOMAINS)],),
            entities=tuple(dict.fromkeys((thing, other))),
            occurrences=(Occurrence(source="report.md", recorded_at=self._now, recorded_by=INGEST),),
            created_by=INGEST,
            created_at=self._now,
        )
        self._facts.append(new.id)
        return self._told(FactRecorded(fact=new), INGEST)

    def _judge(self) -> Iterator[tuple[datetime, Draft]]:
        dice, model = self._dice, self._dice.choice(_MODELS)
        place = dice.randrange(len(self._questions))
        asserted = round(dice.betavariate(4, 3), 2)
        new = Interpretation(
            id=self._ids.next("i"),
            kind="decision" if dice.random() < 0.02 else "claim",
            text=f"Judgement {len(self._claims)} of {model}.",
            level=dice.choice(_LEVELS),
            domains=(_DOMAINS[place % len(_DOMAINS)],),
            facts=tuple(dict.fromkeys(dice.choices(self._facts, k=2))) if self._facts else (),
            asserted_confidence=asserted,
            confidence=asserted,
            velocity=dice.choice(_VELOCITIES),
            created_by=model,
            created_at=self._now,
        )
        self._claims.append(new.id)
        answer = Edge(
            id=self._ids.next("e"), type="answers", src=new.id, dst=self._questions[place], created_by=model,
            created_at=self._now,
        )  # fmt: skip
        yield self._told(InterpretationAdded(interpretation=new), model)
        yield self._told(EdgeAdded(edge=answer), model)

    def _board(self, edges: int) -> Iterator[tuple[datetime, Draft]]:
        dice, model, boarding = self._dice, self._dice.choice(_MODELS), self._ids.next("b")
        shown = dict.fromkeys(dice.choices(self._claims, k=_SHOWN))
        opened = Boarding(
            id=boarding,
            seat=1,
            question=dice.choice(self._questions),
            model=model,
            route=Route(model=model, policy="cheap", reason="made up"),
            shown=tuple(Shown(node=node) for node in shown),
            opened_at=self._now,
        )
        yield self._told(BoardingOpened(boarding=opened), CONDUCTOR, boarding)
        for _ in range(edges):
            yield self._told(EdgeAdded(edge=self._edge(boarding)), model, boarding)
        ended = BoardingEnded(boarding=boarding, ending="merged", seconds=1.0, merged=edges, rejected=0)
        yield self._told(ended, CONDUCTOR, boarding)

    def _edge(self, boarding: str | None) -> Edge:
        dice = self._dice
        while True:
            src, dst = (self._claims[int(len(self._claims) * dice.random() ** 1.3)] for _ in range(2))
            if src != dst and (src, dst) not in self._joined:
                self._joined.add((src, dst))
                return Edge(
                    id=self._ids.next("e"),
                    type=dice.choice(_TYPES),
                    src=src,
                    dst=dst,
                    created_by=dice.choice(_MODELS),
                    boarding=boarding,
                    created_at=self._now,
                )


def _share(total: int, number: int, steps: int) -> int:
    """How many of `total` fall to one of so many steps."""
    return total * (number + 1) // steps - total * number // steps


def _number_of(name: str) -> int:
    """A small number that is the same in every process."""
    return sum(name.encode())
