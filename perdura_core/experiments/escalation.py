"""When does a frontier model's call pay? Policies at equal cost on recorded answers, through the real conductor."""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import log
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import calibrate
from perdura_core.errors import InputError
from perdura_core.experiments.calibration import graded
from perdura_core.experiments.recorded import NO_ANSWER, Recorded, halves, load_recorded, load_tariffs
from perdura_core.experiments.replaying import Shard, Stand, Turn, board, foresee
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, resampled
from perdura_core.vocabulary import PolicyName
from perdura_core.workers.replay import Replayed

__all__ = ["experiment_escalation", "key_for", "replayed"]

_PEERS = ("gemini-1.5-flash-002", "llama-3.1-8b-instruct", "deepseek-v2-chat")
_FRONTIER = "gpt-4o-2024-05-13"
_GRADED = 20
_SHARD = 61
"""Questions a mind; a prime, so that every k-th boarding does not fall on the same questions in each pass."""
_CHOICES = 10


class _Result(NamedTuple):
    """What became of one question; sums over its boardings."""

    right: bool
    usd: float
    escalations: int
    flips: int
    """Escalations that changed the mind's answer."""
    right_flips: int
    """Of those, from a wrong answer to the right one."""
    wrong_flips: int
    settled: int
    """Escalations on a question with several answers."""
    settled_right: int
    """Of those, the answer was right afterwards."""
    heat: float
    """Sum of the contention that the escalations met."""
    wrong_before: int
    """Escalations on a question whose answer was wrong."""


class _Field(NamedTuple):
    """What all policies share: the questions to report on, and how far each model is believed."""

    recorded: Recorded
    weight: NDArray[np.floating]
    """(models, domains): log odds of being right, against one wrong answer of several."""
    shards: tuple[Shard, ...]
    rows: tuple[NDArray[np.intp], ...]
    """Of each shard."""


def experiment_escalation(path: Path, seed: int = 0, questions: int = 2_013) -> Report:
    """Contention against periodic, random, record and always-frontier, each question boarded three times.

    Answers of one half (by sha256 of the id) are graded, 20 a model and domain, which gives the weights of voices and
    the asserted confidences; the questions come from the other half. Contention runs first and sets the cost; random
    gets its share of calls, periodic the whole k on either side, and both are compared at the same cost.
    """
    field = _field(path, seed, questions)
    jobs = os.cpu_count() or 1
    with ProcessPoolExecutor(max_workers=jobs, mp_context=get_context("spawn")) as pool:
        runs: dict[str, list[_Result]] = {}
        boardings, seconds, cpu_seconds, same = 0, 0.0, 0.0, 0

        def run(name: str, policy: PolicyName, k: int = 3, p: float = 1 / 3) -> None:
            nonlocal boardings, seconds, cpu_seconds, same
            shards = [one._replace(policy=policy, periodic_k=k, random_p=p) for one in field.shards]
            results: list[_Result] = []
            for shard, rows, done in zip(shards, field.rows, pool.map(board, shards), strict=True):
                boardings, seconds = boardings + len(done.turns), seconds + done.seconds
                cpu_seconds += done.cpu_seconds
                same += policy != "track_record" and done.turns == foresee(shard)
                results += _judged(field, shard, rows, done.turns)
            runs[name] = results

        run("contention", "contention")
        share = sum(one.escalations for one in runs["contention"]) / (3 * len(runs["contention"]))
        run("random", "random", p=share)
        low = max(1, int(1 / share))
        run(f"periodic, k = {low}", "periodic", k=low)
        run(f"periodic, k = {low + 1}", "periodic", k=low + 1)
        run("cheap", "cheap")
        run("track_record", "track_record")
    checks = {
        "boardings_per_s": boardings / (seconds / jobs),
        "boardings_per_cpu_s": boardings / cpu_seconds,
        "minds_same": same,
        "minds_compared": len(field.shards) * (len(runs) - 1),
    }
    return _report(path, seed, field, runs, checks)


def _field(path: Path, seed: int, questions: int) -> _Field:
    recorded = load_recorded(path)
    tariffs = load_tariffs(path.with_name("model-prices.json"))
    recorded = recorded.of_models([*_PEERS, _FRONTIER])
    if _FRONTIER not in tariffs:
        raise InputError(f"no price of {_FRONTIER} beside {path.name}: put model-prices.json into its folder")
    side = halves(recorded.ids, seed, 0)
    reliability = calibrate(*graded(recorded, side, _GRADED, np.random.default_rng(seed))).mean
    weight = np.log(reliability / (1 - reliability)) + log(_CHOICES - 1)
    whole = np.flatnonzero(~side & recorded.known.all(axis=1))[:questions]
    rows = tuple(whole[start : start + _SHARD] for start in range(0, len(whole), _SHARD))
    tariff = tariffs[_FRONTIER]
    shards = tuple(
        Shard(
            questions=tuple((key_for(row), recorded.domains[recorded.domain[row]]) for row in part),
            recording={key_for(row): replayed(recorded, reliability, row) for row in part},
            peers=_PEERS,
            frontier=_FRONTIER,
            usd_per_mtok=(tariff.usd_per_mtok_in, tariff.usd_per_mtok_out),
            policy="cheap",
            seed=number,
        )
        for number, part in enumerate(rows)
    )
    return _Field(recorded, weight, shards, rows)


