"""When everybody agrees for too long: crews of like models seldom contradict each other, right or wrong."""

from collections.abc import Iterable
from typing import NamedTuple

from perdura_core.routing.verdicts import is_model
from perdura_core.store import Store
from perdura_core.vocabulary import BoardingEnded, EdgeAdded, Event

__all__ = ["CONSENSUS_KINDS", "Consensus", "Quiet"]

CONSENSUS_KINDS = frozenset({"boarding_ended", "edge_added"})
_LOOKED_BACK = 64
"""So many boardings are looked at when a mind is opened; a longer silence counts as so long."""


class Quiet(NamedTuple):
    """How long no model has contradicted anything."""

    boardings: int
    """That merged something, since the last contradiction that a model drew."""
    after: int
    """From how many on it is an alarm; 0: never."""

    @property
    def is_alarm(self) -> bool:
        """Whether consensus may have collapsed."""
        return 0 < self.after <= self.boardings

    @property
    def is_due(self) -> bool:
        """Whether the next boarding should attack: when the alarm starts, and each time as many have passed again."""
        return self.is_alarm and self.boardings % self.after == 0

    @property
    def sentence(self) -> str:
        """For people."""
        told = (
            f"{self.boardings}{'+' if self.boardings >= _LOOKED_BACK else ''} boardings in a row added no contradiction"
        )
        if not self.is_alarm:
            return told
        return f"consensus may have collapsed: {told}{', the next one attacks' if self.is_due else ''}"


class Consensus:
    """Counts boardings that merged something since a model last drew a `contradicts` edge.

    The rule is ours: a crew that contradicts something in one boarding of four is silent for twelve in a row in 3 % of
    the cases, while like frontier models were seen to draw one contradiction in 18 boardings.
    """

    def __init__(self) -> None:
        self.boardings = 0

    async def load(self, store: Store, head: int) -> None:
        """Look back from `head`."""
        ended = await store.events(kinds=["boarding_ended"], until=head, newest=True, limit=_LOOKED_BACK)
        if not ended:
            return
        drawn = await store.events(after=ended[0].seq, until=head, kinds=["edge_added"])
        self.boardings = 0
        self.apply(sorted((*ended, *drawn), key=lambda event: event.seq))

    def apply(self, events: Iterable[Event]) -> None:
        """Move on."""
        for event in events:
            match event.what:
                case EdgeAdded(edge=edge) if edge.type == "contradicts" and is_model(edge.created_by):
                    self.boardings = 0
                case BoardingEnded(merged=merged) if merged:
                    self.boardings += 1
                case _:
                    pass

    def quiet(self, after: int) -> Quiet:
        """How long it has been quiet; an alarm from `after` boardings on."""
        return Quiet(self.boardings, after)
