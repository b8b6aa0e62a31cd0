"""What is measured, so that another value for it is recognised."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import Measure, in_conflict, measures_of


@pytest.mark.parametrize(
    ("text", "key", "value", "unit"),
    [
        ("The p95 latency of checkout rose to 620 ms.", "latenci p95", 0.62, "time"),
        ("Checkout p95 latency was 480 ms.", "latenci p95", 0.48, "time"),
        ("The trial enrolled 1,204 patients.", "trial", 1204.0, "patient"),
        ("12 ms of latency were added.", "latenci", 0.012, "time"),
        ("PageRank of the cache node is 0.12.", "pagerank", 0.12, ""),
        ("Revenue fell by 3 %.", "by revenu", 3.0, "percent"),
    ],
)
def test_a_measure_has_key_value_and_unit(text: str, key: str, value: float, unit: str) -> None:
    [measure] = measures_of(text)
    assert (measure.key, measure.unit) == (key, unit)
    assert measure.value == pytest.approx(value)


def test_an_open_range_has_no_single_value() -> None:
    [measure] = measures_of("The outage lasted more than 40 minutes.")
    assert measure.value is None
    assert measure.high == math.inf


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("The outage lasted 47 minutes.", "The outage took 52 minutes.", True),
        ("The outage lasted 60 minutes.", "The outage took 1 hour.", False),
        ("The outage lasted more than 40 minutes.", "The outage lasted 47 minutes.", False),
        ("Revenue fell by 3 % in 2020.", "Revenue fell by 5 % in 2020.", True),
        ("Revenue fell by 3 % in 2020.", "Revenue fell by 5 % in 2021.", False),
        ("Revenue fell by 3 %.", "Revenue fell to 5 %.", False),
        ("The error rate was 2 %.", "The hit rate was 80 %.", False),
    ],
)
def test_the_same_measure_with_another_value(one: str, other: str, expected: bool) -> None:
    found = [(a, b) for a in measures_of(one) for b in measures_of(other)]
    assert found
    assert any(in_conflict(a, b) for a, b in found) is expected
    assert any(in_conflict(b, a) for a, b in found) is expected


_BOUNDS = st.floats(-1e9, 1e9).flatmap(lambda low: st.tuples(st.just(low), st.floats(low, 1e9 + 1)))


@given(_BOUNDS, _BOUNDS)
def test_conflict_is_symmetric_and_never_with_itself(one: tuple[float, float], other: tuple[float, float]) -> None:
    a, b = Measure("k", *one, "", ""), Measure("k", *other, "", "")
    assert in_conflict(a, b) is in_conflict(b, a)
    assert not in_conflict(a, a)


@given(st.text(max_size=200))
def test_any_text_can_be_measured(text: str) -> None:
    assert all(measure.low <= measure.high and measure.key for measure in measures_of(text))
