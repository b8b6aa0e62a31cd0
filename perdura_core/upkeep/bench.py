"""One run's view of the mind: the tables, and everything that is worked out of them, each once and when it is needed.

All of it depends on the mind and `now` alone, and but for the series of confidences on no earlier run. So one that was
cut short goes on in another process without having kept anything in hand, and how often upkeep ran makes no difference
to a confidence.
"""

from datetime import datetime, timedelta
from functools import cached_property
from sqlite3 import Connection

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.bridges import Bridges, bridges
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.fact_layers import (
    EntityGraph,
    FactNumbers,
    FactTopology,
    entity_graph,
    fact_numbers,
    fact_topology,
    standing,
)
from perdura_core.epistemics.fact_patterns import FactPatterns, FactTrends, fact_patterns, fact_trends
from perdura_core.epistemics.factors import (
    Factors,
    confidence,
    consistency,
    mixed,
    pattern,
    structural,
    usage,
    usage_sum,
)
from perdura_core.epistemics.factors import maturity as maturity_of
from perdura_core.epistemics.factors import prior as prior_of
from perdura_core.epistemics.independence import Correlations
from perdura_core.epistemics.interpretation_layers import (
    ConfidenceNumbers,
    Motifs,
    Topology,
    UseNumbers,
    Wisdom,
    confidence_numbers,
    motifs,
    topology,
    use_numbers,
    wisdom,
)
from perdura_core.epistemics.snapshot import STATUSES, EdgeTable, FactTable, InterpretationTable
from perdura_core.epistemics.stigmergy import damped, echo, gradient, isolation, model_diversity, undervalued
from perdura_core.store.columns import fill
from perdura_core.store.keeping import load_days, load_layers
from perdura_core.store.kept import KeptLayer
from perdura_core.store.tables import Tables, days_since, read_tables, read_texts
from perdura_core.upkeep.history import confidences, thinned
from perdura_core.upkeep.measuring import Figures
from perdura_core.upkeep.order import Order

__all__ = ["VERSION", "Bench"]

VERSION = 2
"""Of the formulas: layers that were kept under another one are worked out anew."""

_DELETED = STATUSES.index("deleted")
_WEEK, _MONTH = 7, 30
_GROWN = 0.8
"""A layer that is not worked out daily is when facts have come since that make up more than a fifth."""
_CLOSE = 1e-6
"""Days; what happens at `now` itself counts as past, however the day was rounded."""


