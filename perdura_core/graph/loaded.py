"""The links of a mind as they were when it was loaded, as arrays. They are never changed: what comes later is kept
beside them, so that a large mind opens without an object for each of its neighbourhoods.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from perdura_core.graph.vertex import Link, LinkRow
from perdura_core.vocabulary import NodeId

__all__ = ["Loaded"]

_LETTERS = "qfi"
"""What ids of nodes begin with."""
_NUMBER, _SRC, _DST = itemgetter(0), itemgetter(2), itemgetter(3)


class Loaded:
    """Compressed rows: for each node its links in order of creation, and what lies at their other ends."""

    def __init__(self, nodes: Sequence[NodeId], links: Sequence[LinkRow]) -> None:
        self._nodes, self._links = nodes, links
        self._number = {node: number for number, node in enumerate(nodes)}
        known = _codes(nodes)
        place_of = np.zeros(known.max(initial=0) + 1, dtype=np.int32)
        place_of[known] = np.arange(len(nodes))
        src, dst = (place_of[_codes(list(map(end, links)))] for end in (_SRC, _DST))
        ends = np.stack((src, dst), axis=1).ravel()
        others = np.stack((dst, src), axis=1).ravel()
        kept = np.ones(len(ends), dtype=bool)
        kept[1::2] = src != dst  # a self-loop stands once in its row
        order = np.flatnonzero(kept)
        order = order[np.argsort(ends[order], kind="stable")]
        self._starts = np.concatenate(([0], np.cumsum(np.bincount(ends[kept], minlength=len(nodes)))))
        self._row = (order // 2).astype(np.int32)
        """Numbers of the links, row after row."""
        self._beside = others[order]
        self._is_question = np.fromiter((node[0] == "q" for node in nodes), dtype=bool, count=len(nodes))

    def edge(self, edge_id: str) -> Link | None:
        """A link by its edge's id, whose numbers grow from link to link."""
        number = int(edge_id[1:])
        place = bisect_left(self._links, number, key=_NUMBER)
        if place == len(self._links) or self._links[place][0] != number:
            return None
        return Link.read(self._links[place])

    def links_of(self, node: NodeId) -> list[Link]:
        """Every link that touched the node, in order of creation, as a new list."""
        number = self._number.get(node)
        if number is None:
            return []
        places = self._row[self._starts[number] : self._starts[number + 1]].tolist()
        return [Link.read(self._links[place]) for place in places]

    def beside(self, node: NodeId) -> set[NodeId]:
        """What lay at the other ends of its links, as a new set."""
        number = self._number.get(node)
        if number is None:
            return set()
        nodes = self._nodes
        return {nodes[other] for other in self._beside[self._starts[number] : self._starts[number + 1]].tolist()}

    def numbers(self, nodes: Iterable[NodeId]) -> NDArray[np.intp]:
        """Places of the nodes in every array over all nodes."""
        return np.array([self._number[node] for node in nodes], dtype=np.intp)

    def reach(self, question: NodeId) -> NDArray[np.bool_]:
        """Which nodes lay within two edges of the question, itself included: an array over all nodes."""
        within = np.zeros(len(self._nodes), dtype=bool)
        number = np.array([self._number[question]], dtype=np.intp)
        beside = self._around(number)
        within[number] = within[beside] = True
        within[self._around(np.unique(beside))] = True
        return within

    def questions_near(self, node: NodeId) -> list[NodeId]:
        """The questions that had this other node within two edges."""
        beside = self._around(np.array([self._number[node]], dtype=np.intp))
        near = np.concatenate((beside, self._around(np.unique(beside))))
        return [self._nodes[number] for number in np.unique(near[self._is_question[near]]).tolist()]

    def _around(self, numbers: NDArray[np.intp]) -> NDArray[np.int32]:
        """What lies beside any of these nodes, repeats included."""
        starts = self._starts[numbers]
        counts = self._starts[numbers + 1] - starts
        places = np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        found: NDArray[np.int32] = self._beside[places]
        return found


def _codes(nodes: Sequence[NodeId]) -> NDArray[np.int32]:
    """A small number for each id, another for each: read as arrays of characters, faster than from a dict."""
    if not nodes:
        return np.zeros(0, dtype=np.int32)
    names = np.array(nodes)
    characters = names.view(np.uint32).reshape(len(names), -1)
    numbers = np.zeros(len(names), dtype=np.int32)
    for digit in characters[:, 1:].T.astype(np.int32):
        np.copyto(numbers, numbers * 10 + (digit - ord("0")), where=digit > 0)
    layers = np.zeros(128, dtype=np.int32)
    layers[[ord(letter) for letter in _LETTERS]] = range(len(_LETTERS))
    codes: NDArray[np.int32] = numbers * len(_LETTERS) + layers[characters[:, 0]]
    return codes
