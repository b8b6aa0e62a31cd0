"""What every worker that asks a server over the network has in common."""

from typing import Generic, TypeVar

from perdura_core.vocabulary import Card, ModelId
from perdura_core.workers.wire import Account, certificates

__all__ = ["RemoteWorker"]

Address = TypeVar("Address", str, str | None)


class RemoteWorker(Generic[Address]):
    """Opens one connection per call, so that hanging up is closing it. Subclasses stream.

    `base_url` may be None where the provider's SDK knows a place of its own.
    """

    def __init__(self, card: Card, base_url: Address, account: Account) -> None:
        self._card = card
        self._base_url: Address = base_url
        self._account = account
        self._certificates = certificates()

    @property
    def model(self) -> ModelId:
        """The card's id."""
        return self._card.id

    async def close(self) -> None:
        """Nothing is held between calls."""
