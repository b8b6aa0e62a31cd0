"""Personalised PageRank around a few nodes, worked out locally: its cost does not grow with the graph."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from perdura_core.graph import Graph
from perdura_core.vocabulary import NodeId

__all__ = ["neighbours_in", "spread"]

Neighbours = Callable[[NodeId], Sequence[NodeId]]

_STOP = 0.15
"""How likely a walk goes back to where it began at each step."""
_LEAST = 2e-4
"""What rests at a node is passed on once it exceeds so much for each of its neighbours."""
_MOST_PUSHES = 4_000


def spread(neighbours: Neighbours, sources: Mapping[NodeId, float]) -> dict[NodeId, float]:
    """Approximate personalised PageRank of the nodes near the sources, which walks leave by their weights.

    What is found sums to at most 1. Source: Andersen, Chung and Lang 2006, local push.
    """
    total = sum(sources.values())
    if total <= 0:
        return {}
    resting = {node: weight / total for node, weight in sources.items()}
    found: dict[NodeId, float] = {}
    waiting = deque(resting)
    for _ in range(_MOST_PUSHES):
        if not waiting:
            break
        node = waiting.popleft()
        here = resting.get(node, 0.0)
        around = neighbours(node)
        if here <= _LEAST * max(1, len(around)):
            continue
        resting[node] = 0.0
        found[node] = found.get(node, 0.0) + (_STOP * here if around else here)
        for other in around:
            before = resting.get(other, 0.0)
            resting[other] = before + (1 - _STOP) * here / len(around)
            if before <= _LEAST < resting[other]:
                waiting.append(other)
    return found


def neighbours_in(graph: Graph) -> Neighbours:
    """Along the edges of a mind, both ways; each neighbour once."""

    def neighbours(node: NodeId) -> list[NodeId]:
        ends = (link.dst if link.src == node else link.src for link in graph.links(node))
        return list(dict.fromkeys(end for end in ends if end != node))

    return neighbours
