"""The chunks of OpenAI's chat completions, which many servers send, and llama.cpp inside the process too."""

from typing import Any

from perdura_core.vocabulary import Chunk, Stop, StopReason, TextChunk, ThoughtChunk, Usage, UsageChunk
from perdura_core.workers.wire import count

__all__ = ["Completion"]

_STOPS: dict[str, StopReason] = {"stop": "end", "length": "max_tokens", "content_filter": "safety"}


class Completion:
    """Reads the events of one reply. The counts come after the reason, so the Stop waits for the end of the stream."""

    def __init__(self) -> None:
        self._reason: StopReason | None = None

    def read(self, event: dict[str, Any]) -> list[Chunk]:
        """The event's text, thoughts and counts. Raises one of UNREADABLE if it is not shaped as such an event."""
        chunks: list[Chunk] = []
        for choice in event.get("choices") or ():
            delta = choice.get("delta") or {}
            thought = delta.get("reasoning_content") or delta.get("reasoning")
            if thought and isinstance(thought, str):
                chunks.append(ThoughtChunk(text=thought))
            if delta.get("content"):
                chunks.append(TextChunk(text=delta["content"]))
            if delta.get("refusal"):
                self._reason = "refusal"
            # A refusal ends with an ordinary reason, which must not replace it.
            elif choice.get("finish_reason") and self._reason != "refusal":
                self._reason = _STOPS.get(str(choice["finish_reason"]))
        if usage := event.get("usage"):
            chunks.append(UsageChunk(usage=_usage(usage)))
        return chunks

    def close(self) -> list[Chunk]:
        """The Stop, if the reply gave a reason that we know."""
        return [] if self._reason is None else [Stop(reason=self._reason)]


def _usage(counts: dict[str, Any]) -> Usage:
    prompt = count(counts.get("prompt_tokens"))
    details = counts.get("prompt_tokens_details")
    cached = count(details.get("cached_tokens")) if details else None
    return Usage(
        input_tokens=None if prompt is None else max(0, prompt - (cached or 0)),
        output_tokens=count(counts.get("completion_tokens")),
        cache_read_tokens=cached,
    )
