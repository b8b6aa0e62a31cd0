"""What every worker can do."""

from collections.abc import AsyncGenerator
from typing import Protocol

from perdura_core.vocabulary import Call, Chunk, ModelId

__all__ = ["Worker"]


class Worker(Protocol):
    """A model at work. Holds a connection at most, never a conversation: the same call gives the same kind of reply.

    `stream` is an async generator. The caller closes it (`aclosing`), which must end the request on the wire within
    200 ms, at any point. It raises only WorkerError (see `perdura_core.errors`) and CancelledError; it never
    retries, never sleeps to wait for a quota, and never reads the clock for money. Usage chunks carry the provider's
    own counts. It ends after a Stop, or without one when the reply was cut.
    """

    @property
    def model(self) -> ModelId:
        """The id that its contributions are attributed to."""
        ...

    def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """Send the call and yield what comes back as it comes."""
        ...

    async def close(self) -> None:
        """Let go of connections. Idempotent."""
        ...
