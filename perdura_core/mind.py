"""The whole: store, journal, models and conductor as one Mind. The only place that picks concrete parts."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from perdura_core import __version__, acts
from perdura_core.acts import Act, DomainStanding, acted
from perdura_core.clock import Clock, Ids
from perdura_core.conductor import Bus, Conductor, Crew, Yard
from perdura_core.config import Providers, Settings
from perdura_core.epistemics import Verdict
from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.graph import Graph
from perdura_core.retrieval import Finder, Found, Suspects, build_embedder, search
from perdura_core.retrieval.disputing import load_nli
from perdura_core.routing import (
    BUDGET_KINDS,
    CONSENSUS_KINDS,
    LEDGER_KINDS,
    RECORD_KINDS,
    REGISTRY_KINDS,
    Comparison,
    Consensus,
    Ledger,
    PastRecords,
    Purse,
    Quiet,
    Records,
    Registry,
    compare,
    history,
)
from perdura_core.store import Journal, Store, open_sqlite
from perdura_core.upkeep import Memory, Upkeep, UpkeepProgress, reliability_of, tended
from perdura_core.vocabulary import (
    CONDUCTOR,
    BoardingRecord,
    Card,
    Draft,
    ElementHeld,
    Event,
    Grade,
    Interpretation,
    JudgedLayer,
    MindCreated,
    ModelId,
    NodeId,
    OperatorActed,
    PromotionProposed,
    PromotionSettled,
    ProposalSettled,
    Question,
    QuestionAsked,
    RunReport,
    Stake,
    Terms,
    TrackRecord,
)
from perdura_core.workers import Discovery, Worker, build_worker

__all__ = ["Mind"]

_A_LITTLE = 100
"""Nodes."""


class Mind:
    """One open mind: what both faces hold. The operator's acts are its methods; to read, ask `store` and `graph`."""

    def __init__(self, yard: Yard, discovery: Discovery, finder: Finder, suspects: Suspects) -> None:
        self._yard = yard
        self.finder = finder
        """Search by words and meaning, and how far its vectors have come."""
        self.suspects = suspects
        """Pairs of claims that may contradict each other, and near duplicates; `start` has it look."""
        self.conductor = Conductor(yard)
        self.upkeep = Upkeep(yard.journal)
        self.memory = Memory(yard.journal.store, yard.journal.graph, yard.clock)
        """What upkeep knows: the report for every face."""
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
        discovery = Discovery() if providers is None else await _looked_for(keys)
        for found in discovery.found:
            registry.provide(found.name, found.installed, dict(found.contexts))
        for missing in discovery.missing:
            registry.withdraw(missing.name, missing.remedy)

        def build(card: Card) -> Worker:
            return build_worker(card, keys, pace)

        async with (
            open_sqlite(path, settings.store, clock=clock, readonly=readonly) as store,
            Journal.open(store, clock) as journal,
            Finder.open(journal, build_embedder(settings.search.embedder, keys)) as finder,
            Suspects.open(journal, finder, lambda: load_nli(settings.search.nli)) as suspects,
        ):
            records = await _folded(journal, registry, purse)
            # A full search for garbage would walk the whole index, and hold up everybody meanwhile, to find it in use.
            gc.freeze()
            consensus = Consensus()
            await consensus.load(store, journal.graph.head)
            journal.follow(consensus.apply, kinds=CONSENSUS_KINDS)
            bus = Bus()
            journal.on_commit(bus.wake)
            crew = Crew(build)
            yard = Yard(
                journal,
                registry,
                purse,
                records,
                crew,
                settings,
                bus,
                finder.hits,
                suspects=suspects,
                consensus=consensus,
            )
            mind = cls(yard, discovery, finder, suspects)
            try:
                if not readonly and journal.graph.head == 0:
                    await journal.write(_creation)
                yield mind
            finally:
                gc.unfreeze()
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
        await self._yard.records.catch_up()
        unpriced = [card.id for card in self.registry.cards if not card.prices]
        return self._yard.records.track(domain, unpriced)

    def catch_up(self) -> None:
        """Do a little of what `tracks` will have to do, in a millisecond or two: for whoever asks it now and then."""
        self._yard.records.refresh(_A_LITTLE)

    async def outcomes(self, model: ModelId, domain: str | None = None) -> list[tuple[NodeId, Verdict]]:
        """What others said of the model's interpretations, one verdict a source and node, older nodes first."""
        await self._yard.records.catch_up()
        return self._yard.records.outcomes(model, domain)

    async def compare(self, one: ModelId, other: ModelId, domain: str | None = None) -> Comparison:
        """Two models side by side, outcome by outcome."""
        await self._yard.records.catch_up()
        return compare(self._yard.records, one, other, domain)

    async def past_tracks(self, domain: str | None = None, moments: int = 20) -> list[PastRecords]:
        """Track records as they stood at so many moments. Plays the whole journal again, in a thread."""
        events = await self.store.events()
        return await asyncio.to_thread(history, events, moments, domain)

    async def routes(self) -> Ledger:
        """Every decision of the router that led to a boarding."""
        ledger = Ledger()
        ledger.apply(await self.store.events(kinds=LEDGER_KINDS))
        return ledger

    @property
    def quiet(self) -> Quiet:
        """For how many boardings nobody has contradicted anything, and whether that is an alarm."""
        return self._yard.consensus.quiet(self.settings.run.collapse_after)

    async def with_scatter(self, questions: Iterable[NodeId]) -> dict[NodeId, float]:
        """Contention with the scatter of claims in it, as the router goes by; empty where `memoric_weight` is 0."""
        weight, scattering = self.settings.run.memoric_weight, self._yard.scattering
        if not weight:
            return {}
        await scattering.load()
        return {question: scattering.contention(question, weight) for question in questions}

    async def search(self, text: str, limit: int = 20) -> list[Found]:
        """The nodes that meet words and filters (`retrieval.parse_query`), best first. Raises InputError."""
        return await search(self.finder, self.store, self.graph, text, limit)

    # The daily upkeep

    async def keep_up(
        self,
        now: datetime | None = None,
        *,
        is_dry: bool = False,
        told: Callable[[UpkeepProgress], None] = lambda progress: None,
    ) -> RunReport:
        """Do the upkeep, as of `now` if given. Raises UpkeepError while another process is at it, and InputError."""
        return await self.upkeep.run(
            now or self.clock.now(),
            await reliability_of(self._yard.records, self.graph),
            is_dry=is_dry,
            goes_on=now is None,
            told=told,
        )

    def tended(self) -> AbstractAsyncContextManager[None]:
        """Have the upkeep done whenever it is due, for as long as the context lasts.

        `bus` wakes its listeners at each step; `upkeep.progress` and `upkeep.fault` say how it goes.
        """
        if self.store.is_readonly:
            return nullcontext()
        return tended(
            self.upkeep,
            self.settings.upkeep,
            self.clock,
            self._yard.records,
            self.graph,
            lambda progress: self.bus.wake(self.graph.head),
        )

    async def domains(self) -> list[DomainStanding]:
        """Every domain with its velocity, who settled it, the pace of its facts, and what it holds; by name."""
        told = await self.store.events(kinds=["domain_profiled"])
        return acts.domain_standings(self.graph, told, await self.store.paces(self.clock.now()))

    # The operator's acts

    async def ask(self, text: str, domains: Sequence[str] = (), stake: Stake = "normal") -> Question:
        """Add a question. Raises InputError for an empty or oversized one."""
        events = await self.act(acts.ask(text, domains, stake, self.clock.now()))
        return next(event.what.question for event in events if isinstance(event.what, QuestionAsked))

    async def act(self, act: Act) -> tuple[Event, ...]:
        """Do what `perdura_core.acts` describes. Raises InputError when the present does not allow it."""
        return await self.journal.write(acted(act))

    async def reopen(self, question: NodeId) -> None:
        """Open a resolved question again."""
        found = (await self.store.nodes([question])).get(question)
        await self.act(acts.reopen(question, found.resolved_by if isinstance(found, Question) else None))

    async def move(self, node: NodeId, layer: JudgedLayer) -> tuple[Event, ...]:
        """Put a fact among the interpretations, or the other way round. Raises UnknownNodeError, InputError."""
        found = (await self.store.nodes([node])).get(node)
        if found is None:
            raise UnknownNodeError(node)
        return await self.act(acts.move(found, layer, self.clock.now()))

    async def grade(self, node: NodeId, grade: Grade | None) -> None:
        """Say whether an answer is right, or take the grade back. Raises InputError for anything but an answer."""
        await self.act(acts.grade(node, grade, self._yard.records.grade(node)))

    async def redact(self, node: NodeId) -> None:
        """Destroy a text everywhere in this mind, past recovery. Its links, its author and its record stay."""
        await self.act(acts.redact(node))
        await self.store.purge()

    async def disable(self, model: ModelId, reason: str) -> None:
        """Take a model out of service until it is enabled again. Raises InputError for one without a card."""
        self.registry.card(model)
        await self.act(acts.disable(model, reason))

    async def enable(self, model: ModelId) -> None:
        """Put a model back into service, cooling or disabled. Raises InputError for one without a card."""
        self.registry.card(model)
        await self.act(acts.enable(model))

    async def change(self, model: ModelId, terms: Terms) -> None:
        """Give a model another tier, other domains or prices, in this mind. Raises InputError when nothing changes."""
        await self.act(acts.change(model, Terms.of(self.registry.card(model)), terms))

    async def undo(self) -> str:
        """Take back the operator's last act that still stands. Returns its title. Raises InputError if it can't be."""
        last = acts.last_act(await self.store.events(kinds=acts.ACT_KINDS))
        if last is None or not isinstance(last.what, OperatorActed):
            raise InputError("there is nothing to undo: you have not changed this mind yet")
        done = await self.store.events(after=last.seq, until=last.seq + last.what.events)
        settled = {event.what.proposal for event in done if isinstance(event.what, ProposalSettled | PromotionSettled)}
        kinds = ["element_held", "promotion_proposed"]
        told = await self.store.events(kinds=kinds, until=last.seq) if settled else []
        held = {
            event.what.proposal: event.what
            for event in told
            if isinstance(event.what, ElementHeld | PromotionProposed) and event.what.proposal in settled
        }
        await self.journal.write(acts.undo(last, done, held))
        return last.what.title

    async def waiting(self) -> list[ElementHeld]:
        """Elements that the review gate holds for the operator, oldest first."""
        return acts.waiting(await self.store.events(kinds=acts.REVIEW_KINDS))

    async def accept(
        self, proposals: Sequence[str], changes: Mapping[str, Any] | None = None, reason: str | None = None
    ) -> tuple[Event, ...]:
        """Accept held elements of one boarding, with `changes` to the wire form of the first if given.

        Raises InputError for one that does not wait, or that refers to another which still does.
        """
        held = [await self._held(proposal) for proposal in proposals]
        if len({element.boarding for element in held}) != 1:
            raise InputError("accept the elements of one boarding at a time")
        if changes:
            held[0] = acts.edited(held[0], changes)
        sender = await self._sender(held[0])
        merged = await self.store.events(kinds=["element_merged"], boarding=held[0].boarding)
        return await self.journal.write(acts.accept(held, sender, merged, self.clock.now(), reason))

    async def refuse(self, proposal: str, reason: str | None = None) -> None:
        """Refuse a held element. Raises InputError for one that does not wait."""
        held = await self._held(proposal)
        await self.journal.write(acts.refuse(held, await self._sender(held), reason))

    async def promote(self, proposal: str, text: str | None = None) -> tuple[Event, ...]:
        """Accept a promotion, in other words if given. Raises InputError for one that does not wait."""
        proposed = await self._promotion(proposal)
        members = (await self.store.nodes(proposed.members)).values()
        velocities = [member.velocity for member in members if isinstance(member, Interpretation)]
        return await self.act(acts.promote(proposed, velocities, self.clock.now(), text))

    async def refuse_promotion(self, proposal: str, reason: str | None = None) -> None:
        """Refuse a promotion. Raises InputError for one that does not wait."""
        await self.act(acts.refuse_promotion(await self._promotion(proposal), reason))

    async def _promotion(self, proposal: str) -> PromotionProposed:
        for proposed in await self.memory.promotions():
            if proposed.proposal == proposal:
                return proposed
        raise InputError(f"no promotion waits as {proposal!r}: it was settled, or it never was")

    async def _held(self, proposal: str) -> ElementHeld:
        for element in await self.waiting():
            if element.proposal == proposal:
                return element
        raise InputError(f"no element waits as {proposal!r}: it was settled, or it never was")

    async def _sender(self, held: ElementHeld) -> BoardingRecord:
        return (await self.store.boardings(ids=[held.boarding]))[0]


async def _looked_for(providers: Providers) -> Discovery:
    """What is there of each provider. Loads an HTTP client, which a mind that looks for none need not wait for."""
    module = await asyncio.to_thread(import_module, "perdura_core.workers.discovery")
    found: Discovery = await module.discover(providers)
    return found


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
    return records
