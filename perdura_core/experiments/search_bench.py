"""How long a search takes in a mind of a given size, and how long its vectors take to follow a merge."""

import asyncio
import random
import time
from collections.abc import Sequence
from pathlib import Path

from perdura_core.clock import Clock, Ids
from perdura_core.config import Providers
from perdura_core.experiments.synthetic import fill_synthetic
from perdura_core.graph import Graph
from perdura_core.retrieval import Finder, build_embedder, search
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import OPERATOR, Draft, Interpretation, InterpretationAdded

__all__ = ["bench_search"]

_WARM_UP = 20
_EDGES_PER_NODE = 4
_LIMIT = 20
_MERGES = 200
_PAUSE_S = 0.002
"""Between merges, so that each is followed by itself."""
_FREQUENT = "the cache because it was slow after minutes"
"""Words that most texts of a synthetic mind hold."""


async def bench_search(path: Path, nodes: int, rounds: int, embedder: str = "auto") -> dict[str, float | int | str]:
    """Time `rounds` searches, warm, one after another, in a mind of this size at `path`.

    A mind that stands there already is used as it is; otherwise a synthetic one is written first. Queries are one to
    six words of texts of the mind; `frequent` is one of frequent words alone, `filtered` one with filters. `follow`
    is how much more CPU a merge takes while vectors follow the journal. Milliseconds, but for what is named otherwise;
    `cpu` is that of the whole process for one search.
    """
    async with open_sqlite(path) as store, Journal.open(store, Clock()) as journal:
        if journal.graph.head == 0:
            await fill_synthetic(journal, nodes, nodes * _EDGES_PER_NODE)
        await _merges(journal)  # the first ones pay for what is loaded then
        alone_ms = await _merges(journal)
        async with Finder.open(journal, build_embedder(embedder, Providers())) as finder:
            started_s, started_cpu_s = time.perf_counter(), time.process_time()
            coverage = await finder.caught_up()
            index_s, index_cpu_s = time.perf_counter() - started_s, time.process_time() - started_cpu_s
            queries = await _queries(journal, rounds + _WARM_UP)
            # What was asked before is remembered: a warm-up with the same words would prove too much.
            searched_cpu_s = time.process_time()
            words = await _timed(finder, journal, queries)
            searched_cpu_s = time.process_time() - searched_cpu_s
            frequent = await _timed(finder, journal, [_FREQUENT + " " * n for n in range(_WARM_UP + rounds // 4)])
            filtered = [f"{query} type:claim conf>0.5" for query in queries[: _WARM_UP + rounds // 4]]
            filters = await _timed(finder, journal, filtered)
            followed_ms = await _merges(journal)
            await finder.caught_up()
            return {
                "nodes": coverage.total,
                "model": coverage.model,
                "rounds": rounds,
                "p50_ms": _at(words, 0.5),
                "p95_ms": _at(words, 0.95),
                "max_ms": _at(words, 1.0),
                "frequent_p95_ms": _at(frequent, 0.95),
                "filtered_p95_ms": _at(filters, 0.95),
                "cpu_ms": round(searched_cpu_s * 1_000 / len(queries), 2),
                "follow_cpu_ms": round(followed_ms - alone_ms, 3),
                "index_s": round(index_s, 2),
                "index_cpu_s": round(index_cpu_s, 2),
                "vectors_mb": round(finder.size_bytes / 1e6, 1),
            }


async def _timed(finder: Finder, journal: Journal, queries: Sequence[str]) -> list[float]:
    times_ms = []
    for query in queries:
        started_s = time.perf_counter()
        await search(finder, journal.store, journal.graph, query, _LIMIT)
        times_ms.append((time.perf_counter() - started_s) * 1_000)
    return sorted(times_ms[_WARM_UP:])


async def _queries(journal: Journal, count: int) -> list[str]:
    dice = random.Random(1)
    facts = [vertex.id for vertex in journal.graph.vertices("fact")]
    texts = await journal.store.texts(dice.choices(facts, k=count))
    lines = [text.strip(".").split() for text in texts.values()]
    return [" ".join(dice.sample(line, k=min(len(line), dice.randint(1, 6)))) for line in dice.choices(lines, k=count)]


async def _merges(journal: Journal) -> float:
    """CPU milliseconds of the process for one merge of a claim, on average over so many in a row."""
    started_s = time.process_time()
    for number in range(_MERGES):
        claim = f"A claim that was made {number} times about the ledger of Turin."

        def plan(graph: Graph, ids: Ids, claim: str = claim) -> list[Draft]:
            made = Interpretation(
                id=ids.next("i"),
                kind="claim",
                text=claim,
                confidence=0.5,
                created_by=OPERATOR,
                created_at=journal.clock.now(),
            )
            return [Draft(what=InterpretationAdded(interpretation=made), by=OPERATOR)]

        await journal.write(plan)
        await asyncio.sleep(_PAUSE_S)
    return (time.process_time() - started_s) * 1_000 / _MERGES


def _at(ordered: Sequence[float], share: float) -> float:
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2)
