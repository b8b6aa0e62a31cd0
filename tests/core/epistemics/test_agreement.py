"""How much corroboration is worth."""

import pytest

from perdura_core.epistemics import USUAL_TOGETHERNESS, Verdict, later_fate, togetherness


def test_togetherness_by_hand() -> None:
    assert togetherness(0, 0) == USUAL_TOGETHERNESS
    assert togetherness(8, 6) == pytest.approx(0.525)
    assert togetherness(1_000, 0) < 0.01


def test_only_what_others_settled_is_a_fate() -> None:
    agreed = Verdict("b", "corroborated")
    assert later_fate([agreed, Verdict("c", "corroborated"), Verdict("d", "challenged")], "b") is None
    assert later_fate([agreed, Verdict("b", "promoted")], "b") is None
    assert later_fate([agreed, Verdict("operator", "settled_against")], "b") is False
    assert later_fate([agreed, Verdict("c", "promoted")], "b") is True
    assert later_fate([Verdict("c", "promoted"), Verdict("d", "rejected")], "b") is None
