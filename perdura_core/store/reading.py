"""From rows to values. What the store wrote is trusted: values are built without validating them again."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from perdura_core.vocabulary import (
    Boarding,
    BoardingRecord,
    Edge,
    Event,
    Fact,
    Happening,
    Interpretation,
    Occurrence,
    Question,
    Route,
    Shown,
    Usage,
)

__all__ = [
    "BOARDING_COLUMNS",
    "EVENT_COLUMNS",
    "boardings_of",
    "edge_of",
    "event_of",
    "facts_of",
    "interpretations_of",
    "names_of",
    "question_of",
    "rows_of",
]

_HAPPENING: TypeAdapter[Any] = TypeAdapter(Happening)

EVENT_COLUMNS = "seq, at, by, boarding, session, what"
BOARDING_COLUMNS = (
    "number, id, session, seat, question, model, mode, route_model, route_policy, route_reason, masked,"
    " briefing_tokens, opened_at, ending, reason, usage, cost_micro_usd, seconds, merged, rejected"
)


@lru_cache(maxsize=4_096)
def names_of(column: str) -> tuple[str, ...]:
    """A column that holds a list of names; few differ."""
    return () if column == "[]" else tuple(json.loads(column))


def _time_or_none(column: str | None) -> datetime | None:
    return None if column is None else datetime.fromisoformat(column)


def event_of(row: tuple[Any, ...]) -> Event:
    """The event of a row of EVENT_COLUMNS."""
    seq, at, by, boarding, session, what = row
    return Event.model_construct(
        seq=seq,
        at=datetime.fromisoformat(at),
        by=by,
        boarding=boarding,
        session=session,
        what=_HAPPENING.validate_json(what),
    )


def question_of(row: sqlite3.Row) -> Question:
    """The question of a row of `questions`."""
    return Question.model_construct(
        id=row["id"],
        text=row["text"],
        domains=names_of(row["domains"]),
        stake=row["stake"],
        status=row["status"],
        pinned=bool(row["pinned"]),
        created_by=row["created_by"],
        boarding=row["boarding"],
        created_at=datetime.fromisoformat(row["created_at"]),
        superseded_by=row["superseded_by"],
        resolved_by=row["resolved_by"],
    )


def facts_of(
    rows: Iterable[sqlite3.Row], occurrences: Iterable[sqlite3.Row], entities: Iterable[tuple[int, str]]
) -> list[Fact]:
    """Facts of rows of `facts`, with their occurrences and (fact number, entity), each in order."""
    seen: defaultdict[int, list[Occurrence]] = defaultdict(list)
    for row in occurrences:
        seen[row["fact"]].append(
            Occurrence.model_construct(
                source=row["source"],
                observed_at=_time_or_none(row["observed_at"]),
                recorded_at=datetime.fromisoformat(row["recorded_at"]),
                recorded_by=row["recorded_by"],
                boarding=row["boarding"],
            )
        )
    named: defaultdict[int, list[str]] = defaultdict(list)
    for number, name in entities:
        named[number].append(name)
    return [
        Fact.model_construct(
            id=row["id"],
            text=row["text"],
            domains=names_of(row["domains"]),
            entities=tuple(named[row["number"]]),
            occurrences=tuple(seen[row["number"]]),
            created_by=row["created_by"],
            boarding=row["boarding"],
            created_at=datetime.fromisoformat(row["created_at"]),
            superseded_by=row["superseded_by"],
        )
        for row in rows
    ]


def interpretations_of(rows: Iterable[sqlite3.Row], cited: Iterable[tuple[int, str]]) -> list[Interpretation]:
    """Interpretations of rows of `interpretations`, with (interpretation number, fact id) in order."""
    facts: defaultdict[int, list[str]] = defaultdict(list)
    for number, fact in cited:
        facts[number].append(fact)
    return [
        Interpretation.model_construct(
            id=row["id"],
            kind=row["kind"],
            text=row["text"],
            level=row["level"],
            domains=names_of(row["domains"]),
            facts=tuple(facts[row["number"]]),
            asserted_confidence=row["asserted_confidence"],
            confidence=row["confidence"],
            status=row["status"],
            velocity=row["velocity"],
            created_by=row["created_by"],
            boarding=row["boarding"],
            created_at=datetime.fromisoformat(row["created_at"]),
            superseded_by=row["superseded_by"],
        )
        for row in rows
    ]


def edge_of(row: sqlite3.Row) -> Edge:
    """The edge of a row of `edges`."""
    return Edge.model_construct(
        id=row["id"],
        type=row["type"],
        src=row["src"],
        dst=row["dst"],
        created_by=row["created_by"],
        boarding=row["boarding"],
        created_at=datetime.fromisoformat(row["created_at"]),
    )


def _route(row: sqlite3.Row) -> Route:
    return Route.model_construct(model=row["route_model"], policy=row["route_policy"], reason=row["route_reason"])


def boardings_of(rows: Iterable[sqlite3.Row], shown: Iterable[tuple[int, str, float | None]]) -> list[BoardingRecord]:
    """Boardings of rows of BOARDING_COLUMNS, with (boarding number, node, confidence) in the order of the briefing."""
    nodes: defaultdict[int, list[Shown]] = defaultdict(list)
    for number, node, confidence in shown:
        nodes[number].append(Shown.model_construct(node=node, confidence=confidence))
    return [
        BoardingRecord.model_construct(
            boarding=Boarding.model_construct(
                id=row["id"],
                session=row["session"],
                seat=row["seat"],
                question=row["question"],
                model=row["model"],
                mode=row["mode"],
                route=_route(row),
                masked=bool(row["masked"]),
                shown=tuple(nodes[row["number"]]),
                briefing_tokens=row["briefing_tokens"],
                opened_at=datetime.fromisoformat(row["opened_at"]),
            ),
            ending=row["ending"],
            reason=row["reason"],
            usage=Usage.model_validate_json(row["usage"]) if row["usage"] else None,
            cost_micro_usd=row["cost_micro_usd"],
            seconds=row["seconds"],
            merged=row["merged"],
            rejected=row["rejected"],
        )
        for row in rows
    ]


def rows_of(connection: sqlite3.Connection, statement: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
    """All rows of a statement, by column name. Nothing of the read stays open."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    return cursor.execute(statement, values).fetchall()
