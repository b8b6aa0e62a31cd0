"""One ranking out of several. Pure."""

from collections.abc import Sequence

from perdura_core.store import Hit
from perdura_core.vocabulary import NodeId

__all__ = ["DENSE_SHARE", "DEPTH", "RANK_OFFSET", "dense_share", "fuse"]

RANK_OFFSET = 2
"""k of the formula. Cormack et al. use 60, for rankings that are equally good; ours differ, and a small k keeps the
first places of the better one. Tuned with `perdura experiment retrieval` on the questions with even sha256(id)."""
DENSE_SHARE = 0.7
"""Weight of the dense ranking where the words find nothing; it falls to 0 where they find all they ask for, as names
do. Tuned likewise, so that the fusion loses to neither part on any set."""
_TOP = 5
DEPTH = 200
"""So many places of each ranking count."""


def dense_share(by_words: Sequence[Hit]) -> float:
    """Weight of the dense ranking beside this one, whose scores are the part of the query's information that is found.

    By hand, one hit with 0.5: 0.7 * (1 - 0.5) = 0.35.
    """
    best = [hit.score for hit in by_words[:_TOP]]
    found = sum(best) / len(best) if best else 0.0
    return DENSE_SHARE * (1 - min(1.0, found))


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
