"""Recorded models on board: minds whose questions and workers are recorded ones, under the real conductor."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from perdura_core.clock import Clock, Ids
from perdura_core.conductor import Conductor, Crew, SessionOrder, Yard
from perdura_core.config import Settings
from perdura_core.routing import Purse, Records, Registry, RouteState, route
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import (
    OPERATOR,
    BoardingOpened,
    Card,
    Draft,
    PolicyName,
    Price,
    Question,
    QuestionAsked,
)
from perdura_core.workers import Worker
from perdura_core.workers.replay import Recording, Replayed, ReplayWorker

__all__ = ["Boarded", "Shard", "Stage", "Stand", "Turn", "board", "cards_of", "foresee", "order_of", "staged"]

_FIRST_SESSION = "s1"
_SEATS = 16
"""Boardings that share transactions and hops to the database: with 8 of them each takes a third more of a core."""
_QUESTIONS_A_SEAT = 4
"""A question must come round again long after its last boarding ended, so that no decision depends on the seats."""
_NEVER = 1_000_000
_BRIEFING_TOKENS = 800
"""A question and its handful of claims fit."""


class Shard(NamedTuple):
    """One mind's worth of an experiment: questions, what was recorded, and how the session runs."""

    questions: tuple[tuple[str, str], ...]
    """Key and domain of each."""
    recording: Recording
    peers: tuple[str, ...]
    """Models whose calls cost next to nothing; they take turns."""
    frontier: str
    usd_per_mtok: tuple[float, float]
    """Of the frontier model, in and out."""
    policy: PolicyName
    periodic_k: int = 3
    random_p: float = 1 / 3
    passes: int = 3
    """Boardings of each question."""
    seed: int = 0
    """Of what is decided by lot."""


class Turn(NamedTuple):
    """One boarding: which question (by its place in the shard), who boarded, by which policy."""

    question: int
    model: str
    policy: str


class Boarded(NamedTuple):
    """What a session did, and how long it took."""

    turns: list[Turn]
    seconds: float
    cpu_seconds: float


def board(shard: Shard) -> Boarded:
    """Run the shard through conductor, router, store and merge in a mind of its own.

    Blocks; meant for a process of its own. The turns come question by question, each with its boardings in order.
    """
    return asyncio.run(_board(shard))


async def _board(shard: Shard) -> Boarded:
    cards = cards_of(shard)
    async with staged(shard, lambda card: ReplayWorker(card, shard.recording)) as stage:
        began_s, cpu_s = stage.journal.clock.monotonic_s(), process_time()
        await stage.conductor.run(order_of(shard, cards))
        seconds, cpu_seconds = stage.journal.clock.monotonic_s() - began_s, process_time() - cpu_s
        opened = await stage.journal.store.events(kinds={"boarding_opened"})
    turns = [
        Turn(int(what.boarding.question[1:]) - 1, what.boarding.model.partition(":")[2], what.boarding.route.policy)
        for event in opened
        if isinstance(what := event.what, BoardingOpened)
    ]
    return Boarded(sorted(turns, key=lambda turn: turn.question), seconds, cpu_seconds)


class Stage(NamedTuple):
    """A mind with its questions asked, and a conductor for it."""

    journal: Journal
    conductor: Conductor
    settings: Settings


@asynccontextmanager
async def staged(shard: Shard, build: Callable[[Card], Worker]) -> AsyncIterator[Stage]:
    """A mind of its own with the shard's questions, worked on by what `build` makes of each card."""
    cards = cards_of(shard)
    with TemporaryDirectory(prefix="perdura-replay-") as folder:
        async with open_sqlite(Path(folder) / "replay.mind") as store, Journal.open(store, Clock()) as journal:
            settings = Settings(model=cards)
            registry, purse, records = Registry(cards), Purse(settings.budget), Records(journal.graph)
            registry.provide("replay")
            for fold in (registry.apply, purse.apply, records.apply):
                journal.follow(fold)
            crew = Crew(build)
            await journal.write(lambda graph, ids: _asked(shard, ids, journal.clock))
            yield Stage(journal, Conductor(Yard(journal, registry, purse, records, crew, settings)), settings)
            await crew.close()


