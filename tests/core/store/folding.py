"""State as a plain fold of events, sharing nothing with the store, to compare with."""

from dataclasses import dataclass, field
from typing import Any

from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    BoardingRecord,
    ConfidenceRevised,
    ConfidencesRevised,
    CostSettled,
    Edge,
    EdgeAdded,
    EdgeRetracted,
    Event,
    Fact,
    FactObserved,
    FactRecorded,
    InterpretationAdded,
    LevelChanged,
    Node,
    NodeRestored,
    NodeSuperseded,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    StatusChanged,
)

__all__ = ["Folded", "fold"]


@dataclass
class Folded:
    """State as a plain fold of the events, one dictionary a table."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    boardings: dict[str, BoardingRecord] = field(default_factory=dict)
    spend: list[tuple[str, int]] = field(default_factory=list)

    def change(self, node: str, **fields: Any) -> None:
        self.nodes[node] = self.nodes[node].model_copy(update=fields)

    def apply(self, event: Event) -> None:  # noqa: PLR0912 - one case per kind, so that nothing of the store is shared
        match event.what:
            case QuestionAsked(question=node) | FactRecorded(fact=node) | InterpretationAdded(interpretation=node):
                self.nodes[node.id] = node
            case FactObserved(node=node, occurrence=occurrence):
                fact = self.nodes[node]
                assert isinstance(fact, Fact)
                self.change(node, occurrences=(*fact.occurrences, occurrence))
            case EdgeAdded(edge=edge):
                self.edges[edge.id] = edge
            case EdgeRetracted(edge=edge):
                del self.edges[edge]
            case QuestionResolved(node=node, resolved_by=by):
                self.change(node, status="resolved", resolved_by=by)
            case QuestionReopened(node=node):
                self.change(node, status="open", resolved_by=None)
            case QuestionPinned(node=node, pinned=pinned):
                self.change(node, pinned=pinned)
            case ConfidenceRevised(node=node, after=after):
                self.change(node, confidence=after)
            case ConfidencesRevised(after=moved):
                for node, after in moved.items():
                    self.change(node, confidence=after)
            case LevelChanged(node=node, after=level):
                self.change(node, level=level)
            case StatusChanged(node=node, after=after):
                self.change(node, status=after)
            case NodeSuperseded(node=node, superseded_by=by):
                self.change(node, superseded_by=by)
            case NodeRestored(node=node):
                self.change(node, superseded_by=None)
            case BoardingOpened(boarding=boarding):
                self.boardings[boarding.id] = BoardingRecord(boarding=boarding)
            case BoardingEnded() as end:
                ended = {
                    name: getattr(end, name) for name in BoardingEnded.model_fields if name not in {"kind", "boarding"}
                }
                self.boardings[end.boarding] = self.boardings[end.boarding].model_copy(update=ended)
            case CostSettled(boarding=boarding, cost_micro_usd=cost):
                self.spend.append((boarding, cost))
            case _:
                pass


def fold(events: list[Event]) -> Folded:
    """Everything that the events say."""
    folded = Folded()
    for event in events:
        folded.apply(event)
    return folded
