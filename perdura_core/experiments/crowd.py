"""Truth and reliability without gold, on crowds of people and of models."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from perdura_core.epistemics.crowd import CrowdTruth, crowd_truth
from perdura_core.errors import InputError
from perdura_core.experiments.recorded import NO_ANSWER, Recorded, instructed, load_recorded, rows_of
from perdura_core.experiments.report import Chart, Point, Report, Series, Table, resampled

__all__ = ["experiment_crowd"]

_ENOUGH = 10
"""Answers with gold that a worker's own accuracy needs to be compared."""
_MODELS = "model-answers-mmlu-pro.jsonl.gz"


class _Crowd(NamedTuple):
    """One set: labels (tasks, workers) and gold (tasks,), -1 where there is none."""

    name: str
    workers: tuple[str, ...]
    labels: NDArray[np.intp]
    gold: NDArray[np.intp]
    choices: int


def experiment_crowd(path: Path, seed: int = 0) -> Report:
    """Accuracy, claimed confidence and the workers' intervals, gold being looked at only afterwards.

    path: a file of labels `{task, worker, label, gold?}`, one of models' answers, or a folder with such files.
    """
    paths = sorted([*path.glob("crowd-*.jsonl.gz"), *path.glob(_MODELS)]) if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path} has no crowd-*.jsonl.gz: name a file of labels or of recorded answers")
    rows: list[tuple[object, ...]] = []
    figures: dict[str, Any] = {}
    tops: list[tuple[object, ...]] = []
    series = []
    for crowd in (each for one in paths for each in _crowds(one)):
        truth = crowd_truth(crowd.labels, crowd.choices)
        found = _figures(crowd, truth, seed)
        figures[crowd.name] = found
        rows.append((crowd.name, len(crowd.labels), len(crowd.workers), *found.values()))
        tops += _tops(crowd, truth)
        series.append(Series(crowd.name, (Point(found["claimed"], found["accuracy"]),), is_line=False))
    columns = (
        "set", "tasks", "workers", "accuracy", "majority", "agreement-weighted", "claimed", "claimed - accuracy",
        "interval width", "intervals that hold", "RMSE", "Spearman", "best may be first",
    )  # fmt: skip
    workers = ("set", "worker", "reliability", "low", "high", "accuracy by gold")
    notes = (
        "Gold is used only to score. An interval counts what the answers leave open: shared errors look like truth.",
        f"Workers with at least {_ENOUGH} answers with gold. Accuracy: 95 % by bootstrap over tasks.",
    )
    return Report(
        "crowd", path.name, seed,
        (Table("Truth without gold", columns, tuple(rows)), Table("The three ranked first", workers, tuple(tops))),
        Chart("Claimed confidence against accuracy", "claimed", "accuracy", tuple(series)), figures, notes,
    )  # fmt: skip


def _crowds(path: Path) -> Iterator[_Crowd]:
    first = next(rows_of(path), {})
    if "worker" in first:
        yield _labelled(path)
        return
    recorded = load_recorded(path)
    name = path.name.partition(".")[0].removeprefix("model-answers-")
    tuned = instructed(recorded.models)
    yield _answered(recorded, f"{name}, all {len(recorded.models)} models")
    if 1 < len(tuned) < len(recorded.models):
        yield _answered(recorded.of_models(tuned), f"{name}, {len(tuned)} instruct models")


def _labelled(path: Path) -> _Crowd:
    said: dict[tuple[str, str], str] = {}
    gold: dict[str, str] = {}
    for row in rows_of(path):
        said[row["task"], row["worker"]] = row["label"]
        if row.get("gold") is not None:
            gold[row["task"]] = row["gold"]
    tasks, workers = (sorted({key[part] for key in said}) for part in (0, 1))
    codes = {label: code for code, label in enumerate(sorted({*said.values(), *gold.values()}))}
    labels = np.full((len(tasks), len(workers)), -1, dtype=np.intp)
    row_of, column_of = ({name: at for at, name in enumerate(names)} for names in (tasks, workers))
    for (task, worker), label in said.items():
        labels[row_of[task], column_of[worker]] = codes[label]
    truth = np.array([codes[gold[task]] if task in gold else -1 for task in tasks], dtype=np.intp)
    name = path.name.partition(".")[0].removeprefix("crowd-")
    return _Crowd(name, tuple(workers), labels, truth, len(codes))


