"""The steps of the day: each works something out and says what is to be kept of it and what is to change."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.snapshot import USE_KINDS
from perdura_core.store.keeping import pack
from perdura_core.store.kept import PackedLayer, Side
from perdura_core.upkeep.bench import VERSION, Bench
from perdura_core.upkeep.forgetting import forgetting
from perdura_core.upkeep.history import blocks
from perdura_core.upkeep.order import Outcome, Revision
from perdura_core.upkeep.promoting import promotion
from perdura_core.vocabulary import StepName

__all__ = ["outcome_of"]

Columns = Mapping[str, NDArray[Any]]

_DAILY = b""
"""Layers that are worked out on every run are not compared with what they were worked out from."""
_EXACT = frozenset({"read", "digests", "fact", "key", "low", "high", "triads", "trend", "shape"})
_STEP = 1e-9
"""Confidences that differ by less are the same."""


def outcome_of(bench: Bench, step: StepName) -> Outcome:
    """Do one step."""
    began_s = time.perf_counter()
    outcome = _STEPS[step](bench)
    return outcome._replace(step=step, seconds=round(time.perf_counter() - began_s, 4))


def _outcome(counts: Mapping[str, int], *layers: PackedLayer, is_due: bool = True) -> Outcome:
    return Outcome("reading", is_due, 0.0, counts, layers)


def _layer(
    bench: Bench, side: Side, name: str, columns: Columns, *, as_of: datetime | None = None, inputs: bytes = _DAILY
) -> PackedLayer:
    """The layer as it is kept: in single precision, except for what a later run works on with."""
    narrow = {key: column if key in _EXACT else _narrow(column) for key, column in columns.items()}
    return PackedLayer(name, side, VERSION, as_of or bench.order.now, inputs, pack(narrow))


def _narrow(column: NDArray[Any]) -> NDArray[Any]:
    if column.dtype == np.float64:
        return column.astype(np.float32)
    return column.astype(np.int32) if column.dtype == np.int64 else column


# Facts


def _reading(bench: Bench) -> Outcome:
    read = bench.facts_read
    counts = {"facts": len(bench.facts), "read": read, "figures": bench.figures.count}
    if bench.figures.is_kept:
        return _outcome(counts, is_due=False)
    return _outcome(counts, _layer(bench, "facts", "reading", bench.figures.columns))


def _l1(bench: Bench) -> Outcome:
    facts = bench.facts
    sightings = np.bincount(facts.entity.values, minlength=len(facts.entities))
    counts = {"facts": len(facts), "entities": len(facts.entities), "sightings": len(facts.occurrence_day.values)}
    return _outcome(counts, _layer(bench, "facts", "L1", {"facts_of_entity": sightings.astype(np.int32)}))


def _l2(bench: Bench) -> Outcome:
    graph = bench.graph
    columns: Columns = {"low": graph.low.astype(np.int32), "high": graph.high.astype(np.int32), "weight": graph.weight}
    digest = _digest(columns)
    counts = {"edges": len(graph.low)}
    kept = bench.kept_facts.get("L2")
    if kept is not None and (kept.version, kept.inputs) == (VERSION, digest):
        return _outcome(counts, is_due=False)
    return _outcome(counts, _layer(bench, "facts", "L2", columns, inputs=digest))


def _l3(bench: Bench) -> Outcome:
    kept, digest = bench.kept_facts.get("L3"), _digest({"low": bench.graph.low, "weight": bench.graph.weight})
    if kept is not None and (kept.version, kept.inputs) == (VERSION, digest):
        return _outcome({"components": int(kept.columns["component"].max(initial=-1)) + 1}, is_due=False)
    shape = bench.fact_topology
    columns: Columns = {
        "degree": shape.degree.astype(np.int32),
        "pagerank": shape.pagerank,
        "clustering": shape.clustering,
        "component": shape.component,
    }
    counts = {
        "components": int(shape.component.max(initial=-1)) + 1,
        "triads": int(shape.triads.per_vertex.sum()) // 3,
    }
    return _outcome(counts, _layer(bench, "facts", "L3", columns, inputs=digest))


def _l4(bench: Bench) -> Outcome:
    found = bench.fact_numbers
    columns: Columns = {
        "number": bench.facts.numbers,
        "conflict_share": found.conflicts.share,
        "variation": found.fact_variation,
        "entity_variation": found.entity_variation,
    }
    counts = {"series": len(found.edges.mean), "conflicts": len(found.conflicts.earlier)}
    return _outcome(counts, _layer(bench, "facts", "L4", columns))


def _l5(bench: Bench) -> Outcome:
    day = bench.weekly_day
    counts = {"facts": int(np.isfinite(bench.fact_patterns.triads_of_fact).sum())}
    if bench.is_kept("L5", day):
        return _outcome(counts, is_due=False)
    found = bench.fact_patterns
    columns: Columns = {
        "number": bench.facts.numbers,
        "triads": found.triads_of_fact,
        "lift": found.lift,
        "onward": found.onward.astype(np.int16),
        "backward": found.backward.astype(np.int16),
    }
    return _outcome(counts, _layer(bench, "facts", "L5", columns, as_of=bench.at(day)))


def _l6(bench: Bench) -> Outcome:
    day = bench.monthly_day
    counts = {"entities": int(np.isfinite(bench.fact_trends.trend).sum())}
    if bench.is_kept("L6", day):
        return _outcome(counts, is_due=False)
    found = bench.fact_trends
    columns: Columns = {"trend": found.trend, "links": found.links.r, "link_names": np.array(found.links.names)}
    return _outcome(counts, _layer(bench, "facts", "L6", columns, as_of=bench.at(day)))


# Interpretations


def _confidence(bench: Bench) -> Outcome:
    table, factors = bench.table, bench.factors
    columns: Columns = {
        "number": table.numbers,
        "active": table.active,
        "prior": bench.prior,
        "maturity": bench.maturity,
        "usage": factors.usage,
        "consistency": factors.consistency,
        "structural": factors.structural,
        "pattern": factors.pattern,
        "factors": bench.factors_mean,
        "confidence": bench.confidence,
        "created_day": table.created_day,
    }
    before = bench.tables.confidence
    moved = np.flatnonzero(bench.alive & (np.abs(bench.confidence - before) > _STEP))
    (marked,) = bench.connection.execute("SELECT count(*) FROM revalidations").fetchone()
    counts = {"interpretations": int(bench.alive.sum()), "moved": len(moved), "revalidated": int(marked)}
    return _outcome(counts, _layer(bench, "interpretations", "confidence", columns))._replace(
        revision=Revision(table.numbers[moved], before[moved], bench.confidence[moved]),
        revalidated=bench.tables.head,
    )


def _m3(bench: Bench) -> Outcome:
    found = bench.topology
    columns: Columns = {
        "number": bench.table.numbers,
        "degree": found.degree,
        "pagerank": found.pagerank,
        "betweenness": found.betweenness,
        "component": found.component,
    }
    counts = {"edges": len(bench.edges), "linked": int(np.isfinite(found.degree).sum())}
    return _outcome(counts, _layer(bench, "interpretations", "M3", columns))


def _m4(bench: Bench) -> Outcome:
    found, said = bench.use_numbers, bench.confidence_numbers
    columns: Columns = {
        "number": bench.table.numbers,
        "mean": found.numbers.mean,
        "variance": found.numbers.variance,
        "change": found.numbers.change,
        "gini": found.gini,
        "confidence_mean": said.mean,
        "confidence_variance": said.variance,
        "confidence_change": said.change,
    }
    counts = {"used": int(np.isfinite(found.gini).sum()), "followed": int(np.isfinite(said.change).sum())}
    return _outcome(counts, _layer(bench, "interpretations", "M4", columns))


def _m5(bench: Bench) -> Outcome:
    found = bench.motifs
    columns: Columns = {
        "number": bench.table.numbers,
        "is_member": found.is_member,
        "shape": found.shape,
        "times": found.times,
        "lift": found.lift,
    }
    counts = {"shapes": len(found.shape), "members": int(found.is_member.sum())}
    return _outcome(counts, _layer(bench, "interpretations", "M5", columns))


def _m6(bench: Bench) -> Outcome:
    columns: Columns = {"domain": np.array([*bench.table.domains, ""]), **bench.wisdom._asdict()}
    return _outcome({"domains": len(bench.table.domains)}, _layer(bench, "interpretations", "M6", columns))


def _triangulation(bench: Bench) -> Outcome:
    table = bench.table
    from_below = bench.undervalued
    columns: Columns = {
        "number": table.numbers,
        "echo": bench.echo,
        "is_damped": bench.echo > bench.constants.echo_above,
        "is_undervalued": from_below,
        "diversity": bench.diversity,
        "isolation": bench.isolation,
    }
    kept = bench.alive
    day = int(bench.now)
    history = blocks(
        table.numbers[kept],
        bench.confidence[kept],
        [factor[kept] for factor in bench.factors],
        day,
        bench.order.now,
    )
    counts = {
        "echoes": int(((bench.echo > bench.constants.echo_above) & table.active).sum()),
        "undervalued": int((from_below & table.active).sum()),
    }
    return _outcome(counts, _layer(bench, "interpretations", "triangulation", columns))._replace(
        history=history, forgotten_days=bench.history_days[1]
    )


def _stigmergy(bench: Bench) -> Outcome:
    row, model, shown, cited = _traces(bench)
    columns: Columns = {
        "number": bench.table.numbers,
        "gradient": bench.gradient,
        "bridge_links": bench.bridges.links.astype(np.int32),
        "is_bridge": bench.bridges.is_validated,
        "models": np.array(bench.table.models, dtype=np.str_),
        "author": bench.table.author,
        "trace_row": row,
        "trace_model": model,
        "trace_shown": shown,
        "trace_cited": cited,
    }
    counts = {"traces": len(row), "bridges": int(bench.bridges.is_validated.sum())}
    return _outcome(counts, _layer(bench, "interpretations", "stigmergy", columns))


def _traces(bench: Bench) -> tuple[NDArray[np.int32], ...]:
    """How often each model was shown, and cited, each interpretation: sparse."""
    uses = bench.table.uses
    known = (uses.model >= 0) & (uses.day <= bench.now)
    width = len(bench.table.models) + 1
    keys, place = np.unique(uses.row[known].astype(np.int64) * width + uses.model[known], return_inverse=True)
    shown = uses.kind[known] == USE_KINDS.index("shown")
    times = [np.bincount(place[which], minlength=len(keys)).astype(np.int32) for which in (shown, ~shown)]
    return (keys // width).astype(np.int32), (keys % width).astype(np.int32), times[0], times[1]


def _digest(columns: Columns) -> bytes:
    digest = blake2b(digest_size=16)
    for name, column in columns.items():
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.digest()


def _forgetting(bench: Bench) -> Outcome:
    columns, moves, counts = forgetting(bench)
    return _outcome(counts, _layer(bench, "interpretations", "forgetting", columns))._replace(moves=moves)


def _promotion(bench: Bench) -> Outcome:
    proposals, withdrawn = promotion(bench)
    return _outcome({"proposed": len(proposals), "withdrawn": len(withdrawn)})._replace(
        proposals=proposals, withdrawn=withdrawn
    )


_STEPS: Mapping[StepName, Callable[[Bench], Outcome]] = {
    "reading": _reading,
    "L1": _l1,
    "L2": _l2,
    "L3": _l3,
    "L4": _l4,
    "L5": _l5,
    "L6": _l6,
    "confidence": _confidence,
    "M3": _m3,
    "M4": _m4,
    "M5": _m5,
    "M6": _m6,
    "triangulation": _triangulation,
    "stigmergy": _stigmergy,
    "forgetting": _forgetting,
    "promotion": _promotion,
}
