"""How far apart the claims on a question stand, as a part of its contention."""

import asyncio
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import DUPLICATE_BITS, Standing, encode, hamming, scatter, simhash
from perdura_core.graph import Graph, Vertex
from perdura_core.store import Journal
from perdura_core.vocabulary import Event, InterpretationAdded, NodeId, NodeRedacted

__all__ = ["Scattering"]

_BATCH = 1_000


class Scattering:
    """Simhashes of the mind's claims, once `load` was called, kept up by events. Costs nothing before that."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._codes: dict[NodeId, int] = {}
        self._is_loaded = False
        self._loading = asyncio.Lock()

    async def load(self) -> None:
        """Read the claims of the mind. Idempotent: whoever comes while they are being read waits for them."""
        async with self._loading:
            if self._is_loaded:
                return
            self._journal.follow(self._see)
            try:
                await self._read()
            except BaseException:
                self._journal.unfollow(self._see)
                raise
            self._is_loaded = True

    async def _read(self) -> None:
        graph = self._journal.graph
        claims = [vertex.id for vertex in graph.vertices("interpretation") if vertex.kind == "claim"]
        for start in range(0, len(claims), _BATCH):
            texts = await self._journal.store.texts(claims[start : start + _BATCH])
            made = await asyncio.to_thread(simhash, list(texts.values()))
            found = zip(texts, made.tolist(), strict=True)
            # A text may have been redacted since it was read.
            self._codes.update((node, code) for node, code in found if _has_text(graph, node))

    def contention(self, question: NodeId, weight: float) -> float:
        """(1 - weight) edge signal + weight * scatter of the live claims within two edges, 0..1 for a scatter of 0..1.

        What one model restates counts once. Source: EPISTEMICS, contention. With a weight of 0, or before `load`, the
        edge signal alone.
        """
        edge_signal = self._journal.graph.contention(question)
        if not weight or not self._is_loaded:
            return edge_signal
        claims = [vertex for vertex in _claims_near(self._journal.graph, question) if vertex.id in self._codes]
        semantic = np.array([self._codes[vertex.id] for vertex in claims], dtype=np.uint64)
        rows = _not_restated(semantic, [vertex.created_by for vertex in claims])
        codes = encode(semantic[rows], [Standing("claim", claims[row].confidence) for row in rows], ())
        return (1 - weight) * edge_signal + weight * scatter(codes.front)

    def _see(self, events: Sequence[Event]) -> None:
        for event in events:
            match event.what:
                case InterpretationAdded(interpretation=made) if made.kind == "claim":
                    self._codes[made.id] = int(simhash([made.text])[0])
                case NodeRedacted(node=node):
                    self._codes.pop(node, None)
                case _:
                    pass


def _has_text(graph: Graph, node: NodeId) -> bool:
    vertex = graph.get(node)
    return vertex is not None and vertex.size > 0


def _not_restated(semantic: NDArray[np.uint64], authors: Sequence[str]) -> list[int]:
    """Rows without those that are near duplicates of an earlier one of the same author."""
    kept: dict[str, list[int]] = {}
    for row, author in enumerate(authors):
        standing = kept.setdefault(author, [])
        if not (hamming(semantic[standing], semantic[row]) <= DUPLICATE_BITS).any():
            standing.append(row)
    return sorted(row for rows in kept.values() for row in rows)


def _claims_near(graph: Graph, question: NodeId) -> Iterator[Vertex]:
    """Live claims within two edges of the question."""
    near, rim = {question}, [question]
    for _ in range(2):
        ends = [end for node in rim for link in graph.links(node) for end in (link.src, link.dst)]
        rim = [node for node in dict.fromkeys(ends) if node not in near]
        near.update(rim)
    for node in sorted(near, key=lambda node: (len(node), node)):
        vertex = graph.get(node)
        if vertex is not None and vertex.kind == "claim" and vertex.is_live:
            yield vertex
