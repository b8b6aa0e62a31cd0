"""One ranking out of several. Pure."""

from collections.abc import Sequence

from perdura_core.store import Hit
from perdura_core.vocabulary import NodeId

__all__ = ["DENSE_SHARE", "DEPTH", "RANK_OFFSET", "fuse"]

RANK_OFFSET = 2
"""k of the formula. Cormack et al. use 60, for rankings that are equally good; ours differ, and a small k keeps the
first places of the better one. Tuned with `perdura experiment retrieval` on the questions with even sha256(id)."""
DENSE_SHARE = 0.3
"""Weight of the dense ranking; the words' ranking has the rest. Tuned likewise."""
DEPTH = 200
"""So many places of each ranking count."""


def fuse(rankings: Sequence[tuple[float, Sequence[Hit]]], limit: int, offset: float = RANK_OFFSET) -> list[Hit]:
    """Weighted reciprocal rank fusion: score = sum of weight / (offset + rank), rank from 1; 0 where absent.

    rankings: (weight, best first) each, of any kinds of score. Equals keep the order of the rankings. Source: Cormack,
    Clarke and Büttcher 2009, with a weight per ranking.
    """
    scores: dict[NodeId, float] = {}
    for weight, hits in rankings:
        for rank, hit in enumerate(hits, 1):
            scores[hit.node] = scores.get(hit.node, 0.0) + weight / (offset + rank)
    ranked = sorted(scores.items(), key=lambda pair: -pair[1])
    return [Hit(node, score) for node, score in ranked[:limit]]
