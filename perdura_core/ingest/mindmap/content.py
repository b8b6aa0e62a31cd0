"""What the page shows of a mind, as columns that its script reads."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from perdura_core.ingest.mindmap.placing import islands, place_all
from perdura_core.vocabulary import (
    CONDUCTOR,
    EDGE_TYPES,
    Edge,
    Fact,
    Interpretation,
    Near,
    Node,
    NodeId,
    Question,
    Suspicion,
)

__all__ = ["KINDS", "TIES", "Tie", "columns", "ties_of"]

KINDS = ("question", "fact", "claim", "decision", "rejected")
TIES = (*EDGE_TYPES, "cites", "worded_like", "suspected")
"""Types of edges, the reference of an interpretation to a fact, and two that nobody drew: near duplicates, and pairs
that may contradict each other. These are dotted."""


class Tie(NamedTuple):
    """A line of the map."""

    type: str
    src: NodeId
    dst: NodeId
    by: str


def ties_of(
    nodes: Collection[Node], edges: Iterable[Edge], near: Iterable[Near] = (), suspected: Iterable[Suspicion] = ()
) -> list[Tie]:
    """Edges between these nodes, references to facts that no edge of support shows already, and what no edge joins."""
    known = {node.id for node in nodes}
    ties = [
        Tie(edge.type, edge.src, edge.dst, edge.created_by) for edge in edges if edge.src in known and edge.dst in known
    ]
    shown = {(tie.src, tie.dst) for tie in ties}
    ties += [
        Tie("cites", node.id, fact, node.created_by)
        for node in nodes
        if isinstance(node, Interpretation)
        for fact in node.facts
        if fact in known and (fact, node.id) not in shown and (node.id, fact) not in shown
    ]
    for name, pairs in (("suspected", suspected), ("worded_like", near)):
        for one in pairs:
            if {one.left, one.right} <= known and (one.left, one.right) not in shown:
                shown.add((one.left, one.right))
                ties.append(Tie(name, one.right, one.left, CONDUCTOR))
    return ties


def columns(nodes: Sequence[Node], ties: Sequence[Tie]) -> dict[str, Any]:
    """The map: one list per property, in which a node or an edge is its position. Places included."""
    near: defaultdict[NodeId, list[NodeId]] = defaultdict(list)
    for tie in ties:
        near[tie.src].append(tie.dst)
        near[tie.dst].append(tie.src)
    seeds = [node.id for node in nodes if isinstance(node, Question) and node.superseded_by is None]
    places = place_all(islands([node.id for node in nodes], seeds, near), [(tie.src, tie.dst) for tie in ties])
    number = {node.id: index for index, node in enumerate(nodes)}
    domains = sorted({domain for node in nodes for domain in node.domains})
    authors = sorted({node.created_by for node in nodes} | {tie.by for tie in ties})
    return {
        "kinds": KINDS,
        "ties": TIES,
        "domains": domains,
        "authors": authors,
        "node": dict(_node_columns(nodes, places, number, domains, authors)),
        "edge": {
            "type": [TIES.index(tie.type) for tie in ties],
            "from": [number[tie.src] for tie in ties],
            "to": [number[tie.dst] for tie in ties],
            "by": _numbers((tie.by for tie in ties), authors),
        },
    }


def _node_columns(
    nodes: Sequence[Node],
    places: Mapping[NodeId, tuple[float, float]],
    number: Mapping[NodeId, int],
    domains: Sequence[str],
    authors: Sequence[str],
) -> Iterator[tuple[str, list[Any]]]:
    place_of = {domain: index for index, domain in enumerate(domains)}
    yield "id", [node.id for node in nodes]
    yield "kind", [KINDS.index(_kind(node)) for node in nodes]
    yield "x", [round(places[node.id][0], 2) for node in nodes]
    yield "y", [round(places[node.id][1], 2) for node in nodes]
    yield "text", [node.text for node in nodes]
    yield "domains", [[place_of[domain] for domain in node.domains] for node in nodes]
    yield "by", _numbers((node.created_by for node in nodes), authors)
    yield "at", [f"{node.created_at:%Y-%m-%d %H:%M}" for node in nodes]
    yield "state", [_state(node) for node in nodes]
    yield "heir", [None if node.superseded_by is None else number.get(node.superseded_by) for node in nodes]
    yield "confidence", [node.confidence if isinstance(node, Interpretation) else None for node in nodes]
    yield "level", [node.level if isinstance(node, Interpretation) else None for node in nodes]
    yield "sources", [_sources(node) for node in nodes]


def _numbers(values: Iterable[str], among: Sequence[str]) -> list[int]:
    place_of = {value: index for index, value in enumerate(among)}
    return [place_of[value] for value in values]


def _kind(node: Node) -> str:
    match node:
        case Question():
            return "question"
        case Fact():
            return "fact"
        case Interpretation(kind=kind):
            return kind


def _state(node: Node) -> str:
    """In one word; empty for what stands as it was made."""
    if node.superseded_by is not None:
        return "superseded"
    if isinstance(node, Question):
        return "" if node.status == "open" else node.status
    if isinstance(node, Interpretation):
        return "" if node.status == "active" else node.status
    return ""


def _sources(node: Node) -> list[str]:
    if not isinstance(node, Fact):
        return []
    return list(dict.fromkeys(sighting.source for sighting in node.occurrences if sighting.source))
