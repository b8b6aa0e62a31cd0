"""Moving a node to the other layer: what was taken for a judgement was observed, or the other way round."""

from collections.abc import Iterator
from datetime import datetime

from perdura_core.acts.act import Act, vertex
from perdura_core.clock import Ids
from perdura_core.delta import UNASSERTED, edge_fault
from perdura_core.epistemics import entities_of
from perdura_core.errors import InputError
from perdura_core.graph import Graph, Link, digest_of
from perdura_core.vocabulary import (
    Edge,
    EdgeAdded,
    EdgeType,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    JudgedLayer,
    Node,
    NodeId,
    NodeSuperseded,
    Occurrence,
    Placement,
    PlacementTier,
    Question,
    Velocity,
    layer_of,
)

__all__ = ["move", "relayered"]


def move(node: Node, layer: JudgedLayer, now: datetime) -> Act:
    """Put a fact among the interpretations or an interpretation among the facts, with the links it may keep there.

    The node of the other layer is new, unless its words stand there already; this one gives way to it. Raises
    InputError at once for a question.
    """
    if isinstance(node, Question):
        raise InputError(f"{node.id} is a question: only facts and interpretations can be taken for one another")
    if layer_of(node.id) == layer:
        raise InputError(f"{node.id} is {_named(layer)} already: there is nothing to move")
    said = node

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        return relayered(graph, ids, said, "operator", "the operator says so", now)

    return Act(f"move {node.id} to the {layer}s", happenings)


def relayered(
    graph: Graph,
    ids: Ids,
    node: Fact | Interpretation,
    tier: PlacementTier,
    reason: str,
    now: datetime,
) -> list[Happening]:
    """What moves a node to the other layer. Raises InputError when it gave way or lost its text meanwhile."""
    old = vertex(graph, node.id)
    if old.superseded_by is not None:
        raise InputError(f"{node.id} gave way to {old.superseded_by}: move that one")
    if not old.size:
        raise InputError(f"the text of {node.id} is destroyed: nobody can tell what it was")
    to: JudgedLayer = "interpretation" if isinstance(node, Fact) else "fact"
    standing = graph.same_text(to, digest_of(node.text))
    new = standing or ids.next("i" if to == "interpretation" else "f")
    made: list[Happening] = []
    if standing is None:
        placed = Placement(
            tier=tier,
            reason=reason,
            called="interpretation" if to == "fact" else "fact",
            confidence=node.confidence if isinstance(node, Interpretation) else None,
            moved_from=node.id,
        )
        made.append(
            _as_judgement(node, new, placed, now, graph.velocity_of(node.domains))
            if isinstance(node, Fact)
            else _as_fact(node, new, placed, now)
        )
    carried = [EdgeAdded(edge=edge) for edge in _carried(graph, ids, node.id, new, now)]
    return [*made, *carried, NodeSuperseded(node=node.id, superseded_by=new, reason=reason)]


def _as_fact(node: Interpretation, new: NodeId, placed: Placement, now: datetime) -> FactRecorded:
    seen = Occurrence(recorded_at=now, recorded_by=node.created_by, boarding=node.boarding)
    fact = Fact(
        id=new,
        text=node.text,
        domains=node.domains,
        entities=entities_of(node.text),
        occurrences=(seen,),
        created_by=node.created_by,
        boarding=node.boarding,
        created_at=now,
    )
    return FactRecorded(fact=fact, placed=placed)


def _as_judgement(node: Fact, new: NodeId, placed: Placement, now: datetime, velocity: Velocity) -> InterpretationAdded:
    judged = Interpretation(
        id=new,
        kind="claim",
        text=node.text,
        domains=node.domains,
        confidence=UNASSERTED,
        velocity=velocity,
        created_by=node.created_by,
        boarding=node.boarding,
        created_at=now,
    )
    return InterpretationAdded(interpretation=judged, placed=placed)


def _carried(graph: Graph, ids: Ids, old: NodeId, new: NodeId, now: datetime) -> Iterator[Edge]:
    """The edges that the other layer allows, by whom they were drawn; what rested on a fact now depends on it."""
    ends: list[tuple[EdgeType, NodeId, NodeId, Link | None]] = [
        (link.type, new if link.src == old else link.src, new if link.dst == old else link.dst, link)
        for link in graph.links(old)
    ]
    if layer_of(old) == "fact":
        ends += [("depends_on", citing, new, None) for citing in graph.cited_by(old)]
    drawn: set[tuple[EdgeType, NodeId, NodeId]] = set()
    for type_, src, dst, link in ends:
        is_allowed = src != dst and edge_fault(type_, layer_of(src), layer_of(dst)) is None
        if not is_allowed or (type_, src, dst) in drawn or graph.edge_between(type_, src, dst) is not None:
            continue
        drawn.add((type_, src, dst))
        author = vertex(graph, src) if link is None else link
        yield Edge(
            id=ids.next("e"),
            type=type_,
            src=src,
            dst=dst,
            created_by=author.created_by,
            boarding=author.boarding,
            created_at=now,
        )


def _named(layer: JudgedLayer) -> str:
    return "a fact" if layer == "fact" else "an interpretation"
