"""What the operator does: an act, and taking one back."""

from typing import Literal

from perdura_core.vocabulary.nodes import NodeId
from perdura_core.vocabulary.value import Text, Value

__all__ = [
    "UNDONE",
    "ActUndone",
    "AnswerGraded",
    "Grade",
    "OperatorActed",
]

Grade = Literal["right", "wrong"]


UNDONE = "undone by the operator"
"""The reason of whatever takes an act back."""


class OperatorActed(Value):
    """The person at the desk or the command line did something. The number of this event names the act."""

    kind: Literal["operator_acted"] = "operator_acted"
    title: Text
    """In words for people: `prefer i3 to i9`."""
    events: int
    """How many of the events right after it belong to the act."""


class ActUndone(Value):
    """An act was taken back. Nothing of it is erased: what takes it back are events like any other."""

    kind: Literal["act_undone"] = "act_undone"
    act: int
    """Number of the OperatorActed event."""
    title: Text
    events: int
    """How many of the events right after it belong to the undoing."""


class AnswerGraded(Value):
    """The operator said whether a claim or decision is right: an outcome of its author, and no dispute."""

    kind: Literal["answer_graded"] = "answer_graded"
    node: NodeId
    before: Grade | None = None
    grade: Grade | None
    """None: the grade was taken back."""
