"""The store's reads, each on one snapshot: plain functions of a connection."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from perdura_core.store.protocol import SpendRow, StatusFlow
from perdura_core.store.reading import (
    BOARDING_COLUMNS,
    EVENT_COLUMNS,
    boardings_of,
    edge_of,
    event_of,
    facts_of,
    interpretations_of,
    names_of,
    question_of,
    rows_of,
)
from perdura_core.store.subjects import number_of
from perdura_core.store.writing import stamp
from perdura_core.vocabulary import (
    BoardingRecord,
    Edge,
    Event,
    Fact,
    Interpretation,
    ModelId,
    Node,
    NodeId,
    Question,
)

__all__ = [
    "boardings",
    "counters",
    "edges",
    "events",
    "events_after",
    "facts",
    "head",
    "interpretations",
    "nodes",
    "questions",
    "shown_counts",
    "shown_to",
    "spend",
    "status_flow",
]

_ALL = -1
"""SQLite's LIMIT for no limit."""

_COUNTED = {
    "q": "SELECT max(number) FROM questions",
    "f": "SELECT max(number) FROM facts",
    "i": "SELECT max(number) FROM interpretations",
    "e": "SELECT max(number) FROM edges",
    "b": "SELECT max(number) FROM boardings",
    "s": "SELECT max(number) FROM sessions",
    "p": "SELECT max(number) FROM proposals",
}


def head(connection: sqlite3.Connection) -> int:
    """The number of the last event."""
    return int(connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])


def counters(connection: sqlite3.Connection) -> dict[str, int]:
    """The last number given out per prefix; prefixes that were never used are absent."""
    found = {prefix: connection.execute(statement).fetchone()[0] for prefix, statement in _COUNTED.items()}
    return {prefix: number for prefix, number in found.items() if number is not None}


def events_after(connection: sqlite3.Connection, seq: int) -> list[Event]:
    """All events after this one."""
    return events(connection, seq, None, None, None, None, None, False)


_FROM_JOURNAL = """SELECT seq FROM events
    WHERE seq > :after AND seq <= :until AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))"""
_FROM_SUBJECT = """SELECT seq FROM event_subjects JOIN events USING (seq)
    WHERE subject = :subject AND seq > :after AND seq <= :until
    AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
    AND (:other IS NULL OR seq IN (SELECT seq FROM event_subjects WHERE subject = :other))"""
# A kind is looked up in its index, which gives numbers in no order; without kinds the journal is read in order.
_FROM_KINDS = """SELECT seq FROM events INDEXED BY events_by_kind
    WHERE kind IN (SELECT value FROM json_each(:kinds)) AND seq > :after AND seq <= :until"""


def events(
    connection: sqlite3.Connection,
    after: int,
    until: int | None,
    limit: int | None,
    kinds: Collection[str] | None,
    boarding: str | None,
    node: NodeId | None,
    newest: bool,
) -> list[Event]:
    """See Store.events."""
    subjects = [subject for subject in (node, boarding) if subject is not None]
    found = _FROM_SUBJECT if subjects else _FROM_KINDS if kinds is not None else _FROM_JOURNAL
    values = {
        "after": after,
        "until": 2**62 if until is None else until,
        "limit": _ALL if limit is None else limit,
        "kinds": None if kinds is None else json.dumps(sorted(kinds)),
        "subject": subjects[0] if subjects else None,
        "other": subjects[1] if len(subjects) > 1 else None,
    }
    order = "DESC" if newest else "ASC"
    rows = connection.execute(
        f"SELECT {EVENT_COLUMNS} FROM events WHERE seq IN ({found} ORDER BY seq {order} LIMIT :limit) ORDER BY seq",  # noqa: S608 - fragments are constants
        values,
    )
    return [event_of(row) for row in rows]


def nodes(connection: sqlite3.Connection, ids: Collection[NodeId]) -> dict[NodeId, Node]:
    """See Store.nodes."""
    wanted: dict[str, list[int]] = {"q": [], "f": [], "i": []}
    for node in ids:
        if node[:1] in wanted and node[1:].isascii() and node[1:].isdigit():
            wanted[node[0]].append(number_of(node))
    rows = {
        layer: rows_of(connection, _CHOSEN[layer], (json.dumps(numbers),)) if numbers else []
        for layer, numbers in wanted.items()
    }
    found: list[Node] = [
        *map(question_of, rows["q"]),
        *_facts(connection, rows["f"]),
        *_interpretations(connection, rows["i"]),
    ]
    return {node.id: node for node in found if node.id in ids}


_CHOSEN = {
    "q": "SELECT * FROM questions WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
    "f": "SELECT * FROM facts WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
    "i": "SELECT * FROM interpretations WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number",
}


def questions(connection: sqlite3.Connection) -> list[Question]:
    """All questions, by number."""
    return [question_of(row) for row in rows_of(connection, "SELECT * FROM questions ORDER BY number")]


def facts(connection: sqlite3.Connection, limit: int | None, newest: bool) -> list[Fact]:
    """See Store.facts."""
    statement = (
        "SELECT * FROM facts ORDER BY number DESC LIMIT ?" if newest else "SELECT * FROM facts ORDER BY number LIMIT ?"
    )
    return _facts(connection, rows_of(connection, statement, (_ALL if limit is None else limit,)))


