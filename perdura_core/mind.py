"""The whole: store, journal, models and conductor as one Mind. The only place that picks concrete parts."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from perdura_core import __version__
from perdura_core.clock import Clock, Ids
from perdura_core.conductor import Bus, Conductor, Crew, Yard
from perdura_core.config import Providers, Settings
from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.graph import Graph, Vertex
from perdura_core.routing import BUDGET_KINDS, RECORD_KINDS, REGISTRY_KINDS, Purse, Records, Registry
from perdura_core.store import Journal, Store, open_sqlite
from perdura_core.vocabulary import (
    CONDUCTOR,
    OPERATOR,
    Card,
    Draft,
    Happening,
    MindCreated,
    ModelDisabled,
    ModelEnabled,
    ModelId,
    NodeId,
    NodeRedacted,
    NodeSuperseded,
    Question,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    Stake,
    TrackRecord,
    clean,
)
from perdura_core.workers import Discovery, Worker, build_worker, discover

__all__ = ["Mind"]

_LONGEST_QUESTION = 4_000
"""Characters; a longer one is a document."""
_SLICE = 500
"""Nodes whose records are read before others get the event loop."""


class Mind:
    """One open mind: what both faces hold. The operator's acts are its methods; to read, ask `store` and `graph`."""

    def __init__(self, yard: Yard, discovery: Discovery) -> None:
        self._yard = yard
        self.conductor = Conductor(yard)
        self.discovery = discovery
        """What was found of each provider when the mind was opened."""

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        path: Path,
        settings: Settings | None = None,
        providers: Providers | None = None,
        *,
        clock: Clock | None = None,
        readonly: bool = False,
        pace: float | None = None,
    ) -> "AsyncIterator[Mind]":
        """Open the mind of this file, creating it unless `readonly`, and close it at the end.

        `providers` None means that nothing but the embedded readers comes aboard. `pace` makes readers stream at so
        many characters per second. Raises StoreError, and InputError for cards that contradict each other.
        """
        settings, clock, keys = settings or Settings(), clock or Clock(), providers or Providers()
        registry, purse = Registry(settings.model), Purse(settings.budget)
        discovery = await discover(keys) if providers is not None else Discovery()
        for found in discovery.found:
            registry.provide(found.name, found.installed, dict(found.contexts))
        for missing in discovery.missing:
            registry.withdraw(missing.name, missing.remedy)

        def build(card: Card) -> Worker:
            return build_worker(card, keys, pace)

        async with (
            open_sqlite(path, settings.store, clock=clock, readonly=readonly) as store,
            Journal.open(store, clock) as journal,
        ):
            records = await _folded(journal, registry, purse)
            bus = Bus()
            journal.on_commit(bus.wake)
            crew = Crew(build)
            mind = cls(Yard(journal, registry, purse, records, crew, settings, bus), discovery)
            try:
                if not readonly and journal.graph.head == 0:
                    await journal.write(_creation)
                yield mind
            finally:
                await crew.close()

    # What it is made of

    @property
    def name(self) -> str:
        """The mind's name for people."""
        return self.store.name

    @property
    def settings(self) -> Settings:
        """The settings it was opened with."""
        return self._yard.settings

    @property
    def clock(self) -> Clock:
        """The source of its time."""
        return self._yard.clock

    @property
    def store(self) -> Store:
        """The database, for reading."""
        return self._yard.journal.store

    @property
    def journal(self) -> Journal:
        """The one writer."""
        return self._yard.journal

    @property
    def graph(self) -> Graph:
        """The index of the present."""
        return self._yard.journal.graph

    @property
    def registry(self) -> Registry:
        """The models."""
        return self._yard.registry

    @property
    def purse(self) -> Purse:
        """The money."""
        return self._yard.purse

    @property
    def bus(self) -> Bus:
        """News: progress, and wake-ups for the journal."""
        return self._yard.bus

    async def tracks(self, domain: str | None = None) -> list[TrackRecord]:
        """Track records overall or in one domain, the most reliable first."""
        unpriced = [card.id for card in self.registry.cards if not card.prices]
        return self._yard.records.track(domain, unpriced)

    # The operator's acts

    async def ask(self, text: str, domains: Sequence[str] = (), stake: Stake = "normal") -> Question:
        """Add a question. Raises InputError for an empty or oversized one."""
        text = clean(text).strip()
        if not text:
            raise InputError("the question is empty: write what you want to know")
        if len(text) > _LONGEST_QUESTION:
            raise InputError(
                f"the question has {len(text)} characters and may have {_LONGEST_QUESTION}: put the rest in a document"
            )
        tidy = tuple(dict.fromkeys(domain.strip().lower() for domain in domains if domain.strip()))

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            question = Question(
                id=ids.next("q"),
                text=text,
                domains=tidy,
                stake=stake,
                created_by=OPERATOR,
                created_at=self.clock.now(),
            )
            return [Draft(what=QuestionAsked(question=question), by=OPERATOR)]

        asked = (await self.journal.write(plan))[0].what
        if not isinstance(asked, QuestionAsked):
            raise TypeError(f"asking wrote {asked.kind!r}")
        return asked.question

    async def resolve(self, question: NodeId, resolved_by: NodeId | None = None) -> None:
        """Settle an open question, by an interpretation if there is one."""

        def act(graph: Graph) -> Happening:
            if _question(graph, question).question_status != "open":
                raise InputError(f"question {question} is resolved already: reopen it first")
            if resolved_by is not None and _vertex(graph, resolved_by).layer != "interpretation":
                raise InputError(f"{resolved_by} is no interpretation: only a claim or a decision resolves a question")
            return QuestionResolved(node=question, resolved_by=resolved_by)

        await self._act(act)

    async def reopen(self, question: NodeId) -> None:
        """Open a resolved question again."""

        def act(graph: Graph) -> Happening:
            if _question(graph, question).question_status == "open":
                raise InputError(f"question {question} is open already: there is nothing to reopen")
            return QuestionReopened(node=question)

        await self._act(act)

    async def pin(self, question: NodeId, pinned: bool) -> None:
        """Have a question worked first, or let it go."""

        def act(graph: Graph) -> Happening:
            _question(graph, question)
            return QuestionPinned(node=question, pinned=pinned)

        await self._act(act)

    async def supersede(self, node: NodeId, superseded_by: NodeId, reason: str) -> None:
        """Have a node give way to another of its layer."""

        def act(graph: Graph) -> Happening:
            old, new = _vertex(graph, node), _vertex(graph, superseded_by)
            if old.layer != new.layer:
                raise InputError(
                    f"{node} is a {old.layer} and {superseded_by} a {new.layer}: only like gives way to like"
                )
            if old.superseded_by is not None:
                raise InputError(f"{node} already gave way to {old.superseded_by}: supersede that one")
            follower: Vertex | None = new
            while follower is not None:
                if follower.id == node:
                    raise InputError(f"{superseded_by} itself gave way to {node}: a circle would hide both")
                follower = None if follower.superseded_by is None else graph.get(follower.superseded_by)
            return NodeSuperseded(node=node, superseded_by=superseded_by, reason=reason)

        await self._act(act)

    async def redact(self, node: NodeId) -> None:
        """Destroy a text everywhere in this mind, past recovery. Its links, its author and its record stay."""

        def act(graph: Graph) -> Happening:
            _vertex(graph, node)
            return NodeRedacted(node=node)

        await self._act(act)
        await self.store.purge()

    async def disable(self, model: ModelId, reason: str) -> None:
        """Take a model out of service until it is enabled again. Raises InputError for one without a card."""
        self.registry.card(model)
        await self._act(lambda graph: ModelDisabled(model=model, reason=reason))

    async def enable(self, model: ModelId) -> None:
        """Put a model back into service, cooling or disabled. Raises InputError for one without a card."""
        self.registry.card(model)
        await self._act(lambda graph: ModelEnabled(model=model))

    async def _act(self, act: Callable[[Graph], Happening]) -> None:
        await self.journal.write(lambda graph, ids: [Draft(what=act(graph), by=OPERATOR)])


