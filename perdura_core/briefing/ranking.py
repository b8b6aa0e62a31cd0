"""Which nodes a briefing would show, and in which order, before anybody counts tokens. Pure."""

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import chain, islice
from typing import NamedTuple

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import Mode, NodeId

__all__ = ["Bundle", "Ranking", "grounds", "rank"]

Bundle = tuple[NodeId, ...]
"""Nodes that are shown together or not at all: both ends of a dispute."""

_MOST_FACTS = 2
"""So many facts travel with an interpretation that rests on them."""
_MOST_ASIDE = 2_000
"""So many of the newest facts are looked at when few are relevant."""


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
    facts: list[NodeId]
    """Relevant facts, by relevance alone: whatever is made of them, by whom and how well, changes nothing."""
    aside: list[NodeId]
    """Where few facts are relevant, others that share a domain with the question or have none, least shown first."""


class _View(NamedTuple):
    graph: Graph
    scores: Mapping[NodeId, float]
    shown: Mapping[NodeId, int]
    masked: bool
    pull: Mapping[NodeId, float] = {}

    def worth(self, vertex: Vertex) -> float:
        """Relevance and confidence, times what pulls the model to it or pushes it away.

        What was shown often sinks a little, so that no claim is out of sight for ever.
        """
        confidence = 0.5 if self.masked else vertex.confidence
        score = 0.7 * self.scores.get(vertex.id, 0.0) + 0.3 * confidence
        return score * self.pull.get(vertex.id, 1.0) / (1 + 0.1 * self.shown.get(vertex.id, 0))

    def page(self, fact: Vertex) -> tuple[int, float]:
        """What this question has seen least often comes first, as one turns pages; of that the most relevant."""
        return -self.shown.get(fact.id, 0), self.scores.get(fact.id, 0.0)

    def live(self, nodes: Iterable[NodeId], letter: str) -> list[Vertex]:
        """The live ones with a text, of the layer whose ids start with this letter."""
        found = (self.graph.get(node) for node in nodes if node[0] == letter)
        return [vertex for vertex in found if vertex is not None and vertex.size and vertex.is_live]


def rank(
    graph: Graph,
    question: NodeId,
    *,
    around: Mapping[NodeId, int],
    scores: Mapping[NodeId, float],
    shown: Mapping[NodeId, int],
    mode: Mode,
    masked: bool,
    most: int,
    pull: Mapping[NodeId, float] | None = None,
    breaking: NodeId | None = None,
) -> Ranking:
    """Order everything that bears on the question.

    around: the question's neighbourhood. scores: relevance per fact and interpretation, higher is better, absent = 0.
    shown: how often each node was in a briefing of this question. Masked: no order depends on a confidence, but that
    adversarial mode attacks the most confident claims first. Facts aside are added until there are `most` facts. pull:
    what the scores of interpretations are multiplied by, see `trails`; breaking: one that comes right after the
    decisions, by lot.
    """
    view = _View(graph, scores, shown, masked, pull or {})
    own = view.live(around, "i")
    beside = {link.src if link.dst == question else link.dst for link in graph.links(question)}
    decisions = [vertex.id for vertex in own if vertex.kind == "decision" and vertex.id in beside]
    others = view.live(scores.keys() - around.keys(), "i")
    facts = _best_first(view.live(scores, "f"), view.page)
    by_lot: list[Bundle] = [] if breaking is None else [(breaking,)]
    return Ranking(
        decisions=sorted(decisions, key=_by_age, reverse=True),
        heads=by_lot + _heads(view, question, own, mode),
        claims=_best_first(own, view.worth) + _best_first(others, view.worth),
        questions=sorted((vertex.id for vertex in view.live(beside, "q")), key=_by_age),
        facts=facts,
        aside=_aside(view, question, set(facts), most - len(facts)),
    )


def _aside(view: _View, question: NodeId, relevant: Container[NodeId], room: int) -> list[NodeId]:
    """What words do not find may still bear on the question: a reader of a few documents gets to see all of them."""
    asked = view.graph.get(question)
    if room <= 0 or asked is None:
        return []
    domains = set(asked.domains)
    newest = islice(view.graph.vertices("fact", newest=True), _MOST_ASIDE)
    found = [
        fact
        for fact in newest
        if fact.id not in relevant
        and fact.size
        and fact.is_live
        and (not fact.domains or not domains or not domains.isdisjoint(fact.domains))
    ]
    found.sort(key=lambda fact: (view.shown.get(fact.id, 0), int(fact.id[1:])))
    return [fact.id for fact in found[:room]]


def _best_first(vertices: Iterable[Vertex], score: Callable[[Vertex], float | tuple[int, float]]) -> list[NodeId]:
    """The nodes of one layer, older first among equals."""
    ranked = sorted(vertices, key=lambda vertex: int(vertex.id[1:]))
    ranked.sort(key=score, reverse=True)
    return [vertex.id for vertex in ranked]


def _heads(view: _View, question: NodeId, own: Iterable[Vertex], mode: Mode) -> list[Bundle]:
    disputes = view.graph.disputes(question)
    ends = {vertex.id: view.worth(vertex) for vertex in view.live(set(chain.from_iterable(disputes)), "i")}
    pairs: list[Bundle] = [pair for pair in disputes if pair[0] in ends and pair[1] in ends]
    if view.masked:
        pairs.sort(key=lambda pair: (-ends[pair[0]] - ends[pair[1]], *map(_by_age, pair)))
    if mode != "adversarial":
        return pairs
    unchallenged = [vertex for vertex in own if vertex.kind == "claim" and vertex.id not in ends]
    return [(claim,) for claim in _best_first(unchallenged, lambda vertex: vertex.confidence)] + pairs


def grounds(graph: Graph, scores: Mapping[NodeId, float], interpretation: Vertex) -> list[Vertex]:
    """The live facts that travel with an interpretation: the two most relevant of those it rests on."""
    cited = {link.src for link in graph.links(interpretation.id) if link.src[0] == "f"}.union(interpretation.facts)
    ranked = sorted((-scores.get(fact, 0.0), len(fact), fact) for fact in cited)
    return _View(graph, scores, {}, masked=True).live((fact for _, _, fact in ranked), "f")[:_MOST_FACTS]


def _by_age(node: NodeId) -> tuple[int, str]:
    return len(node), node
