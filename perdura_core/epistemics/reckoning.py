"""Everything that is computed of a mind at one moment, in the order of the pipeline."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import stigmergy
from perdura_core.epistemics.bridges import Bridges, bridges
from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.fact_layers import (
    EntityGraph,
    FactNumbers,
    FactTopology,
    entity_graph,
    fact_numbers,
    fact_topology,
)
from perdura_core.epistemics.fact_patterns import FactPatterns, FactTrends, fact_patterns, fact_trends
from perdura_core.epistemics.factors import (
    FACTORS,
    Factors,
    confidence,
    consistency,
    pattern,
    structural,
    usage,
    usage_sum,
)
from perdura_core.epistemics.forgetting import decisions
from perdura_core.epistemics.independence import Correlations, correlations
from perdura_core.epistemics.interpretation_layers import (
    Motifs,
    Topology,
    UseNumbers,
    Wisdom,
    motifs,
    topology,
    use_numbers,
    wisdom,
)
from perdura_core.epistemics.promotion import Agreement, Standing, agreements, lasting
from perdura_core.epistemics.snapshot import FactTable, Snapshot

__all__ = ["FactReckoning", "Reckoning", "Watch", "reckon", "reckon_facts"]


Watch = Callable[[str], AbstractContextManager[None]]
"""What surrounds each group of formulas, by its name: to see how long it takes."""


def _unwatched(group: str) -> AbstractContextManager[None]:
    return nullcontext()


class FactReckoning(NamedTuple):
    """L2 to L6."""

    graph: EntityGraph
    topology: FactTopology
    numbers: FactNumbers
    patterns: FactPatterns
    trends: FactTrends


class Reckoning(NamedTuple):
    """All of it. Arrays without a word are (m,), over the rows of the `InterpretationTable`."""

    facts: FactReckoning
    topology: Topology
    numbers: UseNumbers
    motifs: Motifs
    bridges: Bridges
    factors: Factors
    independence: Correlations
    """Of the factors, over active interpretations."""
    wisdom: Wisdom
    echo: NDArray[np.float64]
    undervalued: NDArray[np.bool_]
    confidence: NDArray[np.float64]
    """After the damping of echoes."""
    gradient: NDArray[np.float64]
    decision: NDArray[np.int8]
    """Codes of `forgetting.REASONS`; -1 for what is not active."""
    patterns: list[Agreement]
    principles: list[Standing]
    """Candidates for promotion."""


def reckon_facts(
    facts: FactTable, now: float, constants: Epistemics = DEFAULTS, watch: Watch = _unwatched
) -> FactReckoning:
    """L2 to L6 of the facts."""
    with watch("L2 entities"):
        graph = entity_graph(facts, now, constants)
    with watch("L3 topology"):
        shape = fact_topology(graph)
    with watch("L4 numbers"):
        numbers = fact_numbers(facts, graph, now, constants)
    with watch("L5 patterns"):
        patterns = fact_patterns(facts, graph, shape, now, constants)
    with watch("L6 trends"):
        trends = fact_trends(facts, shape, numbers, now, constants)
    return FactReckoning(graph, shape, numbers, patterns, trends)


def reckon(
    mind: Snapshot, now: float, seed: int = 0, constants: Epistemics = DEFAULTS, watch: Watch = _unwatched
) -> Reckoning:
    """The whole computation at `now`; the same tables, moment and seed give the same result."""
    facts, table, edges = mind
    layers = reckon_facts(facts, now, constants, watch)
    with watch("M3 topology"):
        place = topology(table, edges, seed, constants)
    with watch("M4 numbers"):
        numbers = use_numbers(table, now, constants)
    with watch("M5 motifs"):
        shapes = motifs(table, edges, constants)
    with watch("factors"):
        factors = Factors(
            usage(table, now, constants),
            consistency(table, facts, layers.numbers, now, constants),
            structural(table, place.pagerank, place.betweenness, constants),
            pattern(table, facts, layers.patterns, layers.trends, constants),
        )
    with watch("independence"):
        linked = correlations(FACTORS, [factor[table.active] for factor in factors])
    with watch("echoes"):
        apart = stigmergy.isolation(table, edges, now)
        echoes = stigmergy.echo(stigmergy.model_diversity(table, now), numbers.gini, apart, factors.structural)
    with watch("confidence"):
        believed = stigmergy.damped(confidence(table, factors, now, constants), echoes, constants)
    with watch("M6 wisdom"):
        wise = wisdom(table, edges, now, constants)
    with watch("bridges"):
        links = bridges(table, edges, constants)
    with watch("gradient"):
        use = usage_sum(table, now, constants)
        slope = stigmergy.gradient(table, place.pagerank, use, links.links, now, constants)
    with watch("forgetting"):
        age = (now - table.created_day) / half_life(table.velocity, table.level, constants)
        decided = decisions(
            age, believed, factors.structural, shapes.is_member, links.is_validated, table.level, constants
        )
    with watch("promotion"):
        patterns, principles = agreements(table, edges, believed, constants), lasting(table, believed, now, constants)
    return Reckoning(
        facts=layers,
        topology=place,
        numbers=numbers,
        motifs=shapes,
        bridges=links,
        factors=factors,
        independence=linked,
        wisdom=wise,
        echo=echoes,
        undervalued=stigmergy.undervalued(factors.structural, factors.usage, constants),
        confidence=believed,
        gradient=slope,
        decision=np.where(table.active, decided, -1).astype(np.int8),
        patterns=patterns,
        principles=principles,
    )
