"""Finds the end of one JSON value in text that arrives in pieces. Linear in the text, whatever its nesting."""

import re

__all__ = ["Scanner"]

_PLAIN = re.compile(r'[^"{}\[\]/#]*+(?:"[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+"[^"{}\[\]/#]*+)*+')
_STRING = re.compile(r'[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+')
# A quotation mark was forgotten when a line break inside a string is followed by what only structure looks like.
_FORGOTTEN = re.compile(r'\n\s{0,99}+(?:[}\]]\s{0,99}+[,}\]]|\{\s{0,99}+")')
_MAYBE_FORGOTTEN = re.compile(r"\n\s{0,99}+(?:[}\]{]\s{0,99}+)?\Z")
_BLANKS = re.compile(r"\n\s{0,99}+")


class Scanner:
    """Scans one object, array or string. `start` it before the value's first character.

    After `scan`, `is_done` says whether the value ended; `is_broken` that it cannot be JSON (a string or bracket that
    was never closed), in which case it ends where its container plainly goes on.
    """

    __slots__ = ("_comment", "_in_string", "_last", "_stack", "depth", "is_broken", "is_done")

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Forget the value before."""
        self._stack: list[str] = []
        self._in_string = False
        self._comment = ""
        self._last = ""
        self.depth = 0
        """The deepest nesting so far."""
        self.is_done = False
        self.is_broken = False

    def scan(self, text: str, pos: int) -> int:
        """Scan on from `pos` and return where it stopped: behind the value, or before what needs more text to tell.

        The caller passes what was left (at most some 200 characters) again, in front of the text that follows.
        """
        end = len(text)
        while pos < end and not self.is_done:
            if self._in_string:
                stop = self._string(text, pos)
            elif self._comment:
                stop = self._skip_comment(text, pos)
            elif not self._stack:  # the value's first character
                stop = self._punctuation(text, pos, pos)
            else:
                plain = _PLAIN.match(text, pos)
                assert plain is not None  # it matches nothing at least
                begin, pos = pos, plain.end()
                if pos == end:
                    self._last = text[begin:pos].rstrip()[-1:] or self._last
                    break
                stop = self._punctuation(text, begin, pos)
            if stop < 0:
                break
            pos = stop
        return pos

    def _string(self, text: str, pos: int) -> int:
        match = _STRING.match(text, pos)
        assert match is not None  # it matches nothing at least
        stop = match.end()
        if stop == len(text):
            return stop
        if text[stop] == '"':
            self._in_string = False
            self._last = '"'
            self.is_done = not self._stack
            return stop + 1
        if text[stop] == "\\":  # its second half is still to come
            return stop if stop > pos else -1
        if _FORGOTTEN.match(text, stop):
            self._in_string = False
            self.is_broken = True
            self.is_done = not self._stack
            return stop
        if _MAYBE_FORGOTTEN.match(text, stop):
            return stop if stop > pos else -1
        blanks = _BLANKS.match(text, stop)
        return blanks.end() if blanks else stop + 1

    def _skip_comment(self, text: str, pos: int) -> int:
        found = text.find(self._comment, pos)
        if found < 0:
            kept = 1 if self._comment == "*/" and text.endswith("*") else 0
            return len(text) - kept if len(text) - kept > pos else -1
        stop = found + len(self._comment)
        self._comment = ""
        return stop

    def _punctuation(self, text: str, begin: int, pos: int) -> int:
        """Deal with the character at `pos`, behind plain text from `begin`. Returns where to go on; -1: need more."""
        mark = text[pos]
        if mark == '"':
            self._in_string = True
        elif mark in "/#":
            self._last = text[begin:pos].rstrip()[-1:] or self._last
            if mark == "/" and pos + 1 == len(text):
                return -1
            self._comment = {"#": "\n", "/": "\n", "*": "*/"}.get("#" if mark == "#" else text[pos + 1], "")
            return pos + 1
        elif mark == "{" and self._stack and self._stack[-1] == "{":
            before = text[begin:pos].rstrip()[-1:] or self._last
            self._last = mark
            return self._open_inside(before, pos)
        elif mark in "{[":
            self._push(mark)
        else:
            self._last = mark
            return self._shut(mark, pos)
        self._last = mark
        return pos + 1

    def _open_inside(self, before: str, pos: int) -> int:
        """A brace directly inside an object, where JSON allows one only as a value."""
        if before == "{":  # a doubled brace: the object begins here
            return pos + 1
        if before != ":" and len(self._stack) == 1:  # the brace before it was never closed
            self.is_broken = self.is_done = True
            return pos
        self._push("{")
        return pos + 1

    def _push(self, mark: str) -> None:
        self._stack.append(mark)
        self.depth = max(self.depth, len(self._stack))

    def _shut(self, mark: str, pos: int) -> int:
        stack = self._stack
        opener = "{" if mark == "}" else "["
        if stack and stack[-1] == opener:
            stack.pop()
        else:
            self.is_broken = True
            if opener not in stack:
                self.is_done = True
                return pos
            while stack.pop() != opener:
                pass
        self.is_done = not stack
        return pos + 1
