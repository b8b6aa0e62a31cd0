"""One mind as arrays: what upkeep reads, by whole columns and on one snapshot."""

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.coldstart import paces
from perdura_core.epistemics.snapshot import (
    KINDS,
    STATUSES,
    VELOCITIES,
    EdgeTable,
    FactTable,
    InterpretationTable,
    Measures,
    Snapshot,
    Votes,
    primary_of,
)
from perdura_core.epistemics.wording.entities import entity_key
from perdura_core.store.columns import Names, columns, fill, grouped
from perdura_core.store.statuses import Statuses, statuses
from perdura_core.store.using import Drawn, Made, uses_of
from perdura_core.vocabulary import EDGE_TYPES, OPERATOR, UNDONE

__all__ = [
    "Reliability",
    "Tables",
    "days_since",
    "read_interpretation_texts",
    "read_paces",
    "read_tables",
    "read_texts",
]

Reliability = Mapping[tuple[str, str | None], float]
"""(model, domain) -> how far it can be trusted there, 0..1; domain None: overall."""

_UNKNOWN = 0.5
"""The reliability of somebody of whom nothing is known."""
_JULIAN_UNIX = 2_440_587.5
"""Julian day of the Unix epoch."""


class Tables(NamedTuple):
    """A snapshot of the mind, and what else a run must know."""

    snapshot: Snapshot
    """Its facts have no measures: for those the texts have to be read."""
    began_at: datetime
    """Day 0."""
    latest_day: float
    """Of the newest event."""
    head: int
    confidence: NDArray[np.float64]
    status: NDArray[np.int8]
    """(interpretations,): as they stand. The table has the statuses of the time that was asked for."""
    revived_day: NDArray[np.float64]
    """(interpretations,): when it last came back to be active; NaN when it never did."""
    fact_digests: NDArray[np.int64]
    """(facts,): of their texts; 0 for a redacted one."""


def days_since(began_at: datetime, at: datetime) -> float:
    """Days of 24 hours."""
    return (at - began_at) / timedelta(days=1)


def read_tables(connection: sqlite3.Connection, now: datetime, reliability: Reliability) -> Tables:
    """Read what the formulas need. Must run on one snapshot.

    Statuses are those of `now`, before a run of that time changed any: so that a run which is repeated, or goes on
    after it was cut short, starts from the same mind.
    """
    head, first, last = connection.execute(
        "SELECT coalesce(max(seq), 0), (SELECT julianday(at) FROM events WHERE seq = 1),"
        " (SELECT julianday(at) FROM events ORDER BY seq DESC LIMIT 1) FROM events"
    ).fetchone()
    began = _JULIAN_UNIX if first is None else float(first)
    domains, models = Names(), Names()
    facts, digests = _facts(connection, began, domains)
    made = Made(*columns(connection, _INTERPRETATIONS.format(began=began), "iiiiiiffifss"))
    drawn = _drawn(connection, began, models)
    past = statuses(connection, began, now, made.numbers, made.status.astype(np.int8))
    table = _interpretations(connection, began, made, past, drawn, facts.numbers, domains, models, reliability)
    edges = _edges(drawn, made.numbers)
    # Names that only came up with the second table belong to the first one as well: there is one numbering.
    facts = FactTable(
        facts.numbers, table.domains, facts.domain, facts.entities, facts.entity, facts.recorded_day,
        facts.superseded_day, facts.occurrence_day, facts.measures,
    )  # fmt: skip
    return Tables(
        snapshot=Snapshot(facts, table, edges),
        began_at=datetime.fromtimestamp((began - _JULIAN_UNIX) * 86_400, UTC),
        latest_day=0.0 if last is None else float(last) - began,
        head=head,
        confidence=made.confidence,
        status=made.status.astype(np.int8),
        revived_day=past.revived_day,
        fact_digests=digests,
    )


def read_paces(connection: sqlite3.Connection, now: datetime) -> dict[str, float]:
    """Median days between news of one entity, of each domain where the facts tell. Must run on one snapshot."""
    row = connection.execute("SELECT julianday(at) FROM events WHERE seq = 1").fetchone()
    began = _JULIAN_UNIX if row is None else float(row[0])
    names = Names()
    facts, _digests = _facts(connection, began, names)
    facts = replace(facts, domains=names.names)
    day = days_since(datetime.fromtimestamp((began - _JULIAN_UNIX) * 86_400, UTC), now)
    found = zip(facts.domains, paces(facts, day).tolist(), strict=True)
    return {domain: pace for domain, pace in found if not math.isnan(pace)}


def read_texts(connection: sqlite3.Connection, facts: Iterable[int]) -> dict[int, str]:
    """The texts of facts of these numbers."""
    return dict(
        connection.execute(
            "SELECT number, text FROM facts WHERE number IN (SELECT value FROM json_each(?))",
            (json.dumps(list(facts)),),
        )
    )


