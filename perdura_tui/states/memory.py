"""What the mind holds, counted: by layer, level, status and confidence; facts seen again; sessions."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import Event, FactObserved, MicroUsd, NodeId, SessionEnded, SessionStarted

__all__ = ["BINS", "MEMOIR_KINDS", "Census", "Counted", "Memoir", "SessionRow", "reduce_memoir"]

BINS = 10
"""Bars of the confidence histogram: bar n counts n / 10 <= confidence < (n + 1) / 10, the last one 1.0 too."""
MEMOIR_KINDS = frozenset({"fact_observed", "session_started", "session_ended"})
_SESSIONS = 12
_STEP = 256


@dataclass(slots=True)
class Counted:
    """The result of a census."""

    open_questions: int = 0
    settled_questions: int = 0
    facts: int = 0
    facts_past: int = 0
    """Superseded."""
    facts_alone: int = 0
    """Live facts to which no interpretation refers and which no edge touches."""
    levels: Counter[tuple[int, str]] = field(default_factory=Counter)
    """(level, state) -> interpretations; state: active, shadow, deleted or superseded."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Active interpretations by kind."""
    confidence: list[int] = field(default_factory=lambda: [0] * BINS)
    """Active interpretations by confidence."""
    disputes: int = 0


class Census:
    """Counts a graph a moment at a time, so that others get the event loop in between."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._steps = self._work()
        self._result = Counted(disputes=len(graph.pairs()))
        self.counted: Counted | None = None
        """The result, once there."""

    def work(self, until_s: float, now_s: Callable[[], float]) -> bool:
        """Go on until a monotonic time at most. Returns whether everything is counted."""
        while self.counted is None and now_s() < until_s:
            for _ in islice(self._steps, _STEP):
                pass
        return self.counted is not None

    def _work(self) -> Iterator[None]:
        for vertex in list(self._graph.vertices()):
            self._count(vertex)
            yield
        self.counted = self._result

    def _count(self, vertex: Vertex) -> None:
        result = self._result
        match vertex.layer:
            case "question":
                is_open = vertex.question_status == "open" and vertex.superseded_by is None
                result.open_questions += is_open
                result.settled_questions += not is_open
            case "fact":
                result.facts += vertex.is_live
                result.facts_past += not vertex.is_live
                alone = not self._graph.cited_by(vertex.id) and not self._graph.links(vertex.id)
                result.facts_alone += vertex.is_live and alone
            case "interpretation":
                state = vertex.status if vertex.superseded_by is None else "superseded"
                result.levels[vertex.level, state] += 1
                if state == "active":
                    result.kinds[str(vertex.kind)] += 1
                    result.confidence[min(int(vertex.confidence * BINS), BINS - 1)] += 1


class SessionRow(NamedTuple):
    """One session."""

    id: str
    started_at: datetime
    policy: str
    seats: int
    ending: str | None = None
    """None: it has not ended."""
    boardings: int | None = None
    cost_micro_usd: MicroUsd | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Memoir:
    """What only the journal tells, as a fold over events of MEMOIR_KINDS."""

    head: int = 0
    seen_again: Mapping[NodeId, int] = field(default_factory=lambda: MappingProxyType({}))
    """Fact -> how often it was seen after the first time."""
    sessions: tuple[SessionRow, ...] = ()
    """The last ones, oldest first."""


def reduce_memoir(state: Memoir, events: Iterable[Event]) -> Memoir:
    """The memoir after these events; those at or before its head are ignored."""
    seen: dict[NodeId, int] | None = None
    sessions, head = list(state.sessions), state.head
    for event in events:
        if event.seq <= head:
            continue
        head = event.seq
        match event.what:
            case FactObserved(node=node):
                seen = dict(state.seen_again) if seen is None else seen
                seen[node] = seen.get(node, 0) + 1
            case SessionStarted(session=id_, policy=policy, seats=seats):
                sessions.append(SessionRow(id_, event.at, policy, seats))
            case SessionEnded(session=id_, ending=ending, boardings=boardings, cost_micro_usd=cost):
                sessions = [
                    row._replace(ending=ending, boardings=boardings, cost_micro_usd=cost, ended_at=event.at)
                    if row.id == id_
                    else row
                    for row in sessions
                ]
            case _:
                pass
    if head == state.head:
        return state
    kept = state.seen_again if seen is None else seen
    return replace(state, head=head, seen_again=kept, sessions=tuple(sessions[-_SESSIONS:]))
