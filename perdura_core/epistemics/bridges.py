"""Interpretations that link domains, and whether another could take their place."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.interpretation_layers import live_edges
from perdura_core.epistemics.snapshot import EdgeTable, InterpretationTable

__all__ = ["Bridges", "bridges"]

_ROWS = 4_096
_CROWD = 512
"""A far end with more links than this is taken to be linked by whoever else is asked."""


class Bridges(NamedTuple):
    """(m,) each."""

    links: NDArray[np.int64]
    """Interpretations of another domain that it is joined to."""
    is_validated: NDArray[np.bool_]
    """Whether it is a bridge that no other single interpretation could stand in for."""


def bridges(table: InterpretationTable, edges: EdgeTable, constants: Epistemics = DEFAULTS) -> Bridges:
    """The substitution test: take it out; validated if no other one of its domain carries half of its links.

    A bridge has two or more links to active interpretations of other primary domains. Another carries a link when it
    belongs to the same domain and is joined to the same far end. By hand, a links x, y and z of another domain, b of
    a's domain links x: b carries 1 of 3, less than half, so a is validated; b has one link and is no bridge.
    """
    domain = table.primary
    live = live_edges(table, edges) & (edges.src < len(table)) & (edges.dst < len(table))
    src, dst = edges.src[live], edges.dst[live]
    across = (domain[src] != domain[dst]) & (domain[src] >= 0) & (domain[dst] >= 0)
    near = np.concatenate([src[across], dst[across]])
    far = np.concatenate([dst[across], src[across]])
    links = csr_array(coo_array((np.ones(len(near)), (near, far)), shape=(len(table), len(table))))
    links.data[:] = 1.0  # several edges of one pair are one link
    count = np.diff(links.indptr).astype(np.int64)
    asked = np.flatnonzero(count >= constants.bridge_links)
    is_validated = np.zeros(len(table), dtype=bool)
    is_validated[asked] = _carried(links, domain, asked) < count[asked] / 2
    return Bridges(count, is_validated)


def _carried(links: csr_array, domain: NDArray[np.int32], asked: NDArray[np.int64]) -> NDArray[np.float64]:
    """(asked,): the most links of each that another one of its domain has too."""
    crowded = np.asarray(links.sum(axis=0)).ravel() > _CROWD
    anyway = links @ crowded.astype(np.float64)
    column = links.indices
    sparse = csr_array((np.where(crowded[column], 0.0, links.data), column, links.indptr), shape=links.shape)
    sparse.eliminate_zeros()
    turned = csr_array(sparse.T)
    most = np.zeros(len(asked))
    for begin in range(0, len(asked), _ROWS):
        rows = asked[begin : begin + _ROWS]
        shared = coo_array(sparse[rows] @ turned)
        other = (rows[shared.row] != shared.col) & (domain[rows[shared.row]] == domain[shared.col])
        np.maximum.at(most[begin : begin + _ROWS], shared.row[other], shared.data[other])
    return np.asarray(most + anyway[asked])