def _facts(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> list[Fact]:
    if not rows:
        return []
    numbers = _numbers(rows)
    occurrences = rows_of(
        connection,
        "SELECT * FROM fact_occurrences WHERE fact IN (SELECT value FROM json_each(?)) ORDER BY fact, seq, position",
        (numbers,),
    )
    entities = connection.execute(
        "SELECT fact, name FROM fact_entities JOIN entities ON entities.number = entity"
        " WHERE fact IN (SELECT value FROM json_each(?)) ORDER BY fact, position",
        (numbers,),
    ).fetchall()
    return facts_of(rows, occurrences, entities)


def interpretations(connection: sqlite3.Connection, limit: int | None, newest: bool) -> list[Interpretation]:
    """See Store.interpretations."""
    statement = (
        "SELECT * FROM interpretations ORDER BY number DESC LIMIT ?"
        if newest
        else "SELECT * FROM interpretations ORDER BY number LIMIT ?"
    )
    return _interpretations(connection, rows_of(connection, statement, (_ALL if limit is None else limit,)))


def _interpretations(connection: sqlite3.Connection, rows: Sequence[sqlite3.Row]) -> list[Interpretation]:
    if not rows:
        return []
    cited = connection.execute(
        "SELECT interpretation, fact FROM interpretation_facts"
        " WHERE interpretation IN (SELECT value FROM json_each(?)) ORDER BY interpretation, position",
        (_numbers(rows),),
    ).fetchall()
    return interpretations_of(rows, cited)


def _numbers(rows: Iterable[sqlite3.Row]) -> str:
    return json.dumps([row["number"] for row in rows])


def edges(connection: sqlite3.Connection) -> list[Edge]:
    """All edges that were not retracted, by number."""
    return [
        edge_of(row) for row in rows_of(connection, "SELECT * FROM edges WHERE retracted_seq IS NULL ORDER BY number")
    ]


def boardings(
    connection: sqlite3.Connection,
    session: str | None,
    question: NodeId | None,
    ids: Collection[str] | None,
    limit: int | None,
    only_open: bool,
) -> list[BoardingRecord]:
    """See Store.boardings."""
    conditions: list[tuple[str, Any]] = []
    if session is not None:
        conditions.append(("session = ?", session))
    if question is not None:
        conditions.append(("question = ?", question))
    if ids is not None:
        conditions.append(("id IN (SELECT value FROM json_each(?))", json.dumps(list(ids))))
        numbers = [number_of(boarding) for boarding in ids if boarding[1:].isascii() and boarding[1:].isdigit()]
        conditions.append(("number IN (SELECT value FROM json_each(?))", json.dumps(numbers)))
    if only_open:
        conditions.append(("ending IS NULL AND ?", True))
    where = " AND ".join(condition for condition, _ in conditions) or "true"
    rows = rows_of(
        connection,
        f"SELECT {BOARDING_COLUMNS} FROM boardings WHERE {where} ORDER BY opened_seq DESC LIMIT ?",  # noqa: S608 - fragments are constants
        (*(value for _, value in conditions), _ALL if limit is None else limit),
    )
    shown = connection.execute(
        "SELECT boarding, node, confidence FROM usage_events"
        " WHERE boarding IN (SELECT value FROM json_each(?)) ORDER BY boarding, position",
        (_numbers(rows),),
    ).fetchall()
    return boardings_of(rows, shown)


def spend(connection: sqlite3.Connection, since: datetime | None) -> list[SpendRow]:
    """See Store.spend."""
    rows = connection.execute(
        "SELECT at, session, boarding, model, question, domains, cost_micro_usd FROM spend"
        " WHERE ?1 IS NULL OR at >= ?1 ORDER BY seq",
        (None if since is None else stamp(since),),
    ).fetchall()
    return [
        SpendRow(datetime.fromisoformat(at), session, boarding, model, question, names_of(domains), cost)
        for at, session, boarding, model, question, domains, cost in rows
    ]


def shown_counts(connection: sqlite3.Connection, question: NodeId) -> dict[NodeId, int]:
    """See Store.shown_counts."""
    return dict(
        connection.execute(
            "SELECT node, count(*) FROM usage_events JOIN boardings ON number = boarding WHERE question = ?"
            " GROUP BY node",
            (question,),
        ).fetchall()
    )


def shown_to(connection: sqlite3.Connection, model: ModelId) -> dict[NodeId, int]:
    """See Store.shown_to."""
    return dict(
        connection.execute(
            "SELECT node, count(*) FROM usage_events JOIN boardings ON number = boarding WHERE model = ?"
            " AND node LIKE 'i%' GROUP BY node",
            (model,),
        ).fetchall()
    )


def status_flow(connection: sqlite3.Connection, since: datetime) -> StatusFlow:
    """See Store.status_flow."""
    standing = connection.execute(
        "SELECT count(*) FILTER (WHERE status = 'active'), count(*) FILTER (WHERE status = 'shadow'),"
        " count(*) FILTER (WHERE status = 'deleted') FROM interpretations WHERE superseded_by IS NULL"
    ).fetchone()
    moved = connection.execute(
        "SELECT count(*) FILTER (WHERE before = 'active' AND after = 'shadow'),"
        " count(*) FILTER (WHERE before <> 'active' AND after = 'active'),"
        " count(*) FILTER (WHERE before <> 'deleted' AND after = 'deleted')"
        " FROM archive_decisions WHERE at >= ?",
        (stamp(since),),
    ).fetchone()
    return StatusFlow(*standing, *moved)
