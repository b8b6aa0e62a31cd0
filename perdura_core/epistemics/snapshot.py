"""What a mind's upkeep reads, as arrays: facts, interpretations, and the edges among interpretations.

Days are float64 since the mind's first event (`now` of a run is such a day too); NaN means never or unknown. Rows are
positions in a table, in ascending order of the nodes' numbers (`f1042` has number 1042); results are arrays over the
same rows. Formulas over facts take a `FactTable` alone, so that they cannot read an interpretation.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from perdura_core.vocabulary import InterpretationKind, Status, Velocity

__all__ = [
    "KINDS",
    "STATUSES",
    "USE_KINDS",
    "VELOCITIES",
    "EdgeTable",
    "FactTable",
    "InterpretationTable",
    "Measures",
    "Ragged",
    "Snapshot",
    "Uses",
    "Votes",
    "owners",
    "places_of",
    "primary_of",
    "ragged",
]

KINDS: tuple[InterpretationKind, ...] = ("claim", "decision", "rejected")
STATUSES: tuple[Status, ...] = ("active", "shadow", "deleted")
VELOCITIES: tuple[Velocity, ...] = ("fast", "medium", "slow")
USE_KINDS = ("shown", "cited", "promoted")
"""A name's place in these, and in the vocabulary's `EDGE_TYPES`, is its code in the int8 columns below."""

S = TypeVar("S", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Ragged(Generic[S]):
    """Rows of different lengths, compressed: row r holds `values[starts[r]:starts[r + 1]]`."""

    starts: NDArray[np.int64]
    """(rows + 1,), from 0, never falling."""
    values: NDArray[S]
    """(starts[-1],)"""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """(rows,)"""
        return np.diff(self.starts)


def ragged(rows: Iterable[Sequence[float]], dtype: type[S]) -> Ragged[S]:
    """Rows given one by one.

    >>> ragged([[3, 1], [], [2]], np.int32)
    Ragged(starts=array([0, 2, 2, 3]), values=array([3, 1, 2], dtype=int32))
    """
    held = [np.asarray(row, dtype=dtype) for row in rows]
    starts = np.zeros(len(held) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in held], out=starts[1:])
    return Ragged(starts, np.concatenate([np.zeros(0, dtype=dtype), *held]))


def owners(rows: Ragged[S]) -> NDArray[np.int64]:
    """(values,): the row that each value belongs to."""
    return np.repeat(np.arange(len(rows)), rows.lengths)


class Measures(NamedTuple):
    """Figures that facts state, flat: one entry a figure."""

    row: NDArray[np.int32]
    """Row of the fact."""
    key: NDArray[np.int64]
    """What is measured. Equal keys of facts that share an entity are figures of the same measure."""
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    """Bounds of the figure, in the measure's base unit; infinite when open. Disjoint bounds are another value."""


@dataclass(frozen=True, slots=True)
class FactTable:
    """n facts, superseded ones included. There is no confidence, no status and no use here, and never will be."""

    numbers: NDArray[np.int64]
    """(n,), ascending."""
    domains: tuple[str, ...]
    """Names of the mind's domains, one numbering for both tables."""
    domain: Ragged[np.int32]
    """n rows into `domains`; the first is the primary one; a row may be empty."""
    entities: tuple[str, ...]
    entity: Ragged[np.int32]
    """n rows into `entities`, distinct within a row."""
    recorded_day: NDArray[np.float64]
    """(n,): first recorded."""
    superseded_day: NDArray[np.float64]
    """(n,): NaN while it stands."""
    occurrence_day: Ragged[np.float64]
    """n rows: when each sighting was recorded, the first one included, ascending."""
    measures: Measures

    def __post_init__(self) -> None:
        _same_length(len(self), self.domain, self.entity, self.recorded_day, self.superseded_day, self.occurrence_day)

    def __len__(self) -> int:
        return len(self.numbers)


class Votes(NamedTuple):
    """What was said of interpretations' confidence after they were made, flat: one entry a vote."""

    row: NDArray[np.int32]
    voter: NDArray[np.int32]
    """Into `models`."""
    confidence: NDArray[np.float64]
    """0..1."""
    reliability: NDArray[np.float64]
    """0..1: the voter's record in the interpretation's primary domain; 0.5 when nothing is known of it."""


class Uses(NamedTuple):
    """When interpretations were shown, cited or promoted, flat: one entry a use."""

    row: NDArray[np.int32]
    day: NDArray[np.float64]
    kind: NDArray[np.int8]
    """Into `USE_KINDS`."""
    model: NDArray[np.int32]
    """Into `models`; -1 when no model did it."""
    boarding: NDArray[np.int64]
    """Number of the boarding; -1 outside one."""
    domain: NDArray[np.int32]
    """Primary domain of the boarding's question, into `domains`; -1 when it has none."""


