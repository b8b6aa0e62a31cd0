"""Contention of any number of groups of nodes, kept by each change in time that depends on what it touches alone."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest
from typing import NamedTuple

import numpy as np

from perdura_core.graph.loaded import Loaded
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
        self._own: Mapping[NodeId, tuple[str, ...]] = {}
        self._loaded = Loaded((), ())
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

    def pairs(self, group: str) -> Collection[Pair]:
        """Live pairs of the group, in no order."""
        tally = self._tallies.get(group)
        return tally.pairs if tally else ()

    def disputes(self, group: str, limit: int | None = None) -> list[Pair]:
        """Live pairs of the group, hottest first, older first among equals; at most `limit` if given."""
        found: Collection[Pair] = self.pairs(group)
        if limit is not None and len(found) > limit:
            standing = self._standing
            heats = [(standing[a].units or 0) + (standing[b].units or 0) for a, b in found]
            least = nlargest(limit, heats)[-1]
            found = [pair for pair, heat in zip(found, heats, strict=True) if heat >= least]
        ranked = sorted(found, key=lambda pair: (-self._heat(*pair), len(pair[0]), pair[0], len(pair[1]), pair[1]))
        return ranked if limit is None else ranked[:limit]

    def groups(self, node: NodeId) -> Collection[str]:
        """The groups that hold the node; none for one that was not admitted."""
        return self._groups_of(node) if node in self._standing else ()

    def rivals(self, node: NodeId) -> list[NodeId]:
        """Live nodes that a live node contradicts, or that contradict it."""
        return [rival for rival in self._opposed.get(node, ()) if self._are_live(node, rival)]

    def holds(self, node: NodeId) -> bool:
        """Whether the node was admitted."""
        return node in self._standing

    # Changing

    def load(
        self,
        own: Mapping[NodeId, tuple[str, ...]],
        worth: Mapping[NodeId, tuple[bool, float | None]],
        opposed: Iterable[Pair],
        questions: Iterable[NodeId],
        loaded: Loaded,
    ) -> None:
        """Take in a whole mind, into an empty index, as `admit`, `join` and `oppose` would one by one.

        own: the groups that each node belongs to by itself; besides, it belongs to the questions that have it within
        two edges. worth: whether it is a claim, and its confidence; None when it is not live. opposed: the ends of each
        edge that contradicts.
        """
        self._own, self._loaded = own, loaded
        self._standing = {
            node: _Standing(is_claim, _units(confidence)) for node, (is_claim, confidence) in worth.items()
        }
        tallies: defaultdict[str, _Tally] = defaultdict(_Tally)
        units = {node: standing.units for node, standing in self._standing.items() if standing.units is not None}
        claims = [node for node in units if self._standing[node].is_claim]
        for groups in set(own.values()):
            for group in groups:
                tallies[group].claims = 0
        for groups, count in Counter(own[node] for node in claims).items():
            for group in groups:
                tallies[group].claims += count
        pairs: list[Pair] = []
        heats: list[int] = []
        alike: defaultdict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = defaultdict(list)
        """Places of the pairs whose ends belong to the same groups by themselves."""
        for a, b in opposed:
            rivals = self._opposed.setdefault(a, {})
            repeats = rivals.get(b, 0)
            rivals[b] = self._opposed.setdefault(b, {})[a] = repeats + 1
            if repeats == 0 and a in units and b in units:
                alike[own[a], own[b]].append(len(pairs))
                pairs.append(pair_of(a, b))
                heats.append(units[a] + units[b])
        for (one, other), found in alike.items():
            for group in set(one).intersection(other):
                tallies[group].pairs.update(map(pairs.__getitem__, found))
                tallies[group].units += sum(map(heats.__getitem__, found))
        places = loaded.numbers(claims)
        left, right = loaded.numbers(pair[0] for pair in pairs), loaded.numbers(pair[1] for pair in pairs)
        for question in questions:
            within, tally = loaded.reach(question), tallies[question]
            tally.claims = int(np.count_nonzero(within[places]))
            inside = np.flatnonzero(within[left] & within[right]).tolist()
            tally.pairs.update(map(pairs.__getitem__, inside))
            tally.units += sum(map(heats.__getitem__, inside))
        self._tallies = dict(tallies)

    def admit(self, node: NodeId, is_claim: bool, confidence: float | None) -> None:
        """Take in a node that belongs to no group yet. `confidence` None: it is not live."""
        self._standing[node] = _Standing(is_claim, _units(confidence))
        self._groups[node] = set()

    def prepare(self, node: NodeId) -> None:
        """Work out now what `weigh` will have to know of a node that was loaded."""
        rivals = self._opposed.get(node)
        for one in (node, *rivals) if rivals else ():
            self._groups_of(one)

    def weigh(self, node: NodeId, confidence: float | None) -> None:
        """Set what a node is worth; None when it is not live any more."""
        standing = self._standing[node]
        units = _units(confidence)
        if units == standing.units:
            return
        rivals = [rival for rival in self._opposed.get(node, ()) if self._standing[rival].units is not None]
        if units is not None and standing.units is not None:
            # The same pairs as before, each warmer or colder by as much.
            self._standing[node] = _Standing(standing.is_claim, units)
            tallies, moved = self._tallies, units - standing.units
            for rival in rivals:
                for group in self._groups_of(node) & self._groups_of(rival):
                    tallies[group].units += moved
            return
        if standing.units is not None:
            for rival in rivals:
                self._drop(node, rival)
        self._standing[node] = _Standing(standing.is_claim, units)
        if units is not None:
            for rival in rivals:
                self._count(node, rival)
        if standing.is_claim and (units is None) != (standing.units is None):
            for group in self._groups_of(node):
                self._tallies[group].claims += 1 if units is not None else -1

    def join(self, node: NodeId, group: str) -> None:
        """Put the node into the group. Idempotent."""
        groups = self._groups_of(node)
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
            if group in self._groups_of(rival) and self._standing[rival].units is not None:
                tally.pairs.add(pair_of(node, rival))
                tally.units += self._heat(node, rival)

    def leave(self, node: NodeId, group: str) -> None:
        """Take the node out of the group. Idempotent."""
        groups = self._groups_of(node)
        if group not in groups:
            return
        groups.remove(group)
        tally = self._tallies[group]
        standing = self._standing[node]
        if standing.units is None:
            return
        tally.claims -= standing.is_claim
        for rival in self._opposed.get(node, ()):
            if group in self._groups_of(rival) and self._standing[rival].units is not None:
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

    def _groups_of(self, node: NodeId) -> set[str]:
        """The groups of a node; those of one that was loaded are worked out when somebody first asks."""
        groups = self._groups.get(node)
        if groups is None:
            groups = self._groups[node] = {*self._own[node], *self._loaded.questions_near(node)}
        return groups

    # Pairs

    def _are_live(self, a: NodeId, b: NodeId) -> bool:
        return self._standing[a].units is not None and self._standing[b].units is not None

    def _heat(self, a: NodeId, b: NodeId) -> int:
        """Twice the mean confidence of a live pair, in units."""
        return (self._standing[a].units or 0) + (self._standing[b].units or 0)

    def _count(self, a: NodeId, b: NodeId) -> None:
        pair, heat = pair_of(a, b), self._heat(a, b)
        for group in self._groups_of(a) & self._groups_of(b):
            tally = self._tallies[group]
            tally.pairs.add(pair)
            tally.units += heat

    def _drop(self, a: NodeId, b: NodeId) -> None:
        pair, heat = pair_of(a, b), self._heat(a, b)
        for group in self._groups_of(a) & self._groups_of(b):
            tally = self._tallies[group]
            tally.pairs.remove(pair)
            tally.units -= heat


def _units(confidence: float | None) -> int | None:
    return None if confidence is None else round(confidence * _ONE)
