"""How long a briefing takes in a mind of a given size."""

import statistics
import time
from pathlib import Path

from perdura_core.briefing import assemble
from perdura_core.clock import Clock
from perdura_core.config import BriefingSettings
from perdura_core.experiments.synthetic import fill_synthetic
from perdura_core.store import Journal, open_sqlite

__all__ = ["bench_brief"]

_WARM_UP = 20


async def bench_brief(path: Path, nodes: int, edges: int, rounds: int) -> dict[str, float | int]:
    """Time `rounds` briefings of different questions, warm, one after another, in a mind of this size at `path`.

    A mind that stands there already is used as it is, whatever its size; otherwise a synthetic one is written first.
    Times in milliseconds; `tokens_mean` and `nodes_mean` are of the briefings.
    """
    settings = BriefingSettings()
    clock = Clock()
    async with open_sqlite(path) as store, Journal.open(store, clock) as journal:
        started_s = time.perf_counter()
        if journal.graph.head == 0:
            await fill_synthetic(journal, nodes, edges)
        filled_s = time.perf_counter() - started_s
        graph = journal.graph
        questions = [vertex.id for vertex in graph.open_questions()]
        times_ms: list[float] = []
        sizes: list[tuple[int, int]] = []
        for number in range(_WARM_UP + rounds):
            question = questions[number * 7 % len(questions)]
            started_s = time.perf_counter()
            briefing = await assemble(store, graph, question, settings=settings, max_tokens=settings.max_tokens)
            if number >= _WARM_UP:
                times_ms.append((time.perf_counter() - started_s) * 1_000)
                sizes.append((briefing.tokens, len(briefing.nodes)))
    times_ms.sort()
    return {
        "nodes": sum(graph.count(layer) for layer in ("question", "fact", "interpretation")),
        "edges": sum(len(graph.links(vertex.id)) for vertex in graph.vertices()) // 2,
        "rounds": rounds,
        "fill_s": round(filled_s, 1),
        "p50_ms": round(times_ms[len(times_ms) // 2], 2),
        "p95_ms": round(times_ms[min(len(times_ms) - 1, int(len(times_ms) * 0.95))], 2),
        "max_ms": round(times_ms[-1], 2),
        "tokens_mean": round(statistics.fmean(tokens for tokens, _ in sizes)),
        "nodes_mean": round(statistics.fmean(count for _, count in sizes), 1),
    }