def read_interpretation_texts(connection: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, str]:
    """The texts of interpretations of these numbers."""
    return dict(
        connection.execute(
            "SELECT number, text FROM interpretations WHERE number IN (SELECT value FROM json_each(?))",
            (json.dumps(list(numbers)),),
        )
    )


def _code(column: str, names: Iterable[str]) -> str:
    """SQL for the place of a column's value among names of our own."""
    cases = " ".join(f"WHEN '{name}' THEN {place}" for place, name in enumerate(names))
    return f"CASE {column} {cases} END"


# Facts


_FACTS = """SELECT f.number, f.digest, julianday(f.created_at) - {began},
    CASE WHEN f.superseded_by IS NULL THEN NULL ELSE coalesce(
        (SELECT julianday(max(e.at)) FROM event_subjects s JOIN events e USING (seq) WHERE s.subject = f.id
            AND e.kind = 'node_superseded' AND json_extract(e.what, '$.node') = f.id),
        julianday(f.created_at)
    ) - {began} END,
    f.domains FROM facts f ORDER BY f.number"""


def _facts(connection: sqlite3.Connection, began: float, domains: Names) -> tuple[FactTable, NDArray[np.int64]]:
    numbers, digests, recorded, superseded, names = columns(connection, _FACTS.format(began=began), "iiffs")
    fact, entity = columns(connection, "SELECT fact, entity FROM fact_entities", "ii")
    known, entities = columns(connection, "SELECT number, name FROM entities ORDER BY number", "is")
    seen_fact, seen_day = columns(
        connection,
        f"SELECT fact, julianday(recorded_at) - {began} FROM fact_occurrences",  # noqa: S608 - a number
        "if",
    )
    names_of, group = _same_entities(entities)
    named = np.unique(fill(fact, numbers)[0] * max(1, len(names_of)) + group[fill(entity, known)[0]])
    row, stem = np.divmod(named, max(1, len(names_of)))
    of_entity = grouped(row, stem.astype(np.int32), len(numbers))
    sightings = np.lexsort((seen_day, seen_fact))
    starts = np.searchsorted(seen_fact[sightings], np.append(numbers, np.iinfo(np.int64).max))
    none = np.zeros(0)
    table = FactTable(
        numbers=numbers,
        domains=domains.names,
        domain=domains.lists(names),
        entities=names_of,
        entity=of_entity,
        recorded_day=recorded,
        superseded_day=superseded,
        occurrence_day=type(of_entity)(starts, seen_day[sightings]),
        measures=Measures(none.astype(np.int32), none.astype(np.int64), none, none),
    )
    return table, digests


