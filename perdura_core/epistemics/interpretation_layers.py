"""The layers over interpretations, M3 to M6: where they stand among each other, how they move, what shapes they form.

Facts come in by reference only: nothing here reads a `FactTable`.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.series import RECENT_WEEKS, Numbers, numbers_of, weekly
from perdura_core.epistemics.snapshot import EdgeTable, InterpretationTable
from perdura_core.epistemics.topology import (
    betweenness,
    components,
    each_triad,
    edges_of,
    pagerank,
    pivots_of,
    undirected,
)
from perdura_core.vocabulary import EDGE_TYPES

__all__ = [
    "ConfidenceNumbers",
    "Motifs",
    "Topology",
    "UseNumbers",
    "Wisdom",
    "confidence_numbers",
    "live_edges",
    "motifs",
    "topology",
    "use_numbers",
    "wisdom",
]

_TYPES = len(EDGE_TYPES)
_CONTRADICTS = EDGE_TYPES.index("contradicts")


class Topology(NamedTuple):
    """M3, (m,) each; NaN, or component -1, for an interpretation without a live edge that does not contradict."""

    degree: NDArray[np.float64]
    pagerank: NDArray[np.float64]
    betweenness: NDArray[np.float64]
    """Shortest paths through it, estimated from pivots in a large graph."""
    component: NDArray[np.int32]


class UseNumbers(NamedTuple):
    """M4."""

    numbers: Numbers
    """Of weekly uses."""
    gini: NDArray[np.float64]
    """0..1 per interpretation: how much its uses crowd into few of the weeks since it was made; NaN without uses."""


class ConfidenceNumbers(NamedTuple):
    """M4, (m,) each, over the weeks of which a confidence is known; NaN where there is none."""

    mean: NDArray[np.float64]
    variance: NDArray[np.float64]
    change: NDArray[np.float64]
    """-1..1: mean of the last four weeks less that of the weeks before; NaN unless both are known."""


class Motifs(NamedTuple):
    """M5: shapes of closed triads that recur."""

    is_member: NDArray[np.bool_]
    """(m,): part of a triad whose shape recurs."""
    shape: NDArray[np.int64]
    times: NDArray[np.int64]
    lift: NDArray[np.float64]
    """(shapes,): code, how often found, and how many times as often as if edges were dealt at random."""


class Wisdom(NamedTuple):
    """M6, (domains + 1,) each, 0..1; NaN where there is none to judge by. The last is of those without a domain."""

    interpretations: NDArray[np.int64]
    """Active ones: a count."""
    consolidated: NDArray[np.float64]
    survival: NDArray[np.float64]
    contention: NDArray[np.float64]
    diversity: NDArray[np.float64]
    wisdom: NDArray[np.float64]


def live_edges(table: InterpretationTable, edges: EdgeTable) -> NDArray[np.bool_]:
    """(edges,): both ends are active interpretations or questions."""
    alive = np.append(table.active, np.ones(len(edges.questions), dtype=bool))
    return np.asarray(alive[edges.src] & alive[edges.dst])


def topology(table: InterpretationTable, edges: EdgeTable, seed: int = 0, constants: Epistemics = DEFAULTS) -> Topology:
    """M3 over live edges that do not contradict, read both ways; questions are vertices on the way.

    Contradictions are left out because nothing rests on one, and because conductor and briefings follow contention:
    what is contradicted is shown, and what is shown is contradicted, so that structure would repeat usage (r = 0.27
    instead of 0.13 on recorded texts). Contention has a measure of its own. By hand, two claims that answer one
    question: each has a path of length 2 to the other through the question, so their betweenness is 0 and their
    PageRanks are equal.
    """
    live = live_edges(table, edges) & (edges.type != _CONTRADICTS)
    ends, place = np.unique(np.concatenate([edges.src[live], edges.dst[live]]), return_inverse=True)
    half = len(place) // 2
    graph = undirected(place[:half].astype(np.int32), place[half:].astype(np.int32), len(ends))
    # Questions and interpretations have numbers of their own; as in ids, a letter sets them apart.
    numbers = np.concatenate([table.numbers * 2, edges.questions * 2 + 1])[ends]
    pivots = pivots_of(numbers, constants.pivots, seed) if len(ends) > constants.exact_most else None
    inside = ends < len(table)
    rows = ends[inside]
    of_row = [np.full(len(table), np.nan) for _ in range(3)]
    found = (
        np.diff(graph.indptr).astype(np.float64),
        pagerank(graph),
        betweenness(graph, pivots, constants.path_most),
    )
    for column, values in zip(of_row, found, strict=True):
        column[rows] = values[inside]
    component = np.full(len(table), -1, dtype=np.int32)
    component[rows] = components(graph)[inside]
    return Topology(of_row[0], of_row[1], of_row[2], component)


def use_numbers(table: InterpretationTable, now: float, constants: Epistemics = DEFAULTS) -> UseNumbers:
    """M4: weekly uses of each interpretation, and how unevenly they are spread over its weeks (Gini 1912).

    By hand, four weeks with 0, 0, 1 and 3 uses: (2 * (1*0 + 2*0 + 3*1 + 4*3) / (4 * 4)) - 5 / 4 = 0.625.
    """
    past = (table.uses.day <= now) & (table.uses.day >= 0)
    row, day = table.uses.row[past], table.uses.day[past]
    series = weekly(row, day, np.ones(len(row)), len(table), now, constants.series_weeks)
    age = np.floor((now - table.created_day) / 7.0) + 1
    weeks = np.maximum(series.weeks, np.clip(age, 1, constants.series_weeks))
    return UseNumbers(numbers_of(series), _gini(series.weights, weeks))


def confidence_numbers(
    row: NDArray[np.integer],
    day: NDArray[np.float64],
    confidence: NDArray[np.float64],
    rows: int,
    now: float,
    constants: Epistemics = DEFAULTS,
) -> ConfidenceNumbers:
    """M4: the weekly means of confidences that were worked out on some days, in numbers. In any order.

    By hand, .5 six weeks ago and .6 and .8 this week: weekly means .5 and .7, so mean .6, variance .01, change .2.

    >>> days, said = np.array([0.0, 41.0, 42.0]), np.array([0.5, 0.6, 0.8])
    >>> found = confidence_numbers(np.zeros(3, int), days, said, 1, 42.0)
    >>> [round(float(part[0]), 4) for part in found]
    [0.6, 0.01, 0.2]
    """
    weeks = constants.series_weeks
    week = np.floor((now - day) / 7.0).astype(np.int64)
    inside = (week >= 0) & (week < weeks)
    place = row[inside].astype(np.int64) * weeks + week[inside]
    known = np.bincount(place, minlength=rows * weeks).reshape(rows, weeks)
    total = np.bincount(place, confidence[inside], rows * weeks).reshape(rows, weeks)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / known
        parts = [_mean(mean[:, part]) for part in (slice(None), slice(RECENT_WEEKS), slice(RECENT_WEEKS, None))]
        variance = _mean((mean - parts[0][:, None]) ** 2)
    return ConfidenceNumbers(parts[0], variance, parts[1] - parts[2])


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each row, of what is no NaN; NaN where nothing is left."""
    is_known = ~np.isnan(values)
    found: NDArray[np.float64] = np.where(is_known, values, 0.0).sum(axis=1) / is_known.sum(axis=1)
    return found


