"""The briefing: what one worker gets to see of a mind of any size."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain

from perdura_core.briefing.distinct import distinct
from perdura_core.briefing.filling import as_shown, fill, fitted_to
from perdura_core.briefing.pairs import close_pairs
from perdura_core.briefing.ranking import Ranking, grounds, rank
from perdura_core.briefing.trails import Reader, breaking, pull
from perdura_core.config import BriefingSettings
from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.graph import Graph
from perdura_core.retrieval import TextSearch, relevant
from perdura_core.store import Store
from perdura_core.vocabulary import Briefing, Mode, Node, NodeId, Question

__all__ = ["LEAST_TOKENS", "PairSource", "assemble"]

PairSource = Callable[[Collection[NodeId]], Sequence[tuple[NodeId, NodeId]]]
"""Of these claims, the pairs that most deserve a look, best first: `Suspects.to_audit`."""

LEAST_TOKENS = 300
"""Below this no briefing can be written."""

_TOKENS_PER_NODE = 20
"""A node takes at least so many, so that no more candidates need to be looked at."""
_LEAST_CANDIDATES = 400
"""Several times what a usual briefing holds, so that boarding after boarding meets facts not shown before."""
_CHARACTERS_PER_TOKEN = 3
"""More than an estimated token usually holds: texts that are fetched by it fill the budget."""
_MOST_ROUNDS = 5
"""Restatements give way to what is further down so many times, each time looking twice as far."""
_MOST_AUDITED = 48
"""Claims that an audit compares with each other."""


async def assemble(
    store: Store,
    graph: Graph,
    question: NodeId,
    *,
    settings: BriefingSettings,
    max_tokens: int,
    mode: Mode = "organic",
    masked: bool = False,
    search: TextSearch | None = None,
    reader: Reader | None = None,
    suspected: PairSource | None = None,
) -> Briefing:
    """The bounded extract of the mind that bears on the question, the same for the same state of mind and vectors.

    Its user prompt never takes more than `max_tokens` (at least 300). In this order: live decisions on the question,
    an interpretation of low gradient now and then by lot, both ends of each live dispute (hottest first), claims with
    the facts they rest on, facts by relevance, and where room is left facts of its domains that no word led to.
    Superseded, shadow and redacted nodes are never in it, nor authors. Facts that this question was shown before come
    later, and what was restated is shown once. `search` says what reads like the question; None: words alone.
    `reader`: who reads, so that interpretations are ranked by their trails too; None: without.
    `suspected` says which of some claims an audit should look at. Raises UnknownNodeError, InputError for too few
    tokens, and StoreError.
    """
    if max_tokens < LEAST_TOKENS:
        raise InputError(f"a briefing of {max_tokens} tokens holds nothing: allow at least {LEAST_TOKENS}")
    asked = (await store.nodes([question])).get(question)
    if not isinstance(asked, Question):
        raise UnknownNodeError(question)
    async with asyncio.TaskGroup() as reading:
        counting = reading.create_task(store.shown_counts(question))
        trailing = None if reader is None else reading.create_task(_trail(store, reader))
        most = max(_LEAST_CANDIDATES, max_tokens // _TOKENS_PER_NODE)
        around = graph.neighbourhood([question], settings.hops)
        hits = await relevant(
            search or store.search_text,
            graph,
            asked.text,
            around,
            most,
            by_pagerank=settings.expansion == "pagerank",
        )
    shown = counting.result()
    scores = {hit.node: hit.score for hit in hits}
    by_lot, pulled = None, dict[NodeId, float]()
    if reader is not None and trailing is not None:
        to_reader, gradients = trailing.result()
        near = [*around, *scores]
        pulled = pull(graph, reader.model, near, to_reader, gradients)
        by_lot = breaking([node for node in pulled if _is_live(graph, node)], gradients, reader.lot)
    everything = rank(
        graph,
        question,
        around=around,
        scores=scores,
        shown=shown,
        mode=mode,
        masked=masked,
        most=most,
        pull=pulled,
        breaking=by_lot,
    )
    ranking, found = everything, dict[NodeId, Node]()
    for number in range(_MOST_ROUNDS):
        claims = ranking.claims[:_MOST_AUDITED] if mode == "audit" else []
        rests = _within_reach(graph, ranking, scores, max_tokens << number, settings.node_share)
        found |= await store.nodes({*rests, *claims, *chain.from_iterable(rests.values())}.difference(found))
        fewer = distinct(ranking, {node: found[node].text for node in {*rests, *claims} if node in found})
        if fewer == ranking:
            break
        ranking = fewer
    nodes = {node.id: as_shown(node, masked) for node in found.values() if node.text}
    doubted = suspected(claims) if suspected is not None and claims else ()
    pairs = close_pairs(graph, {node.id: node.text for node in nodes.values()}, claims, shown, doubted)
    head, _ = fitted_to(as_shown(asked, masked), max_tokens // 3)
    chosen, edges, tokens = fill(
        graph,
        ranking,
        nodes,
        head,
        max_tokens=max_tokens,
        node_share=settings.node_share,
        grounds=rests,
        pairs=pairs,
    )
    ids = {node.id for node in chosen}
    return Briefing(
        question=head,
        nodes=tuple(chosen),
        edges=tuple(edges),
        audit_pairs=tuple(pair for pair in pairs if ids.issuperset(pair)),
        mode=mode,
        masked=masked,
        tokens=tokens,
        left_out=len(_candidates(everything) - ids),
        breaking=by_lot if by_lot in ids else None,
    )


async def _trail(store: Store, reader: Reader) -> tuple[dict[NodeId, int], Mapping[int, float]]:
    """What was shown to the model, and the gradients."""
    return await store.shown_to(reader.model), await reader.trails.gradients()


def _is_live(graph: Graph, node: NodeId) -> bool:
    vertex = graph.get(node)
    return vertex is not None and vertex.is_live and vertex.size > 0


def _candidates(ranking: Ranking) -> set[NodeId]:
    return {*ranking.decisions, *ranking.claims, *ranking.questions, *ranking.facts, *ranking.aside}


def _within_reach(
    graph: Graph, ranking: Ranking, scores: Mapping[NodeId, float], max_tokens: int, node_share: float
) -> dict[NodeId, list[NodeId]]:
    """The candidates that could find room, by the length of their texts: somewhat more than will be shown.

    With each interpretation the facts that travel with it.
    """
    most = round(max_tokens * node_share)
    spent = 0
    taken: dict[NodeId, list[NodeId]] = {}

    def take(nodes: Iterable[NodeId], until: float) -> None:
        nonlocal spent
        for node in nodes:
            if spent > until * max_tokens:
                return
            vertex = graph.get(node)
            if vertex is None or node in taken:
                continue
            facts = grounds(graph, scores, vertex) if vertex.layer == "interpretation" else []
            taken[node] = [fact.id for fact in facts]
            spent += sum(min(most, _TOKENS_PER_NODE + one.size // _CHARACTERS_PER_TOKEN) for one in (vertex, *facts))

    taken.update((decision, []) for decision in ranking.decisions)
    take(chain.from_iterable(ranking.heads), 0.7)
    take(ranking.claims, 0.9)
    take(ranking.questions, 1.0)
    for facts_or_claims in (ranking.facts, ranking.claims, ranking.aside):
        take(facts_or_claims, 1.3)
    return taken
