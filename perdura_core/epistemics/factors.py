"""Confidence: the prior, four factors from four sources, and how they mix with age. All in 0..1.

A factor that its source says nothing about is NaN, and the weights of the others are scaled up. Sources: the second
seed's factors; the closed forms are those of the design's page on epistemics.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.decay import decay_rate, half_life, remaining
from perdura_core.epistemics.fact_layers import FactNumbers, mean_over, standing
from perdura_core.epistemics.fact_patterns import FactPatterns, FactTrends
from perdura_core.epistemics.snapshot import FactTable, InterpretationTable
from perdura_core.epistemics.standing import medians, percentiles

__all__ = [
    "FACTORS",
    "Factors",
    "confidence",
    "consistency",
    "maturity",
    "mixed",
    "pattern",
    "prior",
    "structural",
    "usage",
    "usage_sum",
]

FACTORS = ("usage", "consistency", "structural", "pattern")


class Factors(NamedTuple):
    """(m,) each, 0..1; NaN: missing."""

    usage: NDArray[np.float64]
    consistency: NDArray[np.float64]
    structural: NDArray[np.float64]
    pattern: NDArray[np.float64]


def prior(table: InterpretationTable, constants: Epistemics = DEFAULTS) -> NDArray[np.float64]:
    """What its author and later voters said of each interpretation: the mean over them, weighted by reliability.

    Each voter counts once, with the mean of its votes; the author's assertion is one of its votes. 0.5 when nobody
    said anything. By hand: asserted 0.9 by an author of reliability 0.5, voted 0.3 and 0.5 by another of reliability
    1: (0.5 * 0.9 + 1 * 0.4) / 1.5 = 0.5667.
    """
    said = ~np.isnan(table.asserted)
    row = np.concatenate([np.flatnonzero(said), table.votes.row])
    voter = np.concatenate([table.author[said], table.votes.voter]).astype(np.int64)
    value = np.concatenate([table.asserted[said], table.votes.confidence])
    trust = np.concatenate([table.author_reliability[said], table.votes.reliability])
    keys, place = np.unique(row * (len(table.models) + 1) + voter, return_inverse=True)
    count = np.bincount(place, minlength=len(keys))
    mean = np.bincount(place, value, minlength=len(keys)) / count
    weight = np.maximum(np.bincount(place, trust, minlength=len(keys)) / count, 1e-9)
    of_row = keys // (len(table.models) + 1)
    total = np.bincount(of_row, weight, minlength=len(table))
    weighed = np.bincount(of_row, weight * mean, minlength=len(table))
    found = np.full(len(table), constants.unasserted)
    np.divide(weighed, total, out=found, where=total > 0)
    return np.asarray(np.clip(found, 0.0, 1.0))


def usage_sum(table: InterpretationTable, now: float, constants: Epistemics = DEFAULTS) -> NDArray[np.float64]:
    """U, >= 0: uses by now, each with its weight times what its age has left of it.

    By hand, a medium instance cited 13.863 days ago and shown today: 1 * 0.5 + 0.2 * 1 = 0.7.
    """
    past = table.uses.day <= now
    row = table.uses.row[past]
    rate = decay_rate(table.velocity, table.level, constants)
    weight = np.asarray(constants.use_weight)[table.uses.kind[past]]
    left = weight * remaining(now - table.uses.day[past], rate[row])
    return np.bincount(row, left, minlength=len(table)).astype(np.float64)


def usage(table: InterpretationTable, now: float, constants: Epistemics = DEFAULTS) -> NDArray[np.float64]:
    """1 - exp(-U / U0), where U0 is the median of U in the domain over active interpretations used so far, else 1.

    Missing for all when nothing was ever used. By hand, U at the median: 1 - exp(-1) = 0.6321.
    """
    total = usage_sum(table, now, constants)
    if not (table.uses.day <= now).any():
        return np.full(len(table), np.nan)
    typical = medians(total, table.primary, table.active & (total > 0), constants.small_domain)
    typical = np.where(typical > 0, typical, 1.0)
    return np.asarray(-np.expm1(-total / typical))


def consistency(
    table: InterpretationTable, facts: FactTable, numbers: FactNumbers, now: float, constants: Epistemics = DEFAULTS
) -> NDArray[np.float64]:
    """The mean steadiness of the facts it refers to; a fact without entities that stands tells nothing.

    A superseded fact has 0, another 1 - (share of later facts in conflict) - 0.5 * (variation of its entities),
    clamped to 0..1. By hand, a superseded fact and one with share 0.2 and variation 0.4: (0 + 0.6) / 2 = 0.3.
    """
    left = np.clip(1.0 - numbers.conflicts.share - constants.variation_worth * numbers.fact_variation, 0.0, 1.0)
    return mean_over(table.fact, np.where(standing(facts, now), left, 0.0))


def structural(
    table: InterpretationTable,
    pagerank: NDArray[np.float64],
    betweenness: NDArray[np.float64],
    constants: Epistemics = DEFAULTS,
) -> NDArray[np.float64]:
    """The percentile of PageRank in the domain, averaged with that of betweenness; missing without any edge.

    By hand, third of four by PageRank and first by betweenness: (0.625 + 0.875) / 2 = 0.75.
    """
    by = (table.primary, table.active, constants.small_domain)
    return np.asarray((percentiles(pagerank, *by) + percentiles(betweenness, *by)) / 2)


def pattern(
    table: InterpretationTable,
    facts: FactTable,
    patterns: FactPatterns,
    trends: FactTrends,
    constants: Epistemics = DEFAULTS,
) -> NDArray[np.float64]:
    """Half the percentile, in the domain, of the closed triads its facts take part in, half how its entities trend.

    The trend counts (1 + t) / 2, the mean over facts of the mean over their entities. When one half is missing the
    other counts alone. By hand, percentile 0.7 and trend -0.2: (0.7 + 0.4) / 2 = 0.55.
    """
    triads = mean_over(table.fact, patterns.triads_of_fact)
    place = percentiles(triads, table.primary, table.active, constants.small_domain)
    trend = (1.0 + mean_over(table.fact, mean_over(facts.entity, trends.trend))) / 2
    return np.where(np.isnan(place), trend, np.where(np.isnan(trend), place, (place + trend) / 2))


def mixed(factors: Factors, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weighted mean of the factors there are; NaN when all are missing. weights: (m, 4), >= 0.

    By hand, an instance with usage 0.5 and consistency 1, the others missing: (0.4 * 0.5 + 0.3 * 1) / 0.7 = 0.7143.
    """
    values = np.stack(factors, axis=1)
    known = ~np.isnan(values)
    total = (weights * known).sum(axis=1)
    weighed = (weights * np.where(known, values, 0.0)).sum(axis=1)
    found = np.full(len(values), np.nan)
    np.divide(weighed, total, out=found, where=total > 0)
    return found


def maturity(age_days: ArrayLike, half_life_days: ArrayLike) -> NDArray[np.float64]:
    """1 - 2^(-age / half-life): how much of the confidence comes from the factors. By hand, at one half-life 0.5.

    >>> maturity([0.0, 14.0, 28.0], 14.0).tolist()
    [0.0, 0.5, 0.75]
    """
    age = np.maximum(0.0, np.asarray(age_days, dtype=np.float64))
    return np.asarray(-np.expm1(-np.log(2.0) * age / np.asarray(half_life_days, dtype=np.float64)))


def confidence(
    table: InterpretationTable, factors: Factors, now: float, constants: Epistemics = DEFAULTS
) -> NDArray[np.float64]:
    """(1 - maturity) * prior + maturity * factors; the prior alone while no factor is known.

    By hand, prior 0.9 and factors 0.5 at one half-life: 0.7.
    """
    ripe = maturity(now - table.created_day, half_life(table.velocity, table.level, constants))
    said = prior(table, constants)
    found = mixed(factors, np.asarray(constants.factor_weights)[table.level - 1])
    return np.clip(np.where(np.isnan(found), said, (1 - ripe) * said + ripe * found), 0.0, 1.0)
