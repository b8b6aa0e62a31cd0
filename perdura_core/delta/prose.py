"""What stands outside a delta object: prose, fences, examples, and elements that came without their object."""

import re
from typing import Any, Literal

from perdura_core.delta.decode import decode
from perdura_core.delta.scan import Scanner
from perdura_core.delta.seed import is_seed_item

__all__ = ["Prose", "is_element"]

_OPENING = re.compile(r"[{\[\n]")
_JUNK = re.compile(r"[\s,]*+")
_LINE_START = re.compile(r"(?:\ufeff|\s)*(?:`{3,}\s*\w*\s*)?(?:[-*•]|\d{1,4}[.)])?\s*")
_QUIET = re.compile(r"(?:\ufeff|\s)*(?:`{3,}\s*\w*\s*)?")
_AFTER = {"{": '"}{/#', "[": "{]/#"}


def is_element(value: Any) -> bool:
    """Whether a bare object is plainly meant as an element: it names a kind, or is a node or edge of the seed's."""
    return isinstance(value, dict) and (isinstance(value.get("kind"), str) or is_seed_item(value))


class Prose:
    """Collects top-level arrays of elements and objects on lines of their own. Inner fragments are never taken.

    They count only if no delta object comes: until then they may be examples. Lone objects count only if no array
    comes. An array that opens a reply without a word before it is the delta for certain: `is_array_certain`.
    """

    def __init__(self) -> None:
        self._line = ""
        self._is_quiet = True
        self._place: Literal["prose", "opened", "value", "array"] = "prose"
        self._mark = ""
        self._counts = False
        self._array_counts = False
        self._in_array = False
        self._holds_array = False
        self._scanner = Scanner()
        self._pieces: list[str] = []
        self._rest = ""
        self.held: list[Any] = []
        """Elements that will be the delta if nothing better comes."""
        self.is_array_certain = False
        """The last value of `held` is the first element of an array that opened the reply."""

    @property
    def is_outside(self) -> bool:
        """Not inside an object or array."""
        return self._place == "prose"

    def forget(self) -> None:
        """All of the text so far was thinking."""
        self.__init__()  # type: ignore[misc]

    def feed(self, text: str) -> int:
        """Take in more text. Returns how much: all of it, or less when an array has become certain."""
        kept = len(self._rest)
        text, pos = self._rest + text, 0
        while pos < len(text) and not self.is_array_certain:
            stop = self._step(text, pos)
            if stop < 0:
                break
            pos = stop
        self._rest = "" if self.is_array_certain else text[pos:]
        return pos - kept if self.is_array_certain else len(text) - kept

    def _step(self, text: str, pos: int) -> int:
        match self._place:
            case "prose":
                return self._read_prose(text, pos)
            case "opened":
                return self._read_opened(text, pos)
            case "value":
                return self._read_value(text, pos)
            case _:
                return self._read_array(text, pos)

    def _read_prose(self, text: str, pos: int) -> int:
        found = _OPENING.search(text, pos)
        stop = found.start() if found else len(text)
        if len(self._line) < 40:  # longer lines are prose whatever they hold
            self._line += text[pos : min(stop, pos + 40)]
        if found is None:
            return stop
        if found.group() == "\n":
            self._end_line()
        else:
            self._mark = found.group()
            self._counts = _LINE_START.fullmatch(self._line) is not None
            self._is_quiet = self._is_quiet and _QUIET.fullmatch(self._line) is not None
            self._place = "opened"
        return stop + 1

    def _end_line(self) -> None:
        self._is_quiet = self._is_quiet and _QUIET.fullmatch(self._line) is not None
        self._line = ""

    def _read_opened(self, text: str, pos: int) -> int:
        """Look behind a bracket: what cannot be JSON is prose."""
        if text[pos].isspace():
            return pos + 1
        if text[pos] not in _AFTER[self._mark]:
            self._place, self._line = "prose", "{" * 40
        elif self._mark == "[":
            self._place, self._in_array, self._array_counts = "array", True, self._counts
        else:
            self._begin_value("{")
        return pos

    def _begin_value(self, so_far: str) -> None:
        self._place, self._pieces = "value", [so_far]
        self._scanner.start()
        self._scanner.scan(so_far, 0)

    def _read_value(self, text: str, pos: int) -> int:
        stop = self._scanner.scan(text, pos)
        self._pieces.append(text[pos:stop])
        if not self._scanner.is_done:
            return stop if stop > pos else -1
        self._place = "array" if self._in_array else "prose"
        self._line = "" if self._counts else "{" * 40
        value = decode("".join(self._pieces), self._scanner.depth, self._scanner.is_broken)
        if self._in_array:
            self._take_from_array(value)
        else:
            self._is_quiet = False
            if self._counts and not self._holds_array and is_element(value):
                self.held.append(value)
        return stop

    def _take_from_array(self, value: Any) -> None:
        if not is_element(value) or not self._array_counts:
            return
        if not self._holds_array:
            self.held, self._holds_array = [], True
        self.held.append(value)
        self.is_array_certain = self._is_quiet

    def _read_array(self, text: str, pos: int) -> int:
        match = _JUNK.match(text, pos)
        assert match is not None  # it matches nothing at least
        pos = match.end()
        if pos == len(text):
            return pos
        if text[pos] == "{":
            self._begin_value("{")
            return pos + 1
        self._place, self._in_array, self._is_quiet = "prose", False, False
        return pos + 1 if text[pos] == "]" else pos
