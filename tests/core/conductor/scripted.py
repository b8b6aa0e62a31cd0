"""A worker that says what a test wrote down, chunk by chunk."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence

from perdura_core.vocabulary import Call, Chunk, ModelId, Stop, TextChunk, Usage, UsageChunk

Step = Chunk | BaseException | float
"""A chunk to yield, an error to raise, or seconds to wait."""
Script = Callable[[Call], Sequence[Step]]


class ScriptedWorker:
    """Plays `script(call)`; remembers every call and how many streams were closed before their end."""

    def __init__(self, model: ModelId, script: Script) -> None:
        self.model = model
        self.script = script
        self.calls: list[Call] = []
        self.cut_short = 0
        self.is_closed = False

    async def stream(self, call: Call) -> AsyncGenerator[Chunk, None]:
        self.calls.append(call)
        try:
            for step in self.script(call):
                if isinstance(step, BaseException):
                    raise step
                if isinstance(step, float | int):
                    await asyncio.sleep(step)
                else:
                    yield step
                    await asyncio.sleep(0)
        except (GeneratorExit, asyncio.CancelledError):
            self.cut_short += 1
            raise

    async def close(self) -> None:
        self.is_closed = True


def claim(text: str, question: str, **fields: object) -> dict[str, object]:
    """A claim that answers the question, as a worker sends it."""
    return {"kind": "claim", "text": text, "confidence": 0.7, "links": [{"type": "answers", "to": question}], **fields}


def delta(*elements: dict[str, object]) -> str:
    """The wire form of these elements."""
    return json.dumps({"contributions": list(elements)})


def said(text: str, size: int = 20, usage: Usage | None = None) -> list[Step]:
    """The text in chunks of so many characters, then usage if given, then a clean stop."""
    steps: list[Step] = [TextChunk(text=text[start : start + size]) for start in range(0, len(text), size)]
    if usage is not None:
        steps.append(UsageChunk(usage=usage))
    return [*steps, Stop(reason="end")]
