"""A mind without a store: plans become events and move a real Graph, as the journal does it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from perdura_core.clock import Ids
from perdura_core.delta import Aboard, DeltaParser, Intake, RawElement, plan_elements
from perdura_core.graph import Graph
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    Draft,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Event,
    Fact,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    Node,
    Occurrence,
    Question,
    QuestionAsked,
    Route,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
Happened = TypeVar("Happened")


class World:
    """Events, and the graph that they made."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.ids = Ids()
        self.events: list[Event] = []

    def write(self, plan: Plan) -> list[Event]:
        return self.note(plan(self.graph, self.ids))

    def note(self, drafts: Sequence[Draft]) -> list[Event]:
        new = []
        for draft in drafts:
            seq = len(self.events) + 1
            event = Event(
                seq=seq, at=NOW + timedelta(seconds=seq), by=draft.by, boarding=draft.boarding, what=draft.what
            )
            self.events.append(event)
            new.append(event)
        self.graph.apply(new)
        return new

    def add(self, *nodes: Node) -> None:
        for node in nodes:
            self.ids.seen(node.id)
            what: Any
            match node:
                case Question():
                    what = QuestionAsked(question=node)
                case Fact():
                    what = FactRecorded(fact=node)
                case _:
                    what = InterpretationAdded(interpretation=node)
            self.note([Draft(what=what, by=node.created_by)])

    def board(self, **changes: Any) -> Aboard:
        """Open a boarding on q1 that shows every node of the mind."""
        id_ = self.ids.next("b")
        model = changes.pop("model", "test:model")
        route = Route(model=model, policy="cheap", reason="test")
        boarding = Boarding(id=id_, seat=0, question="q1", model=model, route=route, opened_at=NOW)
        self.note([Draft(what=BoardingOpened(boarding=boarding), by="conductor", boarding=id_)])
        shown = frozenset(vertex.id for vertex in self.graph.vertices())
        fields = {"boarding": id_, "model": model, "question": "q1", "domains": ("climate",), "shown": shown}
        return Aboard(**(fields | changes))

    def say(self, aboard: Aboard, *values: Any) -> list[Event]:
        """What becomes of a delta of these elements, told as a worker tells it."""
        return self.tell(aboard, [RawElement(index, value) for index, value in enumerate(values)])

    def reply(self, aboard: Aboard, text: str) -> list[Event]:
        parser = DeltaParser()
        return self.tell(aboard, parser.feed(text) + parser.close())

    def tell(self, aboard: Aboard, elements: Sequence[RawElement]) -> list[Event]:
        intake = Intake(aboard.shown)
        groups = [group for raw in elements for group in intake.offer(raw)] + intake.close()
        return [event for group in groups for event in self.write(plan_elements(group, aboard, NOW))]

    def text_of(self, node: str) -> str:
        for event in self.events:
            for field in ("question", "fact", "interpretation"):
                added: Any = getattr(event.what, field, None)
                if getattr(added, "id", None) == node:
                    return str(added.text)
        raise AssertionError(node)


def question(id_: str, text: str, **changes: Any) -> Question:
    return Question(id=id_, text=text, created_by="operator", created_at=NOW, **changes)


def fact(id_: str, text: str, **changes: Any) -> Fact:
    seen = (Occurrence(source="a.md#L1", recorded_at=NOW, recorded_by="ingest"),)
    return Fact(id=id_, text=text, created_by="ingest", created_at=NOW, **({"occurrences": seen} | changes))


def claim(id_: str, text: str, **changes: Any) -> Interpretation:
    fields = {"kind": "claim", "confidence": 0.7, "asserted_confidence": 0.7, "created_by": "other:model"}
    return Interpretation(id=id_, text=text, created_at=NOW, **(fields | changes))


def small_world() -> World:
    """q1, q2, f1 to f3, the claims i1 and i2, the decision i3."""
    world = World()
    world.add(
        question("q1", "Is recent warming caused by people?"),
        question("q2", "Does sea ice grow?"),
        fact("f1", "Sea ice around Antarctica expanded until 2013."),
        fact("f2", "Carbon dioxide traps heat."),
        fact("f3", "The sun was quiet."),
        claim("i1", "People cause most of the warming."),
        claim("i2", "The sun causes most of the warming.", confidence=0.4, asserted_confidence=0.4),
        claim("i3", "We act on emissions.", kind="decision", confidence=0.8, asserted_confidence=0.8),
    )
    return world


def of(events: Sequence[Event], kind: type[Happened]) -> list[Happened]:
    return [event.what for event in events if isinstance(event.what, kind)]


def endings(events: Sequence[Event]) -> list[str]:
    """`merged`, `held`, or the reason of the refusal, by position in the delta."""
    found: dict[int, list[str]] = {}
    for event in events:
        match event.what:
            case ElementMerged(index=index):
                found.setdefault(index, []).append("merged")
            case ElementHeld(index=index):
                found.setdefault(index, []).append("held")
            case ElementRejected(index=index, reason=reason):
                found.setdefault(index, []).append(reason)
    assert all(len(ends) == 1 for ends in found.values()), found
    return [found[index][0] for index in sorted(found)]
