"""Destroying a text: wherever the mind holds it word for word, a marker takes its place."""

import json
import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from perdura_core.graph import digest_of
from perdura_core.store.indexing import INDEX, UNINDEX, spaced
from perdura_core.store.subjects import number_of
from perdura_core.store.vectors import forget_vectors
from perdura_core.vocabulary import NodeId, layer_of

__all__ = ["MARKER", "erase", "redact"]

MARKER = "[redacted]"

_WHOLE_ONLY = 8
"""Shorter texts are erased only where they stand alone: as parts of others they are common words."""
_CUT = 16
"""A quotation that was cut off is known by so many characters of the text at least."""

_FREE = frozenset({"detail", "not_kept", "note", "reason", "sent", "source", "text", "title", "why"})
"""Fields of events that hold what somebody wrote; others hold ids, names and numbers, which a text may equal."""
_FOREIGN = frozenset({"element", "log"})
"""Fields that hold values as they came from outside, under any name."""

_TEXT = {
    "question": "SELECT text, digest FROM questions WHERE number = ?",
    "fact": "SELECT text, digest FROM facts WHERE number = ?",
    "interpretation": "SELECT text, digest FROM interpretations WHERE number = ?",
}
_QUOTING = {
    "question": "SELECT number, text FROM questions WHERE instr(text, ?)",
    "fact": "SELECT number, text FROM facts WHERE instr(text, ?)",
    "interpretation": "SELECT number, text FROM interpretations WHERE instr(text, ?)",
}
_REWRITE = {
    "question": "UPDATE questions SET text = ?, digest = ? WHERE number = ?",
    "fact": "UPDATE facts SET text = ?, digest = ? WHERE number = ?",
    "interpretation": "UPDATE interpretations SET text = ?, digest = ? WHERE number = ?",
}
_ELSEWHERE = (
    (
        "SELECT source, fact, seq, position FROM fact_occurrences WHERE instr(source, ?)",
        "UPDATE fact_occurrences SET source = ? WHERE fact = ? AND seq = ? AND position = ?",
    ),
    ("SELECT reason, number FROM boardings WHERE instr(reason, ?)", "UPDATE boardings SET reason = ? WHERE number = ?"),
    (
        "SELECT route_reason, number FROM boardings WHERE instr(route_reason, ?)",
        "UPDATE boardings SET route_reason = ? WHERE number = ?",
    ),
)
_PLAIN = re.compile(r'[^"\\/\x00-\x1f\x7f]+')


def redact(connection: sqlite3.Connection, node: NodeId) -> None:
    """Replace the node's text by the marker, in its row, in rows that quote it, in the index and in the journal.

    A second time does nothing. Free pages and the log still hold the text until the store is purged.
    """
    layer, number = layer_of(node), number_of(node)
    row = connection.execute(_TEXT[layer], (number,)).fetchone()
    if row is None or row[1] == 0:
        return
    text: str = row[0]
    connection.execute(UNINDEX[layer], (number, spaced(text)))
    connection.execute(_REWRITE[layer], (MARKER, 0, number))
    forget_vectors(connection, [node])
    connection.execute("DELETE FROM layer_facts WHERE layer = 'reading'")  # figures that the text stated
    if text != MARKER:  # it lost its text already if another node with the same one was redacted
        _erase_elsewhere(connection, text)


def _erase_elsewhere(connection: sqlite3.Connection, text: str) -> None:
    for layer, statement in _QUOTING.items():
        for number, before in connection.execute(statement, (text,)).fetchall():
            after = erase(before, text)
            if after != before:
                connection.execute(UNINDEX[layer], (number, spaced(before)))
                connection.execute(_REWRITE[layer], (after, digest_of(after), number))
                connection.execute(INDEX[layer], (number, spaced(after)))
                forget_vectors(connection, [f"{layer[0]}{number}"])
    _erase_events(connection, text)
    for read, write in _ELSEWHERE:
        rows = connection.execute(read, (_needle(text),)).fetchall()
        connection.executemany(write, [(erase(before, text), *key) for before, *key in rows])


def _erase_events(connection: sqlite3.Connection, text: str) -> None:
    """Rewrite every entry of the journal that carries the text, however deep it is quoted."""
    needle = _needle(text)
    escaped = "".join(character if character.isascii() else rf"\\u{ord(character):04x}" for character in needle)
    # A refused element may quote the beginning only, because it is kept cut; look at all of those.
    rows = connection.execute(
        "SELECT seq, what FROM events WHERE kind = 'element_rejected'"
        " UNION SELECT seq, what FROM events WHERE instr(what, ?) OR instr(what, ?)",
        (needle, escaped),
    ).fetchall()
    rewritten = []
    for seq, what in rows:
        before = json.loads(what)
        after = _erase_within(before, text)
        if after != before:
            if before.get("kind") == "element_rejected":
                after["detail"] = MARKER  # it may quote a piece of the text too short to be known
            rewritten.append((json.dumps(after, ensure_ascii=False), seq))
    connection.executemany("UPDATE events SET what = ? WHERE seq = ?", rewritten)


def erase(string: str, text: str) -> str:
    """The string with the marker in place of the text, of its JSON forms, and of its beginning at the string's end."""
    if string == text:
        return MARKER
    if len(text) < _WHOLE_ONLY:
        return string
    for form in _forms(text):
        string = string.replace(form, MARKER)
        start = string.rfind(form[:_CUT])
        if start >= 0 and len(form) > _CUT and form.startswith(string[start:]):
            string = string[:start] + MARKER
    return string


def _erase_within(value: Any, text: str, is_free: bool = False) -> Any:
    match value:
        case str() if is_free:
            return erase(value, text)
        case list():
            return [_erase_within(item, text, is_free) for item in value]
        case dict():
            return {
                key: _erase_within(
                    item, text, is_free or key in _FREE or (key in _FOREIGN and len(text) >= _WHOLE_ONLY)
                )
                for key, item in value.items()
            }
        case _:
            return value


def _forms(text: str) -> Iterable[str]:
    """The text as it is, and as it stands in JSON of either habit."""
    return dict.fromkeys((text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]))


def _needle(text: str) -> str:
    """The longest piece of the text that JSON leaves alone."""
    return max(_PLAIN.findall(text), key=len, default="")
