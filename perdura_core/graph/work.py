"""Who is aboard, and what became of the boardings of each question."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    EdgeAdded,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Ending,
    FactRecorded,
    Happening,
    InterpretationAdded,
    ModelId,
    NodeId,
    QuestionAsked,
)

__all__ = ["TELLING", "Stay", "Work"]

TELLING: frozenset[Ending] = frozenset({"merged", "refused", "failed"})
"""Endings that say something of the question when nothing was added; the others were cut short from outside."""


@dataclass(slots=True)
class Stay:
    """What the index keeps of one boarding while it is open."""

    boarding: str
    question: NodeId
    session: str | None = None
    has_added: bool = False
    """Whether a question, fact, interpretation or edge carries this boarding."""
    fingerprints: set[str] = field(default_factory=set)
    """Of the elements it sent so far, merged, refused or held."""
    refs: dict[str, NodeId] = field(default_factory=dict)
    """Refs of its merged elements and the nodes they became, or whose words they repeat."""
    held: dict[str, str] = field(default_factory=dict)
    """Refs of its elements that wait for the operator, and their proposals."""
    moved: set[NodeId] = field(default_factory=set)
    """Nodes that it sent as a fact or a claim and that were put in the other layer."""

    def note(self, what: ElementMerged | ElementRejected | ElementHeld) -> None:
        """Take note of what became of one of its elements."""
        self.fingerprints.add(what.fingerprint)
        if isinstance(what, ElementHeld):
            ref = what.element.get("ref")
            if isinstance(ref, str):
                self.held[ref] = what.proposal
        elif what.ref is not None and what.node is not None:
            self.refs[what.ref] = what.node
            if isinstance(what, ElementMerged) and what.node[0] == {"fact": "i", "claim": "f"}.get(what.element):
                self.moved.add(what.node)


class Work:
    """Open boardings in full, ended ones as counts per question."""

    def __init__(
        self,
        boarded: Iterable[tuple[NodeId, ModelId]] = (),
        idle: Mapping[NodeId, int] | None = None,
        aboard: Iterable[Stay] = (),
    ) -> None:
        self.aboard: dict[str, Stay] = {stay.boarding: stay for stay in aboard}
        self.total = 0
        self._models: dict[NodeId, list[ModelId]] = {}
        self._idle: dict[NodeId, int] = dict(idle or {})
        for question, model in boarded:
            self._note(question, model)

    def models(self, question: NodeId) -> list[ModelId]:
        """Models that boarded the question, oldest first, as a copy."""
        return list(self._models.get(question, ()))

    def boardings(self, question: NodeId) -> int:
        """How many boardings the question has had."""
        return len(self._models.get(question, ()))

    def idle(self, question: NodeId) -> int:
        """How many of its latest boardings, in the order they ended, added no node and no edge, unless cut short."""
        return self._idle.get(question, 0)

    def change(self, what: Happening) -> None:
        """Take note of what happened. What ended boardings alone needed is forgotten."""
        match what:
            case BoardingOpened(boarding=boarding):
                self.aboard[boarding.id] = Stay(boarding.id, boarding.question, boarding.session)
                self._note(boarding.question, boarding.model)
            case BoardingEnded():
                stay = self.aboard.pop(what.boarding, None)
                if stay is not None and (stay.has_added or what.ending in TELLING):
                    self._idle[stay.question] = 0 if stay.has_added else self.idle(stay.question) + 1
            case (
                QuestionAsked(question=made)
                | FactRecorded(fact=made)
                | InterpretationAdded(interpretation=made)
                | EdgeAdded(edge=made)
            ):
                if made.boarding in self.aboard:
                    self.aboard[made.boarding].has_added = True
            case ElementMerged() | ElementRejected() | ElementHeld():
                stay = self.aboard.get(what.boarding)
                if stay is not None:
                    stay.note(what)
            case _:
                pass

    def _note(self, question: NodeId, model: ModelId) -> None:
        self._models.setdefault(question, []).append(model)
        self.total += 1
