"""Decay: half-lives at the stated days, bounds, and what is slower than what."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import decay
from perdura_core.epistemics.decay import decay_rate, half_life, remaining

AGES = st.floats(0, 10_000)
VELOCITY, LEVEL = st.integers(0, 2), st.integers(1, 3)


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(decay).failed == 0


def test_half_lives_are_those_of_the_design() -> None:
    days = half_life(np.array([0, 1, 2])[:, None], np.array([1, 2, 3]))
    expected = [[4.621, 6.601, 15.403], [13.863, 19.804, 46.210], [34.657, 49.511, 115.525]]
    assert days == pytest.approx(np.array(expected), abs=1e-3)


@given(VELOCITY, LEVEL, AGES)
def test_half_is_left_after_each_half_life(velocity: int, level: int, age: float) -> None:
    rate, days = decay_rate(velocity, level), float(half_life(velocity, level))
    assert remaining(days, rate) == pytest.approx(0.5)
    assert remaining(age + days, rate) == pytest.approx(remaining(age, rate) / 2)


@given(VELOCITY, LEVEL, AGES, AGES)
def test_what_is_left_lies_in_0_to_1_and_never_grows(velocity: int, level: int, one: float, other: float) -> None:
    rate = decay_rate(velocity, level)
    younger, older = remaining(min(one, other), rate), remaining(max(one, other), rate)
    assert 0 <= older <= younger <= 1


@given(VELOCITY, LEVEL)
def test_slower_domains_and_higher_levels_last_longer(velocity: int, level: int) -> None:
    if velocity < 2:
        assert half_life(velocity, level) < half_life(velocity + 1, level)
    if level < 3:
        assert half_life(velocity, level) < half_life(velocity, level + 1)


def test_nothing_weighs_more_before_its_time() -> None:
    assert remaining(-5.0, 0.1) == 1.0
