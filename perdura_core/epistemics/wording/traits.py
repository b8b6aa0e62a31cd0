"""Traits of a sentence's wording: its words, what stands next to what, its frame. For a learned model to weigh."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from perdura_core.epistemics.wording.words import NEGATORS, STOPWORDS, listed, stem

__all__ = ["Trait", "tokens", "traits_of"]

_TOKEN = re.compile(r"\d[\d.,:/]*|[^\W\d_]+(?:['’][a-z]+)?|[^\w\s]|\w")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_MONTHS = listed("january february march april june july august september october november december gmt utc cet cest")
_FUNCTION = (
    STOPWORDS | NEGATORS | listed("enough almost nobody everyone everything something anything rarely seldom")
) - _MONTHS
"""Words that make the frame of a sentence."""
_ENDING = re.compile(
    r"(?:ations?|ments?|ness|ity|ities|ing|ed|ly|able|ible|ous|ful|less|ive|al|ic|ism|ist|ers?|ors?|est|ence|ance"
    r"|ions?|en|s)$"
)
_OPENING = 3
"""So many tokens of the beginning count with their place."""
_MOST_TOKENS = 120
"""What stands further back in a long text is not read."""
_SHORT = (6, 9, 13, 18, 25)


class Trait(NamedTuple):
    """Something that a text has, and which of its tokens."""

    name: str
    first: int
    end: int
    """After the last token; `first` where no token has it by itself."""


def tokens(text: str) -> list[str]:
    """Words, numbers and signs, as written."""
    return [match.group() for match, _ in zip(_TOKEN.finditer(text), range(_MOST_TOKENS), strict=False)]


def traits_of(written: list[str]) -> Iterator[Trait]:
    """Every trait of these tokens; the same one as often as it occurs."""
    said = [_said(token) for token in written]
    frame = [_shape(token, at == 0) for at, token in enumerate(written)]
    for at, word in enumerate(said):
        yield Trait(word, at, at + 1)
        if word[0].isalpha():
            yield Trait(f"{stem(word)}~", at, at + 1)
            if len(word) > 4 and word not in _FUNCTION:
                yield Trait(f"{word[:4]}-", at, at + 1)
                yield Trait(f"-{word[-4:]}", at, at + 1)
                yield Trait(f"-{word[-3:]}", at, at + 1)
    yield from _runs(["^", *said, "$"], "", (2, 3))
    yield from _runs(["^", *frame, "$"], "/", (2, 3))
    for at in range(min(_OPENING, len(said))):
        yield Trait(f"{at}:{said[at]}", at, at + 1)
        yield Trait(f"{at}/{frame[at]}", at, at + 1)
    if len(said) > 1:
        yield Trait(f"end:{said[-2]}", len(said) - 2, len(said) - 1)
    yield Trait(f"length<{next((most for most in _SHORT if len(said) <= most), 'more')}", 0, 0)
    yield Trait(f"numbers={min(sum(token[0].isdigit() for token in written), 3)}", 0, 0)
    yield Trait(f"names={min(frame.count('Name'), 3)}", 0, 0)


def _runs(row: list[str], mark: str, sizes: tuple[int, ...]) -> Iterator[Trait]:
    """Neighbours: the row has one more at either end than there are tokens."""
    for size in sizes:
        for at in range(len(row) - size + 1):
            yield Trait(f"{mark}{' '.join(row[at : at + size])}", max(at - 1, 0), min(at + size - 1, len(row) - 2))


def _said(token: str) -> str:
    if token[0].isdigit():
        return "1900" if _YEAR.fullmatch(token) else "0"
    return token.lower().replace("’", "'")


def _shape(token: str, is_first: bool) -> str:
    """A function word as it is; of other words only the ending, or that it is a name."""
    if token[0].isdigit():
        return "1900" if _YEAR.fullmatch(token) else "0.0" if "." in token[:-1] else "0"
    word = token.lower()
    if word in _FUNCTION or not token[0].isalpha():
        return word
    if token[0].isupper() and not is_first:
        return "Name"
    match = _ENDING.search(word)
    return f"-{match.group()}" if match and match.start() > 2 else "-"
