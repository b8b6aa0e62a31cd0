"""The layers over facts, L2 to L4: which entities occur together, where they stand, and how steadily.

Every function reads facts alone. Results are measurements, about entities, pairs of entities, or facts' surroundings.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from perdura_core.epistemics.conflicts import Conflicts, conflicts_of
from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.pairing import pairs_within
from perdura_core.epistemics.series import Numbers, Weekly, numbers_of, variation, weekly
from perdura_core.epistemics.snapshot import FactTable, Ragged, owners, places_of
from perdura_core.epistemics.topology import Triads, components, pagerank

__all__ = [
    "EntityGraph",
    "FactNumbers",
    "FactTopology",
    "entity_graph",
    "fact_numbers",
    "fact_topology",
    "mean_over",
    "seen",
    "standing",
]


class EntityGraph(NamedTuple):
    """L2: entities that occur together in standing facts. An edge is a pair, the lower entity first."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    """(edges,), sorted by low, then high."""
    weight: NDArray[np.float64]
    """(edges,): sightings of both in one fact."""
    pair_fact: NDArray[np.int64]
    pair_edge: NDArray[np.int64]
    """(pairs,): each pair of entities of each fact: the fact's row, and the edge."""
    entities: int

    @property
    def matrix(self) -> csr_array:
        """The symmetric matrix of weights."""
        ends = (np.concatenate([self.low, self.high]), np.concatenate([self.high, self.low]))
        weight = np.concatenate([self.weight, self.weight])
        return csr_array(coo_array((weight, ends), shape=(self.entities, self.entities)))


class FactTopology(NamedTuple):
    """L3, per entity."""

    degree: NDArray[np.int64]
    pagerank: NDArray[np.float64]
    """Adds up to 1."""
    clustering: NDArray[np.float64]
    """0..1: the share of pairs of neighbours that are joined (Watts and Strogatz 1998); NaN below two neighbours."""
    component: NDArray[np.int32]
    triads: Triads
    """Over the edges of the `EntityGraph`, in its order."""


class FactNumbers(NamedTuple):
    """L4."""

    edges: Numbers
    """Weekly weights of each edge of the `EntityGraph`."""
    entities: Numbers
    """Weekly sightings of each entity."""
    entity_variation: NDArray[np.float64]
    """0..1 per entity; NaN when it was not seen in these weeks."""
    fact_variation: NDArray[np.float64]
    """0..1 per fact: the mean over its entities; NaN without one that was seen lately."""
    conflicts: Conflicts


def standing(facts: FactTable, now: float) -> NDArray[np.bool_]:
    """(n,): recorded by now and not superseded by now."""
    return np.asarray((facts.recorded_day <= now) & ~(facts.superseded_day <= now))


def entity_graph(facts: FactTable, now: float, constants: Epistemics = DEFAULTS) -> EntityGraph:
    """L2 of the standing facts. A fact with more entities than `relation_most` joins none.

    By hand: a fact of a, b and c seen twice and one of a and b seen once: a-b weighs 3, a-c and b-c 2.
    """
    is_in = standing(facts, now) & (facts.entity.lengths <= constants.relation_most)
    kept = np.repeat(is_in, facts.entity.lengths)
    fact, entity = owners(facts.entity)[kept], facts.entity.values[kept].astype(np.int64)
    order = np.lexsort((entity, fact))
    fact, entity = fact[order], entity[order]
    starts = np.searchsorted(fact, np.arange(len(facts) + 1))
    count = len(facts.entities)
    parts = [(fact[a], entity[a] * count + entity[b]) for a, b in pairs_within(starts)]
    pair_fact = np.concatenate([np.zeros(0, np.int64), *(part for part, _ in parts)])
    keys, pair_edge = np.unique(
        np.concatenate([np.zeros(0, np.int64), *(part for _, part in parts)]), return_inverse=True
    )
    sightings = _sightings(facts, now)
    weight = np.bincount(pair_edge, sightings[pair_fact], minlength=len(keys)).astype(np.float64)
    return EntityGraph(keys // max(count, 1), keys % max(count, 1), weight, pair_fact, pair_edge, count)


def fact_topology(graph: EntityGraph) -> FactTopology:
    """L3: degree, PageRank by weight, clustering, components.

    By hand, a triangle with a tail at c: clustering 1, 1, 1/3, unknown; all in one component.
    """
    matrix = graph.matrix
    degree = np.diff(matrix.indptr).astype(np.int64)
    triads = Triads.of(matrix)
    with np.errstate(invalid="ignore", divide="ignore"):
        clustering = triads.per_vertex / (degree * (degree - 1) / 2)
    return FactTopology(degree, pagerank(matrix), clustering, components(matrix), triads)


def fact_numbers(facts: FactTable, graph: EntityGraph, now: float, constants: Epistemics = DEFAULTS) -> FactNumbers:
    """L4: weekly series of pairs and of entities, and which later facts conflict with which.

    By hand: an entity seen twice four weeks ago and once now has mean 0.6 and variance 0.64 a week, so variation 0.1;
    a fact of it alone has that too.
    """
    entities = numbers_of(entity_weeks(facts, now, constants))
    of_entity = variation(entities)
    return FactNumbers(
        edges=numbers_of(_edge_weeks(facts, graph, now, constants)),
        entities=entities,
        entity_variation=of_entity,
        fact_variation=mean_over(facts.entity, of_entity),
        conflicts=conflicts_of(facts, standing(facts, now), constants.later_most),
    )


def entity_weeks(facts: FactTable, now: float, constants: Epistemics = DEFAULTS) -> Weekly:
    """Weekly sightings of each entity in standing facts."""
    fact, day = seen(facts, now)
    place, stem = places_of(facts.entity, fact)
    entity = facts.entity.values[place]
    return weekly(entity, day[stem], np.ones(len(place)), len(facts.entities), now, constants.series_weeks)


def mean_over(refers: Ragged[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(rows,): the mean of the values that each row refers to, unknown ones left out; NaN when none is known."""
    found = values[refers.values]
    known = ~np.isnan(found)
    rows = owners(refers)[known]
    total = np.bincount(rows, found[known], minlength=len(refers))
    with np.errstate(invalid="ignore"):
        return np.asarray(total / np.bincount(rows, minlength=len(refers)))


def _edge_weeks(facts: FactTable, graph: EntityGraph, now: float, constants: Epistemics) -> Weekly:
    fact, day = seen(facts, now)
    starts = np.searchsorted(graph.pair_fact, np.arange(len(facts) + 1))
    place, stem = places_of(Ragged(starts, graph.pair_edge), fact)
    ones = np.ones(len(place))
    return weekly(graph.pair_edge[place], day[stem], ones, len(graph.low), now, constants.series_weeks)


def seen(facts: FactTable, now: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sightings of standing facts by now: the fact's row, and the day."""
    fact, day = owners(facts.occurrence_day), facts.occurrence_day.values
    inside = standing(facts, now)[fact] & (day <= now)
    return fact[inside], day[inside]


def _sightings(facts: FactTable, now: float) -> NDArray[np.float64]:
    return np.bincount(seen(facts, now)[0], minlength=len(facts)).astype(np.float64)
