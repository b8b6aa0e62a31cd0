"""What use and place make of interpretations: gradients and echoes. Facts have none and are never read here.

Source: the second seed; the modifiers are those of the design's page on epistemics.
"""

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.interpretation_layers import live_edges
from perdura_core.epistemics.snapshot import USE_KINDS, EdgeTable, InterpretationTable
from perdura_core.epistemics.standing import percentiles

__all__ = [
    "damped",
    "echo",
    "gradient",
    "isolation",
    "model_diversity",
    "undervalued",
]

_CITED = USE_KINDS.index("cited")


def gradient(
    table: InterpretationTable,
    pagerank: NDArray[np.float64],
    use: NDArray[np.float64],
    bridge_links: NDArray[np.int64],
    now: float,
    constants: Epistemics = DEFAULTS,
) -> NDArray[np.float64]:
    """(m,), 0..1: 0.35 PageRank + 0.30 recent use + 0.20 bridges + 0.15 recency, each a percentile in the domain.

    An interpretation without edges has the lowest PageRank there is. Recency is by the day it was made or last used.
    By hand, percentiles 0.9, 0.5, 0.5 and 0.1: 0.315 + 0.15 + 0.1 + 0.015 = 0.58.
    """
    past = table.uses.day <= now
    touched = table.created_day.copy()
    np.maximum.at(touched, table.uses.row[past], table.uses.day[past])
    parts = (np.nan_to_num(pagerank, nan=0.0), use, bridge_links.astype(np.float64), touched)
    by = (table.primary, table.active, constants.small_domain)
    found = [percentiles(part, *by) for part in parts]
    total = sum(weight * part for weight, part in zip(constants.gradient_weights, found, strict=True))
    return np.asarray(np.nan_to_num(total, nan=0.5))


def model_diversity(table: InterpretationTable, now: float) -> NDArray[np.float64]:
    """(m,), 0..1: the chance that two of its uses are by different models (Simpson 1949, with replacement).

    NaN without a use by a model. By hand, uses by a, a, a and b: 1 - (9 + 1) / 16 = 0.375.
    """
    known = (table.uses.day <= now) & (table.uses.model >= 0)
    pairs = table.uses.row[known].astype(np.int64) * (len(table.models) + 1) + table.uses.model[known]
    pair, times = np.unique(pairs, return_counts=True)
    row = pair // (len(table.models) + 1)
    total = np.bincount(row, times, minlength=len(table))
    squares = np.bincount(row, times.astype(np.float64) ** 2, minlength=len(table))
    with np.errstate(invalid="ignore"):
        return np.asarray(1.0 - squares / total**2)


def isolation(table: InterpretationTable, edges: EdgeTable, now: float) -> NDArray[np.float64]:
    """(m,), 0..1: of its links to interpretations and of its citations, the share that stay in its primary domain.

    NaN without either. By hand, three links within the domain and one citation from another: 0.75.
    """
    domain = table.primary
    live = live_edges(table, edges) & (edges.src < len(table)) & (edges.dst < len(table))
    src, dst = edges.src[live], edges.dst[live]
    cited = (table.uses.kind == _CITED) & (table.uses.day <= now) & (table.uses.domain >= 0)
    row = np.concatenate([src, dst, table.uses.row[cited]])
    other = np.concatenate([domain[dst], domain[src], table.uses.domain[cited]])
    known = (domain[row] >= 0) & (other >= 0)
    row, inside = row[known], (domain[row] == other)[known]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(row, inside, minlength=len(table)) / np.bincount(row, minlength=len(table)))


def echo(
    diversity: NDArray[np.float64],
    gini: NDArray[np.float64],
    isolated: NDArray[np.float64],
    structural: NDArray[np.float64],
) -> NDArray[np.float64]:
    """(m,), 0..1: the mean of 1 - model diversity, concentration in time, isolation, and 1 - structural percentile.

    What is used by nobody echoes nothing: NaN without uses. Without links it stands alone: isolated 1, structural 0. By
    hand, diversity 0.1, gini 0.8, isolation 1, structural 0.2: (0.9 + 0.8 + 1 + 0.8) / 4 = 0.875.
    """
    alone = np.nan_to_num(isolated, nan=1.0) + (1.0 - np.nan_to_num(structural, nan=0.0))
    return np.asarray(((1.0 - diversity) + gini + alone) / 4)


def damped(
    confidence: NDArray[np.float64], echoes: NDArray[np.float64], constants: Epistemics = DEFAULTS
) -> NDArray[np.float64]:
    """Confidence after one run's damping: times 0.85 where the echo is above 0.85. By hand, 0.8 becomes 0.68."""
    return np.where(echoes > constants.echo_above, constants.echo_damping * confidence, confidence)


def undervalued(
    structural: NDArray[np.float64], usage: NDArray[np.float64], constants: Epistemics = DEFAULTS
) -> NDArray[np.bool_]:
    """(m,): high in the graph, hardly used: structural above 0.75, usage below 0.25."""
    return np.asarray((structural > constants.undervalued_structural) & (usage < constants.undervalued_usage))
