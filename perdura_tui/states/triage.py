"""Disputes as the triage screen has them: which pairs there are, what the operator marked, passed over or sent for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from perdura_core.graph import Graph
from perdura_core.routing import Choice
from perdura_core.vocabulary import ModelId, NodeId, Suspicion

__all__ = [
    "Dispute",
    "Focus",
    "Triage",
    "best_frontier",
    "disputes",
    "favourite",
    "mark",
    "note",
    "ordered",
    "refreshed",
    "skip",
]

MOST = 300
"""Pairs that the list holds, the hottest ones: more than anybody settles before it is read again."""


class Focus(NamedTuple):
    """Which disputes to look at: of one question, of one domain, or all."""

    question: NodeId | None = None
    domain: str | None = None


class Dispute(NamedTuple):
    """Two live interpretations that contradict each other, the older one left."""

    left: NodeId
    right: NodeId
    heat: float
    """Mean confidence of both."""
    confidences: tuple[float, float]
    questions: tuple[NodeId, ...]
    """Open questions near either side, those that a side answers first."""
    reasons: tuple[str, ...] = ()
    """Why it is suspected."""
    is_suspected: bool = False
    """Whether nobody has said yet that they contradict each other: `heat` is then how suspicious they are."""

    @property
    def key(self) -> str:
        """What names the pair, whichever way round it was found."""
        return f"{self.left} {self.right}"


@dataclass(frozen=True, slots=True)
class Triage:
    """The pairs, hottest first, and what the operator did with the list. Acts are the mind's, not kept here."""

    disputes: tuple[Dispute, ...] = ()
    left_out: int = 0
    """Pairs beyond the hottest ones."""
    marked: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Who was sent for, by pair."""


def disputes(graph: Graph, focus: Focus, suspected: Sequence[Suspicion] = ()) -> tuple[tuple[Dispute, ...], int]:
    """The hottest live pairs in focus, then those that are only suspected, and how many there are besides."""
    pairs = graph.disputes(focus.question, domain=focus.domain, limit=MOST)
    found = tuple(_dispute(graph, pair, focus.question) for pair in pairs)
    left_out = len(graph.pairs(focus.question, domain=focus.domain)) - len(found)
    doubted = tuple(
        _dispute(graph, (one.left, one.right), focus.question)._replace(
            heat=one.score, reasons=one.reasons, is_suspected=True
        )
        for one in suspected[:MOST]
        if _is_in_focus(graph, one, focus)
    )
    return (*found, *doubted), left_out


def _is_in_focus(graph: Graph, one: Suspicion, focus: Focus) -> bool:
    ends = [vertex for node in (one.left, one.right) if (vertex := graph.get(node)) is not None]
    if len(ends) < 2 or (focus.domain is not None and not all(focus.domain in vertex.domains for vertex in ends)):
        return False
    return focus.question is None or {one.left, one.right} <= graph.neighbourhood([focus.question], 2).keys()


def _dispute(graph: Graph, pair: tuple[NodeId, NodeId], asked: NodeId | None) -> Dispute:
    left, right = sorted(pair, key=lambda node: int(node[1:]))
    confidences = tuple(vertex.confidence for node in (left, right) if (vertex := graph.get(node)) is not None)
    near = [link.dst for node in (left, right) for link in graph.links(node) if link.type == "answers"]
    if not near:
        near = [*graph.questions_near(left), *graph.questions_near(right)]
    questions = [asked, *near] if asked is not None else near
    return Dispute(
        left,
        right,
        sum(confidences) / 2,
        (confidences[0], confidences[-1]),
        tuple(node for node in dict.fromkeys(questions) if _is_open(graph, node)),
    )


def _is_open(graph: Graph, node: NodeId) -> bool:
    vertex = graph.get(node)
    return vertex is not None and vertex.question_status == "open" and vertex.superseded_by is None


def refreshed(state: Triage, found: tuple[tuple[Dispute, ...], int]) -> Triage:
    """The present pairs, with the marks of those that are still there; the same object if nothing changed."""
    pairs, left_out = found
    here = {pair.key for pair in pairs}
    after = Triage(
        pairs,
        left_out,
        state.marked & here,
        state.skipped,
        {key: text for key, text in state.notes.items() if key in here},
    )
    return state if after == state else after


def mark(state: Triage, key: str) -> Triage:
    """Mark the pair, or take the mark away."""
    return replace(state, marked=state.marked ^ {key})


def skip(state: Triage, keys: Collection[str]) -> Triage:
    """Pass these over: they go to the end of the list. Those that were, come back."""
    return replace(state, skipped=state.skipped ^ frozenset(keys), marked=state.marked - frozenset(keys))


def note(state: Triage, key: str, text: str) -> Triage:
    """Write beside the pair whom the operator sent for."""
    return replace(state, notes={**state.notes, key: text})


def ordered(state: Triage, words: str = "", texts: Mapping[NodeId, str] | None = None) -> list[Dispute]:
    """The pairs that hold every word in an id or a text, hottest first, those passed over at the end.

    A leading `!` turns the answer round.
    """
    words = words.strip().casefold()
    inverse, wanted = words.startswith("!"), words.lstrip("!").split()
    found = [pair for pair in state.disputes if not wanted or _holds(pair, wanted, texts or {}) != inverse]
    return sorted(found, key=lambda pair: pair.key in state.skipped)


def _holds(pair: Dispute, words: Iterable[str], texts: Mapping[NodeId, str]) -> bool:
    nodes = (pair.left, pair.right, *pair.questions)
    said = " ".join((*nodes, *(texts.get(node, "") for node in nodes))).casefold()
    return all(word in said for word in words)


def favourite(pair: Dispute) -> tuple[NodeId, NodeId] | None:
    """Winner and loser by confidence, as the screen shows it; None when the two are equal."""
    left, right = (round(confidence, 2) for confidence in pair.confidences)
    if left == right:
        return None
    return (pair.left, pair.right) if left > right else (pair.right, pair.left)


def best_frontier(choices: Sequence[Choice]) -> tuple[ModelId | None, str]:
    """The first frontier model of a ranking that can board, and why; or None, and why there is none."""
    frontier = [choice for choice in choices if choice.card.tier == "frontier" and choice.card.is_language_model]
    for choice in frontier:
        if choice.why_not is None:
            return choice.card.id, choice.reason
    if not frontier:
        return None, "no frontier model is in the registry: `perdura doctor` says how to bring one aboard"
    return None, f"no frontier model can board: {frontier[0].card.id} {frontier[0].why_not}"
