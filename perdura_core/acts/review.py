"""The review gate: elements that wait for the operator's word are accepted, as they are or edited, or refused."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from perdura_core.clock import Ids
from perdura_core.delta import Aboard, plan_accept, plan_refuse
from perdura_core.graph import Graph
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import (
    OPERATOR,
    BoardingRecord,
    Draft,
    ElementHeld,
    ElementMerged,
    Event,
    NodeId,
    OperatorActed,
    ProposalSettled,
)

__all__ = ["REVIEW_KINDS", "accept", "edited", "refuse", "waiting"]

REVIEW_KINDS = frozenset({"element_held", "proposal_settled"})
"""What to ask the store for to know what waits."""


def waiting(told: Sequence[Event]) -> list[ElementHeld]:
    """What waits for the operator, oldest first, of events of REVIEW_KINDS in order."""
    held: dict[str, ElementHeld] = {}
    for event in told:
        match event.what:
            case ElementHeld() as element:
                held[element.proposal] = element
            case ProposalSettled(proposal=proposal):
                held.pop(proposal, None)
            case _:
                pass
    return list(held.values())


def edited(held: ElementHeld, changes: Mapping[str, Any]) -> ElementHeld:
    """The held element with these fields of its wire form changed. Checked like any other when it is accepted."""
    return held.model_copy(update={"element": {**held.element, **changes}})


def accept(
    held: Sequence[ElementHeld], sender: BoardingRecord, merged: Sequence[Event], now: datetime, reason: str | None
) -> Plan:
    """Merge held elements of one boarding, attributed to the worker that sent them, as one act.

    `merged` are the ElementMerged events of that boarding. What the present graph no longer allows is settled as
    refused. The plan raises InputError when one refers to another that still waits: accept both together.
    """
    made: dict[str, NodeId] = {
        event.what.ref: event.what.node
        for event in merged
        if isinstance(event.what, ElementMerged) and event.what.ref is not None and event.what.node is not None
    }
    names = ", ".join(element.proposal for element in held)
    return _told(f"accept {names}", plan_accept(held, _aboard(sender), made, now, reason))


def refuse(held: ElementHeld, sender: BoardingRecord, reason: str | None) -> Plan:
    """Refuse a held element, as one act."""
    return _told(f"refuse {held.proposal}", plan_refuse(held, _aboard(sender), reason))


def _aboard(sender: BoardingRecord) -> Aboard:
    boarding = sender.boarding
    return Aboard(
        boarding=boarding.id,
        session=boarding.session,
        model=boarding.model,
        question=boarding.question,
        shown=frozenset([boarding.question, *(shown.node for shown in boarding.shown)]),
    )


def _told(title: str, inner: Plan) -> Plan:
    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        drafts = inner(graph, ids)
        return [Draft(what=OperatorActed(title=title, events=len(drafts)), by=OPERATOR), *drafts]

    return plan
