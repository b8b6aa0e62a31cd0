"""Does the upkeep whenever it is due, for as long as somebody has the mind open."""

import asyncio
from collections.abc import Awaitable, Callable

from perdura_core.clock import Clock
from perdura_core.config import UpkeepSettings
from perdura_core.errors import PerduraError, UpkeepBusyError
from perdura_core.store.tables import Reliability
from perdura_core.upkeep.order import UpkeepProgress
from perdura_core.upkeep.upkeep import Upkeep

__all__ = ["tend"]

_SETTLING_S = 3.0
"""Whoever opens a mind wants to see it first."""
_LOOK_S = 60.0
"""How often it is asked whether a day's upkeep is due."""


async def tend(
    upkeep: Upkeep,
    settings: UpkeepSettings,
    clock: Clock,
    reliability: Callable[[], Awaitable[Reliability]],
    told: Callable[[UpkeepProgress], None],
) -> None:
    """Go on until cancelled. A run that fails leaves its reason in `upkeep.fault` and is tried again later.

    A run under way is left at its present step when this is cancelled; the next one goes on from there.
    """
    if not settings.daily:
        return
    await asyncio.sleep(_SETTLING_S)
    while True:
        try:
            if await upkeep.is_due(clock.now(), settings.hour):
                await upkeep.run(clock.now(), await reliability(), told=told)
                upkeep.fault = None
        except UpkeepBusyError:
            pass  # whoever is at it will tell
        except PerduraError as error:
            upkeep.fault = str(error)
        await asyncio.sleep(_LOOK_S)
