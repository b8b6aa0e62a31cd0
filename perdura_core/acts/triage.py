"""Settling a dispute: one side, both, or the same thing said twice."""

from datetime import datetime

from perdura_core.acts.act import Act, interpretation
from perdura_core.acts.curation import refuse_circle
from perdura_core.clock import Ids
from perdura_core.errors import InputError
from perdura_core.graph import Graph, Link
from perdura_core.vocabulary import (
    OPERATOR,
    ConfidenceRevised,
    Edge,
    EdgeAdded,
    EdgeRetracted,
    EdgeType,
    Happening,
    Interpretation,
    InterpretationAdded,
    NodeId,
    NodeSuperseded,
    SuspicionDismissed,
    clean,
)

__all__ = ["merge_as_same", "prefer", "stand_both"]

_ENDORSED = 0.95
"""What the operator's preference is worth as a confidence."""


def prefer(winner: NodeId, loser: NodeId) -> Act:
    """Settle a dispute for one side: the other gives way to it, and both sides' records say so."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        _, kept = interpretation(graph, loser), interpretation(graph, winner)
        refuse_circle(graph, loser, kept)
        return [
            NodeSuperseded(node=loser, superseded_by=winner, reason="the operator preferred the other side"),
            *_endorsed(winner, kept.confidence),
        ]

    return Act(f"prefer {winner} to {loser}", happenings)


def stand_both(left: NodeId, right: NodeId, scope: str, now: datetime, *, is_suspected: bool = False) -> Act:
    """Let both sides stand, each in its scope: a claim says how they go together, refines both, and ends the dispute.

    is_suspected: they need not contradict each other yet, and will not be suspected again. Raises InputError at once
    when the scope is empty.
    """
    text = clean(scope).strip()
    if not text:
        raise InputError("say in which scope each side holds: without it the dispute would only come back")

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        sides = [interpretation(graph, node) for node in (left, right)]
        disputes = _disputes(graph, left, right)
        if not disputes and not is_suspected:
            raise InputError(f"{left} and {right} do not contradict each other: there is nothing to settle")
        scoping = Interpretation(
            id=ids.next("i"),
            kind="claim",
            text=text,
            domains=tuple(dict.fromkeys(domain for side in sides for domain in side.domains)),
            asserted_confidence=0.9,
            confidence=0.9,
            velocity=graph.velocity_of(domain for side in sides for domain in side.domains),
            created_by=OPERATOR,
            created_at=now,
        )
        answered = dict.fromkeys(
            link.dst
            for side in sides
            for link in graph.links(side.id)
            if link.type == "answers" and link.src == side.id
        )
        links: list[tuple[EdgeType, NodeId]] = [
            ("refines", left),
            ("refines", right),
            *(("answers", node) for node in answered),
        ]
        return [
            InterpretationAdded(interpretation=scoping),
            *(_edge(ids, kind, scoping.id, node, now) for kind, node in links),
            *(
                EdgeRetracted(
                    edge=link.id, was=_as_edge(link, now), reason=f"{scoping.id} says in which scope each holds"
                )
                for link in disputes
            ),
            *([SuspicionDismissed(left=left, right=right)] if is_suspected else []),
        ]

    return Act(f"let {left} and {right} both stand", happenings)


def merge_as_same(kept: NodeId, repeated: NodeId, now: datetime) -> Act:
    """Say that two interpretations are one: the second gives way to the first, which takes over its links."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        stays, _ = interpretation(graph, kept), interpretation(graph, repeated)
        refuse_circle(graph, repeated, stays)
        moved: list[Happening] = []
        for link in graph.links(repeated):
            src, dst = (kept if end == repeated else end for end in (link.src, link.dst))
            if src != dst and graph.edge_between(link.type, src, dst) is None:
                same = _as_edge(link, now)
                moved.append(EdgeAdded(edge=same.model_copy(update={"id": ids.next("e"), "src": src, "dst": dst})))
        return [*moved, NodeSuperseded(node=repeated, superseded_by=kept, reason="the operator found them the same")]

    return Act(f"merge {repeated} into {kept}", happenings)


def _disputes(graph: Graph, left: NodeId, right: NodeId) -> list[Link]:
    """The edges of the dispute, those of what says either side again too."""
    ends = {right, *graph.spoken_for(right)}
    return [
        link
        for node in (left, *graph.spoken_for(left))
        for link in graph.links(node)
        if link.type == "contradicts" and not ends.isdisjoint({link.src, link.dst})
    ]


def _edge(ids: Ids, kind: EdgeType, src: NodeId, dst: NodeId, now: datetime) -> EdgeAdded:
    edge = Edge(id=ids.next("e"), type=kind, src=src, dst=dst, created_by=OPERATOR, created_at=now)
    return EdgeAdded(edge=edge)


def _as_edge(link: Link, now: datetime) -> Edge:
    """The link with its author; the index does not keep when it was drawn."""
    return Edge(
        id=link.id,
        type=link.type,
        src=link.src,
        dst=link.dst,
        created_by=link.created_by,
        boarding=link.boarding,
        created_at=now,
    )


def _endorsed(node: NodeId, before: float) -> list[Happening]:
    """Halfway to near certainty; how often the operator is right is for later outcomes to say."""
    after = round(max(before, (before + _ENDORSED) / 2), 6)
    return [ConfidenceRevised(node=node, before=before, after=after, reason="preferred by the operator")]
