"""The daily upkeep of a mind: what ages, what is forgotten, what is worth more than it is used."""

from perdura_core.upkeep.daily import reliability_of, tended
from perdura_core.upkeep.memory import Memory
from perdura_core.upkeep.order import STEPS, UpkeepProgress
from perdura_core.upkeep.upkeep import Upkeep, Work

__all__ = ["STEPS", "Memory", "Upkeep", "UpkeepProgress", "Work", "reliability_of", "tended"]
