"""Places for the nodes of a small map: springs along the lines, repulsion between all, the centre held still."""

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

__all__ = ["Place", "place", "serve"]

Place = tuple[float, float]
"""x and y in -1..1, the centre at (0, 0); y grows downwards."""

_COLD_STEPS = 120
_WARM_STEPS = 30
_EVENNESS = 0.7
"""Below 1, the crowd around the centre is given more room and the rim less."""
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))


def place(
    ids: Sequence[str], ties: Sequence[tuple[str, str]], aspect: float, before: Mapping[str, Place]
) -> dict[str, Place]:
    """Where each node goes; the first one is the centre. Deterministic: the same input gives the same map.

    ids: at most a few hundred. aspect: width through height of the area in dots. before: places of the last map, from
    which known nodes start, so that the map stays recognisable.
    Force-directed after Fruchterman and Reingold 1991, with an ideal distance of the area per node.
    """
    if not ids:
        return {}
    number = {node: index for index, node in enumerate(ids)}
    known = sum(node in before for node in ids)
    points = np.array([before.get(node) or _first_place(index) for index, node in enumerate(ids)], dtype=np.float64)
    points = np.sign(points) * np.abs(points) ** (1 / _EVENNESS)
    points[:, 0] *= aspect
    ends = np.array([(number[a], number[b]) for a, b in ties if a != b], dtype=np.intp).reshape(-1, 2)
    ideal = 0.9 * math.sqrt(4 * aspect / len(ids))
    steps = _WARM_STEPS if known else _COLD_STEPS
    heat = (0.08 if known * 2 > len(ids) else 0.3 if known else 0.5) * min(aspect, 1.0)
    for step in range(steps):
        points += _moved(points, ends, ideal, heat * (1 - step / steps))
        points -= points[0]
        points[:, 0] = np.clip(points[:, 0], -2 * aspect, 2 * aspect)
        points[:, 1] = np.clip(points[:, 1], -2.0, 2.0)
    spread = np.maximum(np.abs(points).max(axis=0), 1e-9)
    points /= spread
    points = np.sign(points) * np.abs(points) ** _EVENNESS
    return {node: (float(points[index, 0]), float(points[index, 1])) for node, index in number.items()}


def _first_place(index: int) -> Place:
    """A sunflower: no two nodes start at the same place, near ranks start near the centre."""
    radius = 0.0 if index == 0 else 0.25 + 0.7 * math.sqrt(index) / (1 + math.sqrt(index))
    return radius * math.cos(index * _GOLDEN_ANGLE), radius * math.sin(index * _GOLDEN_ANGLE)


def _moved(points: NDArray[np.float64], ends: NDArray[np.intp], ideal: float, most: float) -> NDArray[np.float64]:
    x, y = points[:, 0], points[:, 1]
    across, down = x[:, None] - x, y[:, None] - y
    push = ideal**2 / (across**2 + down**2 + 1e-9)
    force = np.stack(((across * push).sum(axis=1), (down * push).sum(axis=1)), axis=1)
    if len(ends):
        along = points[ends[:, 0]] - points[ends[:, 1]]
        pull = along * (np.hypot(along[:, 0], along[:, 1]) / ideal)[:, None]
        np.subtract.at(force, ends[:, 0], pull)
        np.add.at(force, ends[:, 1], pull)
    force -= 0.15 * points  # what is joined to nothing stays in sight
    size = np.hypot(force[:, 0], force[:, 1]) + 1e-9
    moved: NDArray[np.float64] = force * (np.minimum(size, most) / size)[:, None]
    return moved


def serve(orders: Iterable[str], answers: TextIO) -> None:
    """Answer each line `[ids, ties, aspect, before]` by a line with the places, both JSON: the layout process."""
    for order in orders:
        ids, ties, aspect, before = json.loads(order)
        known = {node: (x, y) for node, (x, y) in before.items()}
        answers.write(json.dumps(place(ids, [(a, b) for a, b in ties], aspect, known)) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
