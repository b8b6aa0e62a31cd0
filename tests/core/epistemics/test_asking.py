"""Whom to ask next, and when to stop."""

import numpy as np
import pytest

from perdura_core.epistemics.asking import Crew, ask, copying_of, unevenness_of


def crew(right: list[float], usd: list[float], **changes: float) -> Crew:
    known = {"copying": 0.0, "unevenness": 0.0, **changes}
    one = np.array([right])
    return Crew(one, np.ones_like(one), np.array([usd]), known["copying"], known["unevenness"], 4)


KIND = np.zeros(2, dtype=np.intp)


def test_the_best_is_asked_when_money_is_nothing() -> None:
    done = ask(KIND, np.array([[0, 1], [2, 2]]), crew([0.5, 0.9], [0.0, 0.0]), usd_worth=0.0)
    assert done.asked[:, 1].all()
    assert done.answer.tolist() == [1, 2]


def test_a_dear_second_opinion_is_asked_for_only_where_two_disagree() -> None:
    told = crew([0.7, 0.7, 0.8], [0.001, 0.001, 0.02])
    done = ask(KIND, np.array([[0, 0, 0], [0, 1, 1]]), told, usd_worth=6.0)
    assert done.asked.tolist() == [[True, True, False], [True, True, True]]
    assert done.answer.tolist() == [0, 1]


def test_agreement_is_worth_less_when_errors_are_shared() -> None:
    answers, three, free = np.ones((2, 3), dtype=np.intp), [0.6] * 3, [0.0] * 3
    for told in (crew(three, free, copying=0.4), crew(three, free, unevenness=2.0)):
        done = ask(KIND, answers, told, 0.0)
        asked = done.asked.sum(axis=1)
        independent = 0.6**asked / (0.6**asked + 3 * (0.4 / 3) ** asked)
        assert (asked >= 2).all()
        assert (done.confidence < independent - 0.01).all()


def test_nobody_who_answers_is_minus_one() -> None:
    done = ask(KIND, np.full((2, 2), -1), crew([0.6, 0.6], [0.0, 0.0]), 0.0)
    assert done.answer.tolist() == [-1, -1]


def test_by_hand_two_that_agree() -> None:
    # Of 4 answers, both right 0.6 * 0.6, or the same wrong one 3 * (0.4 / 3)^2: 0.36 / (0.36 + 0.0533) = 0.8710.
    # The third is not asked: it could not change the answer.
    done = ask(KIND, np.ones((2, 3), dtype=np.intp), crew([0.6] * 3, [0.0] * 3), 0.0)
    assert done.asked.sum(axis=1).tolist() == [2, 2]
    assert done.confidence[0] == pytest.approx(0.8710, abs=1e-4)


def test_copying_and_unevenness_are_found_again() -> None:
    dice = np.random.default_rng(4)
    size = 6_000
    hard = dice.normal(0, 1.5, (size, 1))
    rate = 1 / (1 + np.exp(-(0.8 + hard)))
    right = dice.random((size, 3)) < rate
    expected = np.full((size, 3), right.mean())
    assert unevenness_of(right, expected) == pytest.approx(1.5, abs=0.3)
    decoy = dice.integers(1, 10, (size, 1))
    copies = dice.random((size, 3)) < 0.5
    wrong = np.where(copies, decoy, dice.integers(1, 10, (size, 3)))
    # Two of three copy the same decoy a quarter of the time.
    assert copying_of(~right, np.where(right, 0, wrong), 10) == pytest.approx(0.25, abs=0.05)
