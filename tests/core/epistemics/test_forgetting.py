"""Forgetting: the order of the rules, what comes back, and what goes for good."""

import doctest

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import forgetting
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.forgetting import FORGOTTEN, REASONS, decisions, is_revived, is_spent
from tests.core.epistemics.making import interpretations_of

UNIT = st.floats(0, 1)
HALF_LIFE = float(half_life(1, 1))
SHADOW = [1]


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(forgetting).failed == 0


@given(st.floats(0, 9), UNIT, UNIT | st.just(float("nan")), st.booleans(), st.booleans(), st.integers(1, 3))
def test_the_first_rule_that_applies_decides(
    age: float, confidence: float, centrality: float, member: bool, bridge: bool, level: int
) -> None:
    holds = (age < 1, confidence >= 0.65, centrality > 0.5, member, bridge, level == 3, True)
    [code] = decisions([age], [confidence], [centrality], [member], [bridge], [level])
    assert code == holds.index(True)


@given(st.floats(1, 9), UNIT, UNIT, UNIT)
def test_more_confidence_or_centrality_never_loses_a_place(age: float, one: float, other: float, rest: float) -> None:
    low, high = sorted([one, other])
    for pair in ([(low, rest), (high, rest)], [(rest, low), (rest, high)]):
        kept = [decisions([age], [c], [s], [False], [False], [1])[0] != FORGOTTEN for c, s in pair]
        assert kept[0] <= kept[1]


def test_a_citation_brings_back_from_shadow_a_showing_does_not() -> None:
    uses = [(0, 41.0, "shown", 1), (0, 39.0, "cited", 1), (1, 42.0, "cited", 1), (2, 42.0, "promoted", 1)]
    uses += [(3, 42.0, "cited", 1), (4, 42.0, "cited", 1)]
    table = interpretations_of(
        5, uses=uses, status=[1, 1, 1, 0, 1], shadow_day=[40, 40, 40, np.nan, 40], superseded=[0, 0, 0, 0, 1]
    )
    assert is_revived(table, 50.0).tolist() == [False, True, True, False, False]
    assert not is_revived(table, 41.5).any()


def test_three_half_lives_without_use_are_the_end() -> None:
    table = interpretations_of(1, status=SHADOW, shadow_day=[10.0])
    assert not is_spent(table, 10 + 3 * HALF_LIFE - 0.01)[0]
    assert is_spent(table, 10 + 3 * HALF_LIFE + 0.01)[0]
    found_again = interpretations_of(1, uses=[(0, 30.0, "shown", 1)], status=SHADOW, shadow_day=[10.0])
    assert not is_spent(found_again, 10 + 3 * HALF_LIFE + 0.01)[0]
    assert is_spent(found_again, 30 + 3 * HALF_LIFE + 0.01)[0]


def test_what_is_active_is_never_spent() -> None:
    assert not is_spent(interpretations_of(2, status=[0, 2]), 1e6).any()
    assert len(set(REASONS)) == len(REASONS)
