"""What upkeep keeps beside the journal, in the transaction of what it writes there: caches, its runs, the past.

All of it can be worked out again from the journal and a time, except when which step ran. No event tells of it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from numpy.typing import NDArray

from perdura_core.vocabulary import StepName

__all__ = ["Columns", "HistoryBlock", "Kept", "KeptLayer", "PackedLayer", "Side", "StepRow"]

Columns = Mapping[str, NDArray[Any]]
"""Arrays by name."""
Side = Literal["facts", "interpretations"]
"""Of what a layer is worked out: the two are kept apart."""


class KeptLayer(NamedTuple):
    """Arrays that were worked out for a time, by name."""

    name: str
    version: int
    """Of the formulas."""
    as_of: datetime
    inputs: bytes
    """Digest of what they were worked out from."""
    columns: Columns


class PackedLayer(NamedTuple):
    """A layer as it is written."""

    name: str
    side: Side
    version: int
    as_of: datetime
    inputs: bytes
    packed: bytes


class StepRow(NamedTuple):
    """One step of a run that is done."""

    run: int
    position: int
    step: StepName
    as_of: datetime
    started_at: datetime
    is_due: bool
    seconds: float
    changes: int
    counts: Mapping[str, int]
    is_last: bool


class HistoryBlock(NamedTuple):
    """A stretch of interpretations on one day."""

    block: int
    day: int
    """Since the mind began."""
    as_of: datetime
    rows: bytes


class Kept(NamedTuple):
    """What one transaction keeps."""

    step: StepRow | None = None
    layers: Sequence[PackedLayer] = ()
    history: Sequence[HistoryBlock] = ()
    forgotten_days: Sequence[int] = ()
    """Days of the history that are thinned out."""
    revalidated: int | None = None
    """Marks made by events up to this number are done with."""
    runs_until: int | None = None
    """Runs up to this number are forgotten."""
