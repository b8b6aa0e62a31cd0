"""How long each group of the formulas takes on tables of a given size, without a store."""

import asyncio
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.reckoning import reckon
from perdura_core.epistemics.snapshot import (
    EdgeTable,
    FactTable,
    InterpretationTable,
    Measures,
    Ragged,
    Snapshot,
    Uses,
    Votes,
)

__all__ = ["bench_reckoning", "measure_compute", "synthetic_snapshot"]

_DAYS = 365.0
_DOMAINS = 12
_MODELS = 8
_EDGES_EACH = 4
_USES_EACH = 8
_QUESTION_SHARE = 0.1

_PARTS = {"L": "facts", "M": "interpretations"}
"""By the first letter of a group of formulas; the others make up confidence and what follows from it."""

_Ints = NDArray[np.int64]


class _Shape(NamedTuple):
    n: int
    dice: np.random.Generator

    def lengths(self, mean: float, least: int = 0) -> _Ints:
        return np.asarray(least + self.dice.poisson(mean, self.n))

    def skewed(self, size: int, among: int) -> _Ints:
        """Numbers below `among`, few of them often, most of them hardly ever (Zipf)."""
        return np.minimum(among - 1, (among ** self.dice.random(size) - 1).astype(np.int64))

    def days(self, size: int) -> NDArray[np.float64]:
        return self.dice.random(size) * _DAYS


def synthetic_snapshot(n: int, seed: int = 0) -> Snapshot:
    """A year-old mind of n facts, n interpretations, 4 n edges and n / 10 questions; skewed like real ones."""
    shape = _Shape(n, np.random.default_rng([seed, n]))
    domains = tuple(f"domain-{at}" for at in range(_DOMAINS))
    facts = _facts(shape, domains)
    return Snapshot(facts, _interpretations(shape, domains), _edges(shape))


def measure_compute(n: int, seed: int = 0) -> dict[str, float]:
    """Seconds of CPU of each group of formulas on a synthetic mind of this size, and of all together as `total`."""
    took: dict[str, float] = {}

    @contextmanager
    def watch(group: str) -> Iterator[None]:
        started_cpu_s = time.process_time()
        yield
        took[group] = round(time.process_time() - started_cpu_s, 3)

    reckon(synthetic_snapshot(n, seed), _DAYS, seed, watch=watch)
    took["total"] = round(sum(took.values()), 3)
    return took


async def bench_reckoning(nodes: int, rounds: int) -> dict[str, float | int]:
    """What `measure_compute` says of `nodes` facts and as many interpretations, at its best of so many rounds."""
    measured = [await asyncio.to_thread(measure_compute, nodes) for _ in range(rounds)]
    took = min(measured, key=lambda one: one["total"])
    parts = {"facts": 0.0, "interpretations": 0.0, "confidence": 0.0}
    for group, seconds in took.items():
        if group != "total":
            parts[_PARTS.get(group[0], "confidence")] += seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "nodes": nodes * 2,
        **{f"{part}_cpu_s": round(seconds, 2) for part, seconds in parts.items()},
        "total_cpu_s": round(took["total"], 2),
        "peak_mib": round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)),
    }


def _rows(lengths: _Ints, values: Callable[[int], NDArray[np.int64]]) -> Ragged[np.int32]:
    """Rows of distinct values: what repeats within a row is left out."""
    row = np.repeat(np.arange(len(lengths)), lengths)
    pairs = np.unique(np.stack([row, values(len(row))]), axis=1)
    starts = np.searchsorted(pairs[0], np.arange(len(lengths) + 1)).astype(np.int64)
    return Ragged(starts, pairs[1].astype(np.int32))


