"""The embedded readers: deterministic code that reads the briefing and answers in the form of a delta."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from typing import Any

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import Briefing, Call, Card, Chunk, ModelId, Stop, TextChunk
from perdura_core.workers.reader_doubt import doubt
from perdura_core.workers.reader_gather import gather
from perdura_core.workers.reader_support import support

__all__ = ["HABITS", "ReaderWorker", "build"]

_CHUNK = 24
"""Characters a chunk: about what a language model's server sends at a time."""

HABITS: dict[str, Callable[[Briefing], list[dict[str, Any]]]] = {
    "reader:support": support,
    "reader:doubt": doubt,
    "reader:gather": gather,
}


class ReaderWorker:
    """Reads in a thread and then streams what it found. `pace` is in characters per second; None sends at once."""

    def __init__(self, card: Card, pace: float | None = None) -> None:
        """Raises RequestError when no reader has this card's name."""
        if card.id not in HABITS:
            raise RequestError(
                card.id, f"no reader is called {card.id!r}: use one of {', '.join(HABITS)}", "model_missing"
            )
        self._model = card.id
        self._pace = pace

    @property
    def model(self) -> ModelId:
        """The card's id."""
        return self._model

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        """See the protocol. Reads `call.briefing` and nothing else; there are no tokens to count."""
        elements = await asyncio.to_thread(HABITS[self._model], call.briefing)
        reply = _written(elements)
        for start in range(0, len(reply), _CHUNK):
            piece = reply[start : start + _CHUNK]
            await asyncio.sleep(len(piece) / self._pace if self._pace else 0)
            yield TextChunk(text=piece)
        yield Stop(reason="end")

    async def close(self) -> None:
        """Nothing to let go of."""


def _written(elements: list[dict[str, Any]]) -> str:
    """The delta as text, one element a line, so that a person can follow the stream."""
    lines = ",\n  ".join(json.dumps(element, ensure_ascii=False) for element in elements)
    return '{"contributions": [\n  ' + lines + "\n]}" if elements else '{"contributions": []}'


def build(card: Card, providers: Providers, pace: float | None = None) -> ReaderWorker:
    """The reader of this card. It needs no provider."""
    return ReaderWorker(card, pace)
