"""Which instances agree well enough to be a pattern, and which patterns stand long enough to be a principle.

Both are proposals: nothing here raises a level. The forms are those of the design's page on epistemics.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.interpretation_layers import live_edges
from perdura_core.epistemics.snapshot import USE_KINDS, EdgeTable, InterpretationTable
from perdura_core.epistemics.topology import components, undirected
from perdura_core.vocabulary import EDGE_TYPES

__all__ = ["Agreement", "Standing", "agreements", "lasting"]

_SUPPORTS, _CONTRADICTS, _REFINES = (EDGE_TYPES.index(name) for name in ("supports", "contradicts", "refines"))
_CITED = USE_KINDS.index("cited")


class Agreement(NamedTuple):
    """Instances that could be one pattern."""

    rows: NDArray[np.int64]
    """Ascending."""
    models: int
    """How many different authors."""
    span_half_lives: float
    """Between the first and the last, in mean half-lives of the members."""
    confidence: float
    """Mean, 0..1."""


class Standing(NamedTuple):
    """A pattern that could be a principle."""

    row: int
    age_half_lives: float
    confidence: float
    domains: int
    boardings: int
    """Different ones that cited it."""


def agreements(
    table: InterpretationTable, edges: EdgeTable, confidence: NDArray[np.float64], constants: Epistemics = DEFAULTS
) -> list[Agreement]:
    """Components of active instances joined by `supports` or `refines` that qualify, in the order of their first row.

    Needed: 3 instances, 2 authors, 2 half-lives from first to last, mean confidence 0.65, no live contradiction
    inside, and no pattern or principle that is joined to a member already. By hand, medium instances of days 0, 10
    and 30 by two authors at 0.7: 30 / 13.86 = 2.16 half-lives, a candidate; of days 0, 10 and 20 not yet.
    """
    instance = table.active & (table.level == 1)
    live = live_edges(table, edges) & (edges.src < len(table)) & (edges.dst < len(table))
    src, dst, kind = edges.src[live], edges.dst[live], edges.type[live]
    agrees = (kind == _SUPPORTS) | (kind == _REFINES)
    inside = agrees & instance[src] & instance[dst]
    member = components(undirected(src[inside], dst[inside], len(table)))
    size = np.bincount(member, minlength=len(table))
    is_out = np.zeros(len(size), dtype=bool)
    fights = (kind == _CONTRADICTS) & (member[src] == member[dst])
    is_out[member[src[fights]]] = True
    above = agrees & (instance[src] != instance[dst])
    is_out[member[np.where(instance[src], src, dst)[above]]] = True

    first, last = np.full(len(size), np.inf), np.full(len(size), -np.inf)
    np.minimum.at(first, member, table.created_day)
    np.maximum.at(last, member, table.created_day)
    days = half_life(table.velocity, table.level, constants)
    with np.errstate(invalid="ignore", divide="ignore"):
        span = (last - first) / (np.bincount(member, days, minlength=len(size)) / size)
        mean = np.bincount(member, confidence, minlength=len(size)) / size
    authors = np.unique(np.stack([member, table.author]), axis=1)[0]
    models = np.bincount(authors, minlength=len(size))
    chosen = (size >= constants.agreeing_least) & ~is_out & (models >= constants.agreeing_models)
    chosen &= (span >= constants.agreeing_half_lives) & (mean >= constants.agreeing_confidence)
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(size)
    found = [
        Agreement(order[ends[one] - size[one] : ends[one]], int(models[one]), float(span[one]), float(mean[one]))
        for one in np.flatnonzero(chosen)
    ]
    return sorted(found, key=lambda one: int(one.rows[0]))


def lasting(
    table: InterpretationTable, confidence: NDArray[np.float64], now: float, constants: Epistemics = DEFAULTS
) -> list[Standing]:
    """Active patterns aged 3 half-lives, confidence 0.75, cited in 2 domains or by 5 boardings; by row.

    By hand, a medium pattern (half-life 19.8 days) of 60 days at 0.8, cited from questions of two domains: proposed.
    """
    days = half_life(table.velocity, table.level, constants)
    cited = (table.uses.kind == _CITED) & (table.uses.day <= now)
    domains = _different(table.uses.row[cited], table.uses.domain[cited], len(table))
    boardings = _different(table.uses.row[cited], table.uses.boarding[cited], len(table))
    age = (now - table.created_day) / days
    chosen = table.active & (table.level == 2) & (age >= constants.principle_half_lives)
    chosen &= confidence >= constants.principle_confidence
    chosen &= (domains >= constants.principle_domains) | (boardings >= constants.principle_boardings)
    return [
        Standing(int(row), float(age[row]), float(confidence[row]), int(domains[row]), int(boardings[row]))
        for row in np.flatnonzero(chosen)
    ]


def _different(row: NDArray[np.int32], value: NDArray[np.integer], rows: int) -> NDArray[np.int64]:
    """(rows,): how many different values >= 0 each row has."""
    known = value >= 0
    pairs = np.unique(np.stack([row[known].astype(np.int64), value[known].astype(np.int64)]), axis=1)
    return np.bincount(pairs[0], minlength=rows).astype(np.int64)
