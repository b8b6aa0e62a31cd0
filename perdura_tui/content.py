"""The one way of untrusted text onto the desk: cleaned, measured in cells, cut, wrapped, never markup."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rich.cells import cell_len

from perdura_tui.visible import visible

__all__ = ["fit", "flat", "width_of", "wrap"]

# Joiners, variation selectors, skin tones, tags and invisible fillers: terminals disagree on the width of what they
# build, so the parts are shown next to each other, each with the width that every terminal gives it.
_GLUE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f"
                   "\U0001f3fb-\U0001f3ff\U000e0000-\U000e01ef]")  # fmt: skip
# A letter with more than two marks on it would climb over the lines above.
_PILE = re.compile("([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{2})"
                   "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")  # fmt: skip
_BREAK = re.compile(r"\s*[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]\s*")
_MOST_CHARACTERS = 20_000
"""More of one text is never painted at once."""


def _tame(text: str) -> str:
    text = _PILE.sub(r"\1", _GLUE.sub("", visible(text)))
    return text if text.isprintable() else "".join(map(_known, text))


def _known(character: str) -> str:
    """A character whose width a terminal may not know gives way to one whose width every terminal knows."""
    if character.isprintable() or character in "\n\t\u3000":
        return character
    return " " if character.isspace() else "\ufffd"


def flat(text: str) -> str:
    """The text on one line, every control character and escape code as a symbol. Safe to paint."""
    if text.isascii() and text.isprintable():
        return text
    return _tame(_BREAK.sub(" ", text[:_MOST_CHARACTERS]))


def width_of(text: str) -> int:
    """Cells that the text takes in a terminal."""
    return len(text) if text.isascii() else _measured(text)


@lru_cache(maxsize=8192)
def _measured(text: str) -> int:
    return cell_len(text)


def fit(text: str, width: int, *, right: bool = False) -> str:
    """The text on one line, exactly so many cells wide: padded, or cut with an ellipsis. `right` aligns right."""
    if width <= 0:
        return ""
    # A character is at least one cell or a mark on one, so that nothing beyond this can be seen.
    text = flat(text if len(text) <= width * 4 else text[: width * 4 + 4])
    cells = width_of(text)
    if cells > width:
        text, cells = _cut(text, width - 1)
        text, cells = f"{text}…", cells + 1
    padding = " " * (width - cells)
    return padding + text if right else text + padding


def _cut(text: str, width: int) -> tuple[str, int]:
    if text.isascii():
        return text[:width], min(width, len(text))
    cells = 0
    for index, character in enumerate(text):
        size = cell_len(character)
        if cells + size > width:
            return text[:index], cells
        cells += size
    return text, cells


def wrap(text: str, width: int) -> list[str]:
    """The text in lines of at most so many cells, broken at spaces where possible; its own line ends are kept."""
    if width <= 0:
        return []
    lines: list[str] = []
    for paragraph in text[:_MOST_CHARACTERS].expandtabs(4).split("\n"):
        lines.extend(_wrap_paragraph(_tame(paragraph).rstrip(), width))
    if len(text) > _MOST_CHARACTERS:
        lines.append(f"… {len(text) - _MOST_CHARACTERS:,} characters more"[:width])
    return lines


def _wrap_paragraph(paragraph: str, width: int) -> Iterator[str]:
    line, cells = "", 0
    for word in re.findall(r"\s*\S+", paragraph):
        size = width_of(word)
        if line and cells + size > width:
            yield line
            word = word.lstrip()
            line, cells, size = "", 0, width_of(word)
        while size > width:
            head, _ = _cut(word, width)
            if not head:  # a wide character in a column of one cell
                head = word[0]
            yield head
            word = word[len(head) :]
            size = width_of(word)
        line, cells = line + word, cells + size
    yield line
