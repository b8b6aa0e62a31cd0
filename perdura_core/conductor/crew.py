"""What the seats of one mind share."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from perdura_core.briefing import Trails
from perdura_core.clock import Clock
from perdura_core.conductor.bus import Bus
from perdura_core.config import Settings
from perdura_core.retrieval import Scattering, Suspects, TextSearch
from perdura_core.routing import Consensus, Purse, Records, Registry
from perdura_core.store import Journal
from perdura_core.vocabulary import Card, ModelId
from perdura_core.workers import Worker

__all__ = ["Crew", "Yard"]


class Crew:
    """Workers by model, built when first needed and kept until the mind is closed."""

    def __init__(self, build: Callable[[Card], Worker]) -> None:
        self._build = build
        self._building = asyncio.Lock()
        self._workers: dict[ModelId, Worker] = {}

    async def worker(self, card: Card) -> Worker:
        """The worker of this card. Raises WorkerError when it cannot be built.

        It is built in a thread, because a provider's SDK may take a second to load.
        """
        async with self._building:
            if card.id not in self._workers:
                self._workers[card.id] = await asyncio.to_thread(self._build, card)
            return self._workers[card.id]

    async def close(self) -> None:
        """Close every worker that was built."""
        while self._workers:
            _, worker = self._workers.popitem()
            await worker.close()


@dataclass(frozen=True)
class Yard:
    """The rooms that a boarding passes through."""

    journal: Journal
    registry: Registry
    purse: Purse
    records: Records
    crew: Crew
    settings: Settings
    bus: Bus = field(default_factory=Bus)
    search: TextSearch | None = None
    """How briefings find what reads like a question; None: by words alone."""
    suspects: Suspects | None = None
    """What audits look at and what the conductor joins; None: neither."""
    consensus: Consensus = field(default_factory=Consensus)
    """How long nobody has contradicted anything."""

    @cached_property
    def trails(self) -> Trails:
        """What the last upkeep found of the traces on interpretations."""
        return Trails(self.journal.store)

    @cached_property
    def scattering(self) -> Scattering:
        """The part of contention that no edge shows."""
        return Scattering(self.journal)

    @property
    def clock(self) -> Clock:
        """The mind's clock."""
        return self.journal.clock
