"""Truth without gold, on crowds whose truth is known."""

import numpy as np
import pytest

from perdura_core.epistemics.crowd import crowd_truth


def _crowd(seed: int, choices: int, rates: np.ndarray, tasks: int = 400) -> tuple[np.ndarray, np.ndarray]:
    dice = np.random.default_rng(seed)
    truth = dice.integers(0, choices, tasks)
    wrong = (truth[:, None] + dice.integers(1, choices, (tasks, len(rates)))) % choices
    labels = np.where(dice.random((tasks, len(rates))) < rates, truth[:, None], wrong)
    return truth, np.where(dice.random(labels.shape) < 0.7, labels, -1)


@pytest.mark.parametrize("choices", [2, 3, 10])
def test_the_good_outweigh_the_many(choices: int) -> None:
    rates = np.array([0.95, 0.95, 0.9] + [1 / choices + 0.05] * 5)
    truth, labels = _crowd(1, choices, rates)
    found = crowd_truth(labels, choices)
    votes = np.stack([(labels == code).sum(axis=1) for code in range(choices)], axis=1)
    assert (found.answer == truth).mean() > (votes.argmax(axis=1) == truth).mean()
    assert set(np.argsort(-found.reliability)[:3]) == {0, 1, 2}


def test_bounds_hold_the_rates_and_the_mean() -> None:
    rates = np.array([0.9, 0.85, 0.8, 0.7, 0.6, 0.55])
    _, labels = _crowd(2, 2, rates)
    found = crowd_truth(labels, 2)
    assert ((found.low <= found.reliability) & (found.reliability <= found.high)).all()
    assert np.mean((found.low <= rates) & (rates <= found.high)) >= 0.8


def test_shared_errors_do_not_pass_for_certainty() -> None:
    truth, labels = _crowd(3, 10, np.full(8, 0.6))
    dice = np.random.default_rng(3)
    decoy = (truth + dice.integers(1, 10, len(truth))) % 10
    errs = (labels >= 0) & (labels != truth[:, None])
    lured = np.where(errs & (dice.random(labels.shape) < 0.7), decoy[:, None], labels)
    found = crowd_truth(lured, 10)
    assert found.confidence.mean() - (found.answer == truth).mean() < 0.1


def test_nothing_to_go_by_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 and 1"):
        crowd_truth(np.full((3, 2), -1), 2)
