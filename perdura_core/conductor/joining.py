"""What the conductor links by itself: a claim that says again what an earlier one says refines it."""

from collections.abc import Sequence
from datetime import datetime

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import CONDUCTOR, Draft, Edge, EdgeAdded, NodeId

__all__ = ["join"]


def join(restated: Sequence[tuple[NodeId, NodeId]], now: datetime, session: str | None = None) -> Plan:
    """Draw `refines` from each later claim to the oldest of those that it says again. restated: (later, earlier).

    What was linked, replaced or let go meanwhile is left alone.
    """
    oldest: dict[NodeId, NodeId] = {}
    for later, earlier in restated:
        known = oldest.get(later)
        if known is None or int(earlier[1:]) < int(known[1:]):
            oldest[later] = earlier

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        return [
            Draft(
                what=EdgeAdded(
                    edge=Edge(
                        id=ids.next("e"), type="refines", src=later, dst=earlier, created_by=CONDUCTOR, created_at=now
                    )
                ),
                by=CONDUCTOR,
                session=session,
            )
            for later, earlier in oldest.items()
            if _may_join(graph, later, earlier)
        ]

    return plan


def _may_join(graph: Graph, later: NodeId, earlier: NodeId) -> bool:
    ends = [graph.get(later), graph.get(earlier)]
    if not all(vertex is not None and vertex.is_live for vertex in ends):
        return False
    is_drawn = any(
        link.type == "refines" and link.created_by == CONDUCTOR for link in graph.links(later) if link.src == later
    )
    return not is_drawn and not any(earlier in (link.src, link.dst) for link in graph.links(later))
