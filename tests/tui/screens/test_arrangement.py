from hypothesis import given
from hypothesis import strategies as st

from perdura_tui.screens.arrangement import arrange


@given(st.integers(0, 400), st.integers(0, 200), st.integers(0, 64))
def test_every_size_has_an_arrangement_that_fits(width: int, height: int, seats: int) -> None:
    plan = arrange(width, height, seats)
    if plan.shape == "too_small":
        assert width < 60 or height < 15
    elif plan.shape == "tabs":
        assert width < 100 or height < 30
        assert height - 3 - plan.seats >= 12, "the pane keeps enough lines"
    else:
        assert plan.top + plan.middle + plan.bottom == height - 3
        assert min(plan.top, plan.middle, plan.bottom) >= 6
        assert 30 <= plan.left <= width - 30
        assert 30 <= plan.left_low <= width - 30


def test_the_common_sizes() -> None:
    assert arrange(80, 24, 3).shape == "tabs"
    assert arrange(100, 30, 3).shape == "panes"
    assert arrange(120, 40, 3).shape == "panes"
    assert arrange(59, 15, 3).shape == "too_small"
    assert arrange(60, 15, 3).shape == "tabs"
