"""Graphs as sparse matrices: PageRank, components, closed triads, betweenness. Everything is over undirected graphs."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from perdura_core.epistemics.pairing import pairs_within

__all__ = ["Triads", "betweenness", "components", "pagerank", "pivots_of", "undirected"]

_DAMPING = 0.85
_CLOSE_ENOUGH = 1e-10
_ROUNDS = 160
"""0.85 ** 160 is below what is close enough."""
_BATCH = 16
"""Searches that run side by side."""
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def undirected(src: NDArray[np.int32], dst: NDArray[np.int32], vertices: int) -> csr_array:
    """The symmetric matrix of a graph's edges: how many edges join each pair. Loops are left out."""
    joins = src != dst
    ends = (np.concatenate([src[joins], dst[joins]]), np.concatenate([dst[joins], src[joins]]))
    return csr_array(coo_array((np.ones(len(ends[0])), ends), shape=(vertices, vertices)))


def pagerank(graph: csr_array) -> NDArray[np.float64]:
    """The stationary share of a walk that jumps with probability 0.15 (Page and others 1999); adds up to 1.

    By hand, a path of three: with middle m and ends e, m = 0.05 + 0.85 * 2e and 2e + m = 1, so m = 0.9 / 1.85.

    >>> ranks = pagerank(undirected(np.array([0, 1], np.int32), np.array([1, 2], np.int32), 3))
    >>> [round(float(rank), 4) for rank in ranks]
    [0.2568, 0.4865, 0.2568]
    """
    count = graph.shape[0]
    if not count:
        return np.zeros(0)
    weight = np.asarray(graph.sum(axis=1)).ravel()
    lonely = weight == 0
    share = 1.0 / np.where(lonely, 1.0, weight)
    rank = np.full(count, 1.0 / count)
    for _ in range(_ROUNDS):
        spread = graph @ (rank * share) + rank[lonely].sum() / count
        following = _DAMPING * spread + (1.0 - _DAMPING) / count
        moved = float(np.abs(following - rank).sum())
        rank = following
        if moved < _CLOSE_ENOUGH:
            break
    return np.asarray(rank / rank.sum())


def components(graph: csr_array) -> NDArray[np.int32]:
    """(vertices,): a number each connected component has of its own."""
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int32)


class Triads(NamedTuple):
    """Closed triads of a graph, three vertices each joined to both others. Edges are pairs in ascending order."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]
    """(edges,): ends of each edge, sorted by low, then high."""
    per_edge: NDArray[np.int64]
    """(edges,): closed triads that the edge is part of."""
    per_vertex: NDArray[np.int64]

    @staticmethod
    def of(graph: csr_array) -> "Triads":
        """Count them.

        By hand, a triangle with a tail: one triad, to which the tail's edge does not belong.

        >>> Triads.of(undirected(np.array([0, 1, 2, 2], np.int32), np.array([1, 2, 0, 3], np.int32), 4)).per_edge
        array([1, 1, 1, 0])
        """
        low, high = edges_of(graph)
        per_edge = np.zeros(len(low), dtype=np.int64)
        per_vertex = np.zeros(graph.shape[0], dtype=np.int64)
        for sides in each_triad(graph):
            for side in sides.T:
                per_edge += np.bincount(side, minlength=len(low))
        # Each triad of a vertex has two edges at it.
        np.add.at(per_vertex, low, per_edge)
        np.add.at(per_vertex, high, per_edge)
        return Triads(low, high, per_edge, per_vertex // 2)


def edges_of(graph: csr_array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Ends of each edge once, the lower first, sorted."""
    whole = graph.sorted_indices().tocoo()
    once = whole.row < whole.col
    return whole.row[once].astype(np.int64), whole.col[once].astype(np.int64)


