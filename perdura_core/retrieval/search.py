"""Search for people: filters, full nodes, and where the words stand in them."""

import asyncio
import re
import unicodedata
from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.retrieval.finder import Finder
from perdura_core.retrieval.query import Query, parse_query
from perdura_core.store import Hit, Store
from perdura_core.vocabulary import Node

__all__ = ["Found", "marks", "search"]

_WIDER = 10
"""With a filter so many times more hits are looked at first."""
_WIDEST = 5_000
_SLICE = 5_000
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LEAST_STEM = 4
_MOST_ENDING = 3
"""`cache` marks `caches` and `cached`, `fail` marks `failed`."""


class Found(NamedTuple):
    """One node that search found."""

    node: Node
    score: float
    """Higher is better, comparable only within one answer; 0 when no words were given."""
    marks: tuple[tuple[int, int], ...]
    """Where words of the query stand in the text, in order: start and end."""


async def search(finder: Finder, store: Store, graph: Graph, text: str, limit: int) -> list[Found]:
    """The nodes that meet the query, best first; the newest first when it holds filters and no words.

    Raises InputError for a filter with a value it can't have.
    """
    query = parse_query(text)
    hits = await (_by_words(finder, graph, query, limit) if query.words.strip() else _newest(graph, query, limit))
    nodes = await store.nodes([hit.node for hit in hits])
    return [
        Found(nodes[hit.node], hit.score, tuple(marks(nodes[hit.node].text, query.words)))
        for hit in hits
        if hit.node in nodes
    ]


async def _by_words(finder: Finder, graph: Graph, query: Query, limit: int) -> list[Hit]:
    wide = limit * _WIDER if query.is_filtered else limit
    while True:
        hits = await finder.hits(query.words, query.layers, wide, with_gone=query.with_gone)
        met = [hit for hit in hits if (vertex := graph.get(hit.node)) is not None and query.admits(vertex)]
        if len(met) >= limit or len(hits) < wide or wide >= _WIDEST:
            return met[:limit]
        wide = min(_WIDEST, wide * _WIDER)


async def _newest(graph: Graph, query: Query, limit: int) -> list[Hit]:
    if not query.is_filtered:
        return []
    found: list[Vertex] = []
    for layer in query.layers:
        vertices = list(graph.vertices(layer))
        for start in range(0, len(vertices), _SLICE):
            found += filter(query.admits, vertices[start : start + _SLICE])
            await asyncio.sleep(0)
    newest = nlargest(limit, found, key=lambda vertex: (vertex.created_at, int(vertex.id[1:])))
    return [Hit(vertex.id, 0.0) for vertex in newest]


def marks(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Start and end of each word of the text that is one of these words or a form of it.

    >>> list(marks("Caches fail; the cache failed.", "cached fail"))
    [(0, 6), (7, 11), (17, 22), (23, 29)]
    """
    wanted = [_plain(word[0]) for word in _WORD.finditer(words)]
    for word in _WORD.finditer(text):
        shown = _plain(word[0])
        if _UNSPACED.search(shown):
            yield from _parts(word.start(), word[0], wanted)
        elif any(_are_forms(shown, one) for one in wanted):
            yield word.span()


def _parts(start: int, run: str, wanted: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Within a run of a script without blanks: the places of the words themselves."""
    covered = sorted(
        (start + at, start + at + len(word))
        for word in wanted
        for at in range(len(run))
        if word and run.startswith(word, at)
    )
    end = 0
    for first, last in covered:
        if first >= end:
            yield first, last
            end = last


def _are_forms(one: str, other: str) -> bool:
    if one == other:
        return True
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    longest = max(len(one), len(other))
    return shared >= _LEAST_STEM and longest - shared <= _MOST_ENDING and min(len(one), len(other)) - shared <= 1


def _plain(word: str) -> str:
    """Lower case, without accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