def motifs(table: InterpretationTable, edges: EdgeTable, constants: Epistemics = DEFAULTS) -> Motifs:
    """M5: closed triads of active interpretations, by the types and directions of their edges (Milo and others 2002).

    A shape recurs when it is found at least 3 times, and at least 3 times as often as if the same pairs' edges were
    dealt to them at random. By hand, three separate triangles that are all `supports` one way round, among 91 other
    joined pairs: of 100 pairs 9 are such, so a random triad would rarely be, and all nine are members.
    """
    between = live_edges(table, edges) & (edges.src < len(table)) & (edges.dst < len(table))
    between &= edges.src != edges.dst
    src, dst, kind = (column[between].astype(np.int64) for column in (edges.src, edges.dst, edges.type))
    graph = undirected(src.astype(np.int32), dst.astype(np.int32), len(table))
    low, high = edges_of(graph)
    label = _labels(src, dst, kind, low * len(table) + high, len(table))
    # Twice over the triads, so that those of a large crowd of claims need not be held all at once.
    shape, times = _census(_shapes(label, low, high, sides)[0] for sides in each_triad(graph))
    expected = times.sum() * _expected(shape, _dealt(label))
    lift = times / np.maximum(expected, 1e-300)
    recurring = shape[(times >= constants.motif_least) & (lift >= constants.motif_lift)]
    is_member = np.zeros(len(table), dtype=bool)
    if len(recurring):
        for sides in each_triad(graph):
            code, corners = _shapes(label, low, high, sides)
            is_member[corners[np.isin(code, recurring)].ravel()] = True
    return Motifs(is_member, shape, times, lift)


