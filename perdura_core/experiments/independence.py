"""Do the four factors of confidence measure four things? On a mind that grew from texts people wrote."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from sqlite3 import connect
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.constants import DEFAULTS
from perdura_core.epistemics.factors import FACTORS
from perdura_core.epistemics.forgetting import REASONS, decisions
from perdura_core.epistemics.snapshot import USE_KINDS, Snapshot
from perdura_core.errors import InputError
from perdura_core.experiments.recorded_mind import MODELS, USUAL, Pace, grow
from perdura_core.experiments.recorded_topics import is_tuned_on, load_topics
from perdura_core.experiments.report import Finding, Report, Table
from perdura_core.upkeep.bench import Bench
from perdura_core.upkeep.order import Order

__all__ = ["correlation_between", "experiment_independence", "measured_mind"]

_ALONE, _TENDED = "left alone", "tended"
_DRAWS = 2_000
_EXPECTED = {("consistency", "structural")}
"""A pair whose correlation is a finding of the seed, not a fault."""
_SEED_CANDIDATES, _SEED_PROTECTED = 4_133, {"high_centrality": 2_221, "pattern_member": 39, "principle": 11}

_Floats = NDArray[np.float64]


def experiment_independence(path: Path, seed: int = 0, pace: Pace = USUAL, embedder: str = "auto") -> Report:
    """Pearson's r of each pair of factors over the active interpretations, at the end of the simulated weeks.

    On the topics by which nothing was chosen, once in a mind that is left alone and once in one whose upkeep runs
    every week. Intervals: 95 % of the bootstrap over questions, since what answers one question shares facts, edges
    and briefings. Blocks for minutes; the minds grow in two processes.
    """
    if all(is_tuned_on(topic) for topic in load_topics(path)):
        raise InputError(f"{path} holds no topic that nothing was tuned on: give the whole sets")
    paces = {_ALONE: pace._replace(is_tended=False), _TENDED: pace._replace(is_tended=True)}
    with TemporaryDirectory(prefix="perdura-independence-") as folder:
        minds = {name: Path(folder) / f"{number}.mind" for number, name in enumerate(paces)}
        with ProcessPoolExecutor(len(paces), get_context("spawn")) as makers:
            for made in [makers.submit(_grown_apart, path, minds[name], paces[name], embedder) for name in paces]:
                made.result()
        return _report(path, seed, pace, {name: measured_mind(minds[name], pace) for name in paces})


def _grown_apart(path: Path, mind: Path, pace: Pace, embedder: str) -> None:
    topics = [topic for topic in load_topics(path) if not is_tuned_on(topic)]

    async def growing() -> None:
        async with grow(mind, topics, pace, embedder):
            pass

    asyncio.run(growing())


def measured_mind(path: Path, pace: Pace) -> Bench:
    """The mind's tables and all that upkeep works out of them, at the end of its weeks."""
    with closing(connect(path)) as connection:
        bench = Bench(connection, Order(place=str(path), now=pace.now, steps=(), reliability={}))
        # What is worked out later needs no connection any more: only the figures of facts did.
        assert bench.facts_read >= 0
    return bench


def correlation_between(one: _Floats, other: _Floats, cluster: NDArray[np.integer], seed: int) -> Finding:
    """Pearson's r where both are known, and 95 % of the bootstrap over clusters, drawn whole (Efron 1979).

    By sums a cluster, so that a draw adds up few numbers. NaN without a spread.
    """
    both = ~np.isnan(one) & ~np.isnan(other)
    x, y = one[both] - 0.5, other[both] - 0.5
    _, place = np.unique(cluster[both], return_inverse=True)
    parts = (np.ones(len(x)), x, y, x * x, y * y, x * y)
    sums = np.stack([np.bincount(place, part) for part in parts], axis=1)
    if not len(sums):
        return Finding(float("nan"))
    dice = np.random.default_rng(seed)
    drawn = np.array([sums[dice.integers(0, len(sums), len(sums))].sum(axis=0) for _ in range(_DRAWS)])
    low, high = np.nanquantile(_r(drawn), [0.025, 0.975])
    return Finding(float(_r(sums.sum(axis=0, keepdims=True))[0]), float(low), float(high))


def _r(sums: _Floats) -> _Floats:
    n, x, y, xx, yy, xy = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y)))


