"""What bears on a question: search, widened along the edges of the graph."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from heapq import nsmallest
from itertools import islice
from typing import Any

from perdura_core.graph import Graph
from perdura_core.retrieval.spreading import neighbours_in, spread
from perdura_core.store import Hit
from perdura_core.vocabulary import Layer, NodeId

__all__ = ["TextSearch", "relevant"]

TextSearch = Callable[[str, Collection[Layer], int], Coroutine[Any, Any, list[Hit]]]
"""Query, layers, limit: `Store.search_text` by words alone, `Finder.hits` by words and meaning."""

_LAYERS: tuple[Layer, ...] = ("fact", "interpretation")
_SPRINGS = 8
"""So many of the best hits pass relevance on to their neighbours."""
_SPRINGS_MOST_LINKS = 64
"""A hit with more neighbours than this says little about any of them."""
_PASSED_ON = 0.25
"""The part of its score that a hit passes on."""


async def relevant(
    search: TextSearch,
    graph: Graph,
    query: str,
    around: Mapping[NodeId, int],
    limit: int,
    *,
    by_pagerank: bool = False,
) -> list[Hit]:
    """Facts and interpretations that bear on the query, best first, at most `limit`; older first among equals.

    around: the neighbourhood of what the query is about, with distances; the seeds are at 0. The score adds three
    parts: the text match, 1 for the best of its layer; what the best matches pass on to their neighbours; and closeness
    to the seeds, 1/4 for one edge and 1/8 for two. by_pagerank: in place of the last two, what walks from the seeds and
    the best matches come by (`spread`), 1/4 for the one they come by most. Seeds themselves, superseded and deleted
    nodes are left out; shadow ones are not, and the caller decides about them.
    """
    async with asyncio.TaskGroup() as searches:
        answers = [searches.create_task(search(query, [layer], limit)) for layer in _LAYERS]
    matched: dict[NodeId, float] = {}
    for answer in answers:
        hits = answer.result()
        best = max((hit.score for hit in hits), default=0.0)
        matched.update((hit.node, hit.score / best) for hit in hits if best > 0)
    scores = dict(matched)
    seeds = [node for node, distance in around.items() if distance == 0]
    for part in [_spread(graph, matched, seeds)] if by_pagerank else [_near(around), _passed_on(graph, matched)]:
        for node, added in part.items():
            scores[node] = scores.get(node, 0.0) + added
    for seed in seeds:
        scores.pop(seed, None)
    ranked = sorted(scores, key=_age)
    ranked.sort(key=scores.__getitem__, reverse=True)
    standing = (Hit(node, scores[node]) for node in ranked if _stands(graph, node))
    return list(islice(standing, limit))


def _near(around: Mapping[NodeId, int]) -> dict[NodeId, float]:
    nearness = [0.5 ** (distance + 1) for distance in range(max(around.values(), default=0) + 1)]
    return {node: nearness[distance] for node, distance in around.items() if node[0] != "q"}


def _spread(graph: Graph, matched: dict[NodeId, float], seeds: Collection[NodeId]) -> dict[NodeId, float]:
    """Half of the walks leave from the seeds, the other half from the best matches."""
    springs = _best(matched)
    total = sum(matched[node] for node in springs)
    sources = {node: matched[node] / total for node in springs}
    sources.update((seed, 1 / len(seeds)) for seed in seeds)
    found = spread(neighbours_in(graph), sources)
    most = max((value for node, value in found.items() if node[0] != "q"), default=1.0)
    return {node: _PASSED_ON * value / most for node, value in found.items() if node[0] != "q"}


def _best(matched: dict[NodeId, float]) -> list[NodeId]:
    return nsmallest(_SPRINGS, matched, key=lambda node: (-matched[node], _age(node)))


def _passed_on(graph: Graph, matched: dict[NodeId, float]) -> dict[NodeId, float]:
    """What the neighbours of the best matches get; the most that any one match gives."""
    springs = _best(matched)
    passed: dict[NodeId, float] = {}
    for spring in springs:
        around = graph.neighbourhood([spring], 1)
        if len(around) > _SPRINGS_MOST_LINKS:
            continue
        for node, distance in around.items():
            if distance and node[0] != "q":
                passed[node] = max(passed.get(node, 0.0), matched[spring] * _PASSED_ON)
    return passed


def _age(node: NodeId) -> int:
    """Smaller for what was numbered earlier in its layer; different for different nodes."""
    return 2 * int(node[1:]) + (node[0] == "i")


def _stands(graph: Graph, node: NodeId) -> bool:
    vertex = graph.get(node)
    return vertex is not None and vertex.superseded_by is None and vertex.status != "deleted"
