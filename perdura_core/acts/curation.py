"""Asking, settling, pinning, replacing, redacting; taking models out of service and back."""

from collections.abc import Sequence
from datetime import datetime

from perdura_core.acts.act import Act, interpretation, question, vertex
from perdura_core.clock import Ids
from perdura_core.epistemics.constants import DEFAULTS
from perdura_core.errors import InputError
from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import (
    OPERATOR,
    AnswerGraded,
    CardChanged,
    ConfidenceRevised,
    Grade,
    Happening,
    ModelDisabled,
    ModelEnabled,
    ModelId,
    NodeId,
    NodeRedacted,
    NodeSuperseded,
    Question,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    Stake,
    StatusChanged,
    Terms,
    clean,
)

__all__ = [
    "ask",
    "change",
    "damp",
    "disable",
    "enable",
    "grade",
    "pin",
    "redact",
    "refuse_circle",
    "reopen",
    "resolve",
    "revive",
    "supersede",
]

_LONGEST_QUESTION = 4_000
"""Characters; a longer one is a document."""


def ask(text: str, domains: Sequence[str], stake: Stake, now: datetime) -> Act:
    """Add a question. Raises InputError at once for an empty or oversized one."""
    text = clean(text).strip()
    if not text:
        raise InputError("the question is empty: write what you want to know")
    if len(text) > _LONGEST_QUESTION:
        raise InputError(
            f"the question has {len(text)} characters and may have {_LONGEST_QUESTION}: put the rest in a document"
        )
    tidy = tuple(dict.fromkeys(domain.strip().lower() for domain in domains if domain.strip()))

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        asked = Question(id=ids.next("q"), text=text, domains=tidy, stake=stake, created_by=OPERATOR, created_at=now)
        return [QuestionAsked(question=asked)]

    return Act("ask a question", happenings)


def resolve(node: NodeId, resolved_by: NodeId | None = None) -> Act:
    """Settle an open question, by an interpretation if there is one."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        if question(graph, node).question_status != "open":
            raise InputError(f"question {node} is resolved already: reopen it first")
        if resolved_by is not None:
            interpretation(graph, resolved_by)
        return [QuestionResolved(node=node, resolved_by=resolved_by)]

    return Act(f"resolve {node}" + (f" by {resolved_by}" if resolved_by else ""), happenings)


def reopen(node: NodeId, resolved_by: NodeId | None = None) -> Act:
    """Open a resolved question again. `resolved_by` is what had resolved it, for the record."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        if question(graph, node).question_status == "open":
            raise InputError(f"question {node} is open already: there is nothing to reopen")
        return [QuestionReopened(node=node, resolved_by=resolved_by)]

    return Act(f"reopen {node}", happenings)


def pin(node: NodeId, pinned: bool) -> Act:
    """Have a question worked first, or let it go."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        question(graph, node)
        return [QuestionPinned(node=node, pinned=pinned)]

    return Act(f"{'pin' if pinned else 'unpin'} {node}", happenings)


def damp(node: NodeId) -> Act:
    """Hold an interpretation's confidence down that few models repeat to each other, as upkeep does by itself."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        before = interpretation(graph, node).confidence
        after = round(before * DEFAULTS.echo_damping, 6)
        return [ConfidenceRevised(node=node, before=before, after=after, reason="held down by the operator as an echo")]

    return Act(f"hold {node} down as an echo", happenings)


def supersede(node: NodeId, superseded_by: NodeId, reason: str) -> Act:
    """Have a node give way to another of its layer."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        old, new = vertex(graph, node), vertex(graph, superseded_by)
        if old.layer != new.layer:
            raise InputError(
                f"{node} is a {old.layer} and {superseded_by} a {new.layer}: a node gives way to one of its layer"
            )
        if old.superseded_by is not None:
            raise InputError(f"{node} already gave way to {old.superseded_by}: supersede that one")
        refuse_circle(graph, node, new)
        return [NodeSuperseded(node=node, superseded_by=superseded_by, reason=reason)]

    return Act(f"supersede {node} by {superseded_by}", happenings)


def refuse_circle(graph: Graph, node: NodeId, successor: Vertex) -> None:
    """Raise InputError if the successor itself gave way to the node, at any remove."""
    follower: Vertex | None = successor
    while follower is not None:
        if follower.id == node:
            raise InputError(f"{successor.id} itself gave way to {node}: a circle would hide both")
        follower = None if follower.superseded_by is None else graph.get(follower.superseded_by)


def revive(node: NodeId) -> Act:
    """Bring an interpretation back from shadow, or from being let go."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        found = interpretation(graph, node)
        if found.status == "active":
            raise InputError(f"{node} is active: there is nothing to bring back")
        return [StatusChanged(node=node, before=found.status, after="active", reason="brought back by the operator")]

    return Act(f"bring back {node}", happenings)


def grade(node: NodeId, given: Grade | None, before: Grade | None) -> Act:
    """Say that an answer is right or wrong, or with None take the grade back; `before` is the grade that it has.

    It counts in its author's record like a settlement, and changes neither the answer nor its disputes.
    """

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        found = vertex(graph, node)
        if found.layer != "interpretation":
            raise InputError(f"{node} is a {found.layer}: grade a claim or a decision")
        if given == before:
            raise InputError(f"{node} is graded {given} already" if given else f"{node} has no grade to take back")
        return [AnswerGraded(node=node, before=before, grade=given)]

    return Act(f"grade {node} {given}" if given else f"take back the grade of {node}", happenings)


def redact(node: NodeId) -> Act:
    """Destroy a text. Its links, its author and its record stay. This alone can't be undone."""

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        vertex(graph, node)
        return [NodeRedacted(node=node)]

    return Act(f"redact {node}", happenings)


def disable(model: ModelId, reason: str) -> Act:
    """Take a model out of service until it is enabled again."""
    return Act(f"disable {model}", lambda graph, ids: [ModelDisabled(model=model, reason=reason)])


def enable(model: ModelId) -> Act:
    """Put a model back into service, cooling or disabled."""
    return Act(f"enable {model}", lambda graph, ids: [ModelEnabled(model=model)])


def change(model: ModelId, before: Terms, after: Terms) -> Act:
    """Change what the registry says of a model, in this mind."""
    changed = [name for name in Terms.model_fields if getattr(before, name) != getattr(after, name)]

    def happenings(graph: Graph, ids: Ids) -> list[Happening]:
        if not changed:
            raise InputError(f"the card of {model} says that already: there is nothing to change")
        return [CardChanged(model=model, before=before, after=after)]

    return Act(f"change {' and '.join(changed) or 'nothing'} of {model}", happenings)
