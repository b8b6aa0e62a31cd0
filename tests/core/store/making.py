"""Drafts and plans for tests, with as little said as possible."""

from collections.abc import Sequence
from datetime import UTC, datetime

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.store import Plan, Store
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    Draft,
    Edge,
    EdgeAdded,
    ElementMerged,
    Event,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    MindCreated,
    Occurrence,
    Question,
    QuestionAsked,
    Route,
    Shown,
)

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
MODEL = "reader:doubt"


def question(text: str = "Is it safe?", id: str = "q1") -> QuestionAsked:
    """Somebody asked."""
    return QuestionAsked(question=Question(id=id, text=text, created_by="operator", created_at=NOW))


def fact(text: str = "It rained.", id: str = "f1") -> FactRecorded:
    """A fact from one source."""
    seen = Occurrence(source="notes.md#L1", recorded_at=NOW, recorded_by="ingest")
    return FactRecorded(fact=Fact(id=id, text=text, occurrences=(seen,), created_by="ingest", created_at=NOW))


def claim(text: str = "It is safe.", id: str = "i1") -> InterpretationAdded:
    """A claim of a model."""
    return InterpretationAdded(
        interpretation=Interpretation(
            id=id, kind="claim", text=text, confidence=0.5, created_by=MODEL, created_at=NOW
        )
    )  # fmt: skip


def edge(src: str, dst: str, id: str = "e1") -> EdgeAdded:
    """An answer."""
    return EdgeAdded(edge=Edge(id=id, type="answers", src=src, dst=dst, created_by=MODEL, created_at=NOW))


def boarding(id: str = "b1", shown: Sequence[str] = (), session: str | None = None) -> BoardingOpened:
    """A boarding on q1."""
    return BoardingOpened(
        boarding=Boarding(
            id=id,
            session=session,
            seat=1,
            question="q1",
            model=MODEL,
            route=Route(model=MODEL, policy="cheap", reason="the cheapest"),
            shown=tuple(Shown(node=node) for node in shown),
            opened_at=NOW,
        )
    )


def draft(what: Happening) -> Draft:
    """By the model, aboard nothing."""
    return Draft(what=what, by=MODEL)


async def put(store: Store, *what: Happening) -> list[Event]:
    """Write without a journal, in one transaction."""
    head = await store.head()
    events = [Event(seq=seq, at=NOW, by=MODEL, what=each) for seq, each in enumerate(what, head + 1)]
    await store.begin(head)
    await store.commit(events)
    return events


def start() -> list[Happening]:
    """A mind with one question."""
    return [MindCreated(version="1"), question()]


def element(name: str) -> Plan:
    """A plan for one element: a claim with its edge to q1. The three events belong together."""

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        node, link = ids.next("i"), ids.next("e")
        merged = ElementMerged(
            boarding=name, index=0, fingerprint=name, element="claim", node=node, edges=(link,)
        )  # fmt: skip
        return [draft(claim(f"It is safe, says {name}.", node)), draft(edge(node, "q1", link)), draft(merged)]

    return plan


def check_whole(events: Sequence[Event]) -> set[str]:
    """The names of the elements that the journal holds; each must be there whole, and the journal without a gap."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    names = {event.what.boarding: event for event in events if isinstance(event.what, ElementMerged)}
    for event in names.values():
        added, linked = events[event.seq - 3].what, events[event.seq - 2].what
        assert isinstance(added, InterpretationAdded)
        assert isinstance(linked, EdgeAdded)
        assert isinstance(event.what, ElementMerged)
        assert (added.interpretation.id, (linked.edge.id,)) == (event.what.node, event.what.edges)
    assert len(names) * 3 == sum(e.kind in {"interpretation_added", "edge_added", "element_merged"} for e in events)
    return set(names)
