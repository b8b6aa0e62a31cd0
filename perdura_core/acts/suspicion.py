"""What the operator makes of a suspected pair: a contradiction, or nothing."""

from datetime import datetime

from perdura_core.acts.act import Act, interpretation
from perdura_core.clock import Ids
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.vocabulary import OPERATOR, Edge, EdgeAdded, Happening, NodeId, SuspicionDismissed

__all__ = ["contradict", "dismiss"]


def contradict(left: NodeId, right: NodeId, now: datetime) -> Act:
    """Say that two interpretations contradict each other: from now on it is a dispute like any other."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        if left == right:
            raise InputError(f"{left} cannot contradict itself: name two")
        for node in (left, right):
            interpretation(graph, node)
        if any(link.type == "contradicts" and right in {link.src, link.dst} for link in graph.links(left)):
            raise InputError(f"{left} and {right} contradict each other already: settle it in triage")
        edge = Edge(id=ids.next("e"), type="contradicts", src=right, dst=left, created_by=OPERATOR, created_at=now)
        return [EdgeAdded(edge=edge)]

    return Act(f"say that {left} and {right} contradict each other", happenings)


def dismiss(left: NodeId, right: NodeId) -> Act:
    """Say that two interpretations do not contradict each other: they are not suspected again."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        for node in (left, right):
            interpretation(graph, node)
        return [SuspicionDismissed(left=left, right=right)]

    return Act(f"suspect {left} and {right} no longer", happenings)
