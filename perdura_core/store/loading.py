"""The index of the present, built from the state tables without reading the journal."""

import gc
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from perdura_core.graph import TELLING, Graph, LinkRow, Stay, Vertex
from perdura_core.store.reading import EVENT_COLUMNS, event_of, names_of
from perdura_core.vocabulary import (
    EdgeAdded,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    FactRecorded,
    Happening,
    InterpretationAdded,
    ModelId,
    NodeId,
    QuestionAsked,
    Velocity,
)

__all__ = ["load_graph"]


def load_graph(connection: sqlite3.Connection) -> Graph:
    """Build the graph at the journal's head. Must run on one snapshot."""
    (head,) = connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()
    boarded, idle = _past_boardings(connection)
    with _uncollected():
        return Graph.restore(
            head,
            _vertices(connection),
            _links(connection),
            boarded=boarded,
            idle=idle,
            aboard=_stays(connection),
            velocities=_velocities(connection),
        )


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection, which would search a million new objects again and again and find them all in use."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _vertices(connection: sqlite3.Connection) -> list[Vertex]:
    """All nodes in the order in which they were added."""
    cited: dict[int, tuple[NodeId, ...]] = {}
    for number, fact in connection.execute(
        "SELECT interpretation, fact FROM interpretation_facts ORDER BY interpretation, position"
    ):
        cited[number] = (*cited.get(number, ()), fact)
    moment = datetime.fromisoformat
    domains = _Names()
    found: list[tuple[int, Vertex]] = []
    for row in connection.execute(
        "SELECT seq, id, domains, created_by, boarding, created_at, digest, length(text), superseded_by,"
        " stake, status, pinned FROM questions"
    ):
        seq, id_, names, by, boarding, at, digest, size, superseded, stake, status, pinned = row
        found.append((
            seq,
            Vertex(
                id_, "question", domains[names], by, boarding, moment(at), digest, size if digest else 0, superseded,
                stake=stake, question_status=status, pinned=bool(pinned),
            ),
        ))  # fmt: skip
    for row in connection.execute(
        "SELECT seq, id, domains, created_by, boarding, created_at, digest, length(text), superseded_by FROM facts"
    ):
        seq, id_, names, by, boarding, at, digest, size, superseded = row
        found.append((
            seq,
            Vertex(
                id_, "fact", domains[names], by, boarding, moment(at), digest, size if digest else 0, superseded
            ),
        ))  # fmt: skip
    for row in connection.execute(
        "SELECT number, seq, id, domains, created_by, boarding, created_at, digest, length(text), superseded_by,"
        " kind, level, confidence, asserted_confidence, status FROM interpretations"
    ):
        number, seq, id_, names, by, boarding, at, digest, size, superseded, kind, level, worth, asserted, status = row
        found.append((
            seq,
            Vertex(
                id_, "interpretation", domains[names], by, boarding, moment(at), digest, size if digest else 0,
                superseded, kind=kind, level=level, confidence=worth, asserted_confidence=asserted, status=status,
                facts=cited.get(number, ()),
            ),
        ))  # fmt: skip
    found.sort(key=lambda pair: pair[0])
    vertices = [vertex for _, vertex in found]
    _count_votes(connection, vertices)
    return vertices


def _count_votes(connection: sqlite3.Connection, vertices: list[Vertex]) -> None:
    votes = connection.execute(
        "SELECT 'i' || interpretation, by, confidence FROM confidence_votes ORDER BY seq"
    ).fetchall()
    voted = {node for node, _by, _confidence in votes}
    by_id = {vertex.id: vertex for vertex in vertices if vertex.id in voted}
    for node, by, confidence in votes:
        by_id[node].vote(by, confidence)


class _Names(dict[str, tuple[str, ...]]):
    """Lists of names, read once each: thousands of nodes share a handful of them."""

    def __missing__(self, column: str) -> tuple[str, ...]:
        names = self[column] = names_of(column)
        return names


def _links(connection: sqlite3.Connection) -> list[LinkRow]:
    return connection.execute(
        "SELECT number, type, src, dst, created_by, boarding FROM edges WHERE retracted_seq IS NULL ORDER BY number"
    ).fetchall()


def _past_boardings(connection: sqlite3.Connection) -> tuple[list[tuple[NodeId, ModelId]], dict[NodeId, int]]:
    """(question, model) in order of opening, and how many of each question's last ended boardings added nothing."""
    boarded = connection.execute("SELECT question, model FROM boardings ORDER BY opened_seq").fetchall()
    idle: dict[NodeId, int] = {}
    for question, has_added, ending in connection.execute(
        "SELECT question, has_added, ending FROM boardings WHERE ended_seq IS NOT NULL ORDER BY ended_seq"
    ):
        if has_added or ending in TELLING:
            idle[question] = 0 if has_added else idle.get(question, 0) + 1
    return boarded, idle


def _velocities(connection: sqlite3.Connection) -> dict[str, Velocity]:
    """Of each domain the one that was settled last."""
    return dict(
        connection.execute(
            "SELECT json_extract(what, '$.domain'), json_extract(what, '$.velocity') FROM events"
            " WHERE kind = 'domain_profiled' ORDER BY seq"
        ).fetchall()
    )


def _stays(connection: sqlite3.Connection) -> list[Stay]:
    """The open boardings, with what their elements did so far: that alone is read from the journal."""
    stays = [
        Stay(boarding, question, session)
        for boarding, question, session in connection.execute(
            "SELECT id, question, session FROM boardings WHERE ending IS NULL ORDER BY opened_seq"
        )
    ]
    for stay in stays:
        for row in connection.execute(
            f"SELECT {EVENT_COLUMNS} FROM event_subjects JOIN events USING (seq) WHERE subject = ? ORDER BY seq",  # noqa: S608
            (stay.boarding,),
        ):
            _note(stay, event_of(row).what)
    return stays


def _note(stay: Stay, what: Happening) -> None:
    made: Any
    match what:
        case (
            QuestionAsked(question=made)
            | FactRecorded(fact=made)
            | InterpretationAdded(interpretation=made)
            | EdgeAdded(edge=made)
        ):
            stay.has_added = stay.has_added or made.boarding == stay.boarding
        case ElementMerged() | ElementRejected() | ElementHeld() if what.boarding == stay.boarding:
            stay.note(what)
        case _:
            pass