def _report(path: Path, seed: int, pace: Pace, benches: Mapping[str, Bench]) -> Report:
    pairs = {name: _pairs(bench, seed) for name, bench in benches.items()}
    spreads = {
        name: {factor: _spread(values) for factor, values in _factors(bench).items()} for name, bench in benches.items()
    }
    kept, candidates = _keeping(benches[_ALONE])
    counts = {name: _counts(bench.tables.snapshot) for name, bench in benches.items()}
    rows = [
        (pair, *(pairs[name][pair][part] for name in benches for part in ("r", "verdict"))) for pair in pairs[_ALONE]
    ]
    active = ", ".join(f"{int(bench.table.active.sum())} {name}" for name, bench in benches.items())
    alone = counts[_ALONE]
    return Report(
        experiment="independence",
        data=path.name,
        seed=seed,
        tables=(
            Table(
                f"active interpretations: {active}",
                ("pair", *(f"{part}, {name}" for name in benches for part in ("r", "verdict"))),
                tuple(rows),
            ),
            Table(
                f"the factors, {_ALONE}",
                ("factor", "missing", "mean", "deviation", "commonest value"),
                tuple((factor, *spread.values()) for factor, spread in spreads[_ALONE].items()),
            ),
            Table(
                f"{candidates} candidates for forgetting, {_ALONE}; the seed had {_SEED_CANDIDATES}",
                ("reason", "interpretations", "share", "the seed's share"),
                tuple((reason, *found.values()) for reason, found in kept.items()),
            ),
        ),
        chart=None,
        figures={
            "pairs": pairs,
            "factors": spreads,
            "keeping": {"candidates": candidates, **kept},
            "mind": counts,
        },
        notes=(
            f"Of the mind {_ALONE}: {alone['boardings']} boardings by {len(MODELS)} models over {pace.weeks} weeks on"
            f" {alone['questions']} questions: {alone['facts']} facts, {alone['interpretations']} interpretations,"
            f" {alone['edges']} edges, {alone['uses']} uses, {alone['cited']} of them citations.",
            "The program itself decides which question is boarded and what its briefing shows; an interpretation is"
            " cited when a later boarding, which was shown it, adds a judgement recorded to bear on it.",
            "Upkeep that runs every week forgets: what is left was good by one factor or another, and such a choice by"
            " itself links factors negatively (Berkson 1946).",
            "Intervals: 95 % of the bootstrap over questions. Formulas were chosen on the other half of the topics.",
        ),
    )


def _factors(bench: Bench) -> dict[str, _Floats]:
    """Of the active interpretations."""
    return {name: factor[bench.table.active] for name, factor in zip(FACTORS, bench.factors, strict=True)}


def _pairs(bench: Bench, seed: int) -> dict[str, dict[str, Any]]:
    factors, cluster = _factors(bench), _questions(bench.tables.snapshot)[bench.table.active]
    found: dict[str, dict[str, Any]] = {}
    for one, other in combinations(FACTORS, 2):
        r = correlation_between(factors[one], factors[other], cluster, seed)
        known = int((~np.isnan(factors[one]) & ~np.isnan(factors[other])).sum())
        found[f"{one}-{other}"] = {"r": r, "rows": known, "verdict": _verdict(one, other, r.value)}
    return found


def _questions(mind: Snapshot) -> NDArray[np.int64]:
    """(m,): a question that each interpretation answers; -1 for none."""
    table, edges = mind.interpretations, mind.edges
    found = np.full(len(table) + len(edges.questions), -1, dtype=np.int64)
    asked = edges.dst >= len(table)
    found[edges.src[asked][::-1]] = edges.dst[asked][::-1]
    return found[: len(table)]


def _verdict(one: str, other: str, r: float) -> str:
    if np.isnan(r):
        return "cannot be told"
    if (one, other) in _EXPECTED:
        return "expected to be linked"
    return "independent" if abs(r) < DEFAULTS.correlation_target else "linked"


def _spread(values: _Floats) -> dict[str, float]:
    """Shares of what is missing and of the commonest value, the mean and the standard deviation."""
    known = values[~np.isnan(values)]
    commonest = np.unique(np.round(known, 3), return_counts=True)[1].max(initial=0)
    return {
        "missing": round(1 - len(known) / max(1, len(values)), 4),
        "mean": round(float(known.mean()), 4) if len(known) else float("nan"),
        "deviation": round(float(known.std()), 4) if len(known) else float("nan"),
        "commonest": round(int(commonest) / max(1, len(values)), 4),
    }


def _keeping(bench: Bench) -> tuple[dict[str, dict[str, float]], int]:
    """What would become of those past their grace whose confidence is below the threshold."""
    table = bench.table
    age = (bench.now - table.created_day) / bench.half_life
    decided = decisions(
        age,
        bench.confidence,
        bench.factors.structural,
        bench.motifs.is_member,
        bench.bridges.is_validated,
        table.level,
        bench.constants,
    )[table.active]
    candidates = int((decided >= REASONS.index("high_centrality")).sum())
    found = {}
    for code, reason in enumerate(REASONS[2:], start=2):
        count = int((decided == code).sum())
        seeds = _SEED_PROTECTED.get(reason, 0)
        if reason == "normal_forgetting":
            seeds = _SEED_CANDIDATES - sum(_SEED_PROTECTED.values())
        found[reason] = {
            "interpretations": count,
            "share": round(count / max(1, candidates), 4),
            "seed": round(seeds / _SEED_CANDIDATES, 4),
        }
    return found, candidates


def _counts(mind: Snapshot) -> dict[str, int]:
    table = mind.interpretations
    return {
        "questions": len(mind.edges.questions),
        "facts": len(mind.facts),
        "interpretations": len(table),
        "active": int(table.active.sum()),
        "edges": len(mind.edges),
        "uses": len(table.uses.row),
        "cited": int((table.uses.kind == USE_KINDS.index("cited")).sum()),
        "boardings": len(np.unique(table.uses.boarding[table.uses.boarding >= 0])),
    }
