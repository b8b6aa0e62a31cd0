"""What a fault server does with one request."""

from dataclasses import dataclass
from typing import Literal, get_args

__all__ = ["DELTA", "KINDS", "Kind", "Scenario"]

Kind = Literal[
    "success",
    "rate_limit",           # 429 with Retry-After (or RetryInfo in the body)
    "daily_quota",          # 429 that no waiting helps
    "overloaded",           # 529, or the provider's equal
    "overloaded_midstream", # the same as an event after status 200
    "unavailable",          # 503
    "broken",               # 500
    "bad_key",              # 401
    "odd_bad_key",          # a bad key under another status
    "no_credit",            # 402
    "odd_no_credit",        # an empty account under another status
    "model_missing",        # 404
    "too_large",            # 413
    "odd_too_large",        # a prompt that is too long under another status
    "schema_refused",       # 400
    "invalid",              # 400 for any other reason
    "cut",                  # the body ends well-formed in mid-reply
    "silent_end",           # the reply ends as the protocol says, without a reason
    "disconnect",           # the connection breaks in mid-reply
    "garbage",              # an event that is no JSON
    "odd",                  # an event that is JSON of another shape, `odd`, and then a proper end
    "slow",                 # no byte for `wait_s`
    "stall",                # nothing more for `wait_s` after some pieces
    "empty",
    "thinking_only",
    "thinking_first",
    "refusal",
    "safety",
    "max_tokens",
    "truncated_prompt",     # success over a prompt that the server cut
    "not_a_stream",         # 200 with a web page
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

DELTA = (
    '{"contributions": [{"kind": "claim", "ref": "a", "text": "Line\u2028separators and emoji \U0001f600 survive", '
    '"confidence": 0.7, "links": [{"type": "answers", "to": "q1"}]}]}'
)


@dataclass(frozen=True)
class Scenario:
    """One scripted answer."""

    kind: Kind = "success"
    text: str = DELTA
    thought: str = "Let me see."
    pieces: int = 5
    """In how many events the text is sent."""
    after: int = 2
    """How many of them come before a fault in mid-stream."""
    pause_s: float = 0.0
    """Between two events."""
    wait_s: float = 30.0
    """How long a slow or stalled server keeps silent."""
    retry_after: str | None = "7"
    odd: str = "null"
    echo: str = ""
    """Words that an error message repeats."""
    input_tokens: int = 120
    """Without the cached ones."""
    cached_tokens: int = 20
    output_tokens: int = 40
    """Without the thinking."""
    thinking_tokens: int = 10

    @property
    def parts(self) -> list[str]:
        """The text in its pieces."""
        size = max(1, -(-len(self.text) // self.pieces))
        return [self.text[start : start + size] for start in range(0, len(self.text), size)]
