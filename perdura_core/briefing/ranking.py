"""Which nodes a briefing would show, and in which order, before anybody counts tokens. Pure."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import Mode, NodeId

__all__ = ["Bundle", "Ranking", "grounds", "rank"]

Bundle = tuple[NodeId, ...]
"""Nodes that are shown together or not at all: both ends of a dispute."""

_MOST_FACTS = 2
"""So many facts travel with an interpretation that rests on them."""


class Ranking(NamedTuple):
    """Candidates, each list best first. A node may stand in several lists: the first one that has room shows it."""

    decisions: list[NodeId]
    """Live decisions on the question, newest first."""
    heads: list[Bundle]
    """What comes right after: disputes, or in adversarial mode the claims to refute before them."""
    claims: list[NodeId]
    """Live interpretations on the question, then those that only read like it."""
    questions: list[NodeId]
    """Questions linked to this one."""
    fresh: list[NodeId]
    """Facts that no live interpretation of this question rests on yet."""
    used: list[NodeId]
    """The other facts."""


class _View(NamedTuple):
    graph: Graph
    scores: Mapping[NodeId, float]
    shown: Mapping[NodeId, int]
    masked: bool

    def worth(self, node: NodeId) -> float:
        """Relevance and confidence; what was shown often sinks a little, so that no claim is out of sight for ever."""
        relevance = self.scores.get(node, 0.0)
        confidence = 0.5 if self.masked else self._vertex(node).confidence
        return (0.7 * relevance + 0.3 * confidence) / (1 + 0.1 * self.shown.get(node, 0))

    def novelty(self, fact: NodeId) -> float:
        """Relevance; halved by two showings that led to nothing."""
        return self.scores.get(fact, 0.0) / (1 + 0.5 * self.shown.get(fact, 0))

    def confidence(self, node: NodeId) -> float:
        return self._vertex(node).confidence

    def is_live(self, node: NodeId) -> bool:
        vertex = self.graph.get(node)
        return vertex is not None and vertex.is_live and vertex.size > 0

    def _vertex(self, node: NodeId) -> Vertex:
        vertex = self.graph.get(node)
        assert vertex is not None  # only live nodes are ranked
        return vertex


def rank(
    graph: Graph,
    question: NodeId,
    *,
    hops: int,
    scores: Mapping[NodeId, float],
    shown: Mapping[NodeId, int],
    mode: Mode,
    masked: bool,
) -> Ranking:
    """Order everything that bears on the question.

    scores: relevance per fact and interpretation, higher is better, absent = 0. shown: how often each node was in a
    briefing of this question. Masked: no order depends on a confidence, but that adversarial mode attacks the most
    confident claims first.
    """
    view = _View(graph, scores, shown, masked)
    around = graph.neighbourhood([question], hops)
    own = [node for node in around if node[0] == "i" and view.is_live(node)]
    beside = {link.src if link.dst == question else link.dst for link in graph.links(question)}
    decisions = [node for node in own if node in beside and _kind(graph, node) == "decision"]
    others = [node for node in scores if node[0] == "i" and node not in around and view.is_live(node)]

    def best_first(nodes: Iterable[NodeId]) -> list[NodeId]:
        return sorted(nodes, key=lambda node: (-view.worth(node), *_by_age(node)))

    used = {fact for node in own for fact in _cited(graph, node)}
    facts = [node for node in {*scores, *around, *used} if node[0] == "f" and view.is_live(node)]
    by_novelty = sorted(facts, key=lambda fact: (-view.novelty(fact), *_by_age(fact)))
    return Ranking(
        decisions=sorted(decisions, key=_by_age, reverse=True),
        heads=_heads(view, question, own, mode),
        claims=best_first(own) + best_first(others),
        questions=sorted((node for node in beside if node[0] == "q" and view.is_live(node)), key=_by_age),
        fresh=[fact for fact in by_novelty if fact not in used],
        used=[fact for fact in by_novelty if fact in used],
    )


def _heads(view: _View, question: NodeId, own: Iterable[NodeId], mode: Mode) -> list[Bundle]:
    disputes = view.graph.disputes(question)
    if view.masked:
        disputes.sort(key=lambda pair: (-view.worth(pair[0]) - view.worth(pair[1]), *map(_by_age, pair)))
    pairs: list[Bundle] = [pair for pair in disputes if view.is_live(pair[0]) and view.is_live(pair[1])]
    if mode != "adversarial":
        return pairs
    challenged = set(chain.from_iterable(disputes))
    unchallenged = [node for node in own if node not in challenged and _kind(view.graph, node) == "claim"]
    unchallenged.sort(key=lambda node: (-view.confidence(node), *_by_age(node)))
    return [(node,) for node in unchallenged] + pairs


def grounds(graph: Graph, scores: Mapping[NodeId, float], interpretation: NodeId) -> list[NodeId]:
    """The live facts that travel with an interpretation: the two most relevant of those it rests on."""
    live = []
    for fact in _cited(graph, interpretation):
        vertex = graph.get(fact)
        if vertex is not None and vertex.is_live and vertex.size:
            live.append(fact)
    live.sort(key=lambda fact: (-scores.get(fact, 0.0), *_by_age(fact)))
    return live[:_MOST_FACTS]


def _cited(graph: Graph, interpretation: NodeId) -> set[NodeId]:
    """The facts that an interpretation refers to or that support it, live or not."""
    vertex = graph.get(interpretation)
    cited = {link.src for link in graph.links(interpretation) if link.src[0] == "f"}
    return cited.union(vertex.facts) if vertex else cited


def _kind(graph: Graph, node: NodeId) -> str | None:
    vertex = graph.get(node)
    return vertex.kind if vertex else None


def _by_age(node: NodeId) -> tuple[int, str]:
    return len(node), node
