"""The model side of the world: the Worker protocol and its implementations, loaded by name when one is built.

`workers.discovery` looks for providers; it is imported by whoever looks, because it loads an HTTP client.
"""

from perdura_core.workers.build import build_worker
from perdura_core.workers.found import Discovery, Found, Missing, Trial
from perdura_core.workers.protocol import Worker

__all__ = ["Discovery", "Found", "Missing", "Trial", "Worker", "build_worker"]
