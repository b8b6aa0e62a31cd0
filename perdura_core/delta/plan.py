"""Plans: pure decisions that run under the write lock and see the graph as it is at that moment."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from perdura_core.clock import Ids
from perdura_core.delta.fingerprint import as_sent
from perdura_core.delta.merge import Merge
from perdura_core.delta.parser import RawElement
from perdura_core.delta.piece import Aboard, Piece
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import OPERATOR, Draft, ElementHeld, ElementRejected, NodeId, ProposalSettled

__all__ = ["plan_accept", "plan_elements", "plan_refuse"]

_PROPOSAL = re.compile(r"p\d+")


def plan_elements(group: Sequence[RawElement], aboard: Aboard, now: datetime) -> Plan:
    """Merge a group that came out of an Intake. Each element ends in one of merged, refused and held.

    An element that this boarding sent before, whatever became of it, changes nothing and leaves no trace. An element
    merges whole or not at all; who refers to a refused one is refused too.
    """
    read = [Piece.of(raw) for raw in group]  # validated before the lock is taken

    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        pieces: dict[str, Piece] = {}
        for piece in read:
            if not graph.was_applied(aboard.boarding, piece.fingerprint):
                pieces.setdefault(piece.fingerprint, replace(piece, ends={}, left_out=[]))
        return Merge(graph, ids, aboard, now).drafts(list(pieces.values()))

    return plan


def plan_accept(
    held: Sequence[ElementHeld], aboard: Aboard, made: Mapping[str, NodeId], now: datetime, reason: str | None = None
) -> Plan:
    """Merge elements of one boarding that the operator accepted, attributed to the worker that sent them.

    aboard: the boarding that sent them; what it was shown does not matter any more.
    made: proposals of the same boarding that were accepted before, and their nodes. Accept those that refer to each
        other together.
    A proposal that the present graph no longer allows is settled as refused, with the reason. Raises InputError if
    one refers to a proposal that still waits.
    """

    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        _check_order(held, made)
        pieces = [Piece.of_value(entry.index, _named(entry), entry.fingerprint) for entry in held]
        drafts = Merge(graph, ids, aboard, now, made).drafts(pieces)
        settled = []
        for entry, piece in zip(held, pieces, strict=True):
            refusal = piece.refusal
            why = reason if refusal is None else refusal.detail
            settled.append(_settled(entry, aboard, accepted=refusal is None, reason=why))
        return [*drafts, *settled]

    return plan


def plan_refuse(held: ElementHeld, aboard: Aboard, reason: str | None = None) -> Plan:
    """Refuse a held element by the operator's word."""

    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        rejected = ElementRejected(
            boarding=held.boarding,
            index=held.index,
            fingerprint=held.fingerprint,
            reason="operator_refused",
            detail=reason or "the operator refused it",
            sent=as_sent(held.element),
        )
        draft = Draft(what=rejected, by=OPERATOR, boarding=aboard.boarding, session=aboard.session)
        return [draft, _settled(held, aboard, accepted=False, reason=reason)]

    return plan


def _check_order(held: Sequence[ElementHeld], made: Mapping[str, NodeId]) -> None:
    together = {entry.proposal for entry in held}
    for entry in held:
        element = entry.element
        names = [element.get("from"), *element.get("facts", ()), *(link["to"] for link in element.get("links", ()))]
        for name in names:
            if name is not None and _PROPOSAL.fullmatch(name) and name not in made and name not in together:
                raise InputError(f"{entry.proposal!r} refers to {name!r}, which still waits: accept that one first")


def _named(held: ElementHeld) -> dict[str, object]:
    """The element under its proposal's id as its ref, by which others of the group refer to it."""
    return {**held.element, "ref": held.proposal} if "ref" in held.element else held.element


def _settled(held: ElementHeld, aboard: Aboard, *, accepted: bool, reason: str | None) -> Draft:
    what = ProposalSettled(proposal=held.proposal, accepted=accepted, reason=reason)
    return Draft(what=what, by=OPERATOR, boarding=aboard.boarding, session=aboard.session)
