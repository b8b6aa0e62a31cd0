"""What an interpretation is worth by what was said of it."""

from collections.abc import Iterable
from statistics import fmean

from perdura_core.graph import Vertex

__all__ = ["UNASSERTED", "after_vote"]

UNASSERTED = 0.5
"""Confidence of an interpretation whose author asserted none."""


def after_vote(vertex: Vertex, by: str, confidence: float) -> float:
    """The confidence after one more vote, in 0..1, to six decimals.

    It moves by as much as the prior moves. The prior is the mean over voters, the author with the asserted confidence
    among them, of the mean of each one's votes: any order of the same votes ends at the same value, and nobody gains
    weight by repetition.
    """
    votes = [*vertex.votes, (by, confidence, 1)]
    moved = vertex.confidence + _prior(vertex, votes) - _prior(vertex, vertex.votes)
    return round(min(1.0, max(0.0, moved)), 6)


def _prior(vertex: Vertex, votes: Iterable[tuple[str, float, int]]) -> float:
    said: dict[str, tuple[float, int]] = {}
    if vertex.asserted_confidence is not None:
        said[vertex.created_by] = (vertex.asserted_confidence, 1)
    for by, total, count in votes:
        before, number = said.get(by, (0.0, 0))
        said[by] = (before + total, number + count)
    return fmean(total / count for total, count in said.values()) if said else UNASSERTED
