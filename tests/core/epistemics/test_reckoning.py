"""The whole computation: the same for the same mind, however its rows are ordered; and a mind of nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.epistemics.constants import Epistemics
from perdura_core.epistemics.reckoning import Reckoning, reckon
from perdura_core.epistemics.snapshot import Snapshot
from perdura_core.experiments.reckoning_bench import bench_reckoning, measure_compute, synthetic_snapshot
from tests.core.epistemics.making import edges_of, facts_of, interpretations_of, shuffled

PER_INTERPRETATION = ("confidence", "gradient", "echo", "decision", "undervalued")
SAMPLING = Epistemics(exact_most=10, pivots=5)


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(1, 60), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_order_of_rows_makes_no_difference(seed: int, other: int, size: int, is_sampled: bool) -> None:
    mind = synthetic_snapshot(size, seed)
    mixed, of_facts, of_table = shuffled(mind, other)
    constants = SAMPLING if is_sampled else Epistemics()
    straight, found = reckon(mind, 365.0, 3, constants), reckon(mixed, 365.0, 3, constants)
    for name in PER_INTERPRETATION:
        assert getattr(found, name) == pytest.approx(getattr(straight, name)[of_table], nan_ok=True), name
    for one, same in zip(straight.factors, found.factors, strict=True):
        assert same == pytest.approx(one[of_table], nan_ok=True)
    assert np.array_equal(found.motifs.is_member, straight.motifs.is_member[of_table])
    assert np.array_equal(found.bridges.is_validated, straight.bridges.is_validated[of_table])
    for name in ("fact_variation", "conflicts.share"):
        one, same = straight.facts.numbers, found.facts.numbers
        for part in name.split("."):
            one, same = getattr(one, part), getattr(same, part)
        assert same == pytest.approx(one[of_facts], nan_ok=True)
    assert found.facts.trends.trend == pytest.approx(straight.facts.trends.trend, nan_ok=True)


def equal(one: object, other: object) -> bool:
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other


def test_twice_at_the_same_moment_is_the_same_to_the_last_bit() -> None:
    mind = synthetic_snapshot(3_000, 1)
    assert equal(reckon(mind, 365.0, 2), reckon(mind, 365.0, 2))


def test_an_empty_mind() -> None:
    found: Reckoning = reckon(Snapshot(facts_of([]), interpretations_of(0), edges_of()), 10.0)
    assert len(found.confidence) == 0


def test_factors_of_random_minds_are_independent() -> None:
    mind = synthetic_snapshot(4_000, 3)
    found = reckon(mind, 365.0).independence
    assert found.names == ("usage", "consistency", "structural", "pattern")
    apart = found.r[0, 1:]
    assert (np.abs(apart) < 0.1).all()


def test_the_bench_times_every_group() -> None:
    took = measure_compute(300)
    assert {"L2 entities", "L6 trends", "M3 topology", "M6 wisdom", "factors", "forgetting", "total"} <= took.keys()
    assert took["total"] == pytest.approx(sum(took.values()) - took["total"], abs=0.01)


async def test_the_bench_adds_the_groups_up() -> None:
    figures = await bench_reckoning(200, 2)
    parts = figures["facts_cpu_s"] + figures["interpretations_cpu_s"] + figures["confidence_cpu_s"]
    assert parts == pytest.approx(figures["total_cpu_s"], abs=0.02)
    assert figures["peak_mib"] > 10
