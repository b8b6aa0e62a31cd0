"""What goes to shadow, comes back, or is let go; and why the rest stays."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.forgetting import FORGOTTEN, REASONS, decisions, is_revived, is_spent
from perdura_core.epistemics.snapshot import STATUSES
from perdura_core.upkeep.bench import Bench
from perdura_core.upkeep.order import Move
from perdura_core.vocabulary import Status

__all__ = ["forgetting"]

_UNDECIDED = -1


def forgetting(bench: Bench) -> tuple[Mapping[str, NDArray[Any]], tuple[Move, ...], dict[str, int]]:
    """Columns to keep, changes of status, and counts.

    Grace counts from the day an interpretation was made, or came back: what was fetched from shadow is not sent there
    again at once. Those whose status changed since the time of the run are left to the next one.
    """
    table, now = bench.table, bench.now
    since = np.fmax(table.created_day, bench.tables.revived_day)
    decided = decisions(
        (now - since) / bench.half_life,
        bench.confidence,
        bench.factors.structural,
        bench.motifs.is_member,
        bench.bridges.is_validated,
        table.level,
        bench.constants,
    )
    revived, spent = is_revived(table, now), is_spent(table, now, bench.constants) & ~table.superseded
    spent &= ~revived
    forgotten = table.active & (decided == FORGOTTEN)
    moves = [
        *_moves(bench, forgotten, "shadow", REASONS[FORGOTTEN]),
        *_moves(bench, revived, "active", "cited while in shadow"),
        *_moves(bench, spent, "deleted", "unused in shadow for three half-lives"),
    ]
    code = np.where(table.active, decided, _UNDECIDED).astype(np.int8)
    # Protection counts among those that would have gone for their age and confidence alone.
    is_candidate = table.active & (decided > REASONS.index("sufficient_confidence"))
    counts = {"shadow": int(forgotten.sum()), "revived": int(revived.sum()), "deleted": int(spent.sum())}
    counts |= {"candidates": int(is_candidate.sum()), "protected": int((is_candidate & ~forgotten).sum())}
    return {"number": table.numbers, "decision": code}, tuple(moves), counts


def _moves(bench: Bench, chosen: NDArray[np.bool_], after: Status, reason: str) -> list[Move]:
    """Changes of those that do not have the status already. The status before is that of now."""
    present = bench.tables.status
    untouched = (present == bench.table.status) & (present != STATUSES.index(after))
    return [
        Move(f"i{bench.table.numbers[row]}", STATUSES[present[row]], after, reason)
        for row in np.flatnonzero(chosen & untouched)
    ]
