import pytest

from perdura_core.vocabulary import TrackRecord
from perdura_tui.states.models import leaderboard, rejections, survival, usd_per_surviving


def _record(model: str = "m:a", reliability: float = 0.5, **more: object) -> TrackRecord:
    return TrackRecord.model_validate({"model": model, "reliability": reliability, "low": 0.1, "high": 0.9, **more})


def test_the_most_reliable_is_first_and_of_equals_the_better_known() -> None:
    board = leaderboard(
        [_record("m:a", 0.5, outcomes=3), _record("m:b", 0.8), _record("m:c", 0.5, outcomes=9)], "storage"
    )
    assert [record.model for record in board.records] == ["m:b", "m:c", "m:a"]
    assert board.domain == "storage"


def test_shares_are_unknown_before_there_is_anything_to_share() -> None:
    fresh = _record()
    assert survival(fresh) is None
    assert rejections(fresh) is None
    assert usd_per_surviving(fresh) is None
    assert usd_per_surviving(_record(surviving=4, cost_micro_usd=None)) is None


def test_shares() -> None:
    known = _record(merged=4, rejected=1, surviving=2, cost_micro_usd=10_000)
    assert survival(known) == 0.5
    assert rejections(known) == pytest.approx(0.2)
    assert usd_per_surviving(known) == pytest.approx(0.005)
