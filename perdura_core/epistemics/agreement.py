"""How much corroboration is worth: less, the more two models' errors have been seen to go together. Pure."""

from collections.abc import Iterable
from typing import Final

from perdura_core.epistemics.record import WEIGHTS, Verdict

__all__ = ["USUAL_TOGETHERNESS", "later_fate", "togetherness"]

USUAL_TOGETHERNESS: Final = 0.3
"""Of pairs of wrong answers of recorded models, the share that agrees beyond chance: (.376 - .11) / (1 - .11)."""
_WORTH: Final = 8.0
"""How many fates of corroborated nodes that prior is worth."""


def later_fate(verdicts: Iterable[Verdict], besides: str) -> bool | None:
    """What others than `besides` settled: True for the node, False against it, None when nobody did.

    Mere corroboration and challenge settle nothing, for they may share the error.
    """
    settled = sum(
        WEIGHTS[verdict.kind]
        for verdict in verdicts
        if verdict.source != besides and verdict.kind not in {"corroborated", "challenged"}
    )
    return None if settled == 0 else settled > 0


def togetherness(fates: int, bad: int) -> float:
    """Share of corroboration between two models that proves nothing, in 0..1.

    fates: nodes of the one that the other corroborated and that were settled afterwards; bad: those settled against.
    Shrunk to what is usual. By hand: nothing settled gives 0.3; 8 settled, 6 of them against: (6 + 2.4) / 16 = 0.525.
    """
    return (bad + _WORTH * USUAL_TOGETHERNESS) / (fates + _WORTH)
