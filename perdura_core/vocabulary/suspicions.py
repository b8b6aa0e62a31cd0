"""What is thought of two claims before anybody has drawn an edge between them."""

from typing import NamedTuple

from perdura_core.vocabulary.nodes import NodeId

__all__ = ["Near", "Suspicion"]


class Suspicion(NamedTuple):
    """Two live claims that no edge joins and that may contradict each other, the older one left."""

    left: NodeId
    right: NodeId
    score: float
    """0..1: how much it is worth to have somebody look; no probability."""
    reasons: tuple[str, ...]


class Near(NamedTuple):
    """Two live claims that are worded alike, the older one left."""

    left: NodeId
    right: NodeId
    bits: int
    """Of 48 that differ."""
    says_the_same: bool
