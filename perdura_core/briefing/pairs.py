"""Unlinked claims that lie close in text: what an audit is asked about."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from perdura_core.graph import Graph
from perdura_core.vocabulary import NodeId

__all__ = ["close_pairs"]

_LEAST = 0.2
"""Texts less alike than this are about different things."""
_MOST = 6


def close_pairs(
    graph: Graph,
    texts: Mapping[NodeId, str],
    claims: Sequence[NodeId],
    seen: Mapping[NodeId, int],
    suspected: Sequence[tuple[NodeId, NodeId]] = (),
) -> list[tuple[NodeId, NodeId]]:
    """At most six pairs of these claims that no edge joins: the suspected ones first, then the closest in text.

    suspected: the most suspicious first. Claims that were shown often (`seen`) come later, so that one audit after
    another gets other pairs. Every pair is compared: pass a few dozen claims, not a mind.
    """
    shingles = {claim: _shingles(texts[claim]) for claim in claims if claim in texts}
    found: list[tuple[float, tuple[NodeId, NodeId]]] = [
        ((1 + 1 / (1 + place)) / _often(seen, a, b), (a, b))
        for place, (a, b) in enumerate(suspected)
        if a in shingles and b in shingles
    ]
    known = {pair for _, pair in found}
    for a, b in combinations(sorted(shingles, key=_by_age), 2):
        alike = _overlap(shingles[a], shingles[b])
        if alike >= _LEAST and (a, b) not in known and not any(b in (link.src, link.dst) for link in graph.links(a)):
            found.append((alike / _often(seen, a, b), (a, b)))
    found.sort(key=lambda pair: (-pair[0], *map(_by_age, pair[1])))
    return [pair for _, pair in found[:_MOST]]


def _often(seen: Mapping[NodeId, int], a: NodeId, b: NodeId) -> float:
    return 1 + min(seen.get(a, 0), seen.get(b, 0)) / 4


def _shingles(text: str) -> frozenset[str]:
    """Character trigrams, cased and spaced alike."""
    words = f" {' '.join(text.lower().split())} "
    return frozenset(words[start : start + 3] for start in range(len(words) - 2))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard index, 0..1."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def _by_age(node: NodeId) -> tuple[int, str]:
    return len(node), node
