"""Calls to send to a worker, and what to make of its chunks."""

from contextlib import aclosing
from typing import Any

from perdura_core.vocabulary import (
    Briefing,
    BriefingNode,
    Call,
    Chunk,
    Deadlines,
    Prompt,
    Stop,
    StopReason,
    TextChunk,
    ThoughtChunk,
    Usage,
    UsageChunk,
)
from perdura_core.workers import Worker

__all__ = ["KEYS", "NAMES", "SCHEMA", "a_call", "hear", "hear_into", "stop_of", "text_of", "thought_of", "usage_of"]

NAMES = {
    "anthropic": "claude-haiku-5-5",
    "gemini": "gemini-3.8-flash",
    "ollama": "qwen3:8b",
    "openai": "any-name",
}
KEYS = {provider: f"planted-{provider}-key-8d7f6a5c4b3e" for provider in NAMES}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "contributions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"kind": {"type": "string", "enum": ["claim", "fact"]}, "text": {"type": "string"}},
                "required": ["kind", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["contributions"],
    "additionalProperties": False,
}


def a_call(**changes: Any) -> Call:
    """A call with short deadlines. `changes` are fields of the call or of its deadlines."""
    limits = {name: changes.pop(name) for name in tuple(changes) if name in Deadlines.model_fields}
    deadlines = Deadlines(**{"connect_s": 2.0, "first_byte_s": 5.0, "between_chunks_s": 5.0, **limits})
    fields: dict[str, Any] = {
        "briefing": Briefing(question=BriefingNode(id="q1", layer="question", text="BRIEFING-MARK why?")),
        "prompt": Prompt(system="SYSTEM-MARK You answer in JSON.", user="USER-MARK why?"),
        "delta_schema": SCHEMA,
        "max_output_tokens": 300,
        "prompt_tokens": 180,
        "deadlines": deadlines,
    }
    return Call(**{**fields, **changes})


async def hear(worker: Worker, call: Call) -> list[Chunk]:
    """Everything the worker says."""
    heard: list[Chunk] = []
    await hear_into(heard, worker, call)
    return heard


async def hear_into(heard: list[Chunk], worker: Worker, call: Call) -> None:
    """Gather what the worker says, also what it says before it fails."""
    async with aclosing(worker.stream(call)) as chunks:
        async for chunk in chunks:
            heard.append(chunk)  # noqa: PERF401 - what came before an error must be there


def text_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, TextChunk))


def thought_of(chunks: list[Chunk]) -> str:
    return "".join(chunk.text for chunk in chunks if isinstance(chunk, ThoughtChunk))


def usage_of(chunks: list[Chunk]) -> Usage | None:
    return next((chunk.usage for chunk in reversed(chunks) if isinstance(chunk, UsageChunk)), None)


def stop_of(chunks: list[Chunk]) -> StopReason | None:
    stops = [chunk.reason for chunk in chunks if isinstance(chunk, Stop)]
    assert len(stops) <= 1
    assert not stops or isinstance(chunks[-1], Stop)
    return stops[0] if stops else None
