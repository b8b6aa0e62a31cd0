"""What the graph says became of one interpretation: the verdicts of others, read off its edges and its fate."""

from collections.abc import Iterator

from perdura_core.epistemics import OutcomeKind, Verdict
from perdura_core.graph import Graph, Link, Vertex
from perdura_core.vocabulary import (
    CONDUCTOR,
    INGEST,
    OPERATOR,
    AnswerGraded,
    Event,
    Grade,
    NodeId,
    NodeRestored,
    NodeSuperseded,
    QuestionReopened,
    QuestionResolved,
)

__all__ = ["Acts", "is_model", "verdicts_on"]


_FINAL = frozenset({"decision", "rejected"})


class Acts:
    """Who replaced which node, who resolved which question with what, and grades: the graph keeps none of it."""

    def __init__(self) -> None:
        self._replaced: dict[NodeId, tuple[NodeId, str]] = {}
        self._winners: dict[NodeId, dict[NodeId, str]] = {}
        self._answered: dict[NodeId, tuple[NodeId, str]] = {}
        self._answers: dict[NodeId, dict[NodeId, str]] = {}
        self._grades: dict[NodeId, Grade] = {}

    def note(self, event: Event) -> list[NodeId]:
        """Take note of a change; returns the nodes whose verdicts it may have changed besides the one it names."""
        match event.what:
            case NodeSuperseded(node=node, superseded_by=winner) if node[0] == winner[0]:  # a move tells nothing
                touched = _forget(node, self._replaced, self._winners)
                self._replaced[node] = (winner, event.by)
                self._winners.setdefault(winner, {})[node] = event.by
                return [*touched, winner]
            case NodeRestored(node=node):
                return _forget(node, self._replaced, self._winners)
            case QuestionResolved(node=question, resolved_by=answer):
                touched = _forget(question, self._answered, self._answers)
                if answer is None:
                    return touched
                self._answered[question] = (answer, event.by)
                self._answers.setdefault(answer, {})[question] = event.by
                return [*touched, answer]
            case QuestionReopened(node=question):
                return _forget(question, self._answered, self._answers)
            case AnswerGraded(node=node, grade=None):
                self._grades.pop(node, None)
                return [node]
            case AnswerGraded(node=node, grade=grade) if grade is not None:
                self._grades[node] = grade
                return [node]
            case _:
                return []

    def grade(self, node: NodeId) -> Grade | None:
        """What the operator thinks of the node; None when it was not graded."""
        return self._grades.get(node)

    def replacer(self, node: NodeId) -> str | None:
        """Who put another node in this one's place; None when unknown."""
        return self._replaced[node][1] if node in self._replaced else None

    def preferred_by(self, node: NodeId) -> set[str]:
        """Who put this node in the place of others."""
        return set(self._winners.get(node, {}).values())

    def resolved_by(self, node: NodeId) -> set[str]:
        """Who resolved a question with this node."""
        return set(self._answers.get(node, {}).values())


def _forget(
    key: NodeId, chosen: dict[NodeId, tuple[NodeId, str]], choosers: dict[NodeId, dict[NodeId, str]]
) -> list[NodeId]:
    if key not in chosen:
        return []
    node, _ = chosen.pop(key)
    del choosers[node][key]
    return [node]


def is_model(author: str) -> bool:
    """Whether an author keeps a track record: everybody but the operator, the conductor and the ingest."""
    return author not in {OPERATOR, CONDUCTOR, INGEST}


def verdicts_on(graph: Graph, vertex: Vertex, acts: Acts) -> list[Verdict]:
    """Every verdict of another than its author on an interpretation, not yet one per source.

    Nothing that the author or the conductor did counts, nor does an edge from another node of the same author: to be
    supported by oneself is no evidence, whoever draws it. A judging node that was itself superseded or deleted judges
    no longer, and what its author had said before is judged there and nowhere else. Facts judge through whoever drew
    the edge. A decision promotes what it supports, refines or depends on, and what supports it. The operator settles by
    an edge from a decision or from a node of their own, by replacing one node with another (against the one, for the
    other) and by resolving a question with a node. A grade weighs as much, and says more than all of these: with one,
    nothing else of the operator counts on this node.
    """
    author = vertex.created_by
    if graph.speaker(vertex.id) != vertex.id:
        return []
    told_to = [vertex.id, *graph.spoken_for(vertex.id)]
    found = [
        verdict
        for node in told_to
        for link in graph.links(node)
        if link.created_by not in {author, CONDUCTOR, INGEST}
        and (verdict := _of_link(graph, vertex, link, node)) is not None
    ]
    told = [*found, *_of_acts(vertex, acts)]
    grade = acts.grade(vertex.id)
    if grade is None:
        return told
    others = [verdict for verdict in told if verdict.source != OPERATOR]
    return [*others, Verdict(OPERATOR, "graded_right" if grade == "right" else "graded_wrong")]


def _of_link(graph: Graph, vertex: Vertex, link: Link, node: NodeId) -> Verdict | None:
    """What the edge at the node, which may be a restatement of the vertex, says about it."""
    is_judge = link.dst == node
    other = graph.get(link.src if is_judge else link.dst)
    if other is None or other.superseded_by is not None or other.status == "deleted":
        return None
    if other.layer == "interpretation" and other.created_by == vertex.created_by:
        return None
    kind = _kind(other, link, is_judge)
    if kind is None:
        return None
    is_settlement = link.created_by == OPERATOR and (other.created_by == OPERATOR or other.kind in _FINAL)
    if is_settlement and is_judge:
        return Verdict(OPERATOR, "settled_against" if link.type == "contradicts" else "settled_for")
    return Verdict(link.created_by, kind)


def _kind(other: Vertex, link: Link, is_judge: bool) -> OutcomeKind | None:
    """What the edge means for the end that is not `other`; `is_judge` when it comes from there."""
    match link.type:
        case "contradicts":
            return "rejected" if is_judge and other.kind in _FINAL else "challenged"
        case "supports" | "refines" | "depends_on" if is_judge and other.kind == "decision":
            return "promoted"
        case "supports" if not is_judge and other.kind == "decision":
            return "promoted"
        case "supports" | "refines" if is_judge:
            return "corroborated"
        case _:
            return None


def _of_acts(vertex: Vertex, acts: Acts) -> Iterator[Verdict]:
    ignored = {vertex.created_by, CONDUCTOR, INGEST}
    replacer = acts.replacer(vertex.id) if vertex.superseded_by is not None else None
    if replacer is not None and replacer not in ignored:
        yield Verdict(replacer, "settled_against" if replacer == OPERATOR else "superseded")
    if OPERATOR in acts.preferred_by(vertex.id) - ignored:
        yield Verdict(OPERATOR, "settled_for")
    for resolver in acts.resolved_by(vertex.id) - ignored:
        yield Verdict(resolver, "settled_for" if resolver == OPERATOR else "promoted")
