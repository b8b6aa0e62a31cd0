"""The model side of the world: the Worker protocol and its implementations, loaded by name when one is built."""

from perdura_core.workers.protocol import Worker

__all__ = ["Worker"]
