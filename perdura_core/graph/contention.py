"""Contention of any number of groups of nodes, kept by each change in time that depends on what it touches alone."""

from collections.abc import Iterable
from typing import NamedTuple

from perdura_core.vocabulary import NodeId

__all__ = ["Contention", "Pair", "pair_of"]

Pair = tuple[NodeId, NodeId]

_ONE = 1 << 53
"""Confidences are summed as whole multiples of 1 / _ONE: a sum that grew and shrank a million times stays exact."""


class _Standing(NamedTuple):
    is_claim: bool
    units: int | None
    """Confidence in units of 1 / _ONE; None while the node is not live."""


class _Tally:
    __slots__ = ("claims", "pairs", "units")

    def __init__(self) -> None:
        self.claims = 0
        self.units = 0
        self.pairs: set[Pair] = set()


def pair_of(a: NodeId, b: NodeId) -> Pair:
    """The unordered pair, older node first."""
    return (a, b) if (len(a), a) < (len(b), b) else (b, a)


class Contention:
    """edge_signal per group (EPISTEMICS, contention): sum of the mean confidence of live pairs / live claims.

    A group is whatever its members are joined for: a question's neighbourhood, a domain, the mind. A pair counts in
    the groups that hold both its ends, once, however many edges say it.
    """

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}
        self._groups: dict[NodeId, set[str]] = {}
        self._standing: dict[NodeId, _Standing] = {}
        self._opposed: dict[NodeId, dict[NodeId, int]] = {}

    # Reading

    def of(self, group: str) -> float:
        """Contention of the group; 0 when it holds no live claim."""
        tally = self._tallies.get(group)
        return tally.units / (2 * _ONE * tally.claims) if tally and tally.claims else 0.0

    def claims(self, group: str) -> int:
        """Live claims of the group."""
        tally = self._tallies.get(group)
        return tally.claims if tally else 0

    def disputes(self, group: str) -> list[Pair]:
        """Live pairs of the group, hottest first, older first among equals."""
        tally = self._tallies.get(group)
        if tally is None:
            return []
        return sorted(tally.pairs, key=lambda pair: (-self._heat(*pair), len(pair[0]), pair[0], len(pair[1]), pair[1]))

    def holds(self, node: NodeId) -> bool:
        """Whether the node was admitted."""
        return node in self._standing

    # Changing

    def admit(self, node: NodeId, is_claim: bool, confidence: float | None) -> None:
        """Take in a node that belongs to no group yet. `confidence` None: it is not live."""
        self._standing[node] = _Standing(is_claim, _units(confidence))
        self._groups[node] = set()

    def weigh(self, node: NodeId, confidence: float | None) -> None:
        """Set what a node is worth; None when it is not live any more."""
        standing = self._standing[node]
        units = _units(confidence)
        if units == standing.units:
            return
        rivals = [rival for rival in self._opposed.get(node, ()) if self._standing[rival].units is not None]
        if standing.units is not None:
            for rival in rivals:
                self._drop(node, rival)
        self._standing[node] = _Standing(standing.is_claim, units)
        if units is not None:
            for rival in rivals:
                self._count(node, rival)
        if standing.is_claim and (units is None) != (standing.units is None):
            for group in self._groups[node]:
                self._tallies[group].claims += 1 if units is not None else -1

    def found(self, group: str, members: Iterable[NodeId]) -> None:
        """Make a new group of these nodes, of which none is opposed to another yet."""
        standing, groups, claims = self._standing, self._groups, 0
        for node in members:
            groups[node].add(group)
            is_claim, units = standing[node]
            if is_claim and units is not None:
                claims += 1
        tally = self._tallies[group] = _Tally()
        tally.claims = claims

    def join(self, node: NodeId, group: str) -> None:
        """Put the node into the group. Idempotent."""
        groups = self._groups[node]
        if group in groups:
            return
        groups.add(group)
        tally = self._tallies.get(group)
        if tally is None:
            tally = self._tallies[group] = _Tally()
        standing = self._standing[node]
        if standing.units is None:
            return
        tally.claims += standing.is_claim
        for rival in self._opposed.get(node, ()):
            if group in self._groups[rival] and self._standing[rival].units is not None:
                tally.pairs.add(pair_of(node, rival))
                tally.units += self._heat(node, rival)

    def leave(self, node: NodeId, group: str) -> None:
        """Take the node out of the group. Idempotent."""
        groups = self._groups[node]
        if group not in groups:
            return
        groups.remove(group)
        tally = self._tallies[group]
        standing = self._standing[node]
        if standing.units is None:
            return
        tally.claims -= standing.is_claim
        for rival in self._opposed.get(node, ()):
            if group in self._groups[rival] and self._standing[rival].units is not None:
                tally.pairs.remove(pair_of(node, rival))
                tally.units -= self._heat(node, rival)

    def oppose(self, a: NodeId, b: NodeId) -> None:
        """One more edge says that two different nodes contradict each other."""
        repeats = self._opposed.setdefault(a, {}).get(b, 0)
        self._opposed[a][b] = self._opposed.setdefault(b, {})[a] = repeats + 1
        if repeats == 0 and self._are_live(a, b):
            self._count(a, b)

    def reconcile(self, a: NodeId, b: NodeId) -> None:
        """One edge less says so."""
        repeats = self._opposed[a][b] - 1
        if repeats:
            self._opposed[a][b] = self._opposed[b][a] = repeats
            return
        if self._are_live(a, b):
            self._drop(a, b)
        del self._opposed[a][b], self._opposed[b][a]

    # Pairs

    def _are_live(self, a: NodeId, b: NodeId) -> bool:
        return self._standing[a].units is not None and self._standing[b].units is not None

    def _heat(self, a: NodeId, b: NodeId) -> int:
        """Twice the mean confidence of a live pair, in units."""
        return (self._standing[a].units or 0) + (self._standing[b].units or 0)

    def _count(self, a: NodeId, b: NodeId) -> None:
        pair, heat = pair_of(a, b), self._heat(a, b)
        for group in self._groups[a] & self._groups[b]:
            tally = self._tallies[group]
            tally.pairs.add(pair)
            tally.units += heat

    def _drop(self, a: NodeId, b: NodeId) -> None:
        pair, heat = pair_of(a, b), self._heat(a, b)
        for group in self._groups[a] & self._groups[b]:
            tally = self._tallies[group]
            tally.pairs.remove(pair)
            tally.units -= heat


def _units(confidence: float | None) -> int | None:
    return None if confidence is None else round(confidence * _ONE)
