"""Percentiles and medians within domains, against the plain definition; small domains borrow."""

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import standing
from perdura_core.epistemics.standing import medians, percentiles

ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0, 2.5, 7.0, float("nan")]), st.integers(-1, 3), st.booleans()), max_size=40
)


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(standing).failed == 0


@given(ROWS, st.integers(1, 6))
def test_both_are_what_the_definition_says(rows: list[tuple[float, int, bool]], smallest: int) -> None:
    values = np.array([row[0] for row in rows], dtype=np.float64)
    group = np.array([row[1] for row in rows], dtype=np.int32)
    counted = np.array([row[2] for row in rows], dtype=bool)
    places, middles = percentiles(values, group, counted, smallest), medians(values, group, counted, smallest)
    everything = [row[0] for row in rows if row[2] and not np.isnan(row[0])]
    for at, (value, name, _) in enumerate(rows):
        own = [row[0] for row in rows if row[2] and not np.isnan(row[0]) and row[1] == name]
        pool = own if name >= 0 and len(own) >= smallest else everything
        below, equal = sum(one < value for one in pool), sum(one == value for one in pool)
        share = (below + equal / 2) / len(pool) if pool and not np.isnan(value) else float("nan")
        assert places[at] == pytest.approx(share, nan_ok=True)
        assert middles[at] == pytest.approx(np.median(pool) if pool else float("nan"), nan_ok=True)


@given(ROWS.filter(len), st.integers(0, 2**32 - 1))
def test_order_makes_no_difference(rows: list[tuple[float, int, bool]], seed: int) -> None:
    values, group, counted = (np.array(column) for column in zip(*rows, strict=True))
    order = np.random.default_rng(seed).permutation(len(rows))
    straight = percentiles(values, group.astype(np.int32), counted, 3)
    mixed = percentiles(values[order], group[order].astype(np.int32), counted[order], 3)
    assert np.array_equal(straight[order], mixed, equal_nan=True)
