"""How fast an interpretation ages: by its domain's velocity and its level. Source: the second seed's constants."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics

__all__ = ["decay_rate", "half_life", "remaining"]


def decay_rate(velocity: ArrayLike, level: ArrayLike, constants: Epistemics = DEFAULTS) -> NDArray[np.float64]:
    """Per day, > 0. velocity: codes of `VELOCITIES`; level: 1..3.

    By hand: a slow principle, 0.02 * 0.3.

    >>> round(float(decay_rate(2, 3)), 6)
    0.006
    """
    per_day = np.asarray(constants.decay_per_day, dtype=np.float64)
    of_level = np.asarray(constants.decay_of_level, dtype=np.float64)
    return np.asarray(per_day[np.asarray(velocity)] * of_level[np.asarray(level) - 1])


def half_life(velocity: ArrayLike, level: ArrayLike, constants: Epistemics = DEFAULTS) -> NDArray[np.float64]:
    """Days, ln 2 / rate.

    By hand: a fast instance 0.6931 / 0.15 = 4.62 days, a slow principle 0.6931 / 0.006 = 115.5 days.

    >>> [round(float(days), 2) for days in half_life([0, 2], [1, 3])]
    [4.62, 115.52]
    """
    return np.asarray(np.log(2.0) / decay_rate(velocity, level, constants))


def remaining(age_days: ArrayLike, rate: ArrayLike) -> NDArray[np.float64]:
    """exp(-rate * age), 0..1: what an event of that age still weighs. Nothing weighs more than at its own time.

    By hand: a medium instance's event of 13.863 days, its half-life: exp(-0.05 * 13.863) = 0.5.

    >>> round(float(remaining(13.863, 0.05)), 4)
    0.5
    """
    return np.asarray(np.exp(-np.asarray(rate, np.float64) * np.maximum(0.0, np.asarray(age_days, np.float64))))
