"""Where the nodes of a whole mind go: an island for each question, laid out from its middle outwards."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

__all__ = ["islands", "place_all"]

Points = NDArray[np.float64]
Numbers = NDArray[np.intp]

_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_SPACING = 1.0
"""Distance that two nodes of an island keep."""
_GAP = 2.5
"""Between the rims of two islands."""
_MAX_STEPS = 80
_WORK = 400_000
"""Nodes times steps of settling: large maps get fewer steps, which they need less since their islands are many."""


def islands(nodes: Sequence[str], seeds: Collection[str], near: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Groups of nodes, each led by its seed and in order of distance from it; every node is in one.

    A node belongs to the seed that the fewest steps along `near` lead to. What no seed reaches forms islands of its
    own, each led by the node that comes first in `nodes`; those of a single node are joined into one.
    """
    found: dict[str, list[str]] = {}
    home: dict[str, str] = {}
    _spread(list(seeds), near, found, home)
    for node in nodes:
        if node not in home:
            _spread([node], near, found, home)
    led = set(seeds)
    alone = [members[0] for seed, members in found.items() if len(members) == 1 and seed not in led]
    grouped = [members for seed, members in found.items() if len(members) > 1 or seed in led]
    return [*grouped, alone] if alone else grouped


def _spread(
    seeds: Sequence[str], near: Mapping[str, Collection[str]], found: dict[str, list[str]], home: dict[str, str]
) -> None:
    rim = [seed for seed in seeds if seed not in home]
    for seed in rim:
        home[seed] = seed
        found[seed] = [seed]
    while rim:
        further = []
        for node in rim:
            for other in near.get(node, ()):
                if other not in home:
                    home[other] = home[node]
                    found[home[node]].append(other)
                    further.append(other)
        rim = further


def place_all(groups: Sequence[Sequence[str]], ties: Sequence[tuple[str, str]]) -> dict[str, tuple[float, float]]:
    """x and y for each node, about one unit between neighbours. Deterministic: the same mind gives the same map.

    groups: what `islands` found. ties: pairs of nodes that are joined; both ends must be in a group.
    Islands find their places first, drawn together by what joins them; then the nodes of each settle among
    themselves: springs along ties, repulsion between near ones, a pull to where distance from the seed puts them.
    """
    if not groups:
        return {}
    number = {node: index for index, node in enumerate(node for group in groups for node in group)}
    home = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    ends = np.array([(number[a], number[b]) for a, b in ties if a != b], dtype=np.intp).reshape(-1, 2)
    radii = np.array([_SPACING * (0.8 * math.sqrt(len(group)) + 0.5) for group in groups])
    centres = _place_islands(radii, home[ends])
    sunflower = np.concatenate([_sunflower(len(group)) for group in groups])
    points = _settle(centres[home] + sunflower, ends, home)
    return {node: (float(points[index, 0]), float(points[index, 1])) for node, index in number.items()}


def _sunflower(count: int) -> Points:
    """So many evenly spread places, the first in the middle."""
    ranks = np.arange(count, dtype=np.float64)
    radius, angle = 0.8 * _SPACING * np.sqrt(ranks), ranks * _GOLDEN_ANGLE
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)


def _place_islands(radii: NDArray[np.float64], ties: Numbers) -> Points:
    """Centres of circles of these radii, none over another, joined ones near each other, the largest in the middle."""
    count = len(radii)
    order = np.argsort(-radii, kind="stable")
    points = np.empty((count, 2))
    points[order] = _sunflower(count) * 1.5 * (radii.mean() + _GAP)
    apart = ties[ties[:, 0] != ties[:, 1]]
    pairs, weights = np.unique(np.sort(apart, axis=1), axis=0, return_counts=True)
    for _ in range(_steps(count, 120)):
        points -= 0.06 * points
        _draw_together(points, pairs, weights, 0.1)
        for _ in range(2):
            _push_apart(points, radii, _GAP)
    for _ in range(60):
        if not _push_apart(points, radii, _GAP):
            break
    return points


def _settle(anchors: Points, ends: Numbers, home: Numbers) -> Points:
    """Nodes of one island drawn together along ties and kept apart, not far from where they were put."""
    points = anchors.copy()
    inside = ends[home[ends[:, 0]] == home[ends[:, 1]]]
    radii = np.full(len(points), _SPACING / 2)
    for _ in range(_steps(len(points), _MAX_STEPS)):
        _draw_together(points, inside, np.ones(len(inside)), 0.12)
        points += 0.08 * (anchors - points)
        for _ in range(2):
            _push_apart(points, radii, 0.0)
    return points


def _steps(count: int, most: int) -> int:
    return max(8, min(most, _WORK // max(count, 1)))


def _draw_together(points: Points, pairs: Numbers, weights: NDArray[Any], part: float) -> None:
    """Move every point so far towards the weighted mean of those it is paired with."""
    ends = np.concatenate([pairs[:, 0], pairs[:, 1]])
    towards = np.concatenate([pairs[:, 1], pairs[:, 0]])
    weighed = np.concatenate([weights, weights]).astype(np.float64)
    share = part * weighed / np.bincount(ends, weights=weighed, minlength=len(points))[ends]
    _add(points, ends, (points[towards] - points[ends]) * share[:, None])


def _push_apart(points: Points, radii: NDArray[np.float64], gap: float) -> bool:
    """Move circles that overlap out of each other. Returns whether any did."""
    pairs = cKDTree(points).query_pairs(2 * float(radii.max()) + gap, output_type="ndarray")
    left, right = pairs[:, 0], pairs[:, 1]
    between = points[right] - points[left]
    distance = np.hypot(between[:, 0], between[:, 1])
    lack = radii[left] + radii[right] + gap - distance
    close = lack > 1e-3
    if not close.any():
        return False
    left, right = left[close], right[close]
    # Two in the same place part along x.
    unit = np.where(distance[close, None] > 1e-9, between[close], (1.0, 0.0)) / np.maximum(distance[close, None], 1e-9)
    unit = np.where(distance[close, None] > 1e-9, unit, (1.0, 0.0))
    step = unit * (lack[close, None] * 0.4)
    _add(points, right, step)
    _add(points, left, -step)
    return True


def _add(points: Points, places: Numbers, steps: Points) -> None:
    """Add to rows that may come up more than once."""
    for axis in (0, 1):
        points[:, axis] += np.bincount(places, weights=steps[:, axis], minlength=len(points))
