"""Confidence and its factors: the examples by hand, bounds, what raises what, and cold starts."""

import doctest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.epistemics import factors as module
from perdura_core.epistemics.conflicts import Conflicts
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.fact_layers import FactNumbers, entity_graph, fact_numbers
from perdura_core.epistemics.factors import (
    Factors,
    confidence,
    consistency,
    maturity,
    mixed,
    pattern,
    prior,
    structural,
    usage,
    usage_sum,
)
from perdura_core.epistemics.reckoning import reckon, reckon_facts
from perdura_core.experiments.reckoning_bench import synthetic_snapshot
from tests.core.epistemics.making import facts_of, interpretations_of

UNIT = st.floats(0, 1)
MAYBE = UNIT | st.just(float("nan"))
HALF_LIFE = float(half_life(1, 1))
WEIGHTS = np.array([[0.4, 0.3, 0.15, 0.15]])


def factors_of(*values: float) -> Factors:
    return Factors(*(np.array([value]) for value in values))


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(module).failed == 0


def test_the_prior_weighs_voters_by_their_record() -> None:
    votes = [(0, 1, 0.3, 1.0), (0, 1, 0.5, 1.0)]
    table = interpretations_of(3, votes=votes, asserted=[0.9, 0.2, np.nan])
    assert prior(table) == pytest.approx([0.85 / 1.5, 0.2, 0.5])


@given(UNIT, st.lists(st.tuples(st.just(0), st.integers(0, 3), UNIT, UNIT), max_size=8), st.randoms())
def test_the_prior_lies_among_what_was_said_in_any_order(asserted: float, votes: list, dice: object) -> None:
    found = prior(interpretations_of(1, votes=votes, asserted=[asserted]))
    said = [asserted, *(vote[2] for vote in votes)]
    assert min(said) - 1e-9 <= found[0] <= max(said) + 1e-9
    dice.shuffle(votes)  # type: ignore[attr-defined]
    assert prior(interpretations_of(1, votes=votes, asserted=[asserted])) == pytest.approx(found)


def test_repeating_a_vote_gains_no_weight() -> None:
    once = prior(interpretations_of(1, votes=[(0, 1, 0.1, 0.5)], asserted=[0.9]))
    often = prior(interpretations_of(1, votes=[(0, 1, 0.1, 0.5)] * 9, asserted=[0.9]))
    assert once == pytest.approx(often)


def test_uses_add_up_and_decay() -> None:
    table = interpretations_of(2, uses=[(0, 0.0, "cited", 1), (0, HALF_LIFE, "shown", 1), (0, 99.0, "cited", 1)])
    assert usage_sum(table, HALF_LIFE) == pytest.approx([0.7, 0.0])


def test_usage_at_the_median_and_without_uses() -> None:
    uses = [(row, 0.0, "cited", 1) for row in range(40)]
    assert usage(interpretations_of(41, uses=uses), 5.0)[[0, 40]] == pytest.approx([1 - np.exp(-1), 0.0])
    assert np.isnan(usage(interpretations_of(3), 5.0)).all()


def test_a_small_domain_borrows_the_median_of_the_mind() -> None:
    uses = [(row, 0.0, "cited", 1) for row in range(40)] + [(40, 0.0, "promoted", 1)] * 5
    found = usage(interpretations_of(41, uses=uses, domains=[0] * 40 + [1]), 0.0)
    assert found[40] == pytest.approx(1 - np.exp(-10))


@given(st.lists(st.tuples(st.just(0), st.floats(0, 50), st.sampled_from(["shown", "cited"]), st.just(1)), max_size=9))
def test_another_use_never_lowers_usage(uses: list) -> None:
    other = [(1, 0.0, "cited", 1)]
    before = usage(interpretations_of(2, uses=uses + other), 60.0)[0]
    after = usage(interpretations_of(2, uses=[*uses, (0, 60.0, "cited", 1), *other]), 60.0)[0]
    assert 0 <= before <= 1
    assert usage_sum(interpretations_of(2, uses=[*uses, (0, 60.0, "cited", 1)]), 60.0)[0] > 0
    assert after <= 1


def numbers_of(share: list[float], variation: list[float]) -> FactNumbers:
    facts = facts_of(["a"] * len(share))
    found = fact_numbers(facts, entity_graph(facts, 9.0), 9.0)
    none = np.zeros(0, np.int64)
    return found._replace(conflicts=Conflicts(none, none, np.array(share)), fact_variation=np.array(variation))


