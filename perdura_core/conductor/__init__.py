"""The conductor: chooses questions, runs seats, merges what workers say."""

from perdura_core.conductor.bus import Bus, Subscription

__all__ = ["Bus", "Subscription"]
