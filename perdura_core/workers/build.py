"""Which module makes the workers of which provider."""

from importlib import import_module
from typing import Protocol, cast

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import Card, provider_of
from perdura_core.workers.protocol import Worker

__all__ = ["MODULES", "build_worker"]

MODULES = {
    "anthropic": "perdura_core.workers.anthropic",
    "gemini": "perdura_core.workers.gemini",
    "ollama": "perdura_core.workers.ollama",
    "openai": "perdura_core.workers.openai_compatible",
    "local": "perdura_core.workers.local",
    "reader": "perdura_core.workers.reader",
    "replay": "perdura_core.workers.replay",
}
"""Each module has `build(card, providers, pace) -> Worker`, and is imported when its first worker is built."""


class _Workshop(Protocol):
    def build(self, card: Card, providers: Providers, pace: float | None = None) -> Worker: ...


def build_worker(card: Card, providers: Providers, pace: float | None = None) -> Worker:
    """The worker of this card. Touches no network. `pace` is for readers: characters per second, None at once.

    The first worker of a provider loads that provider's SDK, which may take seconds: call this in a thread when an
    event loop is running. Raises WorkerError when the provider is unknown or lacks a key or a package.
    """
    provider = provider_of(card.id)
    if provider not in MODULES:
        known = ", ".join(sorted(MODULES))
        raise RequestError(card.id, f"no provider is called {provider!r}: use one of {known}")
    return cast(_Workshop, import_module(MODULES[provider])).build(card, providers, pace)
