"""The part of the graph around one question that a pane can show legibly."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import EdgeType, InterpretationKind, Layer, NodeId

__all__ = ["Dot", "Nearby", "Tie", "TieType", "nearby"]

TieType = EdgeType | Literal["cites"]
"""An edge, or an interpretation's reference to a fact."""

_RANK: Mapping[str, int] = {"decision": 0, "claim": 1, "rejected": 3}
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
    left_out: int = 0


def nearby(graph: Graph, centre: NodeId, limit: int) -> Nearby:
    """Up to `limit` live nodes within two hops: disputes before decisions, claims before facts, near before far."""
    if graph.get(centre) is None:
        return Nearby()
    hops = 2
    found = graph.neighbourhood([centre], hops)
    if len(found) > _MOST_NODES:
        hops = 1
        found = graph.neighbourhood([centre], hops)
    pairs = graph.disputes(centre)
    heat = {node: index for index, pair in reversed(list(enumerate(pairs))) for node in pair}
    live = [
        (vertex, distance)
        for node, distance in found.items()
        if (vertex := graph.get(node)) is not None and (vertex.is_live or node == centre)
    ]
    live.sort(key=lambda entry: _importance(entry[0], entry[1], heat, centre))
    chosen = live[:limit]
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
    return Dot(vertex.id, vertex.layer, vertex.kind, confidence, distance, is_disputed)


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
