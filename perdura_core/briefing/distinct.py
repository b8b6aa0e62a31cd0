"""One line for one claim, however often it was restated."""

import re
from collections.abc import Iterable, Mapping, Sequence
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
    found = {node: node for node in nodes}
    codes = simhash([_MARKS.sub(" ", texts[node]) for node in nodes])
    layers = np.array([node[0] for node in nodes])
    near = (hamming(codes[:, np.newaxis], codes) <= DUPLICATE_BITS) & (layers[:, np.newaxis] == layers)
    for later, earlier in zip(*np.nonzero(np.tril(near, -1)), strict=True):
        node, other = nodes[later], nodes[earlier]
        if found[node] == node and found[other] == other and says_the_same(texts[other], texts[node]):
            found[node] = other
    return found
