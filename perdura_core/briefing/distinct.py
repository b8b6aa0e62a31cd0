"""One line for one claim, however often it was restated."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from perdura_core.briefing.ranking import Bundle, Ranking
from perdura_core.epistemics import DUPLICATE_BITS, hamming, simhash
from perdura_core.retrieval import says_the_same
from perdura_core.vocabulary import NodeId

__all__ = ["distinct"]

_MARKS = re.compile(r"[\W_]+")


def distinct(ranking: Ranking, texts: Mapping[NodeId, str]) -> Ranking:
    """The ranking without nodes that say what a better one of their layer says already. Decisions and questions stay.

    texts: of the nodes that are compared; others stay too. Of two disputes between the same claims in other words the
    first stays. Near duplicates are texts at most eight bits of simhash apart; those of opposite or just other meaning
    are none (`says_the_same`).
    """
    shown = chain(chain.from_iterable(ranking.heads), ranking.claims, ranking.facts)
    stands_for = _representatives([node for node in dict.fromkeys(shown) if node in texts], texts)
    heads: dict[Bundle, Bundle] = {}
    for bundle in ranking.heads:
        heads.setdefault(tuple(sorted(stands_for.get(node, node) for node in bundle)), bundle)
    in_heads = set(chain.from_iterable(heads.values()))

    def best(nodes: Iterable[NodeId]) -> list[NodeId]:
        return [node for node in nodes if stands_for.get(node, node) == node or node in in_heads]

    return ranking._replace(
        heads=list(heads.values()),
        claims=best(ranking.claims),
        facts=best(ranking.facts),
    )


def _representatives(nodes: Sequence[NodeId], texts: Mapping[NodeId, str]) -> dict[NodeId, NodeId]:
    """For each node the first one that says the same: often itself."""
    kept: dict[str, list[NodeId]] = {}
    codes: dict[str, np.ndarray[tuple[int], np.dtype[np.uint64]]] = {}
    found: dict[NodeId, NodeId] = {}
    for node in nodes:
        layer, code = node[0], _code(texts[node])
        standing = kept.setdefault(layer, [])
        column = codes.setdefault(layer, np.zeros(len(nodes), dtype=np.uint64))
        near = np.flatnonzero(hamming(column[: len(standing)], np.uint64(code)) <= DUPLICATE_BITS)
        same = next((standing[row] for row in near if says_the_same(texts[standing[row]], texts[node])), None)
        found[node] = same or node
        if same is None:
            column[len(standing)] = code
            standing.append(node)
    return found


@lru_cache(maxsize=65_536)
def _code(text: str) -> int:
    return int(simhash([_MARKS.sub(" ", text)])[0])
