"""The hierarchical model: simulated cells whose true rates are known."""

import numpy as np
import pytest
from scipy.special import expit

from perdura_core.epistemics import calibrate


def _simulated(seed: int, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    dice = np.random.default_rng(seed)
    logits = dice.normal(0, 0.8, (12, 1)) + dice.normal(0, 0.5, (1, 8)) + dice.normal(0, 0.25, (12, 8))
    rate = expit(logits)
    return rate, dice.binomial(n, rate), np.full(rate.shape, n)


@pytest.mark.parametrize("n", [5, 20, 100])
def test_cells_are_nearer_to_the_truth_than_their_own_shares_are(n: int) -> None:
    rate, right, asked = _simulated(1, n)
    found = calibrate(right, asked)
    alone = (right + 1) / (asked + 2)
    assert np.sqrt(np.mean((found.mean - rate) ** 2)) < 0.9 * np.sqrt(np.mean((alone - rate) ** 2))


def test_nine_of_ten_intervals_hold_the_truth() -> None:
    held = []
    for seed in range(8):
        rate, right, asked = _simulated(seed, 20)
        found = calibrate(right, asked)
        held.append(np.mean((found.low <= rate) & (rate <= found.high)))
    assert 0.85 <= np.mean(held) <= 0.95


def test_an_interval_for_further_answers_is_wider_than_that_of_the_rate() -> None:
    _, right, asked = _simulated(3, 20)
    found = calibrate(right, asked)
    low, high = found.share_between(np.full(right.shape, 50.0))
    assert np.all(high - low > found.high - found.low - 1e-9)


def test_a_cell_without_answers_is_guessed_from_its_likes() -> None:
    rate, right, asked = _simulated(2, 100)
    right, asked = right.copy(), asked.copy()
    right[0, 0] = asked[0, 0] = 0
    found = calibrate(right, asked)
    assert abs(found.mean[0, 0] - rate[0, 0]) < 0.2
    assert found.high[0, 0] - found.low[0, 0] > found.high[0, 1] - found.low[0, 1]


def test_nothing_graded_means_one_half() -> None:
    nothing = np.zeros((3, 2))
    assert calibrate(nothing, nothing).mean == pytest.approx(0.5, abs=1e-6)


def test_more_right_than_asked_is_refused() -> None:
    with pytest.raises(ValueError, match="right <= asked"):
        calibrate(np.array([[2]]), np.array([[1]]))