def cards_of(shard: Shard) -> tuple[Card, ...]:
    """The cards of the peers, then that of the frontier model."""
    free = Price(usd_per_mtok_in=0, usd_per_mtok_out=0)
    dear = Price(usd_per_mtok_in=shard.usd_per_mtok[0], usd_per_mtok_out=shard.usd_per_mtok[1])
    peers = [
        Card(id=f"replay:{name}", tier="standard", prices=(free,), briefing_tokens=_BRIEFING_TOKENS)
        for name in shard.peers
    ]
    best = Card(id=f"replay:{shard.frontier}", tier="frontier", prices=(dear,), briefing_tokens=_BRIEFING_TOKENS)
    return (*peers, best)


def _seats(shard: Shard) -> int:
    if shard.policy == "track_record":  # records would tell who ended first
        return 1
    return min(_SEATS, max(1, len(shard.questions) // _QUESTIONS_A_SEAT))


def order_of(shard: Shard, cards: Sequence[Card]) -> SessionOrder:
    """A session in which each question gets its boardings in turn, by these cards."""
    return SessionOrder(
        seats=_seats(shard),
        route=shard.policy,
        boardings=shard.passes * len(shard.questions),
        models=tuple(card.id for card in cards),
        periodic_k=shard.periodic_k,
        random_p=shard.random_p,
        seed=shard.seed,
        explore_every=1,  # every question gets its boardings in turn: only the choice of models differs
        audit_every=0,
        stagnation_after=_NEVER,
    )


def _asked(shard: Shard, ids: Ids, clock: Clock) -> list[Draft]:
    questions = (
        Question(id=ids.next("q"), text=key, domains=(domain,), created_by=OPERATOR, created_at=clock.now())
        for key, domain in shard.questions
    )
    return [Draft(what=QuestionAsked(question=question), by=OPERATOR) for question in questions]


def foresee(shard: Shard) -> list[Turn]:
    """The turns that `board` takes, by the same policies over plain lists in place of a mind.

    About a hundred times as fast. For policies that need no track records.
    """
    cards = cards_of(shard)
    worst = {card.id: 0 if card.tier == "standard" else 1 for card in cards}
    stands = [Stand(shard.recording[key]) for key, _ in shard.questions]
    seen: list[str] = []
    turns: list[Turn] = []
    for number in range(shard.passes * len(shard.questions)):
        place = number % len(shard.questions)
        stand = stands[place]
        state = RouteState.model_construct(
            question=f"q{place + 1}",
            domains=(shard.questions[place][1],),
            cards=cards,
            costs=worst,
            contention=stand.contention,
            seed=f"{shard.seed}:{_FIRST_SESSION}",
            turn=number + 1,
            question_models=tuple(stand.models),
            session_models=tuple(seen[-64:]),
            periodic_k=shard.periodic_k,
            random_p=shard.random_p,
        )
        chosen = route(state, shard.policy)
        if chosen is None:
            break
        seen.append(chosen.model)
        stand.take(chosen.model)
        turns.append(Turn(place, chosen.model.partition(":")[2], chosen.policy))
    return sorted(turns, key=lambda turn: turn.question)


class Stand:
    """What a mind holds of one replayed question, as far as a route depends on it: its claims and their disputes."""

    def __init__(self, recorded: Mapping[str, Replayed]) -> None:
        self.models: list[str] = []
        self._recorded = recorded
        self._nodes: list[tuple[str, dict[str, float]]] = []
        """Answer of each claim or decision, and who is how confident of it."""
        self._opposed: set[tuple[int, int]] = set()

    @property
    def contention(self) -> float:
        """Mean confidence of both ends of every contradiction, summed, over the number of claims (EPISTEMICS)."""
        if not self._nodes:
            return 0.0
        heat = sum((self._confidence(a) + self._confidence(b)) / 2 for a, b in self._opposed)
        return heat / len(self._nodes)

    def take(self, model: str) -> None:
        """What the model's boarding brings, as `ReplayWorker` says it and the merge takes it."""
        self.models.append(model)
        said = self._recorded.get(model.partition(":")[2])
        if said is None or said.answer is None:
            return
        mine = [at for at, (answer, _) in enumerate(self._nodes) if answer == said.answer]
        others = [at for at, (answer, _) in enumerate(self._nodes) if answer != said.answer]
        if mine and (not others or len(mine) > 1):
            self._nodes[mine[-1]][1].setdefault(model, round(said.confidence, 3))
            return
        self._opposed |= {(at, len(self._nodes)) for at in others}
        self._nodes.append((said.answer, {model: round(said.confidence, 3)}))

    def _confidence(self, at: int) -> float:
        voices = self._nodes[at][1]
        return sum(voices.values()) / len(voices)
