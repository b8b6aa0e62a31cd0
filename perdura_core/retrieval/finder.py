"""Search by words and by meaning over one mind, with vectors that keep up with the journal."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.errors import PerduraError
from perdura_core.graph import digest_of
from perdura_core.retrieval.dense import DenseIndex
from perdura_core.retrieval.embedders import Embedder
from perdura_core.retrieval.fusion import DEPTH, dense_share, fuse
from perdura_core.store import Hit, Journal, StoredVectors
from perdura_core.vocabulary import (
    Event,
    FactRecorded,
    InterpretationAdded,
    Layer,
    Node,
    NodeId,
    NodeRedacted,
    QuestionAsked,
    layer_of,
)

__all__ = ["Coverage", "Finder"]

_LAYERS: tuple[Layer, ...] = ("question", "fact", "interpretation")
_BATCH = 512
"""Texts that are embedded at a time."""
_SLICE = 2_000
"""Nodes that are looked at before others get the event loop."""
_KEEP_AT = 256
"""So many vectors are written together."""
_KEEP_AFTER_S = 5.0
"""Fewer are written when nothing has come for so long."""
_RETRY_S = 30.0
"""Wait before an embedder that failed is asked again."""
_REMEMBERED = 64


class Coverage(NamedTuple):
    """How far the vectors have come."""

    model: str
    embedded: int
    total: int
    fault: str | None = None
    """Why the embedder can't be used at the moment; search goes by words alone meanwhile."""


