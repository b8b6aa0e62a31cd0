"""What a run is told, and what each of its steps hands back: plain values that cross from one process to another."""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.store.kept import HistoryBlock, PackedLayer
from perdura_core.vocabulary import Level, NodeId, Status, StepName

__all__ = [
    "STEPS",
    "UPKEEP_LEASE",
    "Failure",
    "Move",
    "Order",
    "Outcome",
    "Proposal",
    "Revision",
    "UpkeepProgress",
]

STEPS: tuple[StepName, ...] = (
    "reading", "L1", "L2", "L3", "L4", "L5", "L6", "confidence", "M3", "M4", "M5", "M6", "triangulation", "stigmergy",
    "forgetting", "promotion",
)  # fmt: skip
"""The day's work, in order. `reading` takes the figures out of the texts of facts that were not read yet."""

UPKEEP_LEASE = "upkeep"
"""Under this name one process says that it is at it."""


class Order(NamedTuple):
    """A run, or what is left of one."""

    place: str
    """Of the mind."""
    now: datetime
    steps: tuple[StepName, ...]
    reliability: Mapping[tuple[str, str | None], float]
    """(model, domain) -> 0..1; domain None: overall."""
    constants: Epistemics = DEFAULTS


class Revision(NamedTuple):
    """Confidences that moved, a place each."""

    numbers: NDArray[np.int64]
    before: NDArray[np.float64]
    after: NDArray[np.float64]


class Move(NamedTuple):
    """A change of status."""

    node: NodeId
    before: Status
    after: Status
    reason: str


class Proposal(NamedTuple):
    """A promotion to propose."""

    level: Level
    members: tuple[NodeId, ...]
    text: str
    domains: tuple[str, ...]
    confidence: float
    why: str


class Outcome(NamedTuple):
    """What came of one step."""

    step: StepName
    is_due: bool
    """False: nothing had to be worked out."""
    seconds: float
    counts: Mapping[str, int]
    layers: tuple[PackedLayer, ...] = ()
    revision: Revision | None = None
    moves: tuple[Move, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    withdrawn: tuple[tuple[str, str], ...] = ()
    """(proposal, why): promotions that no longer hold."""
    history: tuple[HistoryBlock, ...] = ()
    forgotten_days: tuple[int, ...] = ()
    revalidated: int | None = None
    """Marks made by events up to this number are done with."""


class Failure(NamedTuple):
    """Why the work could not be done."""

    reason: str


class UpkeepProgress(NamedTuple):
    """How far a run has come."""

    run: int
    step: StepName
    position: int
    """Of this step, from 0."""
    steps: int
    state: Literal["working", "writing", "done"]
    changes: int = 0
    """What the run changed in the mind so far."""
