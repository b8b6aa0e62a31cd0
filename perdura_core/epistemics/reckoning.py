"""Everything that is computed of a mind at one moment, in the order of the pipeline."""

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
from perdura_core.epistemics.snapshot import EdgeTable, FactTable, InterpretationTable, Snapshot

__all__ = ["FactReckoning", "Reckoning", "independence", "reckon", "reckon_facts"]


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
    wisdom: Wisdom
    echo: NDArray[np.float64]
    undervalued: NDArray[np.bool_]
    confidence: NDArray[np.float64]
    """After the damping of echoes."""
    gradient: NDArray[np.float64]
    decision: NDArray[np.int8]
    """Codes of `forgetting.REASONS`; -1 for what is not active."""


def reckon_facts(facts: FactTable, now: float, constants: Epistemics = DEFAULTS) -> FactReckoning:
    """L2 to L6 of the facts."""
    graph = entity_graph(facts, now, constants)
    shape = fact_topology(graph)
    numbers = fact_numbers(facts, graph, now, constants)
    patterns = fact_patterns(facts, graph, shape, now, constants)
    return FactReckoning(graph, shape, numbers, patterns, fact_trends(facts, shape, numbers, now, constants))


def reckon(mind: Snapshot, now: float, seed: int = 0, constants: Epistemics = DEFAULTS) -> Reckoning:
    """The whole computation at `now`; the same tables, moment and seed give the same result."""
    facts, table, edges = mind
    layers = reckon_facts(facts, now, constants)
    place = topology(table, edges, seed, constants)
    factors = Factors(
        usage(table, now, constants),
        consistency(table, facts, layers.numbers, now, constants),
        structural(table, place.pagerank, place.betweenness, constants),
        pattern(table, facts, layers.patterns, layers.trends, constants),
    )
    numbers = use_numbers(table, now, constants)
    shapes, links = motifs(table, edges, constants), bridges(table, edges, constants)
    echoes = _echoes(table, edges, numbers, factors, now)
    believed = stigmergy.damped(confidence(table, factors, now, constants), echoes, constants)
    age = (now - table.created_day) / half_life(table.velocity, table.level, constants)
    decided = decisions(age, believed, factors.structural, shapes.is_member, links.is_validated, table.level, constants)
    return Reckoning(
        facts=layers,
        topology=place,
        numbers=numbers,
        motifs=shapes,
        bridges=links,
        factors=factors,
        wisdom=wisdom(table, edges, now, constants),
        echo=echoes,
        undervalued=stigmergy.undervalued(factors.structural, factors.usage, constants),
        confidence=believed,
        gradient=stigmergy.gradient(
            table, place.pagerank, usage_sum(table, now, constants), links.links, now, constants
        ),
        decision=np.where(table.active, decided, -1).astype(np.int8),
    )


def independence(table: InterpretationTable, factors: Factors) -> Correlations:
    """How the four factors go together over active interpretations."""
    return correlations(FACTORS, [factor[table.active] for factor in factors])


def _echoes(
    table: InterpretationTable, edges: EdgeTable, numbers: UseNumbers, factors: Factors, now: float
) -> NDArray[np.float64]:
    apart = stigmergy.isolation(table, edges, now)
    return stigmergy.echo(stigmergy.model_diversity(table, now), numbers.gini, apart, factors.structural)
