"""Correlations of factors: against numpy's, without the rows that are unknown."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import independence
from perdura_core.epistemics.independence import alarms, correlations

VALUES = st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.7, 1.0, float("nan")])] * 3), max_size=30)


def test_the_worked_example_holds() -> None:
    assert doctest.testmod(independence).failed == 0


@given(VALUES)
def test_r_is_pearsons_over_rows_that_know_both(rows: list[tuple[float, ...]]) -> None:
    columns = [np.array([row[at] for row in rows], dtype=np.float64) for at in range(3)]
    found = correlations("abc", columns)
    for one in range(3):
        for other in range(3):
            both = ~np.isnan(columns[one]) & ~np.isnan(columns[other])
            a, b = columns[one][both], columns[other][both]
            assert found.rows[one, other] == both.sum()
            if len(a) < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
                assert np.isnan(found.r[one, other])
            else:
                assert found.r[one, other] == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert np.array_equal(found.r, found.r.T, equal_nan=True)


@given(VALUES, st.integers(0, 2**32 - 1))
def test_the_order_of_rows_makes_no_difference(rows: list[tuple[float, ...]], seed: int) -> None:
    columns = np.array(rows, dtype=np.float64).reshape(-1, 3).T
    order = np.random.default_rng(seed).permutation(columns.shape[1])
    straight, mixed = correlations("abc", columns), correlations("abc", columns[:, order])
    assert mixed.r == pytest.approx(straight.r, nan_ok=True)


def test_strong_pairs_raise_an_alarm() -> None:
    up = np.arange(9.0)
    found = correlations(("a", "b", "c", "d"), [up, -up, np.array([0.0, 1, 0, 1, 0, 1, 0, 1, 0]), np.zeros(9)])
    assert [(one, other) for one, other, _ in alarms(found)] == [("a", "b")]
    assert alarms(found)[0][2] == pytest.approx(-1)
