"""Pairs of claims that may contradict each other, found without comparing everything with everything."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import (
    COLLISION_BITS,
    DUPLICATE_BITS,
    Standing,
    as_hex,
    encode,
    hamming,
    near_pairs,
    simhash,
)
from perdura_core.errors import PerduraError
from perdura_core.graph import Graph, Vertex
from perdura_core.retrieval.disputing import Judgement, NliModel, Scorer
from perdura_core.retrieval.finder import Finder
from perdura_core.retrieval.likeness import says_the_same
from perdura_core.store import Journal
from perdura_core.vocabulary import (
    Event,
    InterpretationAdded,
    Near,
    NodeId,
    NodeRedacted,
    Suspicion,
    SuspicionDismissed,
)

__all__ = ["SUSPECTED", "Suspects"]

SUSPECTED = 0.35
"""From this suspicion on a pair is shown to the operator: `perdura experiment collision` says how many are right."""

_NEIGHBOURS = 3
"""So many claims that a new one is compared with, of those that read like it, of those worded almost alike and of those
worded much like it each: a comparison takes milliseconds."""
_MOST_PAIRS = 4_000
"""Worded alike in a mind that is opened: the closest are judged."""
_NEWEST = 300
"""Claims of a mind that is opened whose neighbours are looked up, as if they had just come."""
_BATCH = 16
_GATHERED_S = 0.1
"""What comes within this time is compared together, after the merges that are waiting."""
_KEPT = 2_000
_NLI_AT = 0.2
"""From this suspicion on an NLI model is asked, when there is one, and an audit is."""

_SAME = Judgement(0.0, 1.0, ())

Pair = tuple[NodeId, NodeId]


class Suspects:
    """Keeps suspected pairs of one mind, and its near duplicates. Open one a mind, with `Suspects.open`.

    From `start` on it follows the journal in the background: each new claim is compared with a few that read like it
    or are worded like it. Nothing is stored but what the operator dismissed, which is an event.
    """

    def __init__(self, journal: Journal, finder: Finder, load_nli: Callable[[], NliModel | None]) -> None:
        self._journal = journal
        self._finder = finder
        self._load_nli = load_nli
        self._nli: NliModel | None = None
        self.fault: str | None = None
        """Why the NLI model that the settings name is not asked."""
        self._scorer: Scorer | None = None
        self._judged: dict[Pair, Suspicion] = {}
        self._near: dict[Pair, Near] = {}
        self._dismissed: set[Pair] = set()
        self._nodes: list[NodeId] = []
        self._codes: NDArray[np.uint64] = np.zeros(1_024, dtype=np.uint64)
        self._row: dict[NodeId, int] = {}
        self._fresh: deque[tuple[NodeId, str]] = deque()
        self._news = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._version = 0

    @classmethod
    @asynccontextmanager
    async def open(
        cls, journal: Journal, finder: Finder, load_nli: Callable[[], NliModel | None] = lambda: None
    ) -> "AsyncIterator[Suspects]":
        """Suspect in the journal's mind for as long as the context lasts. Costs nothing until `start`."""
        suspects = cls(journal, finder, load_nli)
        journal.follow(suspects._see)
        try:
            yield suspects
        finally:
            journal.unfollow(suspects._see)
            await suspects._stop()

    # Reading

    @property
    def version(self) -> int:
        """Grows with every change of what there is to read."""
        return self._version

    def start(self) -> None:
        """Look through the mind in the background and follow it from there. Idempotent."""
        if self._task is None:
            self._task = asyncio.create_task(self._keep_up(), name="suspects")
            self._task.add_done_callback(lambda _: self._caught_up.set())

    async def caught_up(self) -> None:
        """Wait until every claim has been compared."""
        self.start()
        await self._caught_up.wait()

    def suspected(self, within: Collection[NodeId] | None = None, least: float = SUSPECTED) -> list[Suspicion]:
        """Pairs of live claims that no edge joins and nobody dismissed, the most suspicious first.

        within: only pairs with both ends in it.
        """
        found = [
            one
            for pair, one in self._judged.items()
            if one.score >= least
            and (within is None or (pair[0] in within and pair[1] in within))
            and self._is_open(pair)
        ]
        return sorted(found, key=lambda one: (-one.score, int(one.left[1:]), int(one.right[1:])))

    def near(self, node: NodeId | None = None, within: Collection[NodeId] | None = None) -> list[Near]:
        """Near duplicates of a node, or all, the closest first. within: only pairs with both ends in it."""
        graph = self._journal.graph
        found = [
            one
            for one in self._near.values()
            if one.bits <= DUPLICATE_BITS
            and (node is None or node in {one.left, one.right})
            and (within is None or (one.left in within and one.right in within))
            and all(_is_live(graph, end) for end in (one.left, one.right))
        ]
        return sorted(found, key=lambda one: (one.bits, int(one.left[1:]), int(one.right[1:])))

    def collisions(self, within: Collection[NodeId]) -> list[Pair]:
        """Unlinked pairs of different authors that are worded alike without being near duplicates, closest first.

        Source: EPISTEMICS, memoric code: 8 < bits <= 17. Near duplicates that do not say the same count too.
        """
        graph = self._journal.graph
        found = [
            (one.bits, pair)
            for pair, one in self._near.items()
            if pair[0] in within
            and pair[1] in within
            and not one.says_the_same
            and self._is_open(pair)
            and (one.bits <= DUPLICATE_BITS or _authors_differ(graph, pair))
        ]
        return [pair for _, pair in sorted(found, key=lambda one: (one[0], int(one[1][0][1:]), int(one[1][1][1:])))]

    def to_audit(self, within: Collection[NodeId]) -> list[Pair]:
        """What an audit should look at among these claims: suspected pairs and collisions by turns."""
        suspected = [(one.left, one.right) for one in self.suspected(within, _NLI_AT)]
        collisions = self.collisions(within)
        turns = [pair for both in zip_longest(suspected, collisions) for pair in both if pair is not None]
        return list(dict.fromkeys(turns))

    def restated(self) -> list[Pair]:
        """Later and earlier claim of each pair of near duplicates that say the same and that no edge joins yet."""
        return [(one.right, one.left) for pair, one in self._near.items() if one.says_the_same and self._is_open(pair)]

    def code(self, node: NodeId) -> str | None:
        """The node's memoric code as 24 hexadecimal digits; None before it was read, or for what has none."""
        vertex, row = self._journal.graph.get(node), self._row.get(node)
        if vertex is None or row is None:
            return None
        began = next(iter(self._journal.graph.vertices())).created_at
        standing = Standing(
            vertex.kind or "claim",
            vertex.confidence,
            vertex.domains,
            is_stale=not vertex.is_live,
            hours=int((vertex.created_at - began).total_seconds() // 3600),
            superseded_by=vertex.superseded_by,
        )
        return as_hex(encode(self._codes[row : row + 1], [standing], self._domains()))[0]

    def _domains(self) -> list[str]:
        """The mind's most used domains: those of most live claims."""
        counts: dict[str, int] = {}
        for vertex in self._journal.graph.vertices("interpretation"):
            for domain in vertex.domains:
                counts[domain] = counts.get(domain, 0) + 1
        return sorted(counts, key=lambda name: (-counts[name], name))[:6]

    def _is_open(self, pair: Pair) -> bool:
        graph = self._journal.graph
        return (
            pair not in self._dismissed
            and all(_is_live(graph, end) for end in pair)
            and not any(pair[1] in (link.src, link.dst) for link in graph.links(pair[0]))
        )

    # Keeping up

    def _see(self, events: Sequence[Event]) -> None:
        """Take note of new claims. Called under the write lock: nothing is done here."""
        for event in events:
            match event.what:
                case InterpretationAdded(interpretation=made) if made.kind == "claim" and self._task is not None:
                    self._fresh.append((made.id, made.text))  # which the store may not have yet
                    self._caught_up.clear()
                    self._news.set()
                case SuspicionDismissed(left=left, right=right, is_dismissed=is_dismissed):
                    (self._dismissed.add if is_dismissed else self._dismissed.discard)(_ordered(left, right))
                    self._version += 1
                case NodeRedacted(node=node):
                    self._forget(node)
                case _:
                    pass

    async def _keep_up(self) -> None:
        await self._load()
        while True:
            while self._fresh:
                self._news.clear()
                batch = [self._fresh.popleft() for _ in range(min(_BATCH, len(self._fresh)))]
                with suppress(PerduraError):  # what cannot be read now is compared when the mind is opened again
                    await self._compare(dict(batch))
            self._caught_up.set()
            await self._news.wait()
            self._news.clear()
            await asyncio.sleep(_GATHERED_S)

    async def _load(self) -> None:
        journal = self._journal
        for event in await journal.store.events(kinds=["suspicion_dismissed"]):
            self._see([event])
        claims = [one.id for one in journal.graph.vertices("interpretation") if one.kind == "claim"]
        for start in range(0, len(claims), 1_000):
            texts = await journal.store.texts(claims[start : start + 1_000])
            self._admit(texts, await asyncio.to_thread(simhash, list(texts.values())))
        codes = self._codes[: len(self._nodes)].copy()
        rows = await asyncio.to_thread(near_pairs, codes, 0, COLLISION_BITS)
        pairs = [(self._nodes[a], self._nodes[b]) for a, b in rows[:_MOST_PAIRS]]
        await self._judge(pairs, {})
        newest = await journal.store.texts(claims[-_NEWEST:])
        self._fresh.extend(newest.items())

    async def _compare(self, texts: Mapping[NodeId, str]) -> None:
        """Compare these claims with those that read like them or are worded like them."""
        new = {node: text for node, text in texts.items() if node not in self._row}
        self._admit(new, simhash(list(new.values())))
        pairs: dict[Pair, None] = {}
        for node, text in texts.items():
            hits = await self._finder.hits(text, ["interpretation"], _NEIGHBOURS + 1)
            for other in (*self._worded_like(node), *(hit.node for hit in hits)):
                if other != node and other in self._row:
                    pairs[_ordered(node, other)] = None
        await self._judge([pair for pair in pairs if pair not in self._judged], texts)

    def _worded_like(self, node: NodeId) -> Iterator[NodeId]:
        """The nearest duplicates, and a few that come close; what others speak for is passed over."""
        graph, left = self._journal.graph, {True: _NEIGHBOURS, False: _NEIGHBOURS}
        bits = hamming(self._codes[: len(self._nodes)], self._codes[self._row[node]])
        rows = np.flatnonzero(bits <= COLLISION_BITS)
        for row in rows[np.argsort(bits[rows], kind="stable")]:
            is_duplicate = bool(bits[row] <= DUPLICATE_BITS)
            if not any(left.values()):
                return
            if left[is_duplicate] and self._nodes[row] != node and _is_live(graph, self._nodes[row]):
                left[is_duplicate] -= 1
                yield self._nodes[row]

    async def _judge(self, pairs: Iterable[Pair], known: Mapping[NodeId, str]) -> None:
        """Judge pairs of live claims, some at a time. known: texts that need not be read."""
        graph = self._journal.graph
        wanted = [_ordered(*pair) for pair in pairs if all(_is_live(graph, end) for end in pair)]
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            unknown = {node for pair in batch for node in pair}.difference(known)
            texts = {**await self._journal.store.texts(list(unknown)), **known}
            readable = [pair for pair in batch if pair[0] in texts and pair[1] in texts]
            found = await asyncio.to_thread(self._judgements, readable, texts)
            for pair, judgement, is_same in found:
                bits = int(hamming(self._codes[self._row[pair[0]]], self._codes[self._row[pair[1]]]))
                if bits <= COLLISION_BITS:
                    self._near[pair] = Near(*pair, bits, is_same)
                self._judged[pair] = Suspicion(*pair, judgement.suspicion, judgement.reasons)
            self._version += 1
        if len(self._judged) > 2 * _KEPT:
            best = sorted(self._judged.values(), key=lambda one: -one.score)[:_KEPT]
            self._judged = {(one.left, one.right): one for one in best}

    def _judgements(self, pairs: Sequence[Pair], texts: Mapping[NodeId, str]) -> list[tuple[Pair, Judgement, bool]]:
        """Each pair with what is thought of it, and whether it says the same."""
        if self._scorer is None:
            self._scorer = Scorer()
            try:
                self._nli = self._load_nli()
            except PerduraError as error:
                self.fault = str(error)
        scorer = self._scorer
        sides = [(texts[left], texts[right]) for left, right in pairs]
        is_same = [says_the_same(*side) for side in sides]
        others = iter(scorer.judge([side for side, same in zip(sides, is_same, strict=True) if not same]))
        judged = [_SAME if same else next(others) for same in is_same]
        if self._nli is not None:
            asked = [at for at, one in enumerate(judged) if one.suspicion >= _NLI_AT]
            for at, chance in zip(asked, self._nli.contradictions([sides[at] for at in asked]), strict=True):
                judged[at] = Judgement(chance, 1.0, (f"{self._nli.name}: {chance:.0%}", *judged[at].reasons))
        return list(zip(pairs, judged, is_same, strict=True))

    def _admit(self, texts: Mapping[NodeId, str], codes: NDArray[np.uint64]) -> None:
        for node, code in zip(texts, codes, strict=True):
            row = self._row.setdefault(node, len(self._nodes))
            if row == len(self._nodes):
                self._nodes.append(node)
            if row >= len(self._codes):
                self._codes = np.concatenate([self._codes, np.zeros_like(self._codes)])
            self._codes[row] = code

    def _forget(self, node: NodeId) -> None:
        for found in (self._judged, self._near):
            for pair in [pair for pair in found if node in pair]:
                del found[pair]
        self._version += 1

    async def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task


def _ordered(a: NodeId, b: NodeId) -> Pair:
    return (a, b) if int(a[1:]) < int(b[1:]) else (b, a)


def _is_live(graph: Graph, node: NodeId) -> bool:
    """Whether it stands, and nobody said it before for its author."""
    vertex = graph.get(node)
    return vertex is not None and vertex.is_live and vertex.size > 0 and graph.speaker(node) == node


def _authors_differ(graph: Graph, pair: Pair) -> bool:
    authors: list[Vertex | None] = [graph.get(end) for end in pair]
    return authors[0] is not None and authors[1] is not None and authors[0].created_by != authors[1].created_by
