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
    pull = np.zeros((len(ids), len(ends)), dtype=np.complex128)
    pull[ends[:, 0], np.arange(len(ends))] = -1 / ideal
    pull[ends[:, 1], np.arange(len(ends))] = 1 / ideal
    spots = points[:, 0] + 1j * points[:, 1]
    for step in range(steps):
        spots += _moved(spots, ends, pull, ideal, heat * (1 - step / steps))
        spots -= spots[0]
        np.clip(spots.real, -2 * aspect, 2 * aspect, out=spots.real)
        np.clip(spots.imag, -2.0, 2.0, out=spots.imag)
    points = np.stack((spots.real, spots.imag), axis=1)
    spread = np.maximum(np.abs(points).max(axis=0), 1e-9)
    points /= spread
    points = np.sign(points) * np.abs(points) ** _EVENNESS
    return {node: (float(points[index, 0]), float(points[index, 1])) for node, index in number.items()}


def _first_place(index: int) -> Place:
    """A sunflower: no two nodes start at the same place, near ranks start near the centre."""
    radius = 0.0 if index == 0 else 0.25 + 0.7 * math.sqrt(index) / (1 + math.sqrt(index))
    return radius * math.cos(index * _GOLDEN_ANGLE), radius * math.sin(index * _GOLDEN_ANGLE)


def _moved(
    spots: NDArray[np.complex128], ends: NDArray[np.intp], pull: NDArray[np.complex128], ideal: float, most: float
) -> NDArray[np.complex128]:
    """How far each goes, x and y as one complex number. pull: (n_nodes, n_ties), which way a tie draws its ends."""
    between = spots[:, None] - spots
    force = (between * (ideal**2 / (between.real**2 + between.imag**2 + 1e-9))).sum(axis=1)
    along = spots[ends[:, 0]] - spots[ends[:, 1]]
    force += pull @ (along * np.abs(along))
    force -= 0.15 * spots  # what is joined to nothing stays in sight
    size = np.abs(force) + 1e-9
    return np.asarray(force * (np.minimum(size, most) / size))


def serve(orders: Iterable[str], answers: TextIO) -> None:
    """Answer each line `[ids, ties, aspect, before]` by a line with the places, both JSON: the layout process."""
    for order in orders:
        ids, ties, aspect, before = json.loads(order)
        known = {node: (x, y) for node, (x, y) in before.items()}
        answers.write(json.dumps(place(ids, [(a, b) for a, b in ties], aspect, known)) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin, sys.stdout)
