"""The model side of the world: the Worker protocol and its implementations, loaded by name when one is built."""

from perdura_core.workers.build import build_worker
from perdura_core.workers.discovery import Discovery, Found, Missing, Trial, discover, try_out
from perdura_core.workers.protocol import Worker

__all__ = ["Discovery", "Found", "Missing", "Trial", "Worker", "build_worker", "discover", "try_out"]
