"""The past is kept in few bytes and thinned with age, whenever and however often it is thinned."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.upkeep.history import BLOCK, block_of, blocks, moments, thinned

BEGAN = datetime(2030, 1, 1, tzinfo=UTC)


def kept_after(days: int, every: int = 1) -> set[int]:
    """What is left when a day is added and thinned, every so many days."""
    kept: set[int] = set()
    for day in range(0, days, every):
        kept.add(day)
        kept -= set(thinned(kept, day))
    return kept


def test_ten_years_need_little_more_than_one() -> None:
    assert len(kept_after(365)) <= 64
    assert len(kept_after(3650)) <= 96
    assert {3649 - age for age in range(16)} <= kept_after(3650)


def test_the_whole_past_stays_covered() -> None:
    kept = sorted(kept_after(1000))
    for day in range(1000):
        nearest = min(abs(day - held) for held in kept)
        assert nearest <= max(2, (999 - day) / 4)


@given(st.sets(st.integers(0, 4000), max_size=60), st.integers(4000, 5000))
def test_thinning_again_takes_nothing_more(days: set[int], today: int) -> None:
    left = days - set(thinned(days, today))
    assert thinned(left, today) == ()
    assert thinned(days, today) == thinned(sorted(days, reverse=True), today)


@given(
    st.lists(
        st.tuples(st.integers(1, 5_000), st.floats(0, 1), st.one_of(st.just(float("nan")), st.floats(0, 1))),
        min_size=1,
        max_size=40,
        unique_by=lambda row: row[0],
    )
)
def test_what_is_kept_comes_back_to_half_a_hundredth(rows: list[tuple[int, float, float]]) -> None:
    rows.sort()
    numbers = np.array([row[0] for row in rows])
    factor = np.array([row[2] for row in rows])
    days = [
        blocks(numbers, np.array([row[1] for row in rows]), [factor] * 4, day, BEGAN + timedelta(days=day))
        for day in (0, 1)
    ]
    for number, confidence, value in rows:
        held = [block for day in days for block in day if block.block == block_of(number)]
        found = moments(number, held)
        assert [one.at for one in found] == [BEGAN, BEGAN + timedelta(days=1)]
        for one in found:
            assert one.confidence == pytest.approx(confidence, abs=0.00251)
            assert (one.pattern is None) == np.isnan(value)
            assert one.usage is None or one.usage == pytest.approx(value, abs=0.00251)
    assert moments(BLOCK * 99, days[0]) == ()
