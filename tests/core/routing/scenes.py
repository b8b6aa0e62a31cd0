"""Events made by hand, for a mind without a store."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    Boarding,
    BoardingEnded,
    BoardingOpened,
    Edge,
    EdgeAdded,
    EdgeType,
    Event,
    Happening,
    Interpretation,
    InterpretationAdded,
    InterpretationKind,
    NodeId,
    Question,
    QuestionAsked,
    Route,
    Stake,
)

NOW = datetime(2026, 12, 1, 14, 0, tzinfo=UTC)


class Scene:
    """A journal in memory, with the graph it gives."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.events: list[Event] = []
        self._boardings = 0

    def happen(self, what: Happening, by: str = "conductor", session: str | None = None) -> Event:
        seq = len(self.events) + 1
        event = Event(seq=seq, at=NOW + timedelta(seconds=seq), by=by, session=session, what=what)
        self.events.append(event)
        self.graph.apply([event])
        return event

    def ask(self, node: NodeId, stake: Stake = "normal", domains: Sequence[str] = (), pinned: bool = False) -> Event:
        question = Question(
            id=node,
            text=node,
            stake=stake,
            domains=tuple(domains),
            pinned=pinned,
            created_by="operator",
            created_at=NOW,
        )
        return self.happen(QuestionAsked(question=question), "operator")

    def judge(
        self,
        node: NodeId,
        by: str,
        kind: InterpretationKind = "claim",
        confidence: float = 0.8,
        domains: Sequence[str] = (),
    ) -> Event:
        interpretation = Interpretation(
            id=node,
            kind=kind,
            text=f"{node} says so",
            domains=tuple(domains),
            asserted_confidence=confidence,
            confidence=confidence,
            created_by=by,
            created_at=NOW,
        )
        return self.happen(InterpretationAdded(interpretation=interpretation), by)

    def link(self, edge: str, src: NodeId, type_: EdgeType, dst: NodeId, by: str) -> Event:
        made = Edge(id=edge, type=type_, src=src, dst=dst, created_by=by, created_at=NOW)
        return self.happen(EdgeAdded(edge=made), by)

    def board(
        self,
        question: NodeId,
        model: str = "reader:support",
        times: int = 1,
        merged: int = 1,
        rejected: int = 0,
        cost_micro_usd: int = 0,
        seconds: float = 2.0,
    ) -> None:
        """Boardings that opened, added nothing to the graph, and ended."""
        for _ in range(times):
            self._boardings += 1
            boarding = f"b{self._boardings}"
            route = Route(model=model, policy="cheap", reason="cheapest able")
            self.happen(
                BoardingOpened(
                    boarding=Boarding(id=boarding, seat=1, question=question, model=model, route=route, opened_at=NOW)
                )
            )
            self.happen(
                BoardingEnded(
                    boarding=boarding,
                    ending="merged",
                    seconds=seconds,
                    merged=merged,
                    rejected=rejected,
                    cost_micro_usd=cost_micro_usd,
                )
            )


def numbered(happenings: Iterable[Happening], session: str | None = None) -> list[Event]:
    """The happenings as a journal."""
    return [
        Event(seq=seq, at=NOW, by="conductor", session=session, what=what)
        for seq, what in enumerate(happenings, start=1)
    ]
