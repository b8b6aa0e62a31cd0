"""Does the upkeep whenever it is due, for as long as somebody has the mind open."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from perdura_core.clock import Clock
from perdura_core.config import UpkeepSettings
from perdura_core.errors import PerduraError, UpkeepBusyError
from perdura_core.graph import Graph
from perdura_core.routing import Records
from perdura_core.upkeep.order import UpkeepProgress
from perdura_core.upkeep.upkeep import Upkeep

__all__ = ["reliability_of", "tended"]

_SETTLING_S = 3.0
"""Whoever opens a mind wants to see it first."""
_LOOK_S = 60.0
"""How often it is asked whether a day's upkeep is due."""


@asynccontextmanager
async def tended(
    upkeep: Upkeep,
    settings: UpkeepSettings,
    clock: Clock,
    records: Records,
    graph: Graph,
    told: Callable[[UpkeepProgress], None],
) -> AsyncIterator[None]:
    """Do the upkeep whenever it is due, for as long as the context lasts.

    A run that is under way at the end is left at its present step; the next one goes on from there. A run that fails
    leaves its reason in `upkeep.fault` and is tried again later.
    """
    if not settings.daily:
        yield
        return
    tending = asyncio.create_task(_tend(upkeep, settings, clock, records, graph, told), name="upkeep")
    try:
        yield
    finally:
        tending.cancel()
        with suppress(asyncio.CancelledError):
            await tending


async def _tend(
    upkeep: Upkeep,
    settings: UpkeepSettings,
    clock: Clock,
    records: Records,
    graph: Graph,
    told: Callable[[UpkeepProgress], None],
) -> None:
    await asyncio.sleep(_SETTLING_S)
    while True:
        try:
            if await upkeep.is_due(clock.now(), settings.hour):
                await upkeep.run(clock.now(), await reliability_of(records, graph), told=told)
                upkeep.fault = None
        except UpkeepBusyError:
            pass  # whoever is at it will tell
        except PerduraError as error:
            upkeep.fault = str(error)
        await asyncio.sleep(_LOOK_S)


async def reliability_of(records: Records, graph: Graph) -> dict[tuple[str, str | None], float]:
    """How far each model can be trusted, overall (None) and in each domain, by its record."""
    await records.catch_up()
    found: dict[tuple[str, str | None], float] = {}
    for domain in (None, *tuple(graph.contention_of_domains())):
        for record in records.track(domain):
            found[record.model, domain] = record.reliability
        await asyncio.sleep(0)
    return found
