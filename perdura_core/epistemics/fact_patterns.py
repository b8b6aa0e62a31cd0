"""The layers over facts, L5 and L6: triads, sequences, lift, trends, and how the layers' measures go together.

Every function reads facts alone, or what lower layers made of them.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.fact_layers import EntityGraph, FactNumbers, FactTopology, entity_weeks, seen
from perdura_core.epistemics.independence import Correlations, correlations
from perdura_core.epistemics.snapshot import FactTable, places_of

__all__ = ["FactPatterns", "FactTrends", "fact_patterns", "fact_trends"]


class FactPatterns(NamedTuple):
    """L5. Edges are those of the `EntityGraph`, in its order."""

    triads_of_fact: NDArray[np.float64]
    """(n,): closed triads that the fact's pairs are part of and whose third entity the fact does not name; 0 for a
    fact of one entity, NaN for one of none."""
    lift: NDArray[np.float64]
    """(edges,): how many times as often as by chance the pair is seen together."""
    onward: NDArray[np.int64]
    backward: NDArray[np.int64]
    """(edges,): weeks with the lower entity that a week with the higher one follows, and the other way round."""


class FactTrends(NamedTuple):
    """L6."""

    trend: NDArray[np.float64]
    """(entities,), -1..1: seen less and less, or more and more; NaN when these weeks say nothing of it."""
    links: Correlations
    """How degree, PageRank, clustering, weekly mean, variation and trend go together over entities."""


def fact_patterns(
    facts: FactTable, graph: EntityGraph, topology: FactTopology, now: float, constants: Epistemics = DEFAULTS
) -> FactPatterns:
    """L5.

    By hand, facts of a-b, b-c and a-c: one closed triad, which each of the three facts is part of; one fact of a-b-c
    closes it too, but by itself, which counts 0. Three sightings, two of them of each entity: the lift of a pair is
    1 * 3 / (2 * 2) = 0.75.
    """
    size = facts.entity.lengths
    outside = topology.triads.per_edge[graph.pair_edge] - (size[graph.pair_fact] - 2)
    triads = np.bincount(graph.pair_fact, outside, minlength=len(facts)).astype(np.float64)
    fact, _ = seen(facts, now)
    times = np.bincount(fact, minlength=len(facts))
    of_entity = np.bincount(
        facts.entity.values, np.repeat(times, size).astype(np.float64), minlength=len(facts.entities)
    )
    lift = graph.weight * len(fact) / (of_entity[graph.low] * of_entity[graph.high])
    weeks = entity_weeks(facts, now, constants).weights
    present = np.zeros(len(facts.entities), dtype=np.uint64)
    at = weeks.tocoo()
    np.bitwise_or.at(present, at.row, np.uint64(1) << at.col.astype(np.uint64))
    return FactPatterns(
        triads_of_fact=np.where(size > 0, triads, np.nan),
        lift=np.asarray(lift),
        onward=_followed(present[graph.low], present[graph.high]),
        backward=_followed(present[graph.high], present[graph.low]),
    )


def fact_trends(
    facts: FactTable,
    topology: FactTopology,
    numbers: FactNumbers,
    now: float,
    constants: Epistemics = DEFAULTS,
) -> FactTrends:
    """L6: whether each entity is seen more, or less, the longer it has been known (Laplace's test, Cox and Lewis 1966).

    Time is counted in sightings of the whole mind, so that a day on which many documents are read makes nothing look
    new; and from the entity's first sighting on, so that what came late does not look like what is coming up. A
    sighting's place is the share of the mind's sightings since then that come before it, half of those of the same
    moment with them. The trend is twice the mean place after the first sighting less 1, times n / (n + 3) for n
    sightings after the first. By hand, sightings of a, a, b, b on four days: the second of a has place 1.5 / 4, that
    of b 1.5 / 2, so that a has (2 * 0.375 - 1) / 4 = -0.0625 and b 0.125.
    """
    fact, day = seen(facts, now)
    at, stem = places_of(facts.entity, fact)
    entity, day = facts.entity.values[at], day[stem]
    trend = _trends(entity, day, np.sort(seen(facts, now)[1]), len(facts.entities), now, constants)
    names = ("degree", "pagerank", "clustering", "weekly mean", "variation", "trend")
    columns = (
        topology.degree.astype(np.float64),
        topology.pagerank,
        topology.clustering,
        numbers.entities.mean,
        numbers.entity_variation,
        trend,
    )
    return FactTrends(trend, correlations(names, columns))


def _trends(
    entity: NDArray[np.int32],
    day: NDArray[np.float64],
    everything: NDArray[np.float64],
    entities: int,
    now: float,
    constants: Epistemics,
) -> NDArray[np.float64]:
    """everything: the days of all sightings in the mind, ascending."""
    since = now - constants.series_weeks * 7
    total = len(everything)
    before = int(np.searchsorted(everything, since))
    first = np.full(entities, np.inf)
    np.minimum.at(first, entity, day)
    lately = day >= since
    entity, day = entity[lately], day[lately]
    start = np.maximum(np.searchsorted(everything, first), before)
    middle = (np.searchsorted(everything, day) + np.searchsorted(everything, day, "right")) / 2
    place = (middle - start[entity]) / np.maximum(1, total - start[entity])
    mentions = np.bincount(entity, minlength=entities).astype(np.float64)
    places = np.bincount(entity, place, minlength=entities).astype(np.float64)
    # The first sighting only says when the entity became known.
    is_new = np.isfinite(first) & (first >= since)
    opening = (np.searchsorted(everything, first) + np.searchsorted(everything, first, "right")) / 2
    places[is_new] -= ((opening - start) / np.maximum(1, total - start))[is_new]
    mentions[is_new] -= 1
    with np.errstate(invalid="ignore"):
        return np.asarray((2 * places / mentions - 1) * mentions / (mentions + constants.settled_mentions))


def _followed(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Weeks of `one` right before a week of `other`; bit 0 is the latest week."""
    return np.asarray(np.bitwise_count((one >> np.uint64(1)) & other), dtype=np.int64)
