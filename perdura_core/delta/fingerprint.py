"""What makes two elements the same one, and how a refused one is kept."""

import json
from hashlib import sha256
from typing import Any

from perdura_core.delta.decode import Unreadable

__all__ = ["as_sent", "fingerprint"]

_SENT_CHARACTERS = 2_000


def fingerprint(value: Any) -> str:
    """32 hexadecimal digits of the value's canonical JSON: the order of keys and the blanks make no difference."""
    canonical = json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))
    return sha256(canonical.encode("ascii")).hexdigest()[:32]


def as_sent(value: Any) -> str:
    """The element's text for the journal, cut to 2,000 characters."""
    text = value.text if isinstance(value, Unreadable) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SENT_CHARACTERS else text[: _SENT_CHARACTERS - 1] + "…"


def _plain(value: Any) -> Any:
    return {"unreadable": value.text} if isinstance(value, Unreadable) else value
