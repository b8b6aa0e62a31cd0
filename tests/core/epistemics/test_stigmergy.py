"""Gradient, symmetry breaking, echoes: the examples by hand, bounds, and what raises what."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import stigmergy
from perdura_core.epistemics.slopes import boost, breaking_choice
from perdura_core.epistemics.stigmergy import (
    damped,
    echo,
    gradient,
    isolation,
    model_diversity,
    undervalued,
)
from tests.core.epistemics.making import edges_of, interpretations_of

UNIT = st.floats(0, 1)


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(stigmergy).failed == 0


def test_a_gradient_is_a_mean_of_percentiles() -> None:
    table = interpretations_of(5, created_day=[1, 2, 3, 4, 5])
    found = gradient(table, np.array([1.0, 2, 3, 4, 5]), np.array([0.0, 0, 9, 0, 0]), np.zeros(5, np.int64), 9.0)
    expected = 0.35 * 0.9 + 0.30 * 0.4 + 0.20 * 0.5 + 0.15 * 0.9
    assert found[4] == pytest.approx(expected)


@given(st.lists(UNIT, min_size=3, max_size=12), st.integers(0, 2), UNIT)
def test_a_higher_rank_never_lowers_the_gradient(ranks: list[float], at: int, more: float) -> None:
    table, none = interpretations_of(len(ranks)), np.zeros(len(ranks))

    def of(values: list[float]) -> float:
        return float(gradient(table, np.array(values), none, none.astype(np.int64), 9.0)[at])

    risen = [value + more if place == at else value for place, value in enumerate(ranks)]
    assert 0 <= of(ranks) <= of(risen) + 1e-12 <= 1 + 1e-9


def test_a_use_makes_recent() -> None:
    table = interpretations_of(2, uses=[(0, 8.0, "shown", 1)])
    nothing = np.zeros(2)
    found = gradient(table, nothing, nothing, nothing.astype(np.int64), 9.0)
    assert found[0] > found[1]


def test_what_a_score_is_multiplied_by() -> None:
    assert boost([0.0, 0.58, 1.0]) == pytest.approx([0.75, 1.04, 1.25])


def test_one_slot_in_ten_goes_to_a_low_gradient_and_the_draw_can_be_repeated() -> None:
    gradients = np.linspace(0, 1, 40)
    drawn = [breaking_choice(gradients, (7, boarding)) for boarding in range(4_000)]
    chosen = [one for one in drawn if one is not None]
    assert 0.085 < len(chosen) / len(drawn) < 0.115
    assert set(chosen) == set(range(10))
    assert drawn[:50] == [breaking_choice(gradients, (7, boarding)) for boarding in range(50)]
    assert all(breaking_choice(np.zeros(0), (7, boarding)) is None for boarding in range(50))


def test_diversity_of_those_who_use_it() -> None:
    uses = [*[(0, 1.0, "cited", 0)] * 3, (0, 1.0, "shown", 1), (1, 1.0, "cited", -1), (2, 1.0, "shown", 3)]
    assert model_diversity(interpretations_of(3, uses=uses), 9.0) == pytest.approx([0.375, np.nan, 0], nan_ok=True)


def test_isolation_counts_links_and_citations() -> None:
    table = interpretations_of(
        6, uses=[(0, 1.0, "cited", 1), (5, 1.0, "shown", 1)], use_domains=[1, 1], domains=[0, 0, 0, 0, 1, 0]
    )
    edges = edges_of((0, "supports", 1), (2, "supports", 0), (3, "refines", 0), (4, "answers", 6), questions=1)
    assert isolation(table, edges, 9.0)[[0, 4, 5]] == pytest.approx([0.75, np.nan, np.nan], nan_ok=True)


def test_an_echo_is_what_few_repeat_among_themselves() -> None:
    def of(*values: float) -> float:
        return float(echo(*(np.array([value]) for value in values))[0])

    assert of(0.1, 0.8, 1.0, 0.2) == pytest.approx(0.875)
    assert of(0.0, 1.0, np.nan, np.nan) == 1.0
    assert np.isnan(of(np.nan, np.nan, 1.0, 0.0))


@given(UNIT, UNIT, UNIT, UNIT, UNIT)
def test_an_echo_falls_with_diversity_and_structure(a: float, b: float, gini: float, apart: float, s: float) -> None:
    one, other = (echo(*(np.array([v]) for v in (d, gini, apart, s)))[0] for d in (min(a, b), max(a, b)))
    assert 0 <= other <= one <= 1


def test_damping_is_once_and_only_above_the_bound() -> None:
    found = damped(np.array([0.8, 0.8, 0.8]), np.array([0.86, 0.85, np.nan]))
    assert found == pytest.approx([0.68, 0.8, 0.8])


def test_undervalued_is_high_in_the_graph_and_hardly_used() -> None:
    assert undervalued(np.array([0.9, 0.9, 0.5, np.nan]), np.array([0.1, 0.5, 0.1, 0.1])).tolist() == [
        True, False, False, False,
    ]  # fmt: skip
