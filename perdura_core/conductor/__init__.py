"""The conductor: chooses questions, runs seats, merges what workers say."""

from perdura_core.conductor.bus import Bus, Subscription
from perdura_core.conductor.conductor import Conductor
from perdura_core.conductor.crew import Crew, Yard
from perdura_core.conductor.order import Errand, SessionOrder, SessionReport, order_from

__all__ = [
    "Bus",
    "Conductor",
    "Crew",
    "Errand",
    "SessionOrder",
    "SessionReport",
    "Subscription",
    "Yard",
    "order_from",
]
