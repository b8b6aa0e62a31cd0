"""When interpretations were used: shown by a briefing, cited by an edge, promoted by something that builds on them."""

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.snapshot import KINDS, USE_KINDS, Uses
from perdura_core.store.columns import Names, columns, fill
from perdura_core.vocabulary import EDGE_TYPES, OPERATOR

__all__ = ["Drawn", "Made", "uses_of"]

_CITED, _PROMOTED = USE_KINDS.index("cited"), USE_KINDS.index("promoted")
_CONTRADICTS = EDGE_TYPES.index("contradicts")
_DECISION = KINDS.index("decision")


class Drawn(NamedTuple):
    """Edges as they stand in the store."""

    number: NDArray[np.int64]
    type: NDArray[np.int64]
    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    src_layer: NDArray[np.int64]
    dst_layer: NDArray[np.int64]
    """0 question, 1 fact, 2 interpretation."""
    author: NDArray[np.int32]
    boarding: NDArray[np.int64]
    """-1 outside of one."""
    day: NDArray[np.float64]


class Made(NamedTuple):
    """Interpretations as they stand in the store."""

    numbers: NDArray[np.int64]
    kind: NDArray[np.int64]
    level: NDArray[np.int64]
    velocity: NDArray[np.int64]
    status: NDArray[np.int64]
    superseded: NDArray[np.int64]
    asserted: NDArray[np.float64]
    confidence: NDArray[np.float64]
    boarding: NDArray[np.int64]
    day: NDArray[np.float64]
    domains: list[str]
    authors: list[str]


def uses_of(
    connection: sqlite3.Connection,
    began: float,
    made: Made,
    drawn: Drawn,
    author: NDArray[np.int32],
    domains: Names,
    models: Names,
) -> Uses:
    """Every use of an interpretation.

    An edge cites an interpretation at either end when it was drawn by the operator, or aboard another boarding than
    the one that made it. It promotes instead when a decision or something of a higher level, by another author, is at
    the other end and does not contradict it.
    """
    shown, domain_of = _shown(connection, began, made.numbers, domains, models)
    parts = [shown, *_drawn_uses(made, drawn, author, domain_of, models.number(OPERATOR))]
    return Uses(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _shown(
    connection: sqlite3.Connection, began: float, numbers: NDArray[np.int64], domains: Names, models: Names
) -> tuple[Uses, dict[int, int]]:
    """What briefings showed, and the primary domain of each boarding's question."""
    boarding, day, model, names = columns(
        connection,
        f"SELECT b.number, julianday(b.opened_at) - {began}, b.model, q.domains FROM boardings b JOIN questions q"  # noqa: S608
        " ON q.number = CAST(substr(b.question, 2) AS INTEGER) ORDER BY b.number",
        "ifss",
    )
    primary = np.array([(domains.listed(column) or (-1,))[0] for column in names], dtype=np.int32)
    of_model = models.numbers(model)
    aboard, node = columns(
        connection,
        "SELECT boarding, CAST(substr(node, 2) AS INTEGER) FROM usage_events WHERE node LIKE 'i%'",
        "ii",
    )
    at = fill(aboard, boarding)[0]
    uses = Uses(
        row=fill(node, numbers)[0].astype(np.int32),
        day=day[at],
        kind=np.zeros(len(aboard), np.int8),
        model=of_model[at],
        boarding=aboard,
        domain=primary[at],
    )
    return uses, dict(zip(boarding.tolist(), primary.tolist(), strict=True))


def _drawn_uses(
    made: Made, drawn: Drawn, author: NDArray[np.int32], domain_of: Mapping[int, int], operator: int
) -> list[Uses]:
    parts: list[Uses] = []
    ends = (drawn.src, drawn.src_layer), (drawn.dst, drawn.dst_layer)
    for (end, end_layer), (other, other_layer) in (ends, ends[::-1]):
        at, is_there = fill(end, made.numbers)
        by_operator = drawn.author == operator
        counted = (end_layer == 2) & is_there & (made.boarding[at] != drawn.boarding)
        counted &= (drawn.boarding >= 0) | by_operator
        row, boarding = at[counted], drawn.boarding[counted]
        partner, builds = fill(other[counted], made.numbers)
        builds &= (other_layer[counted] == 2) & (drawn.type[counted] != _CONTRADICTS)
        builds &= author[partner] != author[row]
        higher = (made.kind[partner] == _DECISION) & (made.kind[row] != _DECISION)
        higher |= made.level[partner] > made.level[row]
        parts.append(
            Uses(
                row=row.astype(np.int32),
                day=drawn.day[counted],
                kind=np.where(builds & higher, _PROMOTED, _CITED).astype(np.int8),
                model=np.where(by_operator, -1, drawn.author)[counted].astype(np.int32),
                boarding=boarding,
                domain=np.fromiter((domain_of.get(each, -1) for each in boarding.tolist()), np.int32, len(boarding)),
            )
        )
    return parts
