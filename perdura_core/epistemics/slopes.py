"""What a gradient does to a briefing. Apart from `stigmergy`, which needs sparse matrices: boardings do not."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics

__all__ = ["boost", "breaking_choice"]

_LOW_GRADIENT = 0.25
"""Up to this quantile of the candidates a gradient is low."""


def boost(gradient: ArrayLike) -> NDArray[np.float64]:
    """What a score in a briefing is multiplied by, 0.75..1.25. By hand, gradient 0.58: 1.04."""
    return np.asarray(0.75 + 0.5 * np.asarray(gradient, dtype=np.float64))


def breaking_choice(
    gradients: NDArray[np.float64], seed: Sequence[int], constants: Epistemics = DEFAULTS
) -> int | None:
    """Which candidate of low gradient gets a slot of a briefing, drawn by lot; None nine times out of ten.

    seed: what makes the draw the same when it is repeated, such as the session's seed and the boarding's number.
    """
    if not len(gradients):
        return None
    dice = np.random.default_rng(seed)
    if dice.random() >= constants.breaking_p:
        return None
    low = np.flatnonzero(gradients <= np.quantile(gradients, _LOW_GRADIENT))
    return int(dice.choice(low))
