"""The part of the graph around one question that a pane can show legibly."""

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from typing import Literal, NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import EdgeType, InterpretationKind, Layer, Near, NodeId, Suspicion

__all__ = ["Dot", "Nearby", "Tie", "TieType", "everything", "hints_of", "nearby"]

TieType = EdgeType | Literal["cites", "suspected", "worded_like"]
"""An edge, an interpretation's reference to a fact, or one of two that nobody drew: a pair that may contradict each
other, and near duplicates."""

_RANK: Mapping[str, int] = {"decision": 0, "claim": 1, "rejected": 3}
_MOST_HINTS = 12
"""Of either kind on one map: more would hide what was said."""
_MOST_NODES = 4_000
"""A 2-hop neighbourhood larger than this is looked at to one hop only."""


class Dot(NamedTuple):
    """One node of the map."""

    id: NodeId
    layer: Layer
    kind: InterpretationKind | None
    confidence: float | None
    """None for questions and facts."""
    distance: int
    """Edges from the centre."""
    is_disputed: bool
    is_live: bool = True


class Tie(NamedTuple):
    """One line of the map."""

    type: TieType
    src: NodeId
    dst: NodeId


class Nearby(NamedTuple):
    """A question, the live nodes around it in order of importance, and what joins them."""

    centre: NodeId | None = None
    dots: tuple[Dot, ...] = ()
    """The centre first."""
    ties: tuple[Tie, ...] = ()
    hops: int = 2
    """0: everything there is."""
    left_out: int = 0


def nearby(
    graph: Graph, centre: NodeId, limit: int, hops: int = 2, *, only_disputes: bool = False, with_history: bool = False
) -> Nearby:
    """Up to `limit` nodes within so many hops: disputes before decisions, claims before facts, near before far.

    only_disputes: the centre and both ends of each live contradiction. with_history: also nodes that
    gave way or were let go.
    """
    if graph.get(centre) is None:
        return Nearby()
    found = graph.neighbourhood([centre], hops)
    if len(found) > _MOST_NODES and hops > 1:
        hops = 1
        found = graph.neighbourhood([centre], hops)
    return _chosen(graph, centre, found, hops, limit, only_disputes, with_history)


def hints_of(around: Nearby, near: Iterable[Near], suspected: Iterable[Suspicion]) -> tuple[Tie, ...]:
    """The pairs on the map that nobody drew, the most suspicious and the closest first; none that an edge joins."""
    shown = {dot.id for dot in around.dots}
    joined = {frozenset((tie.src, tie.dst)) for tie in around.ties}
    hints: list[Tie] = []
    kinds: tuple[tuple[TieType, Iterable[Near | Suspicion]], ...] = (("suspected", suspected), ("worded_like", near))
    for name, pairs in kinds:
        fresh = [pair for pair in pairs if pair.left in shown and pair.right in shown]
        fresh = [pair for pair in fresh if frozenset((pair.left, pair.right)) not in joined]
        hints.extend(Tie(name, pair.left, pair.right) for pair in fresh[:_MOST_HINTS])
        joined.update(frozenset((pair.left, pair.right)) for pair in fresh)
    return tuple(hints)


def everything(graph: Graph, limit: int, *, only_disputes: bool = False, with_history: bool = False) -> Nearby | None:
    """The whole of a small mind around its most contended question; None when it holds more than `limit` nodes."""
    questions = graph.open_questions() or list(graph.vertices("question"))
    if not questions or sum(graph.count(layer) for layer in ("question", "fact", "interpretation")) > limit:
        return None
    centre = max(questions, key=lambda vertex: graph.contention(vertex.id)).id
    found = graph.neighbourhood([centre], 2)
    found |= {vertex.id: 3 for vertex in graph.vertices() if vertex.id not in found}
    return _chosen(graph, centre, found, 0, limit, only_disputes, with_history)


def _chosen(
    graph: Graph, centre: NodeId, found: Mapping[NodeId, int], hops: int, limit: int, only_disputes: bool, history: bool
) -> Nearby:
    pairs = graph.disputes(centre if graph.get(centre) is not None and hops else None)
    heat = {node: index for index, pair in reversed(list(enumerate(pairs))) for node in pair}
    live = [
        (vertex, distance)
        for node, distance in found.items()
        if (vertex := graph.get(node)) is not None
        and (node == centre or ((vertex.is_live or history) and (node in heat or not only_disputes)))
    ]
    chosen = nsmallest(limit, live, key=lambda entry: _importance(entry[0], entry[1], heat, centre))
    dots = tuple(_dot(vertex, distance, vertex.id in heat) for vertex, distance in chosen)
    return Nearby(centre, dots, _ties(graph, {dot.id for dot in dots}), hops, len(live) - len(chosen))


def _importance(
    vertex: Vertex, distance: int, heat: Mapping[NodeId, int], centre: NodeId
) -> tuple[bool, int, int, int, float, int]:
    layer = {"interpretation": 0, "question": 1, "fact": 2}[vertex.layer]
    return (
        vertex.id != centre,
        heat.get(vertex.id, len(heat)),
        layer,
        distance * 2 + _RANK.get(vertex.kind or "", 2),
        -vertex.confidence,
        int(vertex.id[1:]),
    )


def _dot(vertex: Vertex, distance: int, is_disputed: bool) -> Dot:
    confidence = vertex.confidence if vertex.layer == "interpretation" else None
    return Dot(vertex.id, vertex.layer, vertex.kind, confidence, distance, is_disputed, vertex.is_live)


def _ties(graph: Graph, shown: set[NodeId]) -> tuple[Tie, ...]:
    ties: dict[Tie, None] = {}
    for node in sorted(shown):
        for link in graph.links(node):
            if link.src in shown and link.dst in shown:
                ties[Tie(link.type, link.src, link.dst)] = None
        vertex = graph.get(node)
        for fact in vertex.facts if vertex is not None else ():
            if fact in shown:
                ties[Tie("cites", node, fact)] = None
    return tuple(ties)
