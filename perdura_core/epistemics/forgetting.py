"""What is kept and what is let go: ordered rules, the first that applies decides. Source: second seed, with grace."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.decay import half_life
from perdura_core.epistemics.snapshot import STATUSES, USE_KINDS, InterpretationTable

__all__ = ["FORGOTTEN", "REASONS", "decisions", "is_revived", "is_spent"]

REASONS = (
    "grace",
    "sufficient_confidence",
    "high_centrality",
    "pattern_member",
    "cross_domain_bridge",
    "principle",
    "normal_forgetting",
)
FORGOTTEN = REASONS.index("normal_forgetting")
_SHADOW = STATUSES.index("shadow")
_SHOWN = USE_KINDS.index("shown")


def decisions(
    age_in_half_lives: ArrayLike,
    confidence: ArrayLike,
    centrality: ArrayLike,
    is_member: ArrayLike,
    is_bridge: ArrayLike,
    level: ArrayLike,
    constants: Epistemics = DEFAULTS,
) -> NDArray[np.int8]:
    """Codes of `REASONS`; only the last one sends into shadow. An unknown centrality protects nobody.

    By hand, each rule in turn, and one that none keeps:

    >>> found = decisions([0.5, 2, 2, 2, 2, 2, 2], [0.1, 0.7, 0.1, 0.1, 0.1, 0.1, 0.1],
    ...     [0, 0, 0.6, 0, 0, 0, np.nan], [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0], [1, 1, 1, 1, 1, 3, 2])
    >>> [REASONS[code] for code in found] == list(REASONS)
    True
    """
    rules = (
        np.asarray(age_in_half_lives, np.float64) < 1.0,
        np.asarray(confidence, np.float64) >= constants.keep_confidence,
        np.asarray(centrality, np.float64) > constants.keep_centrality,
        np.asarray(is_member, np.bool_),
        np.asarray(is_bridge, np.bool_),
        np.asarray(level) == 3,
    )
    return np.select(rules, range(FORGOTTEN), FORGOTTEN).astype(np.int8)


def is_revived(table: InterpretationTable, now: float) -> NDArray[np.bool_]:
    """(m,): lies in shadow and was cited or promoted since it went there, by now.

    By hand, in shadow since day 40, shown on day 41 and cited on day 39: it stays; cited on day 42: it comes back.
    """
    uses = table.uses
    counted = (uses.kind != _SHOWN) & (uses.day <= now)
    since = np.full(len(table), -np.inf)
    np.maximum.at(since, uses.row[counted], uses.day[counted])
    return np.asarray((table.status == _SHADOW) & ~table.superseded & (since > table.shadow_day))


def is_spent(table: InterpretationTable, now: float, constants: Epistemics = DEFAULTS) -> NDArray[np.bool_]:
    """(m,): in shadow for 3 half-lives, and as long without any use: to be deleted.

    By hand, a medium instance (half-life 13.86 days) in shadow since day 10, never used: from day 51.6 on.
    """
    past = table.uses.day <= now
    last = table.shadow_day.copy()
    with np.errstate(invalid="ignore"):
        np.maximum.at(last, table.uses.row[past], table.uses.day[past])  # NaN, out of shadow, stays NaN
    patience = constants.shadow_half_lives * half_life(table.velocity, table.level, constants)
    return np.asarray((table.status == _SHADOW) & (now - last >= patience))