def _facts(shape: _Shape, domains: tuple[str, ...]) -> FactTable:
    n, dice = shape
    entities = tuple(f"entity-{at}" for at in range(max(10, n // 2)))
    recorded = np.sort(shape.days(n))
    again = shape.lengths(0.2, least=1)
    starts = np.concatenate([[0], np.cumsum(again)]).astype(np.int64)
    row = np.repeat(np.arange(n), again)
    later = recorded[row] + dice.random(len(row)) * (_DAYS - recorded[row])
    later[starts[:-1]] = recorded
    later = later[np.lexsort((later, row))]
    figures = dice.integers(0, n, n // 2).astype(np.int32)
    value = shape.skewed(n // 2, 8).astype(np.float64)
    return FactTable(
        numbers=np.arange(1, n + 1),
        domains=domains,
        domain=_rows(np.ones(n, np.int64), lambda size: shape.skewed(size, _DOMAINS)),
        entities=entities,
        entity=_rows(shape.lengths(2.5, least=1), lambda size: shape.skewed(size, len(entities))),
        recorded_day=recorded,
        superseded_day=np.where(dice.random(n) < 0.03, recorded + 30.0, np.nan),
        occurrence_day=Ragged(starts, later),
        measures=Measures(figures, shape.skewed(n // 2, max(10, n // 10)), value, value),
    )


def _interpretations(shape: _Shape, domains: tuple[str, ...]) -> InterpretationTable:
    n, dice = shape
    created = np.sort(shape.days(n))
    level = dice.choice(np.array([1, 2, 3], dtype=np.int8), n, p=[0.85, 0.12, 0.03])
    status = dice.choice(np.array([0, 1, 2], dtype=np.int8), n, p=[0.7, 0.2, 0.1])
    uses, votes = n * _USES_EACH, n // 2
    used, voted = shape.skewed(uses, n), dice.integers(0, n, votes)
    used = dice.permutation(n)[used]
    return InterpretationTable(
        numbers=np.arange(1, n + 1),
        kind=dice.choice(np.array([0, 1, 2], dtype=np.int8), n, p=[0.9, 0.07, 0.03]),
        level=level,
        velocity=dice.integers(0, 3, n).astype(np.int8),
        status=status,
        superseded=dice.random(n) < 0.05,
        domains=domains,
        domain=_rows(np.ones(n, np.int64), lambda size: shape.skewed(size, _DOMAINS)),
        models=tuple(f"model-{at}" for at in range(_MODELS)),
        author=dice.integers(0, _MODELS, n).astype(np.int32),
        author_reliability=dice.random(n),
        asserted=np.where(dice.random(n) < 0.9, dice.random(n), np.nan),
        votes=Votes(
            voted.astype(np.int32),
            dice.integers(0, _MODELS, votes).astype(np.int32),
            dice.random(votes),
            dice.random(votes),
        ),
        created_day=created,
        shadow_day=np.where(status == 1, np.minimum(_DAYS, created + 60.0), np.nan),
        fact=_rows(shape.lengths(1.5), lambda size: dice.integers(0, n, size)),
        uses=Uses(
            used.astype(np.int32),
            created[used] + dice.random(uses) * (_DAYS - created[used]),
            dice.choice(np.array([0, 1, 2], dtype=np.int8), uses, p=[0.8, 0.18, 0.02]),
            dice.integers(0, _MODELS, uses).astype(np.int32),
            dice.integers(0, n, uses),
            shape.skewed(uses, _DOMAINS).astype(np.int32),
        ),
    )


def _edges(shape: _Shape) -> EdgeTable:
    n, dice = shape
    questions, count = max(1, int(n * _QUESTION_SHARE)), n * _EDGES_EACH
    kind = dice.choice(np.arange(5, dtype=np.int8), count, p=[0.3, 0.1, 0.2, 0.3, 0.1])
    src = dice.integers(0, n, count)
    # Most links go to what was made shortly before: neighbours of neighbours are neighbours.
    near = np.clip(src - 1 - shape.skewed(count, n), 0, n - 1)
    dst = np.where(kind == 3, n + dice.integers(0, questions, count), near)
    return EdgeTable(
        questions=np.arange(1, questions + 1),
        src=src.astype(np.int32),
        dst=dst.astype(np.int32),
        type=kind,
        author=dice.integers(0, _MODELS, count).astype(np.int32),
        day=shape.days(count),
    )
