"""Stigmergy in briefings, for interpretations only: what pulls a model to one and pushes it from another.

The gradient of each was worked out by the last upkeep; until there was one it is unknown and pulls nowhere. What a
model was shown and what it cited is read as it stands. Facts have no trail: nothing here ever looks at one.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.slopes import boost, breaking_choice
from perdura_core.graph import Graph, Vertex
from perdura_core.store import Store
from perdura_core.vocabulary import ModelId, NodeId

__all__ = ["Reader", "Trails", "breaking", "pull"]

_LAYER = "stigmergy"


class Trails:
    """The gradients of one mind, read again after each upkeep."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._run: tuple[int, int] | None = None
        """The newest run, and how many of its steps are done."""
        self._gradients: dict[int, float] = {}

    async def gradients(self) -> Mapping[int, float]:
        """Of each interpretation's number, 0..1; empty before the first upkeep. Raises StoreError."""
        latest = next(iter(await self._store.runs(1)), None)
        run = None if latest is None else (latest.run, len(latest.steps))
        if run != self._run:
            layer = (await self._store.layers("interpretations", [_LAYER])).get(_LAYER)
            columns = {} if layer is None else layer.columns
            known = zip(columns["number"].tolist(), columns["gradient"].tolist(), strict=True) if columns else ()
            self._gradients, self._run = dict(known), run
        return self._gradients


class Reader(NamedTuple):
    """The model that a briefing is for."""

    model: ModelId
    trails: Trails
    lot: tuple[int, ...]
    """What the draw of a slot hangs on: the seed, the question, and which boarding on it this is."""


def pull(
    graph: Graph,
    model: ModelId,
    nodes: Collection[NodeId],
    shown: Mapping[NodeId, int],
    gradients: Mapping[int, float],
    constants: Epistemics = DEFAULTS,
) -> dict[NodeId, float]:
    """What each interpretation's score is multiplied by when this model reads. Facts and questions are passed over.

    shown: how often this model was shown each. By hand, gradient 0.58 and never shown: 1.04 * 1.10 = 1.144; gradient
    unknown and shown before: 1.
    """
    found: dict[NodeId, float] = {}
    for node in nodes:
        vertex = graph.get(node)
        if vertex is None or vertex.layer != "interpretation":
            continue
        gradient = gradients.get(int(node[1:]))
        slope = 1.0 if gradient is None else float(boost(gradient))
        found[node] = slope * _trace(graph, vertex, model, shown.get(node, 0), constants)
    return found


def _trace(graph: Graph, vertex: Vertex, model: ModelId, shown: int, constants: Epistemics) -> float:
    """The first that holds: written by this model, new to it, shown often and never cited; else nothing."""
    if vertex.created_by == model:
        return constants.trace_self
    has_cited = any(link.created_by == model and link.boarding != vertex.boarding for link in graph.links(vertex.id))
    if shown == 0 and not has_cited:
        return constants.trace_novel
    return constants.trace_burned if shown >= constants.burned_after and not has_cited else constants.trace_familiar


def breaking(
    candidates: Sequence[NodeId],
    gradients: Mapping[int, float],
    lot: Sequence[int],
    constants: Epistemics = DEFAULTS,
) -> NodeId | None:
    """The candidate of low gradient that gets a slot by lot; None nine times out of ten, or while none is known.

    The same lot always falls on the same one.
    """
    known = [node for node in candidates if int(node[1:]) in gradients]
    values = np.array([gradients[int(node[1:])] for node in known], dtype=np.float64)
    choice = breaking_choice(values, lot, constants)
    return None if choice is None else known[choice]
