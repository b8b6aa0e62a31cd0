"""The constants of the epistemics, in one value that formulas are given. Sources: the design's page on epistemics."""

from dataclasses import dataclass

__all__ = ["DEFAULTS", "Epistemics", "FactorWeights"]

FactorWeights = tuple[float, float, float, float]
"""Of usage, consistency, structural, pattern; they add up to 1."""


@dataclass(frozen=True, slots=True)
class Epistemics:
    """Days, unless a name says otherwise."""

    decay_per_day: tuple[float, float, float] = (0.15, 0.05, 0.02)
    """Of the velocities fast, medium, slow."""
    decay_of_level: tuple[float, float, float] = (1.0, 0.7, 0.3)
    """Times the decay of the velocity: instances, patterns, principles."""

    unasserted: float = 0.5
    """The prior of an interpretation of which nobody said how sure it is."""
    use_weight: tuple[float, float, float] = (0.2, 1.0, 2.0)
    """Of being shown, cited, promoted."""
    factor_weights: tuple[FactorWeights, FactorWeights, FactorWeights] = (
        (0.40, 0.30, 0.15, 0.15),
        (0.30, 0.25, 0.20, 0.25),
        (0.15, 0.30, 0.30, 0.25),
    )
    """By level, for domains that have none of their own."""
    variation_worth: float = 0.5
    """What a fact's steadiness loses at most to the variation of its entities' weekly weights."""

    series_weeks: int = 26
    """How far weekly series reach back; at most 63."""
    relation_most: int = 32
    """A fact with more entities is a list, and joins none of them."""
    later_most: int = 64
    """A figure is compared with at most so many later ones of the same measure."""

    settled_mentions: float = 3.0
    """An entity seen so often shows half of its trend; more often, more of it."""

    exact_most: int = 2_000
    """Betweenness is sampled in graphs of more vertices."""
    pivots: int = 64
    """From how many vertices it is sampled."""
    path_most: int = 64
    """Longer shortest paths count for nobody's betweenness."""

    motif_least: int = 3
    motif_lift: float = 3.0
    """A shape recurs when it is found so often, and so many times as often as by chance."""
    bridge_links: int = 2
    """Links to other domains that make a bridge."""

    small_domain: int = 30
    """A domain of fewer interpretations borrows the mind's medians and percentiles."""
    fast_below: float = 7.0
    medium_below: float = 30.0
    """Median days between news of one entity that make a domain fast, and medium."""
    pace_least: int = 5
    """So many such gaps a domain needs for a profile."""
    one_reading: float = 1 / 24
    """Facts recorded within so many days of each other came with one reading."""

    keep_confidence: float = 0.65
    keep_centrality: float = 0.5
    shadow_half_lives: float = 3.0
    """So long without use in shadow, and an interpretation is deleted."""

    agreeing_least: int = 3
    agreeing_models: int = 2
    agreeing_half_lives: float = 2.0
    agreeing_confidence: float = 0.65
    """What instances need together to be proposed as a pattern."""
    principle_half_lives: float = 3.0
    principle_confidence: float = 0.75
    principle_domains: int = 2
    principle_boardings: int = 5
    """What a pattern needs to be proposed as a principle; of the last two, one."""

    gradient_weights: tuple[float, float, float, float] = (0.35, 0.30, 0.20, 0.15)
    """Of PageRank, recent usage, bridge participation, recency."""
    trace_self: float = 0.85
    trace_novel: float = 1.10
    trace_familiar: float = 1.0
    trace_burned: float = 0.5
    burned_after: int = 3
    """Shown so often to a model and never cited by it, an interpretation is burned for it."""
    breaking_p: float = 0.10
    """How often one slot of a briefing goes to an interpretation of low gradient."""
    echo_above: float = 0.85
    echo_damping: float = 0.85
    undervalued_structural: float = 0.75
    undervalued_usage: float = 0.25
    """Undervalued: structural above, usage below."""

    correlation_alarm: float = 0.5
    correlation_target: float = 0.15


DEFAULTS = Epistemics()
