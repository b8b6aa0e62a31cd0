"""From what a step worked out to what the journal is to hold: plans that look at the present before they change it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.store import Plan
from perdura_core.upkeep.order import Move, Outcome, Proposal, Revision
from perdura_core.vocabulary import (
    CONDUCTOR,
    ConfidencesRevised,
    Draft,
    Happening,
    NodeId,
    PromotionProposed,
    PromotionSettled,
    StatusChanged,
)

__all__ = ["PORTION", "changes_of", "plans_of", "touched_by"]

PORTION = 250
"""Changes that are written in one transaction, so that nobody waits long for the lock or the event loop."""


def changes_of(outcome: Outcome) -> int:
    """How much of the mind the step changes."""
    revised = 0 if outcome.revision is None else len(outcome.revision.numbers)
    return revised + len(outcome.moves) + len(outcome.proposals) + len(outcome.withdrawn)


def touched_by(outcome: Outcome) -> Iterator[NodeId]:
    """The interpretations whose confidence or status the step changes."""
    if outcome.revision is not None:
        yield from (f"i{number}" for number in outcome.revision.numbers.tolist())
    yield from (move.node for move in outcome.moves)


def plans_of(outcome: Outcome, now: datetime) -> list[Plan]:
    """A plan for each transaction. What somebody changed since it was read is left to the next run."""
    plans: list[Plan] = []
    if outcome.revision is not None:
        whole = outcome.revision
        for start in range(0, len(whole.numbers), PORTION):
            part = slice(start, start + PORTION)
            portion = Revision(whole.numbers[part], whole.before[part], whole.after[part])
            plans.append(_revising(portion, now))
    plans += [_moving(outcome.moves[start : start + PORTION], now) for start in range(0, len(outcome.moves), PORTION)]
    if outcome.proposals or outcome.withdrawn:
        plans.append(_proposing(outcome.proposals, outcome.withdrawn))
    return plans


def _drafts(*happenings: Happening) -> list[Draft]:
    return [Draft(what=what, by=CONDUCTOR) for what in happenings]


def _revising(revision: Revision, now: datetime) -> Plan:
    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        after = {}
        for number, was, becomes in zip(*(column.tolist() for column in revision), strict=True):
            vertex = graph.get(f"i{number}")
            if vertex is not None and vertex.confidence == was and vertex.superseded_by is None:
                after[vertex.id] = becomes
        if not after:
            return ()
        return _drafts(ConfidencesRevised(as_of=now, after=after, reason="age, use and facts"))

    return plan


def _moving(moves: Sequence[Move], now: datetime) -> Plan:
    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        return _drafts(
            *(
                StatusChanged(node=move.node, before=move.before, after=move.after, reason=move.reason, as_of=now)
                for move in moves
                if (vertex := graph.get(move.node)) is not None
                and vertex.status == move.before
                and vertex.superseded_by is None
            )
        )

    return plan


def _proposing(proposals: Sequence[Proposal], withdrawn: Sequence[tuple[str, str]]) -> Plan:
    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        return _drafts(
            *(PromotionSettled(proposal=proposal, ending="withdrawn", reason=reason) for proposal, reason in withdrawn),
            *(
                PromotionProposed(
                    proposal=ids.next("p"),
                    level=one.level,
                    members=one.members,
                    text=one.text,
                    domains=one.domains,
                    confidence=one.confidence,
                    why=one.why,
                )
                for one in proposals
            ),
        )

    return plan