class Finder:
    """Hybrid search: BM25 and exact dense search, fused by reciprocal rank. Open one a mind, with `Finder.open`.

    Vectors are loaded and made in the background from the first search on, and follow the journal from there. They are
    always of the one embedder; until a text has its vector it is found by its words. A mind that is not read-only
    keeps them, so that they are made once.
    """

    def __init__(self, journal: Journal, embedder: Embedder) -> None:
        self._journal = journal
        self._embedder = embedder
        self._indexes: dict[Layer, DenseIndex] = {}
        self._digests: dict[NodeId, int] = {}
        """Of the texts whose vectors are in an index."""
        self._fresh: deque[tuple[NodeId, str]] = deque()
        self._unkept: list[NodeId] = []
        self._must_survey = True
        self._news = asyncio.Event()
        self._loaded = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._fault: str | None = None
        self._queries: dict[str, NDArray[np.float32]] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls, journal: Journal, embedder: Embedder) -> "AsyncIterator[Finder]":
        """Find in the journal's mind for as long as the context lasts. Costs nothing until the first search."""
        finder = cls(journal, embedder)
        journal.follow(finder._see, reset=finder._doubt)
        try:
            yield finder
        finally:
            journal.unfollow(finder._see)
            await finder._stop()

    # Reading

    @property
    def coverage(self) -> Coverage:
        """How many of the mind's texts have a vector of the present embedder."""
        graph = self._journal.graph
        total = sum(graph.count(layer) for layer in _LAYERS)
        return Coverage(self._embedder.model, len(self._digests), total, self._fault)

    @property
    def size_bytes(self) -> int:
        """Memory of all vectors."""
        return sum(index.size_bytes for index in self._indexes.values())

    def start(self) -> None:
        """Load and make vectors in the background. Idempotent; a search does it too."""
        if self._task is None:
            self._task = asyncio.create_task(self._keep_up(), name="finder")
            self._task.add_done_callback(self._ended)

    async def loaded(self) -> Coverage:
        """Wait until the vectors that the mind keeps are there, or can't be had."""
        self.start()
        await self._loaded.wait()
        return self.coverage

    async def caught_up(self) -> Coverage:
        """Wait until every text has its vector, or the embedder has failed."""
        self.start()
        await self._caught_up.wait()
        return self.coverage

    async def hits(self, query: str, layers: Collection[Layer], limit: int, *, with_gone: bool = False) -> list[Hit]:
        """What bears on the query, best first: `Store.search_text` by meaning as well as by words.

        Where no vector is, or the embedder fails, it is the words' answer alone.
        """
        self.start()
        depth = max(limit, DEPTH)
        async with asyncio.TaskGroup() as searches:
            worded = [
                searches.create_task(self._journal.store.search_text(query, [layer], depth, with_gone=with_gone))
                for layer in layers
            ]
            meant = searches.create_task(self.nearest(query, layers, depth, with_gone=with_gone))
        by_words = sorted((hit for answer in worded for hit in answer.result()), key=lambda hit: -hit.score)
        share = dense_share(by_words)
        return fuse([(1 - share, by_words[:depth]), (share, meant.result())], limit)

    async def nearest(self, query: str, layers: Collection[Layer], limit: int, *, with_gone: bool = False) -> list[Hit]:
        """The texts nearest in meaning, best first."""
        indexes = [index for layer in layers if (index := self._indexes.get(layer))]
        if not indexes or not query.strip():
            return []
        vector = await self._vector(query)
        if vector is None or vector.shape[0] != indexes[0].dimension:
            return []
        found = await asyncio.to_thread(lambda: [index.nearest(vector, limit * 2) for index in indexes])
        hits = sorted((hit for answer in found for hit in answer), key=lambda hit: -hit.score)
        return list(islice((hit for hit in hits if with_gone or self._stands(hit.node)), limit))

    def vector(self, node: NodeId) -> NDArray[np.float32] | None:
        """The vector of a node's text; None while there is none."""
        index = self._indexes.get(layer_of(node))
        return None if index is None else index.vector(node)

    async def _vector(self, query: str) -> NDArray[np.float32] | None:
        known = self._queries.get(query)
        if known is not None:
            return known
        try:
            rows = await self._embedder.embed([query])
        except PerduraError as error:
            self._fault = str(error)
            return None
        while len(self._queries) >= _REMEMBERED:
            del self._queries[next(iter(self._queries))]
        vector: NDArray[np.float32] = rows[0]
        self._queries[query] = vector
        return vector

    def _stands(self, node: NodeId) -> bool:
        vertex = self._journal.graph.get(node)
        return vertex is not None and vertex.superseded_by is None and vertex.status != "deleted"

    # Keeping up

    def _see(self, events: Sequence[Event]) -> None:
        """Take note of new texts. Called under the write lock: nothing is done here."""
        if self._task is None:
            return
        node: Node
        for event in events:
            match event.what:
                case QuestionAsked(question=node) | FactRecorded(fact=node) | InterpretationAdded(interpretation=node):
                    self._fresh.append((node.id, node.text))
                case NodeRedacted(node=gone):
                    self._drop(gone)
                case _:
                    continue
            self._caught_up.clear()
            self._news.set()

    def _doubt(self) -> None:
        """Something that was seen was not written, or texts changed that no event names."""
        self._must_survey = True
        self._caught_up.clear()
        self._news.set()

    async def _keep_up(self) -> None:
        while True:
            try:
                await self._catch_up()
                self._fault = None
                self._caught_up.set()
            except PerduraError as error:
                self._fault = str(error)
                self._must_survey = True
                self._loaded.set()
                self._caught_up.set()
                await asyncio.sleep(_RETRY_S)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(_KEEP_AFTER_S if self._unkept else None):
                    await self._news.wait()
            if not self._news.is_set():
                await self._keep()

    async def _catch_up(self) -> None:
        """Bring the vectors to the present of the graph."""
        if not self._digests:
            await self._load()
        self._news.clear()
        while self._must_survey or self._fresh:
            if self._must_survey:
                self._must_survey = False
                await self._survey()
            while self._fresh:
                batch = [self._fresh.popleft() for _ in range(min(_BATCH, len(self._fresh)))]
                await self._embed(dict(batch))

    async def _load(self) -> None:
        kept = await self._journal.store.vectors(self._embedder.model)
        for start in range(0, len(kept.nodes), _SLICE):
            end = start + _SLICE
            rows = [
                row
                for row, (node, digest) in enumerate(
                    zip(kept.nodes[start:end], kept.digests[start:end], strict=True), start
                )
                if (vertex := self._journal.graph.get(node)) is not None and vertex.digest == digest
            ]
            self._put([kept.nodes[row] for row in rows], kept.matrix[rows].astype(np.float32))
            await asyncio.sleep(0)
        self._loaded.set()

    async def _survey(self) -> None:
        """Find nodes whose vector is missing or of another text."""
        wanted: list[NodeId] = []
        vertices = list(self._journal.graph.vertices())
        for number, vertex in enumerate(vertices):
            if self._digests.get(vertex.id) != (vertex.digest or None):
                self._drop(vertex.id)
                if vertex.digest:
                    wanted.append(vertex.id)
            if number % _SLICE == 0:
                await asyncio.sleep(0)
        for node in [node for node in self._digests if self._journal.graph.get(node) is None]:
            self._drop(node)
        for batch in _batches(wanted, _BATCH):
            await self._embed(await self._journal.store.texts(batch))

    async def _embed(self, texts: dict[NodeId, str]) -> None:
        if not texts:
            return
        vectors = await self._embedder.embed(list(texts.values()))
        # A text may have been redacted or never been written since it was read.
        standing = [
            row
            for row, (node, text) in enumerate(texts.items())
            if (vertex := self._journal.graph.get(node)) is not None and vertex.digest == digest_of(text)
        ]
        nodes = list(texts)
        chosen = [nodes[row] for row in standing]
        self._put(chosen, vectors[standing])
        self._unkept += chosen
        if len(self._unkept) >= _KEEP_AT:
            await self._keep()

    def _put(self, nodes: Sequence[NodeId], vectors: NDArray[np.floating]) -> None:
        """Take in the vectors of nodes that stand in the graph."""
        dimension = vectors.shape[1]
        if any(index.dimension != dimension for index in self._indexes.values()):
            # A server has another model under the old name: nothing of the old one can be compared.
            self._indexes, self._digests, self._queries = {}, {}, {}
            self._must_survey = True
        places: dict[Layer, list[int]] = {}
        for row, node in enumerate(nodes):
            vertex = self._journal.graph.get(node)
            if vertex is not None:
                places.setdefault(layer_of(node), []).append(row)
                self._digests[node] = vertex.digest
        for layer, rows in places.items():
            index = self._indexes.setdefault(layer, DenseIndex(dimension))
            index.put([nodes[row] for row in rows], vectors[rows])

    def _drop(self, node: NodeId) -> None:
        if self._digests.pop(node, None) is not None:
            self._indexes[layer_of(node)].drop(node)

    async def _keep(self) -> None:
        """Write vectors that were made and not written yet."""
        nodes = [node for node in dict.fromkeys(self._unkept) if node in self._digests]
        self._unkept.clear()
        if self._journal.store.is_readonly or not nodes:
            return
        rows = [row for node in nodes if (row := self.vector(node)) is not None]
        digests = tuple(self._digests[node] for node in nodes)
        made = StoredVectors(tuple(nodes), digests, np.stack(rows).astype(np.float16))
        await self._journal.store.keep_vectors(self._embedder.model, made)

    def _ended(self, _: "asyncio.Task[None]") -> None:
        self._loaded.set()
        self._caught_up.set()

    async def _stop(self) -> None:
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        with suppress(PerduraError):  # they can be made again
            await self._keep()


def _batches(nodes: Sequence[NodeId], size: int) -> Iterator[Sequence[NodeId]]:
    return (nodes[start : start + size] for start in range(0, len(nodes), size))