@dataclass(frozen=True, slots=True)
class InterpretationTable:
    """m interpretations of every status, superseded ones included."""

    numbers: NDArray[np.int64]
    """(m,), ascending."""
    kind: NDArray[np.int8]
    """(m,), into `KINDS`."""
    level: NDArray[np.int8]
    """(m,): 1 instance, 2 pattern, 3 principle."""
    velocity: NDArray[np.int8]
    """(m,), into `VELOCITIES`."""
    status: NDArray[np.int8]
    """(m,), into `STATUSES`."""
    superseded: NDArray[np.bool_]
    domains: tuple[str, ...]
    """The same tuple as in the mind's `FactTable`."""
    domain: Ragged[np.int32]
    """m rows into `domains`; the first is the primary one; a row may be empty."""
    models: tuple[str, ...]
    """Authors, voters and users: models, `operator`, `conductor`, `ingest`."""
    author: NDArray[np.int32]
    """(m,), into `models`."""
    author_reliability: NDArray[np.float64]
    """(m,), 0..1: the author's record in the primary domain; 0.5 when nothing is known of it."""
    asserted: NDArray[np.float64]
    """(m,): the confidence its author asserted; NaN when the author did not say."""
    votes: Votes
    created_day: NDArray[np.float64]
    shadow_day: NDArray[np.float64]
    """(m,): since when it lies in shadow; NaN unless it does."""
    fact: Ragged[np.int32]
    """m rows into the `FactTable`: the facts it refers to, by its list or by an edge, distinct within a row."""
    uses: Uses

    def __post_init__(self) -> None:
        rows = (self.kind, self.level, self.velocity, self.status, self.superseded, self.domain, self.author)
        _same_length(len(self), *rows, self.author_reliability, self.asserted, self.created_day, self.shadow_day)
        _same_length(len(self), self.fact)

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def primary(self) -> NDArray[np.int32]:
        """(m,): the primary domain, into `domains`; -1 for none."""
        return primary_of(self.domain)

    @property
    def active(self) -> NDArray[np.bool_]:
        """(m,): in use: status active and not superseded."""
        return np.asarray((self.status == 0) & ~self.superseded)


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """Edges that stand, touch an interpretation and no fact: to facts there are references, `InterpretationTable.fact`.

    Edges of interpretations that are superseded, in shadow or deleted are here too; readers leave out what they must.

    Ends are vertices of one numbering: 0..m-1 are the rows of the `InterpretationTable`, m..m+q-1 are questions.
    """

    questions: NDArray[np.int64]
    """(q,): numbers of the questions that are an end of some edge."""
    src: NDArray[np.int32]
    dst: NDArray[np.int32]
    type: NDArray[np.int8]
    """Into the vocabulary's `EDGE_TYPES`."""
    author: NDArray[np.int32]
    """Into the `InterpretationTable`'s `models`."""
    day: NDArray[np.float64]

    def __post_init__(self) -> None:
        _same_length(len(self), self.dst, self.type, self.author, self.day)

    def __len__(self) -> int:
        return len(self.src)


class Snapshot(NamedTuple):
    """One mind at one moment."""

    facts: FactTable
    interpretations: InterpretationTable
    edges: EdgeTable


def places_of(rows: Ragged[S], wanted: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each wanted row all its values: their places in `values`, and which of the wanted rows each stems from.

    >>> place, stem = places_of(ragged([[3, 1], [], [2]], np.int32), np.array([2, 0]))
    >>> (place.tolist(), stem.tolist())
    ([2, 0, 1], [0, 1, 1])
    """
    count = rows.lengths[wanted]
    stem = np.repeat(np.arange(len(wanted)), count)
    within = np.arange(len(stem)) - np.repeat(np.cumsum(count) - count, count)
    return rows.starts[wanted][stem] + within, stem


def primary_of(domain: Ragged[np.int32]) -> NDArray[np.int32]:
    """(rows,): the first value of each row; -1 for an empty one."""
    found = np.full(len(domain), -1, dtype=np.int32)
    there = domain.lengths > 0
    found[there] = domain.values[domain.starts[:-1][there]]
    return found


def _same_length(rows: int, *columns: Sized) -> None:
    wrong = [len(column) for column in columns if len(column) != rows]
    if wrong:
        raise ValueError(f"a column of {wrong[0]} rows in a table of {rows}: give every column one entry a row")
