"""The memoric code: layout, distances, scatter and near pairs against the plain definitions."""

import doctest
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import Standing, as_hex, distance, encode, hamming, memoric, near_pairs, scatter, simhash

STANDINGS = st.builds(
    Standing,
    type=st.sampled_from(["question", "claim", "evidence", "decision", "rejected"]),
    confidence=st.floats(0, 1),
    domains=st.lists(st.sampled_from("abcdefgh"), max_size=4).map(tuple),
    is_stale=st.booleans(),
    hours=st.integers(0, 100_000),
    superseded_by=st.none() | st.just("i7"),
)
SEMANTIC = st.integers(0, 2**48 - 1)


def by_definition(a: tuple[int, Standing], b: tuple[int, Standing]) -> float:
    (one, x), (other, y) = a, b
    if x.is_stale or y.is_stale:
        return 0.0
    worth = [31 if s.type == "question" else round(s.confidence * 31) for s in (x, y)]
    parts = 2 * (x.type != y.type) + 2 * abs(worth[0] - worth[1]) / 31 + (one ^ other).bit_count() / 48
    return min(1.0, parts / 5)


def test_the_worked_examples_hold() -> None:
    assert doctest.testmod(memoric).failed == 0


@given(st.lists(st.tuples(SEMANTIC, STANDINGS), max_size=30))
def test_distance_and_scatter_are_what_the_definition_says(nodes: list[tuple[int, Standing]]) -> None:
    semantic = np.array([bits for bits, _ in nodes], dtype=np.uint64)
    codes = encode(semantic, [standing for _, standing in nodes], "abcdefg")
    expected = [by_definition(a, b) for a, b in combinations(nodes, 2)]
    found = [float(distance(*pair)) for pair in combinations(codes.front, 2)]
    assert found == pytest.approx(expected)
    assert scatter(codes.front) == pytest.approx(sum(expected) / len(expected) if expected else 0.0)


@given(SEMANTIC, STANDINGS)
def test_every_field_has_its_place(bits: int, standing: Standing) -> None:
    [code] = as_hex(encode(np.array([bits], dtype=np.uint64), [standing], "abcdefgh"))
    assert len(code) == 24
    whole = int(code, 16)
    assert whole >> 48 == bits
    assert (whole >> 44) & 15 == ["question", "claim", "evidence", "decision", "rejected"].index(standing.type)
    assert (whole >> 33) & 63 == sum(1 << 5 - "abcdef".index(d) for d in set(standing.domains) if d in "abcdef")
    assert (whole >> 32) & 1 == standing.is_stale
    assert (whole >> 16) & 0xFFFF == min(standing.hours, 65_535)
    assert (whole & 0xFFFF != 0) == (standing.superseded_by is not None)


@given(st.text())
def test_case_and_blanks_make_no_difference_to_a_simhash(text: str) -> None:
    one, other = simhash([text, f"  {text}\n"])
    assert one == other
    assert int(one) < 2**48


def test_near_pairs_are_right_and_few_are_missed() -> None:
    dice = np.random.default_rng(3)
    codes = dice.integers(0, 2**48, 20_000, dtype=np.uint64)
    for row in range(500):
        flipped = dice.choice(48, row % 9, replace=False)
        codes[10_000 + row] = int(codes[row]) ^ sum(1 << int(bit) for bit in flipped)
    pairs = near_pairs(codes)
    assert (hamming(codes[pairs[:, 0]], codes[pairs[:, 1]]) <= 8).all()
    found = set(map(tuple, pairs.tolist()))
    planted = {(row, 10_000 + row) for row in range(500)}
    assert len(planted & found) >= 480
    assert len(found) == len(pairs)


def test_few_rows_are_compared_one_by_one() -> None:
    codes = np.array([0, 1, 3, 2**20 - 1, 2**48 - 1], dtype=np.uint64)
    assert near_pairs(codes).tolist() == [[0, 1], [1, 2], [0, 2]]
    assert near_pairs(codes, 9, 19).tolist() == [[2, 3], [1, 3]]
