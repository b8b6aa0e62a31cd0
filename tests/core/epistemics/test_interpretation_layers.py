"""M3 to M6, bridges: the examples by hand, and plain definitions."""

from itertools import combinations, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from perdura_core.epistemics import pairing
from perdura_core.epistemics.bridges import bridges
from perdura_core.epistemics.constants import Epistemics
from perdura_core.epistemics.interpretation_layers import (
    confidence_numbers,
    live_edges,
    motifs,
    topology,
    use_numbers,
    wisdom,
)
from perdura_core.vocabulary import EDGE_TYPES
from tests.core.epistemics.making import edges_of, interpretations_of

Joined = list[tuple[int, str, int]]


def test_only_edges_between_what_is_in_use_are_live() -> None:
    table = interpretations_of(4, status=[0, 0, 1, 0], superseded=[0, 0, 0, 1])
    edges = edges_of((0, "supports", 1), (0, "supports", 2), (3, "refines", 0), (0, "answers", 4), questions=1)
    assert live_edges(table, edges).tolist() == [True, False, False, True]


def test_a_question_lies_between_its_answers() -> None:
    found = topology(interpretations_of(3), edges_of((0, "answers", 3), (1, "answers", 3), questions=1))
    assert found.pagerank[0] == found.pagerank[1]
    assert found.betweenness[:2].tolist() == [0, 0]
    assert found.component[0] == found.component[1]
    assert np.isnan([found.degree[2], found.pagerank[2], found.betweenness[2]]).all()
    assert found.component[2] == -1


def test_what_holds_others_together_lies_between_them() -> None:
    found = topology(interpretations_of(3), edges_of((0, "supports", 1), (1, "refines", 2)))
    assert found.betweenness.tolist() == [0, 1, 0]
    assert found.pagerank[1] > found.pagerank[0] == pytest.approx(found.pagerank[2])


def test_contradictions_hold_nothing_together() -> None:
    agreed = edges_of((0, "supports", 1), (1, "refines", 2))
    disputed = edges_of((0, "supports", 1), (1, "refines", 2), (0, "contradicts", 2), (3, "contradicts", 1))
    before, after = topology(interpretations_of(4), agreed), topology(interpretations_of(4), disputed)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, after, strict=True))
    assert np.isnan(after.pagerank[3])


def test_sampled_betweenness_finds_the_same_hubs_and_depends_on_the_seed_alone() -> None:
    dice = np.random.default_rng(1)
    # Few hubs that hold the rest together, as in real minds.
    joined = [(row, "supports", int(dice.integers(0, 8)) if row > 8 else 0) for row in range(1, 400)]
    joined += [(int(a), "refines", int(b)) for a, b in dice.integers(9, 400, (200, 2))]
    table, edges = interpretations_of(400), edges_of(*joined)
    exact = topology(table, edges).betweenness
    few = Epistemics(exact_most=10, pivots=64)
    sampled = topology(table, edges, 1, few).betweenness
    assert np.corrcoef(exact, sampled)[0, 1] > 0.95
    assert np.array_equal(sampled, topology(table, edges, 1, few).betweenness)
    assert not np.array_equal(sampled, topology(table, edges, 2, few).betweenness)


def test_uses_that_crowd_into_few_weeks() -> None:
    uses = [
        (0, 8.0, "shown", 1),
        *[(0, 1.0, "shown", 1)] * 3,
        *[(1, day, "shown", 1) for day in (1.0, 8.0, 15.0, 22.0)],
    ]
    found = use_numbers(interpretations_of(3, uses=uses), 27.0)
    assert found.gini == pytest.approx([0.625, 0.0, np.nan], nan_ok=True)
    assert found.numbers.mean[:2] == pytest.approx([1.0, 1.0])


def plain_shapes(count: int, joined: Joined) -> dict[tuple[int, ...], str]:
    """For each closed triad its shape: the least reading over all orders of its corners."""
    held: dict[tuple[int, int], set[str]] = {}
    for a, kind, b in joined:
        if a != b:
            held.setdefault((a, b), set()).add(kind)
            if kind == "contradicts":
                held.setdefault((b, a), set()).add(kind)
    found = {}
    for triad in combinations(range(count), 3):
        if all((a, b) in held or (b, a) in held for a, b in combinations(triad, 2)):
            readings = [
                "/".join(",".join(sorted(held.get(pair, ()))) for pair in permutations(order, 2))
                for order in permutations(triad)
            ]
            found[triad] = min(readings)
    return found


@given(st.lists(st.tuples(st.integers(0, 6), st.sampled_from(EDGE_TYPES[:3]), st.integers(0, 6)), max_size=16))
def test_shapes_are_those_of_the_plain_definition(joined: Joined) -> None:
    plain = plain_shapes(7, joined)
    found = motifs(interpretations_of(7), edges_of(*joined), Epistemics(motif_least=2, motif_lift=0.0))
    times = {shape: list(plain.values()).count(shape) for shape in plain.values()}
    assert sorted(found.times.tolist()) == sorted(times.values())
    recurring = {corner for triad, shape in plain.items() if times[shape] >= 2 for corner in triad}
    assert set(np.flatnonzero(found.is_member)) == recurring


