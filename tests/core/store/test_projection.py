"""Everything that can happen is projected, or is said not to be."""

from typing import get_args

from perdura_core.store.projection import PROJECTIONS, UNPROJECTED
from perdura_core.vocabulary import Happening
from tests.core.store.histories import history

KINDS = {kind.model_fields["kind"].default for kind in get_args(get_args(Happening)[0])}


def test_every_happening_is_projected_or_excused() -> None:
    assert set(PROJECTIONS) | set(UNPROJECTED) == KINDS
    assert not set(PROJECTIONS) & set(UNPROJECTED)
    assert all(reason for reason in UNPROJECTED.values())


def test_the_histories_of_these_tests_hold_everything_that_can_happen() -> None:
    assert {draft.what.kind for seed in range(40) for draft in history(seed, 60)} == KINDS
