"""Words of a person to a ranked answer of the full-text indexes."""

import math
import sqlite3
from collections.abc import Collection, Sequence
from typing import NamedTuple

from perdura_core.store.indexing import TOKENIZER, UNSPACED, words_of
from perdura_core.store.protocol import Hit
from perdura_core.vocabulary import Layer, NodeId

__all__ = ["Frequencies", "prepare_search", "search"]

_FREQUENT = (
    "a about after again all also am an and any are as at be because been before being between both but by can could "
    "did do does doing down during each few for from further had has have having he her here hers him his how i if in "
    "into is it its itself just me more most my no nor not of off on once only or other our ours out over own same she "
    "should so some such than that the their theirs them then there these they this those through to too under until "
    "up very was we were what when where which while who whom why will with would you your yours "
    "au aux das dem den der des die du ein eine einer el en es est et il ist la las le les los mit por que un una und "
    "une von zu"
)
_STOP_WORDS = frozenset(_FREQUENT.split())
_MOST_CHARACTERS = 4_000
"""The rest of a longer query is not looked at."""
_MOST_WORDS = 64
_MOST_UNDERSTOOD = 1_000
_MOST_MATCHES = 2_500
"""Frequent words are dropped from a query once the rarer ones account for so many matches: to rank one takes 1.5 us.
What holds several of the dropped ones together is looked for by itself, which costs little."""
_TOO_MANY_MATCHES = 4_000
"""Matches as many as this are answered with the newest ones, unranked: BM25 would hardly tell them apart, and would
take long to do so."""
_TOGETHER = (8, 4, 3, 2)
"""So many of a query's rarest words are looked for together when not all words can be ranked."""
_FREQUENT_MATCHES = 500
_GROWTH = 1.1
"""A frequent word's count, which takes long to take, is believed until the layer has grown by this factor."""

_SEARCH: dict[Layer, str] = {
    "question": "SELECT id, rank FROM question_words CROSS JOIN questions ON number = question_words.rowid"
    " WHERE question_words MATCH ? AND superseded_by IS NULL ORDER BY rank LIMIT ?",
    "fact": "SELECT id, rank FROM fact_words CROSS JOIN facts ON number = fact_words.rowid"
    " WHERE fact_words MATCH ? AND superseded_by IS NULL ORDER BY rank LIMIT ?",
    "interpretation": "SELECT id, rank FROM interpretation_words CROSS JOIN interpretations"
    " ON number = interpretation_words.rowid WHERE interpretation_words MATCH ?"
    " AND superseded_by IS NULL AND status <> 'deleted' ORDER BY rank LIMIT ?",
}
_NEWEST: dict[Layer, str] = {
    "question": "SELECT id FROM question_words CROSS JOIN questions ON number = question_words.rowid"
    " WHERE question_words MATCH ? AND superseded_by IS NULL ORDER BY question_words.rowid DESC LIMIT ?",
    "fact": "SELECT id FROM fact_words CROSS JOIN facts ON number = fact_words.rowid"
    " WHERE fact_words MATCH ? AND superseded_by IS NULL ORDER BY fact_words.rowid DESC LIMIT ?",
    "interpretation": "SELECT id FROM interpretation_words CROSS JOIN interpretations"
    " ON number = interpretation_words.rowid WHERE interpretation_words MATCH ?"
    " AND superseded_by IS NULL AND status <> 'deleted' ORDER BY interpretation_words.rowid DESC LIMIT ?",
}
_COUNT: dict[Layer, str] = {
    "question": "SELECT count(*) FROM question_words WHERE question_words MATCH ?",
    "fact": "SELECT count(*) FROM fact_words WHERE fact_words MATCH ?",
    "interpretation": "SELECT count(*) FROM interpretation_words WHERE interpretation_words MATCH ?",
}
_STANDING = " AND superseded_by IS NULL"
_KEPT = " AND status <> 'deleted'"
_SIZE: dict[Layer, str] = {
    "question": "SELECT coalesce(max(number), 0) FROM questions",
    "fact": "SELECT coalesce(max(number), 0) FROM facts",
    "interpretation": "SELECT coalesce(max(number), 0) FROM interpretations",
}
_FREQUENCY: dict[Layer, str] = {
    "question": "SELECT coalesce(sum(doc), 0) FROM question_terms WHERE term >= ? AND term <= ?",
    "fact": "SELECT coalesce(sum(doc), 0) FROM fact_terms WHERE term >= ? AND term <= ?",
    "interpretation": "SELECT coalesce(sum(doc), 0) FROM interpretation_terms WHERE term >= ? AND term <= ?",
}


class _Word(NamedTuple):
    """One word of a query as the indexes know it."""

    match: str
    """In the query language of the index, quoted."""
    first: str
    last: str
    """The terms that match it lie from `first` to `last`."""


class Frequencies:
    """How many nodes of a layer hold a word, at most; what is slow to find out is remembered."""

    def __init__(self) -> None:
        self._known: dict[tuple[Layer, str], tuple[int, int]] = {}
        self._understood: dict[tuple[str, ...], list[_Word]] = {}

    def words(self, connection: sqlite3.Connection, words: Sequence[str]) -> list[_Word]:
        """The words as the indexes know them; the same question is asked boarding after boarding."""
        key = tuple(words[:_MOST_WORDS])
        known = self._understood.get(key)
        if known is None:
            if len(self._understood) >= _MOST_UNDERSTOOD:
                self._understood.clear()
            known = self._understood[key] = _understood(connection, key)
        return known

    def of(self, connection: sqlite3.Connection, layer: Layer, word: _Word, size: int) -> int:
        """The count in a layer of `size` nodes."""
        matches, then = self._known.get((layer, word.last), (0, 0))
        if size >= then * _GROWTH:
            matches = int(connection.execute(_FREQUENCY[layer], (word.first, word.last)).fetchone()[0])
            if matches >= _FREQUENT_MATCHES:
                self._known[layer, word.last] = matches, size
        return matches


