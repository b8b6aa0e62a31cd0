"""Which later facts give another value for the same measure of the same thing. Part of L4; reads facts alone."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.pairing import pairs_within
from perdura_core.epistemics.snapshot import FactTable, owners, places_of

__all__ = ["Conflicts", "conflicts_of"]


class Conflicts(NamedTuple):
    """Pairs of facts in conflict, each once, and what that means for each fact."""

    earlier: NDArray[np.int64]
    later: NDArray[np.int64]
    """(pairs,): rows."""
    share: NDArray[np.float64]
    """(n,), 0..1: of later facts on the same entities, those in conflict; 0 without later ones."""


def conflicts_of(facts: FactTable, counted: NDArray[np.bool_], later_most: int) -> Conflicts:
    """Compare each figure of counted facts with the next `later_most` of the same measure of the same entity.

    Later is by day of recording, then by number. Two facts conflict in a measure when no figure of the one overlaps
    one of the other. A later fact that shares two entities counts twice in the share, above and below. By hand, three
    facts on one town, populations 3,559, 3,506 and 3,559 to 3,600: the first has two later ones, one in conflict, 0.5;
    the second conflicts with the third, 1.
    """
    age = np.lexsort((facts.numbers, facts.recorded_day))
    order = np.empty(len(facts), dtype=np.int64)
    order[age] = np.arange(len(facts))
    figures = facts.measures
    kept = counted[figures.row]
    row, key, low, high = figures.row[kept], figures.key[kept], figures.low[kept], figures.high[kept]
    at, figure = places_of(facts.entity, row)
    entity = facts.entity.values[at].astype(np.int64)
    by = np.lexsort((low[figure], order[row[figure]], key[figure], entity))
    figure, entity = figure[by], entity[by]
    fact = row[figure].astype(np.int64)
    starts = _starts_of(entity, key[figure])
    group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    is_many = _is_many(group, fact)
    width = len(facts)
    apart: list[NDArray[np.int64]] = []
    near: list[NDArray[np.int64]] = []
    for a, b in pairs_within(starts, later_most):
        overlaps = (high[figure[a]] >= low[figure[b]]) & (high[figure[b]] >= low[figure[a]])
        differs = ~overlaps & (fact[a] != fact[b])
        apart.append(_keyed(group[a], fact[a] * width + fact[b], differs))
        near.append(_keyed(group[a], fact[a] * width + fact[b], overlaps & (is_many[a] | is_many[b])))
    fights = np.concatenate([np.zeros((2, 0), np.int64), *apart], axis=1)
    agrees = np.concatenate([np.zeros((2, 0), np.int64), *near], axis=1)
    fights = _without(fights, agrees)
    # Once an entity, in however many measures.
    shared = _different(entity[starts[:-1]][fights[0]], fights[1])
    pairs = np.unique(fights[1])
    in_conflict = np.bincount(shared // max(1, width), minlength=len(facts)).astype(np.float64)
    later = _later(facts, counted, order)
    share = np.divide(in_conflict, later, out=np.zeros(len(facts)), where=later > 0)
    return Conflicts(pairs // max(1, width), pairs % max(1, width), np.minimum(1.0, share))


def _is_many(group: NDArray[np.int64], fact: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether the fact has several figures in the group; both are sorted, group first."""
    same = (group[1:] == group[:-1]) & (fact[1:] == fact[:-1])
    return np.asarray(np.append(same, False)[: len(fact)] | np.append(False, same)[: len(fact)])


def _keyed(group: NDArray[np.int64], pair: NDArray[np.int64], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    return np.stack([group[chosen], pair[chosen]])


def _without(fights: NDArray[np.int64], agrees: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs in conflict within a group, each once, less those of which two figures overlap there."""
    both = np.concatenate([fights, agrees], axis=1)
    agreed = np.repeat([False, True], [fights.shape[1], agrees.shape[1]])
    by = np.lexsort((agreed, both[1], both[0]))
    both, agreed = both[:, by], agreed[by]
    # Agreement sorts last of its group and pair, so that the last one decides.
    is_last = np.append((both[:, 1:] != both[:, :-1]).any(axis=0), True)[: both.shape[1]]
    return np.asarray(both[:, is_last & ~agreed])


def _different(entity: NDArray[np.int64], pair: NDArray[np.int64]) -> NDArray[np.int64]:
    """The pairs, once for each entity."""
    by = np.lexsort((pair, entity))
    entity, pair = entity[by], pair[by]
    is_new = np.append(True, (entity[1:] != entity[:-1]) | (pair[1:] != pair[:-1]))[: len(pair)]
    return np.asarray(pair[is_new])


def _later(facts: FactTable, counted: NDArray[np.bool_], order: NDArray[np.int64]) -> NDArray[np.float64]:
    """(n,): counted facts that come later, summed over the entities of each fact."""
    fact, entity = owners(facts.entity), facts.entity.values.astype(np.int64)
    width = len(facts) + 1
    ends = np.sort(entity[counted[fact]] * width + order[fact[counted[fact]]])
    after = np.searchsorted(ends, (entity + 1) * width) - np.searchsorted(ends, entity * width + order[fact], "right")
    return np.bincount(fact, after, minlength=len(facts)).astype(np.float64)


def _starts_of(*columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where runs of equal values begin in sorted columns, and the end."""
    length = len(columns[0])
    differs = np.zeros(length, dtype=bool)
    differs[:1] = True
    for column in columns:
        differs[1:] |= column[1:] != column[:-1]
    return np.append(np.flatnonzero(differs), length)