def key_for(row: int) -> str:
    """One word that no other question's text shares, so that search finds a question's own claims alone."""
    return f"recorded{row}"


def replayed(recorded: Recorded, reliability: NDArray[np.floating], row: int) -> dict[str, Replayed]:
    """What each model was recorded to say, as sure of it as its reliability in the domain."""
    said: dict[str, Replayed] = {}
    for at, model in enumerate(recorded.models):
        code = int(recorded.answer[row, at])
        answer = None if code == NO_ANSWER else f"option {code}"
        confidence = float(reliability[at, recorded.domain[row]])
        said[model] = Replayed(answer, confidence, int(recorded.length[row]) // 4, 0)
    return said


def _judged(field: _Field, shard: Shard, rows: NDArray[np.intp], turns: Sequence[Turn]) -> list[_Result]:
    """Follow each question through its turns. The mind's answer is the one with the greatest weight of voices."""
    boarded: list[list[Turn]] = [[] for _ in shard.questions]
    for turn in turns:
        boarded[turn.question].append(turn)
    return [_followed(field, shard, int(row), own) for row, own in zip(rows, boarded, strict=True)]


def _followed(field: _Field, shard: Shard, row: int, turns: Sequence[Turn]) -> _Result:
    recorded = field.recorded
    stand = Stand(shard.recording[key_for(row)])
    voices: dict[int, dict[str, float]] = {}
    sums = dict.fromkeys(_Result._fields, 0.0)
    for turn in turns:
        at = recorded.models.index(turn.model)
        before, disputed, heat = _answer(voices), len(voices) > 1, stand.contention
        was_right = before is not None and _is_right(recorded, row, before)
        code = int(recorded.answer[row, at])
        if code != NO_ANSWER:
            voices.setdefault(code, {})[turn.model] = float(field.weight[at, recorded.domain[row]])
        stand.take(f"replay:{turn.model}")
        after = _answer(voices)
        sums["usd"] += float(recorded.cost[row, at])
        if turn.model != shard.frontier:
            continue
        is_right = after is not None and _is_right(recorded, row, after)
        is_flip = before is not None and after != before
        sums["escalations"] += 1
        sums["flips"] += is_flip
        sums["right_flips"] += is_flip and is_right
        sums["wrong_flips"] += is_flip and was_right
        sums["settled"] += disputed
        sums["settled_right"] += disputed and is_right
        sums["heat"] += heat
        sums["wrong_before"] += before is not None and not was_right
    final = _answer(voices)
    counts = {name: int(value) for name, value in sums.items() if name not in {"right", "usd", "heat"}}
    right = final is not None and _is_right(recorded, row, final)
    return _Result(right=right, usd=sums["usd"], heat=sums["heat"], **counts)


def _answer(voices: dict[int, dict[str, float]]) -> int | None:
    return max(voices, key=lambda code: (sum(voices[code].values()), -code), default=None)


def _is_right(recorded: Recorded, row: int, code: int) -> bool:
    return bool(np.any(recorded.right[row] & (recorded.answer[row] == code)))


def _swept(field: _Field, policy: PolicyName, k: int = 3, p: float = 1 / 3) -> list[_Result]:
    """The fast path: the same policies without a mind."""
    results: list[_Result] = []
    for shard, rows in zip(field.shards, field.rows, strict=True):
        one = shard._replace(policy=policy, periodic_k=k, random_p=p)
        results += _judged(field, one, rows, foresee(one))
    return results


def _report(path: Path, seed: int, field: _Field, runs: dict[str, list[_Result]], checks: dict[str, float]) -> Report:
    rows: list[tuple[object, ...]] = []
    figures: dict[str, object] = dict(checks)
    base = runs["contention"]
    cost = _per_thousand(base)
    line = {k: _swept(field, "periodic", k) for k in (2, 3, 4, 6, 9, 15)}
    lots = {p: _swept(field, "random", p=p) for p in (0.05, 0.1, 0.2, 0.35, 0.5)}
    for name, results in runs.items():
        found = _figures(results, seed)
        rows.append((name, *found.values()))
        figures[name] = found
    k_low, k_high = (runs[name] for name in sorted((n for n in runs if n.startswith("periodic")), key=len))
    equal = _at_cost(k_low, k_high, cost)
    alone = _alone(field, cost)
    by_lot = _at_cost(lots[0.1], lots[0.35], cost)
    gains = {
        "frontier alone": resampled([a.right - b for a, b in zip(base, alone, strict=True)], seed),
        "periodic": resampled([a.right - b for a, b in zip(base, equal, strict=True)], seed),
        "random": resampled([a.right - b for a, b in zip(base, by_lot, strict=True)], seed),
    }
    figures["frontier_alone_at_cost"] = resampled(alone, seed)
    figures["contention_accuracy_above"] = gains
    columns = (
        "policy", "accuracy", "USD per 1,000", "calls", "flips", "right", "wrong", "settled", "settled right",
        "contention met", "met a wrong answer",
    )  # fmt: skip
    title = f"{len(base)} questions, 3 boardings each, equal cost: {', '.join(_PEERS)}; frontier {_FRONTIER}"
    above = Table(
        "Accuracy of contention above the others at its cost",
        ("against", "difference"),
        tuple(gains.items()),
    )
    series = (
        Series("periodic (array path)", tuple(_point(one, seed) for one in line.values())),
        Series("random (array path)", tuple(_point(one, seed) for one in lots.values())),
        *(Series(name, (_point(results, seed),), is_line=False) for name, results in runs.items()),
    )
    notes = (
        f"{checks['boardings_per_s']:.0f} boardings a second through conductor, router, store and merge "
        f"({checks['boardings_per_cpu_s']:.0f} a second of one core); the array path took the same decisions in "
        f"{checks['minds_same']:.0f} of {checks['minds_compared']:.0f} minds.",
        "At equal cost: two runs on either side are mixed so as to cost what contention did.",
        f"Frontier alone: one call of it on as many questions as the money allows, {_PEERS[0]} on the others.",
        "Intervals: bootstrap over questions.",
        "Track record learns from the mind's own outcomes and spends what it wants.",
        "Confidences are not recorded: each is the model's reliability from 20 graded answers a domain.",
    )
    return Report(
        "escalation", path.name, seed, (Table(title, columns, tuple(rows)), above),
        Chart("Accuracy against cost", "USD per 1,000 questions", "accuracy", series), figures, notes,
    )  # fmt: skip


def _figures(results: Sequence[_Result], seed: int) -> dict[str, object]:
    calls = sum(one.escalations for one in results)
    settled = sum(one.settled for one in results)
    met = [one for one in results if one.escalations]
    return {
        "accuracy": resampled([one.right for one in results], seed),
        "usd_per_thousand": _per_thousand(results),
        "calls": calls,
        "flips": sum(one.flips for one in results),
        "right_flips": sum(one.right_flips for one in results),
        "wrong_flips": sum(one.wrong_flips for one in results),
        "settled": settled,
        "settled_right": _ratio(results, "settled_right", "settled", seed),
        "contention_met": resampled([one.heat / one.escalations for one in met], seed) if met else Finding(0.0),
        "met_wrong": _ratio(results, "wrong_before", "escalations", seed),
    }


def _ratio(results: Sequence[_Result], over: str, under: str, seed: int) -> Finding:
    shares = [getattr(one, over) / getattr(one, under) for one in results if getattr(one, under)]
    return resampled(shares, seed) if shares else Finding(0.0)


def _per_thousand(results: Sequence[_Result]) -> float:
    return 1_000 * sum(one.usd for one in results) / len(results)


def _at_cost(one: Sequence[_Result], other: Sequence[_Result], cost: float) -> list[float]:
    """Each question's chance of a right answer when the two runs are mixed so as to cost so much."""
    a, b = _per_thousand(one), _per_thousand(other)
    share = 0.5 if a == b else min(1.0, max(0.0, (cost - b) / (a - b)))
    return [share * x.right + (1 - share) * y.right for x, y in zip(one, other, strict=True)]


def _alone(field: _Field, cost: float) -> list[float]:
    """Each question's chance of a right answer from one frontier call where the money allows, else one peer's."""
    rows = np.concatenate(field.rows)
    peer, best = field.recorded.models.index(_PEERS[0]), field.recorded.models.index(_FRONTIER)
    usd = 1_000 * field.recorded.cost[rows].mean(axis=0)
    share = float(np.clip((cost - usd[peer]) / (usd[best] - usd[peer]), 0, 1))
    return list(share * field.recorded.right[rows, best] + (1 - share) * field.recorded.right[rows, peer])


def _point(results: Sequence[_Result], seed: int) -> Point:
    return Point(_per_thousand(results), resampled([one.right for one in results], seed))
