"""The Beta distribution against SciPy's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc, betaincinv

from perdura_core.epistemics.beta import distribution, quantile

shapes = st.floats(min_value=0.5, max_value=2_000)


@given(shapes, shapes, st.floats(min_value=0, max_value=1))
def test_the_distribution_agrees_with_scipy(alpha: float, beta: float, x: float) -> None:
    assert distribution(alpha, beta, x) == pytest.approx(float(betainc(alpha, beta, x)), abs=1e-10)


@given(shapes, shapes, st.sampled_from([0.05, 0.25, 0.5, 0.95]))
def test_the_quantile_agrees_with_scipy(alpha: float, beta: float, level: float) -> None:
    assert quantile(alpha, beta, level) == pytest.approx(float(betaincinv(alpha, beta, level)), abs=1e-9)


def test_by_hand() -> None:
    assert quantile(3, 1, 0.05) == pytest.approx(0.05 ** (1 / 3))
    assert quantile(1, 1, 0.95) == pytest.approx(0.95)
    assert (distribution(2, 3, 0.0), distribution(2, 3, 1.0)) == (0.0, 1.0)
