"""The daily upkeep of a mind: what ages, what is forgotten, what is worth more than it is used."""

from perdura_core.upkeep.daily import tend
from perdura_core.upkeep.memory import Memory
from perdura_core.upkeep.order import STEPS, UpkeepProgress
from perdura_core.upkeep.promotions import PROMOTION_KINDS, waiting_promotions
from perdura_core.upkeep.standing import standing_of
from perdura_core.upkeep.upkeep import Upkeep, Work

__all__ = [
    "PROMOTION_KINDS",
    "STEPS",
    "Memory",
    "Upkeep",
    "UpkeepProgress",
    "Work",
    "standing_of",
    "tend",
    "waiting_promotions",
]
