"""Where words of a family stand in a text. Looked up by the first word of each entry: families hold hundreds."""

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording import lexicon
from perdura_core.epistemics.wording.words import listed

__all__ = ["Hit", "hits_of"]

_FIRST = re.compile(r"[a-z'’]+\+?")
_TOKEN = re.compile(r"[a-z][\w'’]*", re.IGNORECASE)
_PREFIX = 3
"""Entries with any ending are looked up by so many letters."""


class Hit(NamedTuple):
    """One word or phrase of a family."""

    family: str
    start: int
    end: int


class _Entry(NamedTuple):
    family: str
    first: str
    is_open: bool
    """The first word may have any ending."""
    rest: re.Pattern[str] | None


def _entry(family: str, word: str) -> _Entry:
    match = _FIRST.match(word.lower())
    assert match is not None, word
    first, rest = match.group(), word[match.end() :]
    pattern = rest.replace("_", r"\s+").replace("\\w+", "\0").replace("+", r"\w*").replace("\0", r"\w+")
    return _Entry(
        family, first.rstrip("+"), first.endswith("+"), re.compile(rf"{pattern}\b", re.IGNORECASE) if rest else None
    )


_CLOSED: defaultdict[str, list[_Entry]] = defaultdict(list)
_OPEN: defaultdict[str, list[_Entry]] = defaultdict(list)
for _family in lexicon.__all__:
    for _word in sorted(listed(getattr(lexicon, _family))):
        _made = _entry(_family, _word)
        (_OPEN[_made.first[:_PREFIX]] if _made.is_open else _CLOSED[_made.first]).append(_made)


@lru_cache(maxsize=1_024)
def hits_of(text: str) -> tuple[Hit, ...]:
    """Every hit, by position. Case makes no difference; entries may overlap."""
    found: list[Hit] = []
    for token in _TOKEN.finditer(text):
        word = token.group().lower()
        closed, opened = _CLOSED.get(word, ()), _OPEN.get(word[:_PREFIX], ())
        for entry in (*closed, *(entry for entry in opened if word.startswith(entry.first))):
            after = None if entry.rest is None else entry.rest.match(text, token.end())
            if entry.rest is None or after is not None:
                found.append(Hit(entry.family, token.start(), token.end() if after is None else after.end()))
    return tuple(found)