def _creation(graph: Graph, ids: Ids) -> list[Draft]:
    """Another process may have created it in between."""
    return [] if graph.head else [Draft(what=MindCreated(version=__version__), by=CONDUCTOR)]


async def _folded(journal: Journal, registry: Registry, purse: Purse) -> Records:
    """Bring everything that is folded from the journal to its head, and have it follow from there."""
    records = Records(journal.graph)
    folds = ((registry, REGISTRY_KINDS), (purse, BUDGET_KINDS), (records, RECORD_KINDS))
    past = await journal.store.events(kinds=REGISTRY_KINDS | BUDGET_KINDS | RECORD_KINDS, until=journal.graph.head)
    for fold, kinds in folds:
        fold.apply(past)
        journal.follow(fold.apply, reset=fold.reset, kinds=kinds)
    while not records.refresh(_SLICE):  # noqa: ASYNC110 - a slice at a time, so that others get the loop
        await asyncio.sleep(0)
    return records


def _vertex(graph: Graph, node: NodeId) -> Vertex:
    vertex = graph.get(node)
    if vertex is None:
        raise UnknownNodeError(node)
    return vertex


def _question(graph: Graph, node: NodeId) -> Vertex:
    vertex = _vertex(graph, node)
    if vertex.layer != "question":
        raise InputError(f"{node} is a {vertex.layer}: name a question, such as those `perdura questions` lists")
    return vertex