def prepare_search(connection: sqlite3.Connection) -> None:
    """Give the connection a place of its own in which query words are made terms as the indexes make them."""
    connection.execute(
        f"CREATE VIRTUAL TABLE temp.query_words USING fts5 (words, content='', tokenize=\"{TOKENIZER}\")"
    )
    connection.execute("CREATE VIRTUAL TABLE temp.query_terms USING fts5vocab (query_words, instance)")


def search(
    connection: sqlite3.Connection,
    frequencies: Frequencies,
    query: str,
    layers: Collection[Layer],
    limit: int,
    with_gone: bool,
) -> list[Hit]:
    """The best matches over the layers. Must run inside a transaction that is rolled back.

    A score is BM25 divided by the sum of the inverse document frequencies of the query's words in that layer, so that
    layers of different sizes can be compared.
    """
    asked = [word for word in words_of(query[:_MOST_CHARACTERS]) if word not in _STOP_WORDS]
    words = frequencies.words(connection, asked)
    hits: list[Hit] = []
    for layer in dict.fromkeys(layers):
        (size,) = connection.execute(_SIZE[layer]).fetchone()
        if not size:
            continue
        counted = [(frequencies.of(connection, layer, word, size), word) for word in words]
        weight = sum(_inverse_frequency(size, matches) for matches, _ in counted)
        there = sorted((matches, word) for matches, word in counted if matches)
        hits.extend(_matches(connection, layer, there, size, weight, limit, with_gone))
    return sorted(hits, key=lambda hit: -hit.score)[:limit]


def _matches(
    connection: sqlite3.Connection,
    layer: Layer,
    counted: Sequence[tuple[int, _Word]],
    size: int,
    weight: float,
    limit: int,
    with_gone: bool,
) -> list[Hit]:
    """The best matches in one layer. counted: the words that occur in it, rarest first, with their frequencies."""

    def answer(match: str, matches: int, score: float) -> list[Hit]:
        """Ranked, or the newest with this score when they are too many to rank."""
        if matches > _TOO_MANY_MATCHES:
            newest = _statement(_NEWEST[layer], with_gone)
            return [Hit(node, score) for (node,) in connection.execute(newest, (match, limit)).fetchall()]
        ranked = _statement(_SEARCH[layer], with_gone)
        return [Hit(node, -rank / weight) for node, rank in connection.execute(ranked, (match, limit)).fetchall()]

    found: dict[NodeId, Hit] = {}
    chosen = _affordable(counted)
    worth = [_inverse_frequency(size, matches) / weight for matches, _ in counted]
    if len(chosen) < len(counted):
        for number in dict.fromkeys(min(number, len(counted)) for number in _TOGETHER):
            if number <= len(chosen):
                break  # the words that can be ranked are ranked below
            match = " AND ".join(word.match for _, word in counted[:number])
            matches = counted[0][0]
            if matches > _TOO_MANY_MATCHES:
                (matches,) = connection.execute(_COUNT[layer], (match,)).fetchone()
            for hit in answer(match, matches, sum(worth[:number])) if matches else ():
                found.setdefault(hit.node, hit)
            if len(found) >= limit:
                break
    if chosen and len(found) < limit:
        match = " OR ".join(word.match for _, word in chosen)
        for hit in answer(match, chosen[0][0], worth[0]):
            found.setdefault(hit.node, hit)
    return sorted(found.values(), key=lambda hit: -hit.score)[:limit]


def _statement(statement: str, with_gone: bool) -> str:
    return statement.replace(_STANDING, "").replace(_KEPT, "") if with_gone else statement


def _understood(connection: sqlite3.Connection, words: Sequence[str]) -> list[_Word]:
    """The words that the indexes can hold, each form of a word once."""
    connection.executemany("INSERT INTO temp.query_words (rowid, words) VALUES (?, ?)", enumerate(words))
    terms = connection.execute("SELECT doc, min(term) FROM temp.query_terms GROUP BY doc").fetchall()
    understood = {}
    for place, term in terms:
        word = words[place]
        if len(word) == 1 and UNSPACED.fullmatch(word):
            understood[term] = _Word(f'"{word}" *', term, term + "\U0010ffff")
        else:
            understood[term] = _Word(f'"{word}"', term, term)
    return list(understood.values())


def _affordable(counted: Sequence[tuple[int, _Word]]) -> list[tuple[int, _Word]]:
    """The rarest words, as many as can be ranked in time; always one, unless there is none."""
    chosen: list[tuple[int, _Word]] = []
    left = _MOST_MATCHES
    for matches, word in counted:
        left -= matches
        if left >= 0 or not chosen:
            chosen.append((matches, word))
    return chosen


def _inverse_frequency(size: int, matches: int) -> float:
    """As FTS5's bm25 has it (Robertson-Sparck Jones), which never lets it fall to zero."""
    return max(math.log((max(size, matches) - matches + 0.5) / (matches + 0.5)), 1e-6)
