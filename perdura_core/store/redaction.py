"""Destroying a text: wherever the mind holds it word for word, a marker takes its place."""

import json
import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from perdura_core.graph import digest_of
from perdura_core.store.indexing import INDEX, UNINDEX, spaced
from perdura_core.store.subjects import number_of
from perdura_core.vocabulary import NodeId, layer_of

__all__ = ["MARKER", "erase", "redact"]

MARKER = "[redacted]"

_WHOLE_ONLY = 8
"""Shorter texts are erased only where they stand alone: as parts of others they are common words."""
_CUT = 16
"""A quotation that was cut off is known by so many characters of the text at least."""

_TEXT = {
    "question": "SELECT text FROM questions WHERE number = ?",
    "fact": "SELECT text FROM facts WHERE number = ?",
    "interpretation": "SELECT text FROM interpretations WHERE number = ?",
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
_PLAIN = re.compile(r'[^"\\/\x00-\x1f\x7f]+')


def redact(connection: sqlite3.Connection, node: NodeId) -> None:
    """Replace the node's text by the marker, in its row, in rows that quote it, in the index and in the journal.

    A second time does nothing. Free pages and the log still hold the text until the store is purged.
    """
    layer, number = layer_of(node), number_of(node)
    row = connection.execute(_TEXT[layer], (number,)).fetchone()
    if row is None or row[0] == MARKER:
        return
    text: str = row[0]
    for quoting, statement in _QUOTING.items():
        for other, before in connection.execute(statement, (text,)).fetchall():
            is_it = (quoting, other) == (layer, number)
            after = MARKER if is_it else erase(before, text)
            if after == before:
                continue
            connection.execute(UNINDEX[quoting], (other, spaced(before)))
            connection.execute(_REWRITE[quoting], (after, 0 if is_it else digest_of(after), other))
            if not is_it:
                connection.execute(INDEX[quoting], (other, spaced(after)))
    _erase_events(connection, text)
    for read, write in (
        (
            "SELECT number, reason FROM boardings WHERE instr(reason, ?)",
            "UPDATE boardings SET reason = ? WHERE number = ?",
        ),
        (
            "SELECT number, route FROM boardings WHERE instr(route, ?)",
            "UPDATE boardings SET route = ? WHERE number = ?",
        ),
    ):
        for key, before in connection.execute(read, (_needle(text),)).fetchall():
            connection.execute(write, (erase(before, text), key))


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


def _erase_within(value: Any, text: str) -> Any:
    match value:
        case str():
            return erase(value, text)
        case list():
            return [_erase_within(item, text) for item in value]
        case dict():
            return {erase(key, text): _erase_within(item, text) for key, item in value.items()}
        case _:
            return value


def _forms(text: str) -> Iterable[str]:
    """The text as it is, and as it stands in JSON of either habit."""
    return dict.fromkeys((text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]))


def _needle(text: str) -> str:
    """The longest piece of the text that JSON leaves alone."""
    return max(_PLAIN.findall(text), key=len, default="")
