"""Rankings become one; how much each counts goes by how much the words found."""

import pytest

from perdura_core.retrieval.fusion import DENSE_SHARE, dense_share, fuse
from perdura_core.store import Hit


def test_ranks_add_up_by_weight() -> None:
    one, other = [Hit("f1", 9.0), Hit("f2", 8.0)], [Hit("f2", 0.9), Hit("f3", 0.8)]
    found = fuse([(0.6, one), (0.4, other)], 10, offset=1)
    assert [hit.node for hit in found] == ["f2", "f1", "f3"]
    assert found[0].score == pytest.approx(0.6 / 3 + 0.4 / 2)


def test_meaning_counts_less_the_better_the_words_match() -> None:
    assert dense_share([]) == DENSE_SHARE
    assert dense_share([Hit("f1", 0.5)]) == pytest.approx(DENSE_SHARE / 2)
    assert dense_share([Hit(f"f{n}", 1.4) for n in range(9)]) == 0
    assert dense_share([*(Hit(f"f{n}", 0.5) for n in range(5)), Hit("f9", 0.0)]) == pytest.approx(DENSE_SHARE / 2)
