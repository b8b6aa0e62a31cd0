"""The open questions, as a fold over events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from perdura_core.vocabulary import (
    BoardingOpened,
    EdgeAdded,
    EdgeRetracted,
    Event,
    NodeId,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    Question,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    Stake,
)

__all__ = ["QuestionRow", "Questions", "matches", "ordered", "reduce_questions", "row_of", "with_contention"]

REDACTED = "(redacted)"


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question as the desk shows it."""

    id: NodeId
    text: str
    created_at: datetime
    domains: tuple[str, ...] = ()
    stake: Stake = "normal"
    is_open: bool = True
    """Neither resolved nor superseded."""
    resolved_by: NodeId | None = None
    pinned: bool = False
    answers: frozenset[str] = frozenset()
    """Ids of the edges that answer it."""
    boardings: int = 0
    contention: float = 0.0


@dataclass(frozen=True, slots=True)
class Questions:
    """Every question by id, in order of asking."""

    rows: Mapping[NodeId, QuestionRow] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def open_count(self) -> int:
        """How many are open."""
        return sum(row.is_open for row in self.rows.values())


def row_of(question: Question, answers: Iterable[str] = (), boardings: int = 0) -> QuestionRow:
    """The row of a question that already has a past."""
    return QuestionRow(
        id=question.id,
        text=question.text,
        created_at=question.created_at,
        domains=question.domains,
        stake=question.stake,
        is_open=question.status == "open" and question.superseded_by is None,
        resolved_by=question.resolved_by,
        pinned=question.pinned,
        answers=frozenset(answers),
        boardings=boardings,
    )


def reduce_questions(state: Questions, events: Iterable[Event]) -> Questions:
    """The questions after these events; the same object if none of them is about a question."""
    rows: dict[NodeId, QuestionRow] | None = None
    for event in events:
        for row in _changed(rows if rows is not None else state.rows, event):
            if rows is None:
                rows = dict(state.rows)
            rows[row.id] = row
    return state if rows is None else Questions(rows)


def _changed(rows: Mapping[NodeId, QuestionRow], event: Event) -> list[QuestionRow]:
    match event.what:
        case QuestionAsked(question=question):
            return [] if question.id in rows else [row_of(question)]
        case EdgeRetracted(edge=edge_id):
            found = [row for row in rows.values() if edge_id in row.answers]
            return [replace(row, answers=row.answers - {edge_id}) for row in found]
        case EdgeAdded(edge=edge) if edge.type == "answers":
            row = rows.get(edge.dst)
            return [] if row is None else [replace(row, answers=row.answers | {edge.id})]
        case BoardingOpened(boarding=boarding):
            row = rows.get(boarding.question)
            return [] if row is None else [replace(row, boardings=row.boardings + 1)]
        case QuestionResolved(node=node, resolved_by=answer):
            return _with(rows, node, is_open=False, resolved_by=answer)
        case QuestionReopened(node=node):
            return _with(rows, node, is_open=True, resolved_by=None)
        case QuestionPinned(node=node, pinned=pinned):
            return _with(rows, node, pinned=pinned)
        case NodeSuperseded(node=node):
            return _with(rows, node, is_open=False)
        case NodeRestored(node=node):
            return _with(rows, node, is_open=True)
        case NodeRedacted(node=node):
            return _with(rows, node, text=REDACTED)
        case _:
            return []


def _with(rows: Mapping[NodeId, QuestionRow], node: NodeId, **changes: object) -> list[QuestionRow]:
    row = rows.get(node)
    return [] if row is None else [replace(row, **changes)]  # type: ignore[arg-type]


def with_contention(state: Questions, contention: Mapping[NodeId, float]) -> Questions:
    """The questions with these contentions; the same object if nothing moved by as much as the desk can show."""
    moved = {
        node: replace(row, contention=value)
        for node, value in contention.items()
        if (row := state.rows.get(node)) is not None and abs(row.contention - value) >= 0.0005
    }
    return Questions({**state.rows, **moved}) if moved else state


def ordered(state: Questions, words: str = "") -> list[QuestionRow]:
    """Open questions first, pinned before others, then the most contended, then the oldest. `words` filters."""
    rows = [row for row in state.rows.values() if matches(row, words)]
    rows.sort(key=lambda row: (not row.is_open, not row.pinned, -round(row.contention, 3), int(row.id[1:])))
    return rows


def matches(row: QuestionRow, words: str) -> bool:
    """Whether id, text, domains or stake hold every word, whatever the case; a leading `!` turns the answer round."""
    words = words.strip().casefold()
    inverse = words.startswith("!")
    wanted = words.lstrip("!").split()
    if not wanted:
        return True
    text = " ".join((row.id, row.text, *row.domains, row.stake)).casefold()
    return all(word in text for word in wanted) != inverse
