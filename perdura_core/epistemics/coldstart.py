"""New domains: how fast one is, told from the pace of its facts. (Small ones borrow medians: see `standing`.)"""

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.snapshot import FactTable, owners, places_of

__all__ = ["paces", "profiled_velocity"]


def paces(facts: FactTable, now: float, constants: Epistemics = DEFAULTS) -> NDArray[np.float64]:
    """(domains,): median days between news of one entity, that is a new fact on it or a supersession of one.

    Facts of one reading, recorded within an hour, are one piece of news. NaN below `pace_least` gaps. By hand, news
    of one entity on days 0, 3, 10, 12, 20 and 30: gaps 3, 7, 2, 8, 10, median 7.
    """
    mention = owners(facts.entity)
    at, stem = places_of(facts.domain, mention)
    fact, entity, domain = mention[stem], facts.entity.values[stem], facts.domain.values[at].astype(np.int64)
    day = np.concatenate([facts.recorded_day[fact], facts.superseded_day[fact]])
    group = np.tile(domain * max(1, len(facts.entities)) + entity, 2)
    past = day <= now  # false for NaN
    day, group = day[past], group[past]
    by = np.lexsort((day, group))
    day, group = day[by], group[by]
    gap = np.diff(day)
    counted = (group[1:] == group[:-1]) & (gap > constants.one_reading)
    of_domain, gap = group[1:][counted] // max(1, len(facts.entities)), gap[counted]
    found = np.full(len(facts.domains), np.nan)
    by = np.lexsort((gap, of_domain))
    names, starts, count = np.unique(of_domain[by], return_index=True, return_counts=True)
    middle = (gap[by][starts + (count - 1) // 2] + gap[by][starts + count // 2]) / 2
    found[names] = np.where(count >= constants.pace_least, middle, np.nan)
    return found


def profiled_velocity(pace_days: NDArray[np.float64], constants: Epistemics = DEFAULTS) -> NDArray[np.int8]:
    """Codes of `VELOCITIES`: fast below 7 days, medium below 30, else slow; -1 where the pace is unknown.

    >>> profiled_velocity(np.array([3.0, 7.0, 30.0, np.nan])).tolist()
    [0, 1, 2, -1]
    """
    bounds = np.array([constants.fast_below, constants.medium_below])
    return np.where(np.isnan(pace_days), -1, np.searchsorted(bounds, pace_days, "right")).astype(np.int8)
