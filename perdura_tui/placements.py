"""Why a node is in its layer, and what it rests on that gave way: for the command line and the desk alike."""

from collections.abc import Iterable, Sequence
from typing import Any

from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    Event,
    FactRecorded,
    InterpretationAdded,
    LayerSettled,
    Node,
    NodeId,
    Placement,
    PlacementTier,
    layer_of,
)

__all__ = ["given_way", "placed_by", "placement_document", "placement_words"]

_TIERS: dict[PlacementTier, str] = {
    "source": "by its source",
    "text": "by its wording",
    "model": "by a model that was asked",
    "operator": "by the operator",
}


def placed_by(node: Node, history: Iterable[Event]) -> Placement | None:
    """The latest decision on the node's layer, of its events in order; None where none was written down."""
    found: Placement | None = None
    for event in history:
        match event.what:
            case FactRecorded(fact=made, placed=placed) if made.id == node.id:
                found = placed
            case InterpretationAdded(interpretation=added, placed=placed) if added.id == node.id:
                found = placed
            case LayerSettled(node=settled, tier=tier, reason=reason) if settled == node.id:
                base = found or Placement(tier=tier, reason=reason)
                found = base.model_copy(update={"tier": tier, "reason": reason, "is_sure": True})
            case _:
                pass
    return found


def placement_words(placed: Placement) -> str:
    """The decision in words: `by its wording: it reads as an observation (unit; 0.98); sent as an interpretation`."""
    words = [f"{_TIERS[placed.tier]}: {placed.reason}"]
    if placed.called is not None:
        words.append(f"it was sent as {'a fact' if placed.called == 'fact' else 'an interpretation'}")
    if placed.confidence is not None:
        words.append(f"its author asserted {placed.confidence:.2f}, which facts do not have")
    if placed.moved_from is not None:
        words.append(f"moved from {placed.moved_from}")
    if not placed.is_sure:
        words.append("unsure")
    return "; ".join(words)


def placement_document(placed: Placement | None) -> dict[str, Any] | None:
    """The decision as a JSON document; null where none was written down."""
    return None if placed is None else placed.model_dump(mode="json")


def given_way(node: Node, graph: Graph) -> Sequence[tuple[NodeId, NodeId]]:
    """Facts that an interpretation rests on and that gave way, each with what it gave way to; none for others."""
    if layer_of(node.id) != "interpretation":
        return ()
    pairs = ((fact, graph.get(fact)) for fact in graph.given_way(node.id))
    return [(fact, vertex.superseded_by) for fact, vertex in pairs if vertex is not None and vertex.superseded_by]