def _answered(recorded: Recorded, name: str) -> _Crowd:
    """Answers that name no choice were coded after all others; nobody is right on a question whose gold none gave."""
    choices = 10
    labels = np.where(recorded.known & (recorded.answer < choices), recorded.answer, NO_ANSWER)
    right = recorded.right & (labels >= 0)
    # A gold that no model gave is one more code, so that every answer there counts as wrong.
    gold = np.where(right.any(axis=1), labels[np.arange(len(labels)), right.argmax(axis=1)], choices)
    return _Crowd(name, recorded.models, labels, gold.astype(np.intp), choices)


def _figures(crowd: _Crowd, truth: CrowdTruth, seed: int) -> dict[str, Any]:
    scored = crowd.gold >= 0
    accuracy = resampled(list((truth.answer == crowd.gold)[scored].astype(float)), seed)
    votes = np.stack([(crowd.labels == code).sum(axis=1) for code in range(crowd.choices)], axis=1)
    share, enough = _shares(crowd)
    claimed = float(truth.confidence[scored].mean())
    held = (truth.low <= share) & (share <= truth.high)
    best = int(np.argmax(np.where(enough, share, -1)))
    rank = float(spearmanr(truth.reliability[enough], share[enough]).statistic) if enough.sum() > 2 else float("nan")
    return {
        "accuracy": accuracy,
        "majority": float((votes.argmax(axis=1) == crowd.gold)[scored].mean()),
        "agreement": float((_weighed(crowd, votes).argmax(axis=1) == crowd.gold)[scored].mean()),
        "claimed": claimed,
        "claimed_above_accuracy": claimed - accuracy.value,
        "interval_width": _mean((truth.high - truth.low)[enough]),
        "intervals_that_hold": _mean(held[enough].astype(float)),
        "reliability_rmse": _mean((truth.reliability - share)[enough] ** 2) ** 0.5,
        "spearman": rank,
        "best_may_be_first": str(bool(truth.high[best] >= truth.reliability.max())).lower(),
    }


def _mean(values: NDArray[np.floating[Any]]) -> float:
    """Nan where no worker has enough answers with gold."""
    return float(values.mean()) if values.size else float("nan")


def _weighed(crowd: _Crowd, votes: NDArray[np.intp]) -> NDArray[np.floating[Any]]:
    """The baseline: votes weighed by how often each worker agrees with the majority; a tie counts in parts."""
    top = (votes == votes.max(axis=1, keepdims=True)).astype(float)
    top /= top.sum(axis=1, keepdims=True)
    there = crowd.labels >= 0
    agreed = np.where(there, np.take_along_axis(top, np.where(there, crowd.labels, 0), axis=1), 0.0).sum(axis=0)
    share = agreed / np.maximum(there.sum(axis=0), 1)
    return np.stack([(crowd.labels == code) @ share for code in range(crowd.choices)], axis=1)


def _shares(crowd: _Crowd) -> tuple[NDArray[np.floating[Any]], NDArray[np.bool_]]:
    """Each worker's accuracy by gold, and whether it rests on enough answers."""
    there = (crowd.labels >= 0) & (crowd.gold >= 0)[:, None]
    number = there.sum(axis=0)
    right = ((crowd.labels == crowd.gold[:, None]) & there).sum(axis=0)
    return right / np.maximum(number, 1), number >= _ENOUGH


def _tops(crowd: _Crowd, truth: CrowdTruth) -> list[tuple[object, ...]]:
    share, enough = _shares(crowd)
    order = np.argsort(np.where(enough, -truth.reliability, 1))[:3]
    return [
        (crowd.name, crowd.workers[at], *(float(one[at]) for one in (truth.reliability, truth.low, truth.high, share)))
        for at in order
    ]