def each_triad(graph: csr_array) -> Iterator[NDArray[np.int64]]:
    """Closed triads, each once, in portions (triads, 3) of places in `edges_of`.

    The forward algorithm (Schank and Wagner 2005): edges point to the end of higher degree, so that no vertex has more
    than a few outgoing, and each pair of edges out of a vertex is looked up.
    """
    low, high = edges_of(graph)
    if not len(low):
        return
    count = graph.shape[0]
    keys = low * count + high
    degree = np.bincount(np.concatenate([low, high]), minlength=count)
    turned = _is_after(degree, low, high)
    src, dst = np.where(turned, high, low), np.where(turned, low, high)
    order = np.argsort(src, kind="stable")
    dst = dst[order]
    for first, second in pairs_within(np.searchsorted(src[order], np.arange(count + 1))):
        a, b = dst[first], dst[second]
        wanted = np.minimum(a, b) * count + np.maximum(a, b)
        at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        closed = keys[at] == wanted
        yield np.stack([order[first[closed]], order[second[closed]], at[closed]], axis=1)


def _is_after(degree: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether `one` comes after `other` by degree, then by number."""
    return np.asarray((degree[one] > degree[other]) | ((degree[one] == degree[other]) & (one > other)))


def pivots_of(numbers: NDArray[np.int64], wanted: int, seed: int) -> NDArray[np.int64]:
    """Rows drawn by lot from their own numbers: the same ones whatever the order of rows. Ascending."""
    mixed = (numbers.astype(np.uint64) + np.uint64(seed)) * _MULTIPLIER
    mixed = (mixed ^ (mixed >> np.uint64(29))) * _MIX
    return np.sort(np.lexsort((numbers, mixed ^ (mixed >> np.uint64(32))))[:wanted])


def betweenness(graph: csr_array, sources: NDArray[np.int64] | None = None, path_most: int = 64) -> NDArray[np.float64]:
    """The share of shortest paths that pass through each vertex, summed over pairs of others, each pair once.

    Brandes (2001), searches from many vertices side by side as products with the sparse matrix. With `sources`, pairs
    that begin there stand for all (Brandes and Pich 2007). Paths of more than `path_most` steps are left out. By hand,
    a path of four: the second vertex lies between the first and the two others, the third likewise.

    >>> line = undirected(np.array([0, 1, 2], np.int32), np.array([1, 2, 3], np.int32), 4)
    >>> betweenness(line).tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    count = graph.shape[0]
    starts = np.arange(count) if sources is None else sources
    links = csr_array((np.ones(graph.nnz), graph.indices, graph.indptr), shape=graph.shape)
    total = np.zeros(count)
    for begin in range(0, len(starts), _BATCH):
        total += _passed(links, starts[begin : begin + _BATCH], path_most)
    return total * (count / max(1, len(starts))) / 2


def _passed(links: csr_array, starts: NDArray[np.int64], path_most: int) -> NDArray[np.float64]:
    """Brandes' dependencies of all vertices on paths from these, summed."""
    shape = (links.shape[0], len(starts))
    cells = starts * len(starts) + np.arange(len(starts))
    paths, owed, flow = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    is_fresh = np.ones(shape, dtype=bool)
    flat_paths, flat_owed, flat_flow, flat_fresh = (part.reshape(-1) for part in (paths, owed, flow, is_fresh))
    flat_paths[cells], flat_fresh[cells] = 1.0, False
    frontier = paths.copy()
    levels: list[NDArray[np.intp]] = []
    for _ in range(path_most):
        frontier = links @ frontier
        frontier *= is_fresh
        level = np.flatnonzero(frontier)
        if not len(level):
            break
        flat_fresh[level] = False
        flat_paths[level] = frontier.reshape(-1)[level]
        levels.append(level)
    for depth in range(len(levels) - 1, 0, -1):
        level, before = levels[depth], levels[depth - 1]
        flat_flow[level] = (1.0 + flat_owed[level]) / flat_paths[level]
        back = (links @ flow).reshape(-1)
        flat_owed[before] = flat_paths[before] * back[before]
        flat_flow[level] = 0.0
    return np.asarray(owed.sum(axis=1))
