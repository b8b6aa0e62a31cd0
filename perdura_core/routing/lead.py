"""How far the best answer to a question is believed, by the records of those who gave it. Pure."""

from collections.abc import Mapping, Sequence
from math import exp, log

from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import ModelId, NodeId, TrackRecord

__all__ = ["believed", "lead_of"]

_MOST = 64
"""So many of the newest answers are weighed."""
_FOR = 0.5
"""A vote of less confidence is no voice for the answer."""
_LEAST_SURE, _MOST_SURE = 0.05, 0.95


def believed(records: Sequence[TrackRecord], domains: Sequence[str]) -> dict[ModelId, float]:
    """Reliability of each model: in the one of these domains with the most outcomes, else overall."""
    fitting = [record for record in records if record.domain is None or record.domain in domains]
    fitting.sort(key=lambda record: (record.domain is not None, record.outcomes, record.domain or ""))
    return {record.model: record.reliability for record in fitting}


def lead_of(graph: Graph, question: NodeId, reliability: Mapping[ModelId, float]) -> float | None:
    """Belief in the best live answer, in 0..1; None while there is none.

    The odds of an answer are the product of the odds of its voices being right: its author, who voted for it, and who
    supports or refines it; a model without a record has even odds. What contradicts it stands against it, and so does
    that none of them is right, with odds of 1. By hand, one voice of 0.8 alone: 4 / (1 + 4) = 0.8; two of them:
    16 / 17; one of them against one of 0.75: 4 / (1 + 4 + 3) = 0.5.
    """
    linked = [link.src for link in graph.links(question) if link.type == "answers" and link.dst == question]
    odds: dict[NodeId, float] = {}

    def of(node: NodeId) -> float:
        if node not in odds:
            vertex = graph.get(node)
            odds[node] = 0.0 if vertex is None or not vertex.is_live else _odds(graph, vertex, reliability)
        return odds[node]

    shares = [
        of(node) / (1 + of(node) + sum(of(rival) for rival in graph.rivals(node)))
        for node in linked[-_MOST:]
        if graph.speaker(node) == node and of(node)
    ]
    return max(shares, default=None)


def _odds(graph: Graph, vertex: Vertex, reliability: Mapping[ModelId, float]) -> float:
    voices = {vertex.created_by, *(voter for voter, sum_, count in vertex.votes if sum_ / count >= _FOR)}
    for link in graph.links(vertex.id):
        if link.dst == vertex.id and link.type in {"supports", "refines"} and link.src[0] == "i":
            voices.add(link.created_by)
    total = 0.0
    for voice in voices:
        share = min(max(reliability.get(voice, 0.5), _LEAST_SURE), _MOST_SURE)
        total += log(share / (1 - share))
    return exp(total)