class Bench:
    """The state of a run. Facts are read by what works on facts, and interpretations never there."""

    def __init__(self, connection: Connection, order: Order) -> None:
        self.connection = connection
        self.order = order
        self.constants = order.constants
        self.tables: Tables = read_tables(connection, order.now, order.reliability)
        self.now = days_since(self.tables.began_at, order.now) + _CLOSE
        self.kept_facts: dict[str, KeptLayer] = load_layers(connection, "facts", ["reading", "L2", "L3", "L5", "L6"])
        kept = self.kept_facts.get("reading")
        self.figures = Figures(kept.columns if kept is not None and kept.version == VERSION else None)

    # Facts

    @cached_property
    def facts_read(self) -> int:
        """How many texts had to be read for their figures. Comes before everything that looks at figures."""
        facts = self.tables.snapshot.facts
        return self.figures.read(
            facts.numbers, self.tables.fact_digests, lambda numbers: read_texts(self.connection, numbers)
        )

    @cached_property
    def facts(self) -> FactTable:
        """The facts with their figures."""
        assert self.facts_read >= 0
        facts = self.tables.snapshot.facts
        return FactTable(
            facts.numbers, facts.domains, facts.domain, facts.entities, facts.entity, facts.recorded_day,
            facts.superseded_day, facts.occurrence_day, self.figures.measures,
        )  # fmt: skip

    @cached_property
    def graph(self) -> EntityGraph:
        """L2."""
        return entity_graph(self.facts, self.now, self.constants)

    @cached_property
    def fact_topology(self) -> FactTopology:
        """L3."""
        return fact_topology(self.graph)

    @cached_property
    def fact_numbers(self) -> FactNumbers:
        """L4."""
        return fact_numbers(self.facts, self.graph, self.now, self.constants)

    @cached_property
    def weekly_day(self) -> float:
        """The day for which L5 is due."""
        return self._due_day(_WEEK)

    @cached_property
    def monthly_day(self) -> float:
        """The day for which L6 is due."""
        return self._due_day(_MONTH)

    def _due_day(self, every: int) -> float:
        """The last whole week or month, unless many facts have come since.

        It follows from the mind and `now`, so that it does not matter on which days upkeep ran.
        """
        boundary = np.floor(self.now / every) * every
        now = standing(self.facts, self.now).sum()
        return float(boundary) if standing(self.facts, boundary).sum() > _GROWN * now else self.now

    def is_kept(self, layer: str, day: float) -> bool:
        """Whether the layer was worked out for that day already."""
        kept = self.kept_facts.get(layer)
        if kept is None or kept.version != VERSION:
            return False
        return abs(days_since(self.tables.began_at, kept.as_of) - day) < _CLOSE * 10

    def at(self, day: float) -> datetime:
        """The time of a day of this mind."""
        return self.tables.began_at + timedelta(days=day)

    @cached_property
    def fact_patterns(self) -> FactPatterns:
        """L5, as of the day for which it is due. What was kept knows no more than the triads of facts."""
        if self.is_kept("L5", self.weekly_day):
            held, none = self.kept_facts["L5"].columns, np.zeros(0)
            triads = _aligned(held["number"], held["triads"], self.facts.numbers)
            return FactPatterns(triads, none, none.astype(np.int64), none.astype(np.int64))
        graph, shape = self._as_of(self.weekly_day)
        return fact_patterns(self.facts, graph, shape, self.weekly_day, self.constants)

    @cached_property
    def fact_trends(self) -> FactTrends:
        """L6, as of the day for which it is due. What was kept knows no more than the trends."""
        if self.is_kept("L6", self.monthly_day):
            held = self.kept_facts["L6"].columns["trend"]
            trend = np.concatenate([held, np.full(len(self.facts.entities) - len(held), np.nan)])
            return FactTrends(trend, Correlations((), np.zeros((0, 0)), np.zeros((0, 0), np.int64)))
        graph, shape = self._as_of(self.monthly_day)
        if self.monthly_day == self.now:
            numbers = self.fact_numbers
        else:
            numbers = fact_numbers(self.facts, graph, self.monthly_day, self.constants)
        return fact_trends(self.facts, shape, numbers, self.monthly_day, self.constants)

    def _as_of(self, day: float) -> tuple[EntityGraph, FactTopology]:
        if day == self.now:
            return self.graph, self.fact_topology
        graph = entity_graph(self.facts, day, self.constants)
        return graph, fact_topology(graph)

    # Interpretations

    @property
    def table(self) -> InterpretationTable:
        """The interpretations."""
        return self.tables.snapshot.interpretations

    @property
    def edges(self) -> EdgeTable:
        """Their edges."""
        return self.tables.snapshot.edges

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """(m,): whose confidence is kept up: neither superseded nor deleted."""
        return np.asarray((self.table.status != _DELETED) & ~self.table.superseded)

    @cached_property
    def topology(self) -> Topology:
        """M3."""
        return topology(self.table, self.edges, constants=self.constants)

    @cached_property
    def use_numbers(self) -> UseNumbers:
        """M4, of uses."""
        return use_numbers(self.table, self.now, self.constants)

    @cached_property
    def history_days(self) -> tuple[frozenset[int], tuple[int, ...]]:
        """Days of which confidences stay kept, today among them, and those of which they need not be."""
        days = {day for (day,) in self.connection.execute("SELECT DISTINCT day FROM factor_history")} | {int(self.now)}
        gone = thinned(days, int(self.now))
        return frozenset(days.difference(gone)), gone

    @cached_property
    def confidence_numbers(self) -> ConfidenceNumbers:
        """M4, of the confidences that were worked out today and on the days that are kept."""
        today, rows = int(self.now), len(self.table)
        past = {day for day in self.history_days[0] if today - 7 * self.constants.series_weeks <= day < today}
        number, day, said = confidences(load_days(self.connection, past))
        row, is_there = fill(number, self.table.numbers)
        return confidence_numbers(
            np.concatenate([row[is_there], np.arange(rows)[self.alive]]),
            np.concatenate([day[is_there], np.full(int(self.alive.sum()), float(today))]),
            np.concatenate([said[is_there], self.confidence[self.alive]]),
            rows,
            self.now,
            self.constants,
        )

    @cached_property
    def motifs(self) -> Motifs:
        """M5."""
        return motifs(self.table, self.edges, self.constants)

    @cached_property
    def wisdom(self) -> Wisdom:
        """M6."""
        return wisdom(self.table, self.edges, self.now, self.constants)

    @cached_property
    def factors(self) -> Factors:
        """The four."""
        by = self.constants
        return Factors(
            usage(self.table, self.now, by),
            consistency(self.table, self.facts, self.fact_numbers, self.now, by),
            structural(self.table, self.topology.pagerank, self.topology.betweenness, by),
            pattern(self.table, self.facts, self.fact_patterns, self.fact_trends, by),
        )

    @cached_property
    def prior(self) -> NDArray[np.float64]:
        """(m,)"""
        return prior_of(self.table, self.constants)

    @cached_property
    def half_life(self) -> NDArray[np.float64]:
        """(m,) days."""
        return half_life(self.table.velocity, self.table.level, self.constants)

    @cached_property
    def maturity(self) -> NDArray[np.float64]:
        """(m,)"""
        return maturity_of(self.now - self.table.created_day, self.half_life)

    @cached_property
    def factors_mean(self) -> NDArray[np.float64]:
        """(m,); NaN when every factor is missing."""
        return mixed(self.factors, np.asarray(self.constants.factor_weights)[self.table.level - 1])

    @cached_property
    def confidence(self) -> NDArray[np.float64]:
        """(m,), in whole hundredths, held down where it echoes. The same whatever the confidence was before."""
        found = confidence(self.table, self.factors, self.now, self.constants)
        return np.round(damped(found, self.echo, self.constants), 2)

    # Triangulation and stigmergy

    @cached_property
    def diversity(self) -> NDArray[np.float64]:
        """(m,): of the models that use it."""
        return model_diversity(self.table, self.now)

    @cached_property
    def isolation(self) -> NDArray[np.float64]:
        """(m,): how far its links stay in its domain."""
        return isolation(self.table, self.edges, self.now)

    @cached_property
    def echo(self) -> NDArray[np.float64]:
        """(m,)"""
        return echo(self.diversity, self.use_numbers.gini, self.isolation, self.factors.structural)

    @cached_property
    def undervalued(self) -> NDArray[np.bool_]:
        """(m,): much hangs on it, and it is seldom shown."""
        return undervalued(self.factors.structural, self.factors.usage, self.constants)

    @cached_property
    def bridges(self) -> Bridges:
        """Links into other domains."""
        return bridges(self.table, self.edges, self.constants)

    @cached_property
    def gradient(self) -> NDArray[np.float64]:
        """(m,)"""
        use = usage_sum(self.table, self.now, self.constants)
        return gradient(self.table, self.topology.pagerank, use, self.bridges.links, self.now, self.constants)


def _aligned(held: NDArray[np.int64], values: NDArray[np.float64], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Values of held numbers, in the order of other numbers; NaN for those that are not held."""
    found = np.full(len(numbers), np.nan)
    if len(held):
        at = np.minimum(np.searchsorted(held, numbers), len(held) - 1)
        is_held = held[at] == numbers
        found[is_held] = values[at[is_held]]
    return found