def wisdom(table: InterpretationTable, edges: EdgeTable, now: float, constants: Epistemics = DEFAULTS) -> Wisdom:
    """M6: the mean of what is known of four shares, by primary domain.

    consolidated: patterns and principles among active ones; survival: active among those older than one half-life;
    contention: active ones with a live `contradicts` edge, which counts 1 less it; diversity: the chance that two
    active ones have different authors (Simpson 1949). By hand, consolidated 0.2, survival 0.5, contention 0.1,
    diversity 0.6: (0.2 + 0.5 + 0.9 + 0.6) / 4 = 0.55.
    """
    active, count = table.active, len(table.domains) + 1
    domain = np.where(table.primary >= 0, table.primary, count - 1)

    def tally(rows: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.bincount(domain[rows], minlength=count).astype(np.float64)

    size = tally(active)
    old = now - table.created_day >= half_life(table.velocity, table.level, constants)
    disputed = np.zeros(len(table), dtype=bool)
    fights = live_edges(table, edges) & (edges.type == _CONTRADICTS)
    disputed[edges.src[fights]] = disputed[edges.dst[fights]] = True
    pair, times = np.unique(domain[active] * np.int64(len(table.models) + 1) + table.author[active], return_counts=True)
    same = np.bincount(pair // (len(table.models) + 1), times * (times - 1), minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        consolidated = tally(active & (table.level > 1)) / size
        survival = tally(active & old) / tally(old)
        contention = tally(active & disputed) / size
        diversity = np.where(size > 1, 1.0 - same / (size * (size - 1)), np.nan)
    parts = np.stack([consolidated, survival, 1.0 - contention, diversity])
    known = ~np.isnan(parts)
    with np.errstate(invalid="ignore"):
        mean = np.where(known, parts, 0.0).sum(axis=0) / known.sum(axis=0)
    return Wisdom(size.astype(np.int64), consolidated, survival, contention, diversity, mean)


def _gini(weights: csr_array, weeks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each row over so many weeks, those without an entry being 0."""
    row = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    order = np.lexsort((weights.data, row))
    row, value = row[order], weights.data[order]
    stored = np.diff(weights.indptr)
    rank = np.arange(len(row)) - np.repeat(weights.indptr[:-1], stored) + 1 + (weeks - stored)[row]
    total = np.bincount(row, value, minlength=len(weeks))
    ranked = np.bincount(row, rank * value, minlength=len(weeks))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * ranked / (weeks * total) - (weeks + 1) / weeks)


def _census(portions: Iterable[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Different codes, ascending, and how often each is found."""
    counts: Counter[int] = Counter()
    for codes in portions:
        counts.update(dict(zip(*(part.tolist() for part in np.unique(codes, return_counts=True)), strict=True)))
    found = sorted(counts)
    return np.array(found, np.int64), np.array([counts[code] for code in found], np.int64)


def _labels(
    src: NDArray[np.int64], dst: NDArray[np.int64], kind: NDArray[np.int64], keys: NDArray[np.int64], vertices: int
) -> NDArray[np.int64]:
    """(pairs,): a bit for each type of edge from the lower to the higher end, and one for each the other way.

    `contradicts` goes both ways, whoever said it.
    """
    at = np.searchsorted(keys, np.minimum(src, dst) * vertices + np.maximum(src, dst))
    up, down = np.int64(1) << kind, np.int64(1) << (kind + _TYPES)
    bit = np.where(kind == _CONTRADICTS, up | down, np.where(src < dst, up, down))
    label = np.zeros(len(keys), dtype=np.int64)
    np.bitwise_or.at(label, at, bit)
    return label


def _turned(label: NDArray[np.int64]) -> NDArray[np.int64]:
    """The label as seen from the other end."""
    ones = (1 << _TYPES) - 1
    return ((label & ones) << _TYPES) | (label >> _TYPES)


def _dealt(label: NDArray[np.int64]) -> NDArray[np.float64]:
    """(codes,): the chance that a pair has this label, seen from either end alike."""
    chance = np.bincount(label, minlength=1 << 2 * _TYPES) / max(1, len(label))
    return np.asarray((chance + chance[_turned(np.arange(len(chance)))]) / 2)


def _shapes(
    label: NDArray[np.int64], low: NDArray[np.int64], high: NDArray[np.int64], sides: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(triads,) codes that do not depend on which corner comes first, and (triads, 3) corners.

    A code is the least of the six readings; a reading has the labels from corner a to b, a to c, and b to c.
    """
    ends = np.sort(np.stack([low[sides], high[sides]], axis=2).reshape(len(sides), 6), axis=1)[:, ::2]
    held = np.zeros((len(sides), 3, 3), dtype=np.int64)
    rows = np.arange(len(sides))
    for side in sides.T:
        one = np.argmax(ends == low[side][:, None], axis=1)
        other = np.argmax(ends == high[side][:, None], axis=1)
        held[rows, one, other] = label[side]
        held[rows, other, one] = _turned(label[side])
    codes = [_reading(held[:, a, b], held[:, a, c], held[:, b, c]) for a, b, c in permutations(range(3))]
    return np.min(np.stack(codes), axis=0, initial=1 << 62), ends


def _reading(ab: NDArray[np.int64], ac: NDArray[np.int64], bc: NDArray[np.int64]) -> NDArray[np.int64]:
    return (ab << 4 * _TYPES) | (ac << 2 * _TYPES) | bc


def _expected(shape: NDArray[np.int64], chance: NDArray[np.float64]) -> NDArray[np.float64]:
    """(shapes,): the chance of each shape when labels are dealt at random: over its different readings, the product."""
    ones = (1 << 2 * _TYPES) - 1
    ab, ac, bc = shape >> 4 * _TYPES, (shape >> 2 * _TYPES) & ones, shape & ones
    held = {(0, 1): ab, (0, 2): ac, (1, 2): bc, (1, 0): _turned(ab), (2, 0): _turned(ac), (2, 1): _turned(bc)}
    readings = np.sort(
        np.stack([_reading(held[a, b], held[a, c], held[b, c]) for a, b, c in permutations(range(3))]), axis=0
    )
    is_new = np.ones(readings.shape, dtype=bool)
    is_new[1:] = readings[1:] != readings[:-1]
    different = is_new.sum(axis=0)
    return np.asarray(different * chance[ab] * chance[ac] * chance[bc])
