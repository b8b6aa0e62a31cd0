"""Taking an act back by events that compensate for it. Nothing is erased."""

from collections.abc import Mapping, Sequence

from perdura_core.acts.act import vertex
from perdura_core.clock import Ids
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import (
    OPERATOR,
    UNDONE,
    ActUndone,
    AnswerGraded,
    CardChanged,
    ConfidenceRevised,
    DomainProfiled,
    Draft,
    EdgeAdded,
    EdgeRetracted,
    ElementHeld,
    Event,
    FactRecorded,
    Happening,
    InterpretationAdded,
    LevelChanged,
    ModelDisabled,
    ModelEnabled,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    OperatorActed,
    PromotionProposed,
    PromotionSettled,
    ProposalSettled,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    StatusChanged,
    SuspicionDismissed,
)

__all__ = ["ACT_KINDS", "last_act", "undo"]

ACT_KINDS = frozenset({"operator_acted", "act_undone"})
"""What to ask the store for to know which acts stand."""

Held = ElementHeld | PromotionProposed
"""What waited for the operator's word."""


def last_act(told: Sequence[Event]) -> Event | None:
    """The newest act that was not taken back, of events of ACT_KINDS in order; None when there is none."""
    undone = {event.what.act for event in told if isinstance(event.what, ActUndone)}
    standing = [event for event in told if isinstance(event.what, OperatorActed) and event.seq not in undone]
    return standing[-1] if standing else None


def undo(act: Event, done: Sequence[Event], held: Mapping[str, Held] | None = None) -> Plan:
    """Take an act back, what it did last first.

    `done` are the events of the act, right after its own; `held` what it settled: elements that waited, or promotions
    that were proposed. The plan raises InputError when the act cannot be taken back, or when somebody has built on it
    since.
    """

    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        back: list[Happening] = []
        for event in reversed(done):
            back.extend(_compensation(event.what, graph, ids, held or {}))
        title = act.what.title if isinstance(act.what, OperatorActed) else act.kind
        told = ActUndone(act=act.seq, title=title, events=len(back))
        return [Draft(what=what, by=OPERATOR) for what in (told, *back)]

    return plan


def _compensation(  # noqa: PLR0912 - one case for each thing that an act can do
    what: Happening, graph: Graph, ids: Ids, held: Mapping[str, Held]
) -> list[Happening]:
    match what:
        case QuestionAsked(question=asked):
            if graph.boardings_of(asked.id):
                raise InputError(f"{asked.id} has been worked on since: resolve it instead")
            return [QuestionResolved(node=asked.id)]
        case QuestionResolved(node=node):
            return [QuestionReopened(node=node)]
        case QuestionReopened(node=node, resolved_by=answer):
            return [QuestionResolved(node=node, resolved_by=answer)]
        case QuestionPinned(node=node, pinned=pinned):
            return [QuestionPinned(node=node, pinned=not pinned)]
        case SuspicionDismissed(is_dismissed=is_dismissed):
            return [what.model_copy(update={"is_dismissed": not is_dismissed})]
        case InterpretationAdded(interpretation=added):
            before = vertex(graph, added.id).status
            return [StatusChanged(node=added.id, before=before, after="deleted", reason=UNDONE)]
        case FactRecorded(fact=recorded, placed=placed) if placed is not None and placed.moved_from is not None:
            return [NodeSuperseded(node=recorded.id, superseded_by=placed.moved_from, reason=UNDONE)]
        case StatusChanged(node=node, before=before, after=after):
            return [StatusChanged(node=node, before=after, after=before, reason=UNDONE)]
        case NodeSuperseded(node=node):
            return [NodeRestored(node=node, reason=UNDONE)]
        case ConfidenceRevised(node=node, before=before, after=after):
            present = vertex(graph, node).confidence
            moved = round(min(1.0, max(0.0, present - (after - before))), 6)
            return [ConfidenceRevised(node=node, before=present, after=moved, reason=UNDONE)]
        case EdgeAdded(edge=edge):
            return [EdgeRetracted(edge=edge.id, was=edge, reason=UNDONE)] if graph.edge(edge.id) else []
        case EdgeRetracted(was=was) if was is not None:
            if graph.edge_between(was.type, was.src, was.dst) is not None:
                return []
            return [EdgeAdded(edge=was.model_copy(update={"id": ids.next("e")}))]
        case ModelDisabled(model=model):
            return [ModelEnabled(model=model)]
        case ModelEnabled(model=model):
            return [ModelDisabled(model=model, reason="its enabling was undone")]
        case AnswerGraded(node=node, before=grade, grade=given):
            return [AnswerGraded(node=node, before=given, grade=grade)]
        case DomainProfiled(domain=domain, velocity=velocity, before=earlier):
            if domain in graph.domains_in_use():
                raise InputError(f"the domain {domain!r} has interpretations by now: its velocity is settled")
            return [DomainProfiled(domain=domain, velocity=earlier or "medium", before=velocity)]
        case CardChanged(model=model, before=terms, after=changed):
            return [CardChanged(model=model, before=changed, after=terms)]
        case LevelChanged(node=node, before=level, after=raised):
            return [LevelChanged(node=node, before=raised, after=level)]
        case ProposalSettled(proposal=proposal) | PromotionSettled(proposal=proposal) if proposal in held:
            return [held[proposal].model_copy(update={"proposal": ids.next("p")})]
        case NodeRedacted(node=node):
            raise InputError(f"the text of {node} is destroyed: redaction can't be undone")
        case _:
            return []
