"""Reads a reply as it arrives and yields each element of its delta as soon as the element is complete."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from perdura_core.delta.decode import decode
from perdura_core.delta.prose import Prose
from perdura_core.delta.scan import Scanner
from perdura_core.delta.seed import SEED_LISTS, SeedReader

__all__ = ["DeltaParser", "RawElement"]

_LISTS = ("contributions", *SEED_LISTS)
_THINKING = r"(?:think|thinking|thought|reasoning)"
# What turns prose into something else: a thinking tag, or the list that makes its object a delta. Blanks are bounded
# so that what may become such a mark is a short end of the text, kept until more arrives.
_MARK = re.compile(
    rf"<(?P<slash>/?){_THINKING}\s{{0,9}}>"
    r'|[{,\n]\s{0,99}"(?P<key>contributions|new_nodes|new_edges|resolve_questions)"\s{0,99}:\s{0,99}\['
    r'|\{\s{0,99}"(?P<lone>supersedes|confidence_updates)"\s{0,99}:\s{0,99}\[',
    re.IGNORECASE,
)
_MARK_BEGINS = re.compile(
    r'(?:</?[a-zA-Z]{0,9}\s{0,9}|[{,\n]\s{0,99}(?:"(?:[a-z_A-Z]{0,18}|[a-z_A-Z]{1,18}"\s{0,99}(?::\s{0,99})?))?)\Z'
)
_MARK_CHARACTERS = 340
_THOUGHT_ENDS = re.compile(rf"</{_THINKING}\s{{0,9}}>", re.IGNORECASE)
_GAP = re.compile(r"[\s,]*+")
_STRAY_BRACE = re.compile(r"\}\s{0,99}+(?P<next>\S)")
_UNDECIDED_BRACE = re.compile(r"\}\s{0,99}+\Z")
_TOKEN = re.compile(r'[^\s,\[\]{}"]*+')
_KEY = re.compile(r'"(?P<key>[^"\\]{0,60})"\s{0,99}+:\s{0,99}+(?P<next>\S)')
_KEY_BEGINS = re.compile(r'"[^"\\]{0,60}(?:"\s{0,99}+(?::\s{0,99}+)?)?\Z')
_SCALAR = re.compile(r"[^,}\]]*+")
_BLANK = re.compile(r"[\s`\ufeff]*")


class RawElement(NamedTuple):
    """One element as it came: `value` is any JSON value, or Unreadable where the text is none."""

    index: int  # type: ignore[assignment]  # a position is what it is, and tuple.index is of no use here
    """Position among the elements of the reply, from 0."""
    value: Any


class DeltaParser:
    """Incremental and pure: any cutting of a text into pieces gives the same elements.

    The delta is the outermost object with a list called `contributions`, or with the lists of the first seed's shape,
    wherever it stands: after prose, in a fence, in a wrapping object, behind doubled braces or without any. A reply
    with several of them says all of them. Only when there is none do bare elements count: a top-level array of them,
    or objects on lines of their own. Objects that are neither are examples and are passed over, as is everything in a
    thinking block. A thinking block that never ends hides what is in it, except a delta that is complete and closes
    the text.

    A value that is no object, or text that is no JSON, comes out in its element's place for validation to refuse.
    """

    def __init__(self, *, knows_thinking: bool = True) -> None:
        self._knows_thinking = knows_thinking
        self._read: Callable[[str, int], int] = self._seek
        self._rest = "\n"  # what opens the reply stands at the start of a line
        self._out: list[RawElement] = []
        self._count = 0
        self._prose = Prose()
        self._scanner = Scanner()
        self._pieces: list[str] = []
        self._thought: list[str] = []
        self._comment = ""
        self._list = ""
        self._is_bare = False
        self._has_items = False
        self._seed = SeedReader()
        self._began_at = 0
        self._ends_text = False
        self._found = False
        self._complete = False

    @property
    def found_delta(self) -> bool:
        """Whether a delta was seen, be it empty. Bare elements count as one after `close`."""
        return self._found

    @property
    def is_complete(self) -> bool:
        """Whether the last delta was closed."""
        return self._complete

    def feed(self, text: str) -> list[RawElement]:
        """Take in more of the reply and return the elements that became complete with it."""
        text = self._rest + text if self._rest else text
        pos = 0
        while pos < len(text):
            stop = self._read(text, pos)
            if stop < 0:
                break
            pos = stop
        self._rest = text[pos:]
        return self._taken()

    def close(self) -> list[RawElement]:
        """The reply is over: return what only its end makes certain. An element still open is lost."""
        if self._read == self._think:
            self._doubt_thought()
        elif self._read == self._seek:
            self._look_outside(self._rest)
        if self._prose.held and not self._found:
            self._found = True
            for value in self._prose.held:
                self._emit_bare(value)
        self._rest = ""
        return self._taken()

    def _taken(self) -> list[RawElement]:
        out, self._out = self._out, []
        return out

    # Outside of a delta

    def _seek(self, text: str, pos: int) -> int:
        mark = _MARK.search(text, pos)
        if mark is None:
            begins = _MARK_BEGINS.search(text, max(pos, len(text) - _MARK_CHARACTERS))
            stop = begins.start() if begins else len(text)
            return self._outside(text, pos, stop) if stop > pos else -1
        stop = self._outside(text, pos, mark.start())
        if stop < mark.start() or self._read != self._seek:
            return stop
        if mark["slash"] is not None:
            self._tag(mark)
        else:
            self._open_list((mark["key"] or mark["lone"]).lower(), begins_delta=True)
        return mark.end()

    def _outside(self, text: str, pos: int, stop: int) -> int:
        return pos + self._look_outside(text[pos:stop])

    def _look_outside(self, text: str) -> int:
        if self._ends_text and _BLANK.fullmatch(text) is None:
            self._ends_text = False
        if self._found:
            return len(text)
        taken = self._prose.feed(text)
        if self._prose.is_array_certain:
            self._is_bare = True
            self._open_list("contributions", begins_delta=True)
            self._take(self._prose.held.pop())
        return taken

    def _tag(self, mark: re.Match[str]) -> None:
        if not self._knows_thinking or not self._prose.is_outside:
            self._look_outside(mark.group())
        elif mark["slash"]:  # it began before the reply did
            self._prose = Prose()
        else:
            self._thought = []
            self._read = self._think

    def _think(self, text: str, pos: int) -> int:
        end = _THOUGHT_ENDS.search(text, pos)
        if end is not None:
            self._thought = []
            self._read = self._seek
            return end.end()
        begins = _MARK_BEGINS.search(text, max(pos, len(text) - _MARK_CHARACTERS))
        stop = begins.start() if begins else len(text)
        self._thought.append(text[pos:stop])
        return stop if stop > pos else -1

    def _doubt_thought(self) -> None:
        """Thinking that never ended: a whole delta at its very end is the answer, anything else a draft."""
        inner = DeltaParser(knows_thinking=False)
        elements = inner.feed("".join(self._thought) + self._rest)
        elements += inner.close()
        if not self._found and inner._complete and inner._ends_text:
            self._found = self._complete = True
            for raw in elements[inner._began_at :]:
                self._emit(raw.value)

    # Lists of elements

    def _open_list(self, key: str, *, begins_delta: bool = False) -> None:
        if begins_delta:
            self._began_at = self._count
            self._seed = SeedReader()
        self._list = key
        self._has_items = False
        self._complete = self._ends_text = False
        self._read = self._next_item

    def _next_item(self, text: str, pos: int) -> int:
        gap = _GAP.match(text, pos)
        assert gap is not None  # it matches nothing at least
        if gap.end() > pos:
            return gap.end()
        match text[pos]:
            case "{" | "[" | '"':
                self._scanner.start()
                self._pieces = []
                self._read = self._item
            case "]":
                self._find()
                self._read = self._tail
                if self._is_bare:
                    self._leave(is_complete=True)
                return pos + 1
            case "}":
                return self._stray_brace(text, pos)
            case "/" | "#":
                return self._begin_comment(text, pos)
            case _:
                self._pieces = []
                self._read = self._token
        return pos

    def _stray_brace(self, text: str, pos: int) -> int:
        """A closing brace between elements: one too many, or the object ended without ending its list."""
        brace = _STRAY_BRACE.match(text, pos)
        if brace is None and _UNDECIDED_BRACE.match(text, pos):
            return -1
        if brace is None or brace["next"] not in ",]{":
            self._leave(is_complete=True)
        return pos + 1

    def _item(self, text: str, pos: int) -> int:
        stop = self._scanner.scan(text, pos)
        self._pieces.append(text[pos:stop])
        if not self._scanner.is_done:
            return stop if stop > pos else -1
        self._read = self._next_item
        value = decode("".join(self._pieces), self._scanner.depth, self._scanner.is_broken)
        self._take(value)
        return stop

    def _token(self, text: str, pos: int) -> int:
        """A value without quotes or brackets: a number, a literal, or junk such as `...`, which is no element."""
        match = _TOKEN.match(text, pos)
        assert match is not None  # it matches nothing at least
        self._pieces.append(match.group())
        if match.end() == len(text):
            return match.end()
        self._read = self._next_item
        try:
            self._take(json.loads("".join(self._pieces)))
        except ValueError:
            if not self._has_items:  # `"contributions": [...]` in prose
                self._leave(is_complete=False)
        return match.end()

    def _begin_comment(self, text: str, pos: int) -> int:
        if text[pos] == "/" and pos + 1 == len(text):
            return -1
        is_block = text[pos : pos + 2] == "/*"
        self._comment = "*/" if is_block else "\n"
        self._read = self._skip_comment
        return pos + (2 if is_block else 1)

    def _skip_comment(self, text: str, pos: int) -> int:
        found = text.find(self._comment, pos)
        if found >= 0:
            self._read = self._next_item
            return found + len(self._comment)
        stop = len(text) - (1 if text.endswith("*") else 0)
        return stop if stop > pos else -1

    def _find(self) -> None:
        """The open list is a delta's for certain: what stood before it was none."""
        self._has_items = True
        if not self._found:
            self._found = True
            self._prose = Prose()

    def _take(self, value: Any) -> None:
        self._find()
        if self._is_bare:
            self._emit_bare(value)
        elif self._list == "contributions":
            self._emit(value)
        else:
            for element in self._seed.elements(self._list, value):
                self._emit(element)

    def _emit_bare(self, value: Any) -> None:
        if isinstance(value, dict) and "kind" not in value:
            for element in self._seed.elements("new_nodes" if "text" in value else "new_edges", value):
                self._emit(element)
        else:
            self._emit(value)

    def _emit(self, value: Any) -> None:
        self._out.append(RawElement(self._count, value))
        self._count += 1

    # The rest of a delta object

    def _tail(self, text: str, pos: int) -> int:
        gap = _GAP.match(text, pos)
        assert gap is not None  # it matches nothing at least
        if gap.end() > pos:
            return gap.end()
        if text[pos] == "}":
            self._leave(is_complete=True)
            return pos + 1
        key = _KEY.match(text, pos)
        if key is None:
            if _KEY_BEGINS.match(text, pos):
                return -1
            self._leave(is_complete=False)
            return pos
        if key["next"] == "[" and key["key"] in _LISTS:
            self._open_list(key["key"])
            return key.end()
        if key["next"] in '{["':
            self._scanner.start()
            self._read = self._skip_value
        else:
            self._read = self._skip_scalar
        return key.end() - 1

    def _skip_value(self, text: str, pos: int) -> int:
        stop = self._scanner.scan(text, pos)
        if self._scanner.is_done:
            self._read = self._tail
        return stop if stop > pos else -1

    def _skip_scalar(self, text: str, pos: int) -> int:
        match = _SCALAR.match(text, pos)
        assert match is not None  # it matches nothing at least
        if match.end() < len(text):
            self._read = self._tail
        return match.end()

    def _leave(self, *, is_complete: bool) -> None:
        self._complete = self._ends_text = is_complete
        self._is_bare = False
        self._read = self._seek