def test_steadiness_of_facts() -> None:
    facts = facts_of(["a", "a", "a"], superseded={0: 5.0})
    table = interpretations_of(4, facts=[[0, 1], [1], [2], []])
    found = consistency(table, facts, numbers_of([0, 0.2, 0.9], [0, 0.4, 1.0]), 9.0)
    assert found == pytest.approx([0.3, 0.6, 0.0, np.nan], nan_ok=True)


@given(UNIT, UNIT, UNIT)
def test_more_conflict_or_variation_never_makes_steadier(share: float, more: float, variation: float) -> None:
    facts, table = facts_of(["a"]), interpretations_of(1, facts=[[0]])
    one, other = (
        consistency(table, facts, numbers_of([value], [variation]), 9.0)[0]
        for value in (min(share, more), max(share, more))
    )
    assert 0 <= other <= one <= 1


def test_structure_is_where_one_stands() -> None:
    found = structural(interpretations_of(4), np.array([1.0, 2, 3, 4]), np.array([0.0, 1, 9, 2]))
    assert found[2] == pytest.approx((0.625 + 0.875) / 2)
    assert np.isnan(structural(interpretations_of(1), np.array([np.nan]), np.array([np.nan]))).all()


def test_patterns_of_facts() -> None:
    facts = facts_of(["ab", "bc", "ac", "x", ""], days=[0, 10, 20, 30, 40])
    layers = reckon_facts(facts, 50.0)
    table = interpretations_of(5, facts=[[0], [1], [3], [4], []])
    found = pattern(table, facts, layers.patterns, layers.trends)
    trend = layers.trends.trend
    assert np.isnan(trend[3])
    assert found[2] == pytest.approx(1 / 6)
    assert found[0] == pytest.approx((2 / 3 + (1 + (trend[0] + trend[1]) / 2) / 2) / 2)
    assert np.isnan(found[3:]).all()


def test_weights_of_missing_factors_go_to_the_others() -> None:
    assert mixed(factors_of(0.5, 1.0, np.nan, np.nan), WEIGHTS) == pytest.approx(5 / 7)
    assert np.isnan(mixed(factors_of(*[np.nan] * 4), WEIGHTS)).all()


@given(st.tuples(MAYBE, MAYBE, MAYBE, MAYBE), st.integers(0, 3), UNIT)
def test_a_mix_lies_among_its_factors_and_rises_with_each(values: tuple, at: int, higher: float) -> None:
    known = [value for value in values if not np.isnan(value)]
    found = mixed(factors_of(*values), WEIGHTS)[0]
    if not known:
        assert np.isnan(found)
        return
    assert min(known) - 1e-9 <= found <= max(known) + 1e-9
    if values[at] <= higher:
        risen = mixed(factors_of(*values[:at], higher, *values[at + 1 :]), WEIGHTS)[0]
        assert risen >= found - 1e-12


@given(st.floats(0, 1e4), st.floats(0, 1e4), st.floats(0.1, 200))
def test_maturity_rises_from_0_through_a_half_to_1(one: float, other: float, days: float) -> None:
    young, old = maturity(min(one, other), days), maturity(max(one, other), days)
    assert 0 <= young <= old <= 1
    assert maturity(days, days) == pytest.approx(0.5)
    assert maturity(-1.0, days) == 0


def test_confidence_moves_from_the_prior_to_the_factors() -> None:
    table = interpretations_of(1, asserted=[0.9])
    found = [confidence(table, factors_of(0.5, 0.5, 0.5, 0.5), day)[0] for day in (0.0, HALF_LIFE, 40 * HALF_LIFE)]
    assert found == pytest.approx([0.9, 0.7, 0.5])
    assert confidence(table, factors_of(*[np.nan] * 4), 900.0) == pytest.approx(0.9)


@given(st.integers(0, 10_000), st.integers(1, 50), st.floats(0, 500))
@settings(max_examples=30, deadline=None)
def test_everything_stays_in_0_to_1_on_any_mind(seed: int, size: int, now: float) -> None:
    found = reckon(synthetic_snapshot(size, seed), now)
    for values in (*found.factors, found.confidence, found.gradient, found.echo):
        known = values[~np.isnan(values)]
        assert ((known >= 0) & (known <= 1)).all()
    assert not np.isnan(found.confidence).any()
    assert not np.isnan(found.gradient).any()
