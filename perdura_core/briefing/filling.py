"""Fill a briefing's budget from a ranking. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from perdura_core.briefing.quoting import edge_line, node_line, pair_line
from perdura_core.briefing.ranking import Bundle, Ranking
from perdura_core.briefing.tokens import estimate_tokens
from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    BriefingEdge,
    BriefingNode,
    EdgeType,
    Fact,
    Interpretation,
    Node,
    NodeId,
    Question,
    layer_of,
)

__all__ = ["as_shown", "fill", "fitted_to"]

FRAME_TOKENS = 60
"""Room for the lines of the user part that hold no node."""

_MOST_NAMES = 8
"""So many domains and facts of one node are named."""
_MOST_SOURCE = 160
_MOST_MISSES = 8
_EDGE_TOKENS = 12
_LEAST_DECISION = 32
"""Tokens that a decision gets at least: some sixty characters of its text."""
_MOST_CHARACTERS_PER_TOKEN = 8
"""Longer texts are cut to this before anything is measured, be they blanks for the most part."""


def as_shown(node: Node, masked: bool) -> BriefingNode:
    """The node without its author and, when masked, without its confidence."""
    common = {"id": node.id, "layer": layer_of(node.id), "text": node.text, "domains": node.domains[:_MOST_NAMES]}
    match node:
        case Question():
            return BriefingNode(**common, is_context=node.status == "resolved")
        case Fact():
            return BriefingNode(**common, source=_cut(node.source, _MOST_SOURCE) if node.source else None)
        case Interpretation():
            return BriefingNode(
                **common,
                kind=node.kind,
                level=node.level,
                confidence=None if masked else node.confidence,
                facts=node.facts[:_MOST_NAMES],
            )


def fill(
    graph: Graph,
    ranking: Ranking,
    nodes: Mapping[NodeId, BriefingNode],
    question: BriefingNode,
    *,
    max_tokens: int,
    node_share: float,
    grounds: Mapping[NodeId, Sequence[NodeId]],
    pairs: Sequence[tuple[NodeId, NodeId]] = (),
) -> tuple[list[BriefingNode], list[BriefingEdge], int]:
    """Choose from the ranking what fits: the nodes in the order of a briefing, the edges among them, the tokens spent.

    nodes: the candidates whose text is known; others are passed over. grounds: the facts that travel with an
    interpretation. pairs: what an audit asks about, shown first. Decisions are cut shorter when they would take more
    than half of the budget; what comes at the head may take half, with the claims three quarters, so that new facts
    have room. Then what is left goes to whoever stood back.
    """
    page = _Page(graph, question, max_tokens, round(max_tokens * node_share))
    page.show_decisions([nodes[decision] for decision in ranking.decisions if decision in nodes])
    for pair in pairs:
        page.show([nodes[end] for end in pair], 0.75, extra_tokens=_line_tokens(pair_line(pair)))
    known = set(nodes)

    def single(candidates: Iterable[NodeId]) -> list[Bundle]:
        return [(node,) for node in candidates if node in known]

    heads = list(filter(known.issuperset, ranking.heads))
    claims = single(ranking.claims)
    rounds: list[tuple[Iterable[Bundle], float]] = [
        (heads, 0.5),
        (claims, 0.75 if ranking.facts else 1.0),
        (single(ranking.questions[:_MOST_NAMES]), 1.0),
        (single(ranking.facts), 1.0),
        (heads, 1.0),
        (claims, 1.0),
        (single(ranking.aside), 1.0),
    ]
    for bundles, limit in rounds:
        page.show_bundles(bundles, nodes, grounds, limit)
    return page.in_order([*ranking.facts, *ranking.aside]), page.edges(), page.tokens


class _Page:
    """Nodes go in whole until the budget is spent."""

    def __init__(self, graph: Graph, question: BriefingNode, max_tokens: int, node_tokens: int) -> None:
        self._graph = graph
        self._question = question
        self._there = {question.id}
        self._max_tokens = max_tokens
        self._node_tokens = node_tokens
        self._nodes: dict[NodeId, BriefingNode] = {}
        self._fitted: dict[NodeId, tuple[BriefingNode, int]] = {}
        self._edges: dict[tuple[EdgeType, NodeId, NodeId], None] = {}
        self.tokens = FRAME_TOKENS + _line_tokens(node_line(question))

    def show(
        self, nodes: Sequence[BriefingNode], limit: float, *, extra_tokens: int = 0, most_tokens: int | None = None
    ) -> bool:
        """Show all of these nodes with the edges that join them to what is shown, or none of them.

        limit: the part of the whole budget that may be spent once they are in. most_tokens: of each, when that is
        less than the usual share. Nodes that are shown already cost nothing.
        """
        room = self._max_tokens * limit - self.tokens - extra_tokens
        new: list[BriefingNode] = []
        for node in nodes:
            if node.id in self._nodes:
                continue
            fitted, cost = self._cut(node, min(most_tokens or self._node_tokens, self._node_tokens))
            room -= cost
            new.append(fitted)
            if room < 0:
                return False
        edges = self._joining([node.id for node in new])
        room -= sum(_line_tokens(edge_line(*edge)) for edge in edges)
        if room < 0:
            return False
        self.tokens = int(self._max_tokens * limit - room)
        self._nodes.update((node.id, node) for node in new)
        self._there.update(node.id for node in new)
        self._edges.update(edges)
        return True

    def show_decisions(self, decisions: Sequence[BriefingNode]) -> None:
        """Show all decisions, as far as the whole budget allows, each cut to an equal part of half of it."""
        if decisions:
            each = (self._max_tokens // 2 - self.tokens) // len(decisions) - _EDGE_TOKENS
            for decision in decisions:
                self.show([decision], 1.0, most_tokens=max(each, _LEAST_DECISION))

    def show_bundles(
        self,
        bundles: Iterable[Bundle],
        nodes: Mapping[NodeId, BriefingNode],
        grounds: Mapping[NodeId, Sequence[NodeId]],
        limit: float,
    ) -> None:
        """Show each bundle, whose nodes are all known, with the facts it rests on; without them when there is no room.

        Ends after a few that found no room in a row: a shorter one further down is not worth measuring them all.
        """
        misses = 0
        for bundle in bundles:
            if misses == _MOST_MISSES:
                return
            if self._nodes.keys() >= set(bundle):
                continue
            facts = dict.fromkeys(fact for node in bundle for fact in grounds.get(node, ()) if fact in nodes)
            shown = [nodes[node] for node in bundle]
            found_room = self.show([*shown, *(nodes[fact] for fact in facts)], limit)
            if not found_room and facts:
                found_room = self.show(shown, limit)
            misses = 0 if found_room else misses + 1

    def edges(self) -> list[BriefingEdge]:
        """Those among what is shown, as they came."""
        return [BriefingEdge(type=type_, src=src, dst=dst) for type_, src, dst in self._edges]

    def in_order(self, facts_ranked: Sequence[NodeId]) -> list[BriefingNode]:
        """The shown nodes, facts last and as they were ranked; each names only facts that are shown too."""
        place = {fact: number for number, fact in enumerate(facts_ranked)}
        facts = [node for node in self._nodes.values() if node.layer == "fact"]
        facts.sort(key=lambda node: (place.get(node.id, len(place)), len(node.id), node.id))
        return [
            node.model_copy(update={"facts": tuple(fact for fact in node.facts if fact in self._nodes)})
            if node.facts
            else node
            for node in self._nodes.values()
            if node.layer != "fact"
        ] + facts

    def _cut(self, node: BriefingNode, most_tokens: int) -> tuple[BriefingNode, int]:
        fitted = self._fitted.get(node.id)
        if fitted is None or fitted[1] > most_tokens:
            fitted = self._fitted[node.id] = fitted_to(node, most_tokens, self._question.domains)
        return fitted

    def _joining(self, new: Sequence[NodeId]) -> dict[tuple[EdgeType, NodeId, NodeId], None]:
        there = self._there.union(new)
        return {
            (link.type, link.src, link.dst): None
            for node in new
            for link in self._graph.links(node)
            if link.src in there and link.dst in there
        }


def fitted_to(node: BriefingNode, most_tokens: int, usual_domains: tuple[str, ...] = ()) -> tuple[BriefingNode, int]:
    """The node, its text cut and ended with an ellipsis if its line would take more tokens than this, and its tokens.

    Domains, source and facts go first when they would take half of the room.
    """

    def takes(shown: BriefingNode) -> int:
        return _line_tokens(node_line(shown, usual_domains))

    longest = most_tokens * _MOST_CHARACTERS_PER_TOKEN
    if len(node.text) <= longest and (whole := takes(node)) <= most_tokens:
        return node, whole
    if takes(_with_text(node, 0)) > most_tokens // 2:
        node = node.model_copy(update={"domains": (), "source": None, "facts": ()})
    low, high = 0, min(len(node.text), longest)
    while low < high:
        middle = (low + high + 1) // 2
        if takes(_with_text(node, middle)) <= most_tokens:
            low = middle
        else:
            high = middle - 1
    cut = _with_text(node, low)
    return cut, takes(cut)


def _with_text(node: BriefingNode, characters: int) -> BriefingNode:
    return node.model_copy(update={"text": _cut(node.text, characters + 1)})


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - 1].rstrip() + "…"


def _line_tokens(line: str) -> int:
    return estimate_tokens(line) + 1
