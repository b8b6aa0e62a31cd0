"""Which status each interpretation had at a time, and since when."""

import sqlite3
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.snapshot import STATUSES
from perdura_core.store.columns import columns, fill
from perdura_core.store.writing import stamp
from perdura_core.vocabulary import CONDUCTOR

__all__ = ["Statuses", "statuses"]

_SHADOW = STATUSES.index("shadow")


class Statuses(NamedTuple):
    """(interpretations,) each."""

    status: NDArray[np.int8]
    shadow_day: NDArray[np.float64]
    """Since when it lay in shadow; NaN unless it did."""
    revived_day: NDArray[np.float64]
    """When it last came back; NaN when it never did."""


def statuses(
    connection: sqlite3.Connection,
    began: float,
    now: datetime,
    numbers: NDArray[np.int64],
    present: NDArray[np.int8],
) -> Statuses:
    """The statuses at `now`. What upkeep changed at that very time counts as later, what others did as earlier."""
    at = stamp(now)
    interpretation, day, is_later, before, after = columns(
        connection,
        f"SELECT interpretation, julianday(at) - {began}, at > '{at}' OR (at = '{at}' AND by = '{CONDUCTOR}'),"  # noqa: S608
        " before, after FROM archive_decisions ORDER BY seq",
        "ifiss",
    )
    rows = fill(interpretation, numbers)[0]
    status = present.copy()
    shadow, revived = np.full(len(numbers), np.nan), np.full(len(numbers), np.nan)
    changes = list(zip(rows.tolist(), day.tolist(), is_later.tolist(), before, after, strict=True))
    for row, since, later, _, became in changes:
        if not later:
            shadow[row] = since if became == "shadow" else np.nan
            revived[row] = since if became == "active" else revived[row]
    for row, _, later, was, _ in reversed(changes):
        if later:
            status[row] = STATUSES.index(was)
    return Statuses(status, np.where(status == _SHADOW, shadow, np.nan), revived)
