"""Where nobody contradicts anybody: what an attack should begin with when consensus may have collapsed."""

from perdura_core.graph import Graph
from perdura_core.vocabulary import NodeId

__all__ = ["most_agreed"]


def most_agreed(graph: Graph) -> NodeId | None:
    """The open question with the least contention, of those the one with the most claims, then the oldest.

    None when no open question has a claim.
    """
    claimed = [vertex.id for vertex in graph.open_questions() if graph.claims_in(vertex.id)]
    return min(
        claimed,
        key=lambda node: (round(graph.contention(node), 3), -graph.claims_in(node), int(node[1:])),
        default=None,
    )
