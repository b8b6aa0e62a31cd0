"""What a transaction is about to write, gathered so that each table is filled by one call."""

import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from perdura_core.store.indexing import INDEX
from perdura_core.store.redaction import redact
from perdura_core.vocabulary import NodeId

__all__ = ["Rows", "stamp"]

_INSERTS: dict[str, str] = {
    "events": "INSERT INTO events (seq, at, kind, by, boarding, session, what) VALUES (?, ?, ?, ?, ?, ?, ?)",
    "event_subjects": "INSERT INTO event_subjects (subject, seq) VALUES (?, ?)",
    "node_ids": "INSERT INTO node_ids (id, layer) VALUES (?, ?)",
    "questions": "INSERT INTO questions (number, id, seq, text, digest, domains, stake, status, pinned, created_by,"
    " boarding, created_at, superseded_by, resolved_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "question_words": INDEX["question"],
    "facts": "INSERT INTO facts (number, id, seq, text, digest, domains, created_by, boarding, created_at,"
    " superseded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "fact_words": INDEX["fact"],
    "fact_occurrences": "INSERT INTO fact_occurrences (fact, seq, position, source, observed_at, recorded_at,"
    " recorded_by, boarding) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    "entities": "INSERT INTO entities (name) VALUES (?) ON CONFLICT DO NOTHING",
    "fact_entities": "INSERT INTO fact_entities (fact, position, entity)"
    " SELECT ?, ?, number FROM entities WHERE name = ?",
    "interpretations": "INSERT INTO interpretations (number, id, seq, kind, text, digest, level, domains,"
    " asserted_confidence, confidence, status, velocity, created_by, boarding, created_at, superseded_by)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "interpretation_words": INDEX["interpretation"],
    "interpretation_facts": "INSERT INTO interpretation_facts (interpretation, position, fact) VALUES (?, ?, ?)",
    "edges": "INSERT INTO edges (number, id, type, src, dst, created_by, boarding, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    "confidence_votes": "INSERT INTO confidence_votes (seq, interpretation, confidence, by, boarding, at)"
    " VALUES (?, ?, ?, ?, ?, ?)",
    "sessions": "INSERT INTO sessions (number, id, started_at) VALUES (?, ?, ?)",
    "boardings": "INSERT INTO boardings (number, id, opened_seq, session, seat, question, model, mode, route_model,"
    " route_policy, route_reason, masked, briefing_tokens, opened_at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "usage_events": "INSERT INTO usage_events (boarding, position, node, confidence) VALUES (?, ?, ?, ?)",
    "rejections": "INSERT INTO rejections (seq, boarding, position, reason) VALUES (?, ?, ?, ?)",
    "archive_decisions": "INSERT INTO archive_decisions (seq, interpretation, before, after, reason, by, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)",
    "proposals": "INSERT INTO proposals (number, id, held_seq) VALUES (?, ?, ?)",
    "spend": "INSERT INTO spend (seq, at, session, boarding, model, question, domains, cost_micro_usd)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
}
"""Tables in the order in which they are filled."""


class Rows:
    """New rows go in first, table by table, parents before children; then changes, in the order they happened."""

    def __init__(self) -> None:
        self._new: defaultdict[str, list[Sequence[Any]]] = defaultdict(list)
        self._changes: list[tuple[str, Sequence[Sequence[Any]]]] = []
        self._redacted: list[NodeId] = []

    def add(self, table: str, *values: Any) -> None:
        """A new row."""
        self._new[table].append(values)

    def change(self, statement: str, *values: Any) -> None:
        """A change to rows that stand, or are added in this transaction."""
        self._changes.append((statement, (values,)))

    def change_many(self, statement: str, values: Sequence[Sequence[Any]]) -> None:
        """The same change to many rows, each with its own values."""
        self._changes.append((statement, values))

    def redact(self, node: NodeId) -> None:
        """Destroy a text, after everything else was written."""
        self._redacted.append(node)

    def write(self, connection: sqlite3.Connection) -> None:
        """Write everything."""
        for table, statement in _INSERTS.items():
            rows = self._new.get(table)
            if rows:
                connection.executemany(statement, rows)
        for statement, values in self._changes:
            connection.executemany(statement, values)
        for node in self._redacted:
            redact(connection, node)


def stamp(at: datetime) -> str:
    """The time as the store writes it: ISO 8601 in UTC. A time without a zone is taken for UTC."""
    return (at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)).isoformat()
