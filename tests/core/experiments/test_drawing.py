"""Axes of charts: round values, and none that no point could have."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from perdura_core.experiments.drawing import _decades, _ticks, as_svg
from perdura_core.experiments.report import Chart, Finding, Point, Series


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_are_round_and_inside(low: float, width: float) -> None:
    found = _ticks(low, low + width)
    assert 2 <= len(found) <= 9
    steps = [b - a for (a, _), (b, _) in pairwise(found)]
    assert all(low - width * 1e-6 <= value <= low + width * (1 + 1e-6) for value, _ in found)
    assert max(steps) - min(steps) <= 1e-6 * width + 1e-9 * abs(low)
    assert len({shown for _, shown in found}) == len(found)


def test_ticks_by_hand() -> None:
    assert [shown for _, shown in _ticks(0.615, 0.782)] == ["0.65", "0.70", "0.75"]
    assert [shown for _, shown in _decades(-1.4, 0.9)] == ["0.05", "0.1", "0.2", "0.5", "1", "2", "5"]
    assert [shown for _, shown in _decades(0.0, 4.0)] == ["1", "10", "100", "1,000", "10,000"]


def test_a_cost_is_never_drawn_below_zero_and_the_ninth_series_is_told_apart() -> None:
    points = (Point(0.02, Finding(0.6)), Point(9.0, Finding(0.7)))
    names = [f"series {number}" for number in range(9)]
    svg = as_svg(Chart("t", "USD", "accuracy", tuple(Series(name, points) for name in names)))
    assert not re.search(r">-\d", svg)
    assert svg.count("<rect") == 1 + len(points) + 1
