"""The last things that happened, newest last."""

from collections.abc import Iterable
from dataclasses import dataclass

from perdura_core.vocabulary import (
    EdgeAdded,
    Event,
    FactRecorded,
    InterpretationAdded,
    NodeId,
    QuestionAsked,
)
from perdura_tui.phrases import is_quiet

__all__ = ["Lately", "reduce_lately", "subject"]

KEPT = 60


@dataclass(frozen=True, slots=True)
class Lately:
    """Events that say something to a person, oldest first."""

    events: tuple[Event, ...] = ()


def reduce_lately(state: Lately, events: Iterable[Event]) -> Lately:
    """The last of them after these."""
    told = tuple(event for event in events if not is_quiet(event))
    return Lately((*state.events, *told)[-KEPT:]) if told else state


def subject(event: Event) -> NodeId | None:
    """The node that the event is about, if it is about one."""
    match event.what:
        case QuestionAsked(question=node) | FactRecorded(fact=node) | InterpretationAdded(interpretation=node):
            return node.id
        case EdgeAdded(edge=edge):
            return edge.src
        case _:
            named = getattr(event.what, "node", None)
            return named if isinstance(named, str) else None
