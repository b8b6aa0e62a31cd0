"""PageRank, betweenness and closed triads against plain definitions on small graphs."""

import doctest
from collections import deque
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from perdura_core.epistemics import pairing, topology
from perdura_core.epistemics.pairing import pairs_within
from perdura_core.epistemics.topology import Triads, betweenness, components, pagerank, pivots_of, undirected

VERTICES = 9
EDGES = st.lists(st.tuples(st.integers(0, VERTICES - 1), st.integers(0, VERTICES - 1)), max_size=20)


def graph_of(edges: list[tuple[int, int]]) -> csr_array:
    src, dst = np.array(edges, dtype=np.int32).reshape(-1, 2).T
    return undirected(src, dst, VERTICES)


def neighbours(edges: list[tuple[int, int]]) -> list[set[int]]:
    found: list[set[int]] = [set() for _ in range(VERTICES)]
    for a, b in edges:
        if a != b:
            found[a].add(b)
            found[b].add(a)
    return found


def paths_from(near: list[set[int]], start: int) -> tuple[dict[int, int], dict[int, float]]:
    """Distances and numbers of shortest paths."""
    far, ways, waiting = {start: 0}, {start: 1.0}, deque([start])
    while waiting:
        one = waiting.popleft()
        for other in near[one]:
            if other not in far:
                far[other], ways[other] = far[one] + 1, 0.0
                waiting.append(other)
            if far[other] == far[one] + 1:
                ways[other] += ways[one]
    return far, ways


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(topology).failed == 0
    assert doctest.testmod(pairing).failed == 0


@given(EDGES)
def test_betweenness_is_the_share_of_shortest_paths(edges: list[tuple[int, int]]) -> None:
    near = neighbours(edges)
    reached = [paths_from(near, start) for start in range(VERTICES)]
    expected = np.zeros(VERTICES)
    for a, b in combinations(range(VERTICES), 2):
        far, ways = reached[a]
        for middle in set(range(VERTICES)) - {a, b}:
            if b in far and middle in far and far[middle] + reached[middle][0].get(b, 99) == far[b]:
                expected[middle] += ways[middle] * reached[middle][1][b] / ways[b]
    assert betweenness(graph_of(edges)) == pytest.approx(expected)


@given(EDGES)
def test_all_pivots_together_are_exact_and_long_paths_can_be_left_out(edges: list[tuple[int, int]]) -> None:
    graph = graph_of(edges)
    assert betweenness(graph, np.arange(VERTICES)) == pytest.approx(betweenness(graph))
    assert betweenness(graph, path_most=1) == pytest.approx(np.zeros(VERTICES))
    assert (betweenness(graph, path_most=2) <= betweenness(graph) + 1e-9).all()


@given(EDGES)
def test_pagerank_is_a_distribution_that_stays_as_it_is(edges: list[tuple[int, int]]) -> None:
    graph = graph_of(edges)
    rank = pagerank(graph)
    assert rank.sum() == pytest.approx(1)
    assert (rank >= 0.15 / VERTICES - 1e-9).all()
    dense = graph.toarray()
    weight = dense.sum(axis=0)
    walk = np.where(weight > 0, dense / np.where(weight > 0, weight, 1), 1 / VERTICES)
    assert 0.85 * walk @ rank + 0.15 / VERTICES == pytest.approx(rank, abs=1e-8)


@given(EDGES)
def test_triads_are_triples_that_are_all_joined(edges: list[tuple[int, int]]) -> None:
    near = neighbours(edges)
    closed = [t for t in combinations(range(VERTICES), 3) if all(b in near[a] for a, b in combinations(t, 2))]
    found = Triads.of(graph_of(edges))
    assert found.per_vertex.tolist() == [sum(v in t for t in closed) for v in range(VERTICES)]
    pairs = zip(found.low.tolist(), found.high.tolist(), strict=True)
    assert found.per_edge.tolist() == [sum({a, b} <= set(t) for t in closed) for a, b in pairs]


@given(EDGES)
def test_components_are_what_can_be_reached(edges: list[tuple[int, int]]) -> None:
    near, of = neighbours(edges), components(graph_of(edges))
    for start in range(VERTICES):
        assert {v for v in range(VERTICES) if of[v] == of[start]} == set(paths_from(near, start)[0])


@given(st.lists(st.integers(0, 5), max_size=10), st.none() | st.integers(1, 3))
def test_pairs_within_rows(lengths: list[int], most: int | None) -> None:
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    found = [(int(a), int(b)) for one, other in pairs_within(starts, most) for a, b in zip(one, other, strict=True)]
    rows = [range(int(a), int(b)) for a, b in pairwise(starts)]
    assert found == [p for row in rows for p in combinations(row, 2) if most is None or p[1] - p[0] <= most]


def test_pairs_come_in_portions_that_leave_none_out(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = np.array([0, 40, 41, 90])
    [whole] = pairs_within(starts)
    monkeypatch.setattr(pairing, "_PORTION", 50)
    parts = list(pairs_within(starts))
    assert len(parts) > 10
    assert np.array_equal(np.concatenate([one for one, _ in parts]), whole[0])
    assert np.array_equal(np.concatenate([other for _, other in parts]), whole[1])


def test_pivots_are_the_same_nodes_in_whatever_order() -> None:
    numbers = np.arange(1, 500)
    order = np.random.default_rng(1).permutation(len(numbers))
    straight, mixed = pivots_of(numbers, 20, 3), pivots_of(numbers[order], 20, 3)
    assert sorted(numbers[straight]) == sorted(numbers[order][mixed])
    assert sorted(numbers[straight]) != sorted(numbers[pivots_of(numbers, 20, 4)])
    assert len(pivots_of(numbers, 900, 3)) == len(numbers)
