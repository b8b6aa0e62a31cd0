"""How texts become words of the full-text indexes, the same way for texts and for queries."""

import re
import sqlite3
import unicodedata

__all__ = ["INDEX", "OPTIMIZE", "TOKENIZER", "UNINDEX", "UNSPACED", "index_all", "spaced", "words_of"]

TOKENIZER = "porter unicode61 remove_diacritics 2 categories 'L* N* Co So'"
"""English word forms become one term; accents make no difference; letters, digits and pictures are terms."""

UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff]+"
)
"""Scripts without reliable blanks between words: Han, kana, hangul, Thai, Lao, Khmer, Burmese."""

_PICTURES = "\u2190-\u2bff\U0001f000-\U0001faff"
_PICTURE = re.compile(f"([{_PICTURES}])")
_WORD = re.compile(f"[^\\W_]+|[{_PICTURES}]")

INDEX = {
    "question": "INSERT INTO question_words (rowid, words) VALUES (?, ?)",
    "fact": "INSERT INTO fact_words (rowid, words) VALUES (?, ?)",
    "interpretation": "INSERT INTO interpretation_words (rowid, words) VALUES (?, ?)",
}
"""Takes (number, spaced text)."""

# The indexes hold no text, so taking one out needs the text exactly as it was put in.
UNINDEX = {
    "question": "INSERT INTO question_words (question_words, rowid, words) VALUES ('delete', ?, ?)",
    "fact": "INSERT INTO fact_words (fact_words, rowid, words) VALUES ('delete', ?, ?)",
    "interpretation": "INSERT INTO interpretation_words (interpretation_words, rowid, words) VALUES ('delete', ?, ?)",
}
"""Takes (number, spaced text as it was indexed)."""

OPTIMIZE = (
    "INSERT INTO question_words (question_words) VALUES ('optimize')",
    "INSERT INTO fact_words (fact_words) VALUES ('optimize')",
    "INSERT INTO interpretation_words (interpretation_words) VALUES ('optimize')",
)
"""Rewrites the indexes without what was taken out of them."""


def spaced(text: str) -> str:
    """The text with blanks where the index has to cut it.

    A run of a script without blanks becomes its overlapping pairs of characters and its last character, so that
    every character begins a term: words of two characters are found as terms, single characters as beginnings.
    """
    if text.isascii():
        return text
    return _PICTURE.sub(r" \1 ", UNSPACED.sub(lambda run: f" {' '.join([*_pairs(run[0]), run[0][-1]])} ", text))


def words_of(query: str) -> list[str]:
    """The words of a query, once each, in lower case, cut as `spaced` cuts texts."""
    plain = unicodedata.normalize("NFC", query).lower()
    return list(
        dict.fromkeys(_WORD.findall(UNSPACED.sub(lambda run: f" {' '.join(_pairs(run[0]) or run[0])} ", plain)))
    )


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def index_all(connection: sqlite3.Connection) -> None:
    """Fill empty indexes from the nodes that stand."""
    for layer, texts in (
        ("question", "SELECT number, text FROM questions WHERE digest <> 0"),
        ("fact", "SELECT number, text FROM facts WHERE digest <> 0"),
        ("interpretation", "SELECT number, text FROM interpretations WHERE digest <> 0"),
    ):
        rows = connection.execute(texts).fetchall()
        connection.executemany(INDEX[layer], ((number, spaced(text)) for number, text in rows))
