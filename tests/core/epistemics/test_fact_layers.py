"""L2 to L6 on small tables: the examples by hand, and bounds on minds drawn by lot."""

import doctest
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.epistemics import fact_layers, series
from perdura_core.epistemics.coldstart import paces, profiled_velocity
from perdura_core.epistemics.conflicts import conflicts_of
from perdura_core.epistemics.constants import Epistemics
from perdura_core.epistemics.fact_layers import entity_graph, fact_numbers, fact_topology, mean_over, standing
from perdura_core.epistemics.reckoning import FactReckoning, reckon_facts
from perdura_core.epistemics.snapshot import FactTable, ragged
from perdura_core.experiments.reckoning_bench import synthetic_snapshot
from tests.core.epistemics.making import facts_of

SEEDS = st.integers(0, 10_000)


def joined(facts: FactTable, now: float = 100.0) -> dict[str, float]:
    """The entity graph as names: `ab` and what the pair weighs."""
    graph = entity_graph(facts, now)
    names = [facts.entities[a] + facts.entities[b] for a, b in zip(graph.low, graph.high, strict=True)]
    return dict(zip(names, graph.weight.tolist(), strict=True))


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(series).failed == 0
    assert doctest.testmod(fact_layers).failed == 0


def test_pairs_weigh_what_they_are_seen_together() -> None:
    assert joined(facts_of(["abc", "ab"], seen={0: [0.0, 5.0]})) == {"ab": 3, "ac": 2, "bc": 2}


def test_superseded_facts_lists_and_the_future_join_nobody() -> None:
    facts = facts_of(["ab", "cd", "ef", "abcdefgh"], superseded={0: 50.0}, days=[0, 1, 60, 2])
    few = Epistemics(relation_most=7)
    graph = entity_graph(facts, 55.0, few)
    assert [facts.entities[a] + facts.entities[b] for a, b in zip(graph.low, graph.high, strict=True)] == ["cd"]
    assert standing(facts, 40.0).tolist() == [True, True, False, True]
    assert standing(facts, 60.0).tolist() == [False, True, True, True]


def test_a_triangle_with_a_tail() -> None:
    facts = facts_of(["ab", "bc", "ac", "cd"])
    found = fact_topology(entity_graph(facts, 9.0))
    assert found.clustering == pytest.approx([1, 1, 1 / 3, np.nan], nan_ok=True)
    assert found.degree.tolist() == [2, 2, 3, 1]
    assert set(found.component) == {0}


def test_triads_that_a_fact_closes_by_itself_do_not_count() -> None:
    apart, alone = reckon_facts(facts_of(["ab", "bc", "ac"]), 9.0), reckon_facts(facts_of(["abc", "d", ""]), 9.0)
    assert apart.patterns.triads_of_fact.tolist() == [1, 1, 1]
    assert apart.patterns.lift == pytest.approx([0.75] * 3)
    assert alone.patterns.triads_of_fact == pytest.approx([0, 0, np.nan], nan_ok=True)


def test_an_entity_that_another_follows() -> None:
    found = reckon_facts(facts_of(["ab", "b"], days=[1, 8]), 21.0)
    assert (found.patterns.onward.tolist(), found.patterns.backward.tolist()) == ([1], [0])


def test_trends_count_time_in_sightings_since_the_first() -> None:
    found = reckon_facts(facts_of(["a", "a", "b", "b"], days=[0, 1, 50, 99]), 100.0)
    assert found.trends.trend == pytest.approx([-0.0625, 0.125])
    at_once = reckon_facts(facts_of(["a", "a", "b", "b"], days=[5, 5, 5, 5]), 100.0)
    assert at_once.trends.trend == pytest.approx([0, 0])


def test_what_is_seen_steadily_has_no_trend_however_late_it_came() -> None:
    early, late = ["a"] * 20, ["b", "a"] * 20
    found = reckon_facts(facts_of(early + late, days=list(range(60))), 60.0)
    assert np.abs(found.trends.trend[1]) < 0.05
    silent = reckon_facts(facts_of(["a", "a", *["b"] * 30], days=list(range(32))), 32.0)
    assert silent.trends.trend[0] < -0.2
    assert np.isnan(reckon_facts(facts_of(["a", "b"]), 9.0).trends.trend[0])


def test_an_entity_known_before_these_weeks_shows_its_trend_at_once() -> None:
    few = Epistemics(series_weeks=4)
    found = reckon_facts(facts_of(["a", "b", "b", "b", "a"], days=[0, 80, 85, 90, 99]), 100.0, few)
    assert found.trends.trend[0] == pytest.approx((2 * 3.5 / 4 - 1) / 4)


def test_steady_and_crowded_sightings() -> None:
    crowded = facts_of(["a", "a", "a"], days=[0, 0, 28])
    graph = entity_graph(crowded, 28.0)
    found = fact_numbers(crowded, graph, 28.0)
    assert found.fact_variation == pytest.approx([0.1] * 3)
    steady = facts_of(["a"] * 5, days=[0, 7, 14, 21, 28])
    assert fact_numbers(steady, entity_graph(steady, 28.0), 28.0).fact_variation == pytest.approx([0.0] * 5)


