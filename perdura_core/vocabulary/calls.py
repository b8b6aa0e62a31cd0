"""What goes to a worker and what streams back."""

from typing import Any, Literal

from perdura_core.vocabulary.boardings import Briefing
from perdura_core.vocabulary.models import Usage
from perdura_core.vocabulary.value import Value

__all__ = ["Call", "Chunk", "Deadlines", "Prompt", "Stop", "StopReason", "TextChunk", "ThoughtChunk", "UsageChunk"]

StopReason = Literal["end", "max_tokens", "refusal", "safety", "context_full"]


class Prompt(Value):
    """The words for a language model. Stored text stands in it only as quoted data."""

    system: str
    user: str


class Deadlines(Value):
    """The one timeout policy, in seconds."""

    connect_s: float = 10.0
    first_byte_s: float = 60.0
    """Local servers that load a model first get more; see the worker."""
    between_chunks_s: float = 45.0
    whole_call_s: float = 600.0


class Call(Value):
    """One request to a worker. Language models read `prompt`; readers and replayed models read `briefing`."""

    briefing: Briefing
    prompt: Prompt
    delta_schema: dict[str, Any]
    """JSON schema of the delta, for structured output."""
    max_output_tokens: int
    prompt_tokens: int
    """Upper bound of the prompt's size, estimated before the call."""
    deadlines: Deadlines = Deadlines()
    repair_of: str | None = None
    """The unreadable reply that this call asks to mend; None in the first call."""


class TextChunk(Value):
    """A piece of the reply."""

    text: str


class ThoughtChunk(Value):
    """A piece of the model's thinking: shown, never parsed."""

    text: str


class UsageChunk(Value):
    """The provider's own token counts so far; each replaces the one before."""

    usage: Usage


class Stop(Value):
    """Why the stream ended. A stream that ends without one was cut."""

    reason: StopReason


Chunk = TextChunk | ThoughtChunk | UsageChunk | Stop
