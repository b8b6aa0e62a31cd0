"""Promotion: what instances need to be proposed as a pattern, and patterns as a principle."""

from collections.abc import Sequence

import numpy as np
import pytest

from perdura_core.epistemics.promotion import agreements, lasting
from tests.core.epistemics.making import edges_of, interpretations_of

JOINED = ((0, "supports", 1), (2, "refines", 1))
SURE = np.full(5, 0.7)


def found(
    days: Sequence[float] = (0, 10, 30, 0, 0), extra: tuple = (), sure: np.ndarray = SURE, **columns: object
) -> list:
    given = {"author": [0, 1, 0, 0, 0], "created_day": days, **columns}
    return agreements(interpretations_of(5, **given), edges_of(*JOINED, *extra), sure)  # type: ignore[arg-type]


def test_three_that_agree_over_two_half_lives_are_proposed() -> None:
    [one] = found()
    assert one.rows.tolist() == [0, 1, 2]
    assert (one.models, one.confidence) == (2, pytest.approx(0.7))
    assert one.span_half_lives == pytest.approx(30 / 13.863, abs=1e-3)


def test_each_condition_is_needed() -> None:
    assert found(days=(0, 10, 20, 0, 0)) == []
    assert found(author=[0] * 5) == []
    assert found(sure=np.array([0.7, 0.6, 0.6, 1, 1])) == []
    assert found(extra=((0, "contradicts", 2),)) == []
    assert found(status=[0, 0, 1, 0, 0]) == []
    assert found(superseded=[0, 0, 1, 0, 0]) == []


def test_what_a_pattern_covers_already_is_not_proposed_again() -> None:
    assert found(extra=((0, "supports", 3),), level=[1, 1, 1, 2, 1]) == []
    assert len(found(extra=((0, "depends_on", 3),), level=[1, 1, 1, 2, 1])) == 1


def test_a_contradiction_from_outside_does_not_hinder() -> None:
    assert len(found(extra=((4, "contradicts", 0),))) == 1


def test_patterns_that_last_and_are_cited_are_proposed_as_principles() -> None:
    uses = [(0, 5.0, "cited", 1), (0, 6.0, "cited", 1), *[(1, 5.0, "cited", 1)] * 5, *[(2, 5.0, "cited", 1)] * 4]
    uses += [(3, 5.0, "shown", 1)] * 9 + [(4, 5.0, "cited", 1)] * 5
    domains = [0, 1] + [0] * 23
    table = interpretations_of(6, uses=uses, use_domains=domains[: len(uses)], level=[2, 2, 2, 2, 1, 2])
    sure = np.array([0.8, 0.75, 0.9, 0.9, 0.9, 0.9])
    assert [one.row for one in lasting(table, sure, 60.0)] == [0, 1]
    assert lasting(table, sure, 59.0) == []
    assert lasting(table, sure - 0.2, 60.0) == []
    first = lasting(table, sure, 60.0)[0]
    assert (first.domains, first.boardings) == (2, 2)