def test_an_entity_of_long_ago_is_not_new() -> None:
    facts = facts_of(["a", "a"], days=[0, 399])
    numbers = fact_numbers(facts, entity_graph(facts, 400.0), 400.0)
    assert numbers.entities.mean == pytest.approx([1 / 26])


def test_later_values_that_conflict() -> None:
    populations = [(0, 1, 3559, 3559), (1, 1, 3506, 3506), (2, 1, 3559, 3600)]
    facts = facts_of(["a", "a", "a"], figures=populations)
    found = conflicts_of(facts, standing(facts, 9.0), 64)
    assert list(zip(found.earlier, found.later, strict=True)) == [(0, 1), (1, 2)]
    assert found.share.tolist() == [0.5, 1.0, 0.0]


def test_no_conflict_between_measures_entities_or_within_one_fact() -> None:
    other_measure = facts_of(["a", "a"], figures=[(0, 1, 5, 5), (1, 2, 6, 6)])
    other_entity = facts_of(["a", "b"], figures=[(0, 1, 5, 5), (1, 1, 6, 6)])
    one_fact = facts_of(["a"], figures=[(0, 1, 5, 5), (0, 1, 6, 6)])
    agreed = facts_of(["a", "a"], figures=[(0, 1, 5, 5), (1, 1, 4, 4), (1, 1, 5, 5)])
    for facts in (other_measure, other_entity, one_fact, agreed):
        assert conflicts_of(facts, standing(facts, 9.0), 64).share.tolist() == [0.0] * len(facts)


@given(st.lists(st.tuples(st.sampled_from(["a", "b", "ab"]), st.integers(0, 1), st.integers(0, 2)), max_size=9))
def test_conflicts_are_what_the_definition_says(rows: list[tuple[str, int, int]]) -> None:
    facts = facts_of([row[0] for row in rows], figures=[(at, *row[1:], row[2]) for at, row in enumerate(rows)])
    found = conflicts_of(facts, np.ones(len(rows), bool), 64)
    shares, pairs = [0.0] * len(rows), set()
    for a, b in combinations(range(len(rows)), 2):
        if set(rows[a][0]) & set(rows[b][0]) and rows[a][1] == rows[b][1] and rows[a][2] != rows[b][2]:
            pairs.add((a, b))
    for a in range(len(rows)):
        shared = {b: len(set(rows[a][0]) & set(rows[b][0])) for b in range(a + 1, len(rows))}
        if total := sum(shared.values()):
            shares[a] = sum(shared[b] for b in shared if (a, b) in pairs) / total
    assert set(zip(found.earlier.tolist(), found.later.tolist(), strict=True)) == pairs
    assert found.share == pytest.approx(shares)


def test_means_over_what_rows_refer_to() -> None:
    means = mean_over(ragged([[0, 1], [2], []], np.int32), np.array([1.0, np.nan, np.nan]))
    assert means == pytest.approx([1.0, np.nan, np.nan], nan_ok=True)


def test_the_pace_of_a_domain() -> None:
    facts = facts_of(["a"] * 6 + ["b"], days=[0, 3, 10, 12, 20, 30, 30], domains=[[0, 1]] * 6 + [[1]])
    assert paces(facts, 99.0) == pytest.approx([7.0, 7.0])
    one_reading = facts_of(["a"] * 6, days=[0, 0.001, 0.002, 0.003, 3, 6])
    assert np.isnan(paces(one_reading, 99.0)).all()
    assert profiled_velocity(paces(facts, 99.0)).tolist() == [1, 1]
    assert profiled_velocity(paces(one_reading, 99.0)).tolist() == [-1]


def test_a_supersession_is_news() -> None:
    facts = facts_of(["a"] * 3, days=[0, 10, 20], superseded={0: 2.0, 1: 12.0, 2: 22.0})
    assert paces(facts, 99.0) == pytest.approx([2.0])


def within(low: float, values: np.ndarray, high: float) -> bool:
    known = values[~np.isnan(values)]
    return bool(((known >= low) & (known <= high)).all())


@given(SEEDS, st.integers(1, 60), st.floats(0, 400))
@settings(max_examples=40, deadline=None)
def test_bounds_on_any_mind(seed: int, size: int, now: float) -> None:
    found: FactReckoning = reckon_facts(synthetic_snapshot(size, seed).facts, now)
    assert within(0, found.topology.clustering, 1)
    assert within(0, found.numbers.entity_variation, 1)
    assert within(0, found.numbers.fact_variation, 1)
    assert within(0, found.numbers.conflicts.share, 1)
    assert within(-1, found.numbers.edges.change, 1)
    assert within(-1, found.trends.trend, 1)
    assert within(0, found.patterns.triads_of_fact, np.inf)
    assert within(-1, found.trends.links.r, 1)


def test_no_facts_at_all() -> None:
    found = reckon_facts(facts_of([]), 10.0)
    assert len(found.graph.low) == len(found.patterns.triads_of_fact) == len(found.trends.trend) == 0