def _same_entities(names: list[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Entities as facts are joined by them, each by the first spelling of its name, and which one each name is."""
    place: dict[str, int] = {}
    group = np.array([place.setdefault(entity_key(name) or name, len(place)) for name in names], dtype=np.int64)
    first: dict[int, str] = {}
    for number, name in zip(group.tolist(), names, strict=True):
        first.setdefault(number, name)
    return tuple(first.values()), group


# Edges

_LAYER = "CASE substr({end}, 1, 1) WHEN 'q' THEN 0 WHEN 'f' THEN 1 ELSE 2 END"


def _drawn(connection: sqlite3.Connection, began: float, models: Names) -> Drawn:
    number, kind, src, dst, src_layer, dst_layer, boarding, day, authors = columns(
        connection,
        f"SELECT number, {_code('type', EDGE_TYPES)}, CAST(substr(src, 2) AS INTEGER),"  # noqa: S608 - constants
        f" CAST(substr(dst, 2) AS INTEGER), {_LAYER.format(end='src')}, {_LAYER.format(end='dst')},"
        f" coalesce(CAST(substr(boarding, 2) AS INTEGER), -1), julianday(created_at) - {began}, created_by"
        " FROM edges WHERE retracted_seq IS NULL ORDER BY number",
        "iiiiiiifs",
    )
    return Drawn(number, kind, src, dst, src_layer, dst_layer, models.numbers(authors), boarding, day)


def _edges(drawn: Drawn, numbers: NDArray[np.int64]) -> EdgeTable:
    between = (drawn.src_layer != 1) & (drawn.dst_layer != 1) & ((drawn.src_layer == 2) | (drawn.dst_layer == 2))
    ends = [(drawn.src[between], drawn.src_layer[between]), (drawn.dst[between], drawn.dst_layer[between])]
    questions = np.unique(np.concatenate([number[layer == 0] for number, layer in ends]))
    rows = [
        np.where(layer == 0, np.searchsorted(questions, number) + len(numbers), np.searchsorted(numbers, number))
        for number, layer in ends
    ]
    return EdgeTable(
        questions=questions,
        src=rows[0].astype(np.int32),
        dst=rows[1].astype(np.int32),
        type=drawn.type[between].astype(np.int8),
        author=drawn.author[between],
        day=drawn.day[between],
    )


# Interpretations

_INTERPRETATIONS = (
    f"SELECT number, {_code('kind', KINDS)}, level, {_code('velocity', VELOCITIES)}, {_code('status', STATUSES)},"  # noqa: S608 - constants
    " superseded_by IS NOT NULL, asserted_confidence, confidence, coalesce(CAST(substr(boarding, 2) AS INTEGER), -1),"
    " julianday(created_at) - {began}, domains, created_by FROM interpretations ORDER BY number"
)


def _interpretations(
    connection: sqlite3.Connection,
    began: float,
    made: Made,
    past: Statuses,
    drawn: Drawn,
    facts: NDArray[np.int64],
    domains: Names,
    models: Names,
    reliability: Reliability,
) -> InterpretationTable:
    domain, author = domains.lists(made.domains), models.numbers(made.authors)
    uses = uses_of(connection, began, made, drawn, author, domains, models)
    primary = primary_of(domain)
    row, voter, said = _votes(connection, made.numbers, models)
    trust = _Trust(models, domains, reliability)
    cited, fact = columns(
        connection, "SELECT interpretation, CAST(substr(fact, 2) AS INTEGER) FROM interpretation_facts", "ii"
    )
    to_fact = (drawn.src_layer == 2) & (drawn.dst_layer == 1)
    of_fact = (drawn.src_layer == 1) & (drawn.dst_layer == 2)
    refers = np.concatenate([cited, drawn.src[to_fact], drawn.dst[of_fact]])
    referred = np.concatenate([fact, drawn.dst[to_fact], drawn.src[of_fact]])
    return InterpretationTable(
        numbers=made.numbers,
        kind=made.kind.astype(np.int8),
        level=made.level.astype(np.int8),
        velocity=made.velocity.astype(np.int8),
        status=past.status,
        superseded=made.superseded.astype(np.bool_),
        domains=domains.names,
        domain=domain,
        models=models.names,
        author=author,
        author_reliability=trust.of(author, primary),
        asserted=made.asserted,
        votes=Votes(row, voter, said, trust.of(voter, primary[row])),
        created_day=made.day,
        shadow_day=past.shadow_day,
        fact=grouped(
            fill(refers, made.numbers)[0], fill(referred, facts)[0].astype(np.int32), len(made.numbers)
        ),
        uses=uses,
    )  # fmt: skip


_OPERATOR_SAID = (
    "SELECT CAST(substr(json_extract(what, '$.node'), 2) AS INTEGER), json_extract(what, '$.after'),"  # noqa: S608 - constants
    f" json_extract(what, '$.reason') = '{UNDONE}' FROM events INDEXED BY events_by_kind"
    f" WHERE kind = 'confidence_revised' AND by = '{OPERATOR}' ORDER BY seq"
)


def _votes(
    connection: sqlite3.Connection, numbers: NDArray[np.int64], models: Names
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Votes, and what the operator last set a confidence to, unless that was undone: it counts as a vote too."""
    of, said, by = columns(
        connection, "SELECT interpretation, confidence, by FROM confidence_votes ORDER BY seq", "ifs"
    )
    settled = {
        number: None if undone else after for number, after, undone in connection.execute(_OPERATOR_SAID).fetchall()
    }
    standing = [(number, after) for number, after in settled.items() if after is not None]
    of = np.concatenate([of, np.array([number for number, _ in standing], np.int64)])
    said = np.concatenate([said, np.array([after for _, after in standing], np.float64)])
    return fill(of, numbers)[0].astype(np.int32), models.numbers([*by, *(OPERATOR for _ in standing)]), said


class _Trust:
    """The reliability of authors and voters, by domain."""

    def __init__(self, models: Names, domains: Names, reliability: Reliability) -> None:
        self._models, self._domains, self._reliability = models.names, domains.names, reliability

    def of(self, model: NDArray[np.int32], domain: NDArray[np.integer]) -> NDArray[np.float64]:
        """0..1 for each pair."""
        width = len(self._domains) + 1
        keys, place = np.unique(model.astype(np.int64) * width + domain + 1, return_inverse=True)
        return np.array([self._one(int(key) // width, int(key) % width - 1) for key in keys], np.float64)[place]

    def _one(self, model: int, domain: int) -> float:
        name = self._models[model]
        if name == OPERATOR:
            return 1.0
        overall = self._reliability.get((name, None), _UNKNOWN)
        return overall if domain < 0 else self._reliability.get((name, self._domains[domain]), overall)
