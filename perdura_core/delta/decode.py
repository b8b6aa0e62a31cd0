"""Turns the text of one element into a value, mending only what cannot be read as it is."""

import json
import re
from typing import Any, NamedTuple

__all__ = ["MAX_DEPTH", "Unreadable", "decode"]

MAX_DEPTH = 32
"""Nesting beyond which an element is not read; the deepest legal one has three levels."""


class Unreadable(NamedTuple):
    """Text in an element's place that is no JSON. `why` is a sentence's end: `its string never ends`."""

    text: str
    why: str


class _SaidTwiceError(ValueError):
    """An object gives two values to one key."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        for key, value in pairs:
            if whole[key] != value:
                raise _SaidTwiceError(f"it gives {key[:40]!r} two values")
    return whole


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, strict=False)

_ODDITIES = re.compile(
    r'(?P<string>"(?:[^"\\]|\\[\s\S])*+")'
    r"|(?P<comment>//[^\n]*+|#[^\n]*+|/\*[\s\S]*?(?:\*/|\Z))"
    r"|(?P<number>-?\d[\d.]*+(?:[eE][+-]?\d++)?+)(?P<range>\s*+(?:-|–|—|\.\.+|to\b)\s*+\d[\d.]*+)?"
    r"|(?P<word>\w++)"
    r"|(?P<doubled>\{\s*+(?=\{))"
)
_COMMAS = re.compile(r'(?P<string>"(?:[^"\\]|\\[\s\S])*+")|(?P<comma>,[\s,]*+)(?P<closing>[}\]])?')
_WORDS = {"True": "true", "False": "false", "None": "null"}


def decode(text: str, depth: int = 1, is_broken: bool = False) -> Any:
    """The value of the text, or Unreadable. Never raises.

    Text that parses is taken as it is. Otherwise comments, trailing commas and a doubled opening brace are left out,
    Python's `True`, `False` and `None` are read, and a range where a number belongs (`0.0-1.0`) becomes a string, for
    the validator to refuse. Two different values for one key say nothing certain: unreadable.
    """
    if is_broken:
        return Unreadable(text, "a string or bracket in it is never closed")
    if depth > MAX_DEPTH:
        return Unreadable(text, f"it nests {depth} deep")
    try:
        return _DECODER.decode(text)
    except _SaidTwiceError as twice:
        return Unreadable(text, str(twice))
    except (ValueError, RecursionError):
        pass
    mended = _COMMAS.sub(_without_trailing_comma, _ODDITIES.sub(_mend, text))
    try:
        return _DECODER.decode(mended)
    except json.JSONDecodeError as error:
        near = mended[max(0, error.pos - 15) : error.pos + 25]
        return Unreadable(text, f"no JSON near {near!r}")
    except (ValueError, RecursionError) as error:
        return Unreadable(text, str(error)[:120])


def _mend(match: re.Match[str]) -> str:
    found = match.group()
    match match.lastgroup:
        case "range":
            return json.dumps(found)
        case "comment" | "doubled":
            return ""
        case "word":
            return _WORDS.get(found, found)
        case _:
            return found


def _without_trailing_comma(match: re.Match[str]) -> str:
    closing: str | None = match["closing"]
    return match.group() if closing is None else closing