def test_a_shape_recurs_when_chance_would_not_make_it() -> None:
    rare = [(at, "depends_on", at + 1) for at in (0, 3, 6)] + [(at + 1, "depends_on", at + 2) for at in (0, 3, 6)]
    rare += [(at, "depends_on", at + 2) for at in (0, 3, 6)]
    others = [(9 + at, "supports", 9 + at + 1) for at in range(91)]
    found = motifs(interpretations_of(101), edges_of(*rare, *others))
    assert found.times.tolist() == [3]
    assert found.lift[0] > 100
    assert np.flatnonzero(found.is_member).tolist() == list(range(9))
    usual = motifs(interpretations_of(9), edges_of(*rare))
    assert usual.lift[0] < 2
    assert not usual.is_member.any()


def test_shapes_are_counted_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(2)
    joined = [(int(a), EDGE_TYPES[int(k)], int(b)) for a, k, b in dice.integers(0, [30, 3, 30], (300, 3))]
    whole = motifs(interpretations_of(30), edges_of(*joined))
    monkeypatch.setattr(pairing, "_PORTION", 20)
    parts = motifs(interpretations_of(30), edges_of(*joined))
    assert all(np.array_equal(one, other) for one, other in zip(whole, parts, strict=True))
    assert 0 < whole.is_member.sum() < 30 or whole.times.sum() > 20


def test_the_wisdom_of_a_domain() -> None:
    table = interpretations_of(
        12,
        domains=[0] * 9 + [1, -1, -1],
        level=[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1],
        status=[0, 0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0],
        author=[0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1],
        created_day=[99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 99, 99],
    )
    found = wisdom(table, edges_of((0, "contradicts", 1), (2, "contradicts", 5)), 100.0)
    assert found.interpretations.tolist() == [5, 1, 2]
    parts = [found.consolidated[0], found.survival[0], found.contention[0], found.diversity[0]]
    assert parts == pytest.approx([0.2, 0.5, 0.4, 0.6])
    assert found.wisdom[0] == pytest.approx((0.2 + 0.5 + 0.6 + 0.6) / 4)
    assert np.isnan(found.diversity[1])
    assert found.wisdom[1] == pytest.approx((0 + 1 + 1) / 3)
    assert np.isnan(found.survival[2])
    assert found.wisdom[2] == pytest.approx((0.5 + 1 + 1) / 3)


def test_a_bridge_nobody_could_stand_in_for() -> None:
    table = interpretations_of(6, domains=[0, 0, 1, 1, 1, 0])
    edges = edges_of((0, "supports", 2), (0, "supports", 3), (4, "refines", 0), (1, "supports", 2), (0, "refines", 5))
    found = bridges(table, edges)
    assert found.links.tolist() == [3, 1, 2, 1, 1, 0]
    assert found.is_validated.tolist() == [True, False, False, False, False, False]
    with_another = edges_of(*[(a, "supports", b) for a in (0, 1) for b in (2, 3)], (0, "supports", 4))
    assert not bridges(table, with_another).is_validated[0]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from(EDGE_TYPES[:3]), st.integers(0, 9)), max_size=30),
    st.lists(st.integers(-1, 2), min_size=10, max_size=10),
)
@settings(deadline=None)
def test_substitution_is_what_the_definition_says(joined: Joined, domains: list[int]) -> None:
    table = interpretations_of(10, domains=domains)
    far: list[set[int]] = [set() for _ in range(10)]
    for a, _, b in joined:
        if domains[a] != domains[b] and min(domains[a], domains[b]) >= 0:
            far[a].add(b)
            far[b].add(a)
    expected = [
        len(own) >= 2
        and not any(
            2 * len(own & far[other]) >= len(own)
            for other in range(10)
            if other != at and domains[other] == domains[at]
        )
        for at, own in enumerate(far)
    ]
    found = bridges(table, edges_of(*joined))
    assert found.is_validated.tolist() == expected
    assert found.links.tolist() == [len(own) for own in far]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(0.0, 60.0), st.floats(0.0, 1.0)), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
def test_confidence_series_in_numbers_stay_in_bounds_in_any_order(
    said: list[tuple[int, float, float]], dice: Random
) -> None:
    def numbers(rows: list[tuple[int, float, float]]) -> tuple[NDArray[np.float64], ...]:
        row, day, value = (np.array(column) for column in zip(*rows, strict=True))
        return confidence_numbers(row.astype(int), day, value, 4, 60.0)

    found = numbers(said)
    shuffled = said[:]
    dice.shuffle(shuffled)
    for one, other in zip(found, numbers(shuffled), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)
    mean, variance, change = found
    heard = np.isin(np.arange(4), [row for row, _, _ in said])
    assert np.array_equal(np.isfinite(mean), heard)
    assert ((mean[heard] >= 0) & (mean[heard] <= 1) & (variance[heard] >= 0) & (variance[heard] <= 0.25)).all()
    assert (np.abs(change[np.isfinite(change)]) <= 1).all()


def test_a_confidence_that_only_rises_has_a_positive_change() -> None:
    days = np.arange(0.0, 70.0, 7.0)
    found = confidence_numbers(np.zeros(10, int), days, np.linspace(0.2, 0.8, 10), 1, 69.0)
    assert found.change[0] > 0
    assert confidence_numbers(np.zeros(10, int), days, np.full(10, 0.4), 1, 69.0).change[0] == pytest.approx(0.0)
