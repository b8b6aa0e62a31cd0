"""Why one interpretation is worth what it is worth, from what the last upkeep kept."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS, Epistemics
from perdura_core.epistemics.decay import decay_rate, half_life
from perdura_core.epistemics.forgetting import REASONS
from perdura_core.epistemics.snapshot import VELOCITIES
from perdura_core.graph import Graph
from perdura_core.store import KeptLayer, Store
from perdura_core.upkeep.history import block_of, moments
from perdura_core.vocabulary import FACTORS, FactorSource, Interpretation, NodeId, Standing

__all__ = ["Layers", "known", "standing_of"]

Columns = Mapping[str, NDArray[Any]]
Layers = Mapping[str, KeptLayer]


def known(value: float) -> float | None:
    """The value; None where it is NaN."""
    return None if np.isnan(value) else float(value)


async def standing_of(
    store: Store, graph: Graph, layers: Layers, node: NodeId, constants: Epistemics = DEFAULTS
) -> Standing | None:
    """The standing of the interpretation; None for other nodes, and before the first upkeep that saw it."""
    found = (await store.nodes([node])).get(node)
    if not isinstance(found, Interpretation) or "confidence" not in layers:
        return None
    number = int(node[1:])
    held = layers["confidence"].columns
    row = _row(held, number)
    if row is None:
        return None
    numbers, triangulation, stigmergy, forgetting = (
        _values(layers[name].columns, number) if name in layers else {}
        for name in ("M4", "triangulation", "stigmergy", "forgetting")
    )
    velocity = VELOCITIES.index(found.velocity)
    decision = forgetting.get("decision", -1)
    return Standing(
        node=node,
        as_of=layers["confidence"].as_of,
        prior=float(held["prior"][row]),
        maturity=float(held["maturity"][row]),
        factors=_sources(graph, layers, held, row, node, found.level, constants),
        factors_mean=known(held["factors"][row]),
        confidence=found.confidence,
        half_life_days=float(half_life(velocity, found.level, constants)),
        age_days=(layers["confidence"].as_of - found.created_at).total_seconds() / 86_400,
        decay_per_day=float(decay_rate(velocity, found.level, constants)),
        change=known(numbers["confidence_change"]) if "confidence_change" in numbers else None,
        gradient=known(stigmergy["gradient"]) if "gradient" in stigmergy else None,
        echo=known(triangulation["echo"]) if "echo" in triangulation else None,
        is_damped=bool(triangulation.get("is_damped", False)),
        is_bridge=bool(stigmergy.get("is_bridge", False)),
        is_marked=number in await store.marked(),
        decision=REASONS[decision] if decision >= 0 else None,
        history=moments(number, await store.history(block_of(number))),
    )


def _row(columns: Columns, number: int) -> int | None:
    at = int(np.searchsorted(columns["number"], number))
    return at if at < len(columns["number"]) and columns["number"][at] == number else None


def _values(columns: Columns, number: int) -> dict[str, Any]:
    """What a layer says of one interpretation."""
    row = _row(columns, number)
    if row is None:
        return {}
    rows = len(columns["number"])
    return {name: column[row] for name, column in columns.items() if len(column) == rows}


def _sources(
    graph: Graph, layers: Layers, held: Columns, row: int, node: NodeId, level: int, constants: Epistemics
) -> tuple[FactorSource, ...]:
    values = [float(held[name][row]) for name in FACTORS]
    weights = [
        0.0 if np.isnan(value) else weight
        for value, weight in zip(values, constants.factor_weights[level - 1], strict=True)
    ]
    total = sum(weights) or 1.0
    told = _told(graph, layers, node, int(held["number"][row]))
    return tuple(
        FactorSource(factor=name, value=known(value), weight=weight / total, source=source)
        for name, value, weight, source in zip(FACTORS, values, weights, told, strict=True)
    )


def _told(graph: Graph, layers: Layers, node: NodeId, number: int) -> tuple[str, str, str, str]:
    """What each factor was read from, in words."""
    shown, cited, models = _uses(layers, number)
    vertex = graph.get(node)
    linked = [end for link in graph.links(node) for end in (link.src, link.dst) if end != node]
    facts = {*(vertex.facts if vertex is not None else ()), *(end for end in linked if end[0] == "f")}
    gone = sum(1 for fact in facts if (found := graph.get(fact)) is not None and found.superseded_by is not None)
    between = sum(end[0] != "f" for end in linked)
    return (
        f"shown {_times(shown)} and cited {_times(cited)} by {_count(models, 'model')}, what is past weighing less",
        f"{_count(len(facts), 'fact')} it refers to, {gone} of them superseded" if facts else "it refers to no fact",
        f"its place among the interpretations, by {_count(between, 'edge')}" if between else "it has no edge",
        "closed triads of its facts' entities, and their trend" if facts else "it refers to no fact",
    )


def _uses(layers: Layers, number: int) -> tuple[int, int, int]:
    if "stigmergy" not in layers:
        return 0, 0, 0
    columns = layers["stigmergy"].columns
    row = _row(columns, number)
    own = columns["trace_row"] == (-1 if row is None else row)
    return int(columns["trace_shown"][own].sum()), int(columns["trace_cited"][own].sum()), int(own.sum())


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _count(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")
