"""The journal's entries: an event is something that happened, in the past tense, with its number, time and author.

The happenings themselves stand in the modules named `..._events`, by what they happen to. An event carries everything
that its projection into state needs, so that any past state can be rebuilt by reading the journal up to a sequence
number, and so that a screen, a second process or an export needs no other source.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from perdura_core.vocabulary.boarding_events import (
    BoardingEnded,
    BoardingOpened,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    ProposalSettled,
)
from perdura_core.vocabulary.imported import (
    MindImported,
)
from perdura_core.vocabulary.mind_events import (
    DocumentRead,
    DomainProfiled,
    MindCreated,
    SessionChanged,
    SessionEnded,
    SessionStarted,
)
from perdura_core.vocabulary.model_events import (
    CardChanged,
    CostReserved,
    CostSettled,
    ModelCooled,
    ModelDisabled,
    ModelEnabled,
)
from perdura_core.vocabulary.node_events import (
    EdgeAdded,
    EdgeRetracted,
    FactObserved,
    FactRecorded,
    InterpretationAdded,
    LayerSettled,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    SuspicionDismissed,
)
from perdura_core.vocabulary.operator_events import (
    ActUndone,
    AnswerGraded,
    OperatorActed,
)
from perdura_core.vocabulary.standing_events import (
    ConfidenceRevised,
    ConfidenceVoted,
    StatusChanged,
)
from perdura_core.vocabulary.upkeep_events import (
    ConfidencesRevised,
    LevelChanged,
    PromotionProposed,
    PromotionSettled,
)
from perdura_core.vocabulary.value import Value

__all__ = ["Draft", "Event", "Happening"]

Happening = Annotated[
    MindCreated
    | SessionStarted
    | SessionChanged
    | SessionEnded
    | DocumentRead
    | DomainProfiled
    | MindImported
    | QuestionAsked
    | QuestionResolved
    | QuestionReopened
    | QuestionPinned
    | SuspicionDismissed
    | FactRecorded
    | FactObserved
    | InterpretationAdded
    | LayerSettled
    | EdgeAdded
    | EdgeRetracted
    | ConfidenceVoted
    | ConfidenceRevised
    | NodeSuperseded
    | NodeRestored
    | StatusChanged
    | ConfidencesRevised
    | LevelChanged
    | PromotionProposed
    | PromotionSettled
    | NodeRedacted
    | BoardingOpened
    | BoardingEnded
    | ElementMerged
    | ElementRejected
    | ElementHeld
    | ProposalSettled
    | CostReserved
    | CostSettled
    | OperatorActed
    | ActUndone
    | AnswerGraded
    | ModelDisabled
    | ModelEnabled
    | ModelCooled
    | CardChanged,
    Field(discriminator="kind"),
]


class Draft(Value):
    """A happening that is about to be written: the journal gives it its number and its time."""

    what: Happening
    by: str
    """A model's id, `operator`, `ingest` or `conductor`."""
    boarding: str | None = None
    session: str | None = None


class Event(Value):
    """One entry of the journal."""

    seq: int
    """From 1, without gaps."""
    at: datetime
    by: str
    boarding: str | None = None
    session: str | None = None
    what: Happening

    @property
    def kind(self) -> str:
        """The kind of what happened."""
        return self.what.kind
