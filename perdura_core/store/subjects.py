"""Which ids an event names."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from perdura_core.vocabulary import (
    BoardingOpened,
    CostReserved,
    CostSettled,
    Edge,
    EdgeAdded,
    ElementHeld,
    ElementMerged,
    Event,
    Fact,
    FactObserved,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    NodeSuperseded,
    PromotionProposed,
    Question,
    QuestionAsked,
    QuestionResolved,
    SessionStarted,
    SuspicionDismissed,
)

__all__ = ["given_ids", "number_of", "subjects_of"]


def number_of(identifier: str) -> int:
    """The number in an id: 7 for `q7`."""
    return int(identifier[1:])


def subjects_of(event: Event) -> set[str]:
    """The nodes and boardings that the event is about.

    A briefing does not name the nodes it showed, nor an import those it brought.
    """
    name = _NAMED.get(event.what.kind)
    named = {*name(event.what), event.boarding} if name else {event.boarding}
    return {subject for subject in named if subject is not None}


def given_ids(event: Event) -> Iterable[str]:
    """Ids that were given out for what this event added."""
    give = _GIVEN.get(event.what.kind)
    return (give(event.what),) if give else ()


def _of_node(node: Question | Fact | Interpretation) -> Iterable[str | None]:
    return (node.id, node.boarding)


def _of_interpretation(what: InterpretationAdded) -> Iterable[str | None]:
    return (*_of_node(what.interpretation), *what.interpretation.facts)


def _of_edge(edge: Edge) -> Iterable[str | None]:
    return (edge.src, edge.dst, edge.boarding)


def _node(what: Any) -> Iterable[str | None]:
    return (what.node,)


def _boarding(what: Any) -> Iterable[str | None]:
    return (what.boarding,)


def _asked(what: QuestionAsked) -> Iterable[str | None]:
    return _of_node(what.question)


def _resolved(what: QuestionResolved) -> Iterable[str | None]:
    return (what.node, what.resolved_by)


def _recorded(what: FactRecorded) -> Iterable[str | None]:
    return _of_node(what.fact)


def _observed(what: FactObserved) -> Iterable[str | None]:
    return (what.node, what.occurrence.boarding)


def _linked(what: EdgeAdded) -> Iterable[str | None]:
    return _of_edge(what.edge)


def _superseded(what: NodeSuperseded) -> Iterable[str | None]:
    return (what.node, what.superseded_by)


def _both(what: SuspicionDismissed) -> Iterable[str | None]:
    return (what.left, what.right)


def _opened(what: BoardingOpened) -> Iterable[str | None]:
    return (what.boarding.id, what.boarding.question)


def _merged(what: ElementMerged) -> Iterable[str | None]:
    return (what.boarding, what.node)


def _members(what: PromotionProposed) -> Iterable[str | None]:
    return what.members


def _cost(what: CostReserved | CostSettled) -> Iterable[str | None]:
    return (what.boarding, what.question)


_NAMED: Mapping[str, Callable[[Any], Iterable[str | None]]] = {
    "question_asked": _asked,
    "question_resolved": _resolved,
    "question_reopened": _node,
    "question_pinned": _node,
    "suspicion_dismissed": _both,
    "answer_graded": _node,
    "fact_recorded": _recorded,
    "fact_observed": _observed,
    "interpretation_added": _of_interpretation,
    "edge_added": _linked,
    "confidence_voted": _node,
    "confidence_revised": _node,
    "node_superseded": _superseded,
    "layer_settled": _node,
    "node_restored": _node,
    "status_changed": _node,
    "level_changed": _node,
    "promotion_proposed": _members,
    "node_redacted": _node,
    "boarding_opened": _opened,
    "boarding_ended": _boarding,
    "element_merged": _merged,
    "element_rejected": _boarding,
    "element_held": _boarding,
    "cost_reserved": _cost,
    "cost_settled": _cost,
}


def _new_question(what: QuestionAsked) -> str:
    return what.question.id


def _new_fact(what: FactRecorded) -> str:
    return what.fact.id


def _new_interpretation(what: InterpretationAdded) -> str:
    return what.interpretation.id


def _new_edge(what: EdgeAdded) -> str:
    return what.edge.id


def _new_boarding(what: BoardingOpened) -> str:
    return what.boarding.id


def _new_session(what: SessionStarted) -> str:
    return what.session


def _new_proposal(what: ElementHeld | PromotionProposed) -> str:
    return what.proposal


_GIVEN: Mapping[str, Callable[[Any], str]] = {
    "question_asked": _new_question,
    "fact_recorded": _new_fact,
    "interpretation_added": _new_interpretation,
    "edge_added": _new_edge,
    "boarding_opened": _new_boarding,
    "session_started": _new_session,
    "element_held": _new_proposal,
    "promotion_proposed": _new_proposal,
}
