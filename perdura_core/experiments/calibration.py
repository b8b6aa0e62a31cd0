"""How well reliabilities are known from n graded answers a cell, beside the simple estimators."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import Calibration, Tally, calibrate, ease_of, posterior, shrunk
from perdura_core.errors import InputError
from perdura_core.experiments.recorded import Recorded, halves, instructed, load_recorded
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, over_draws

__all__ = ["BASELINE", "experiment_calibration", "graded", "prior_shrunk"]

_Array = NDArray[np.floating[Any]]
BASELINE = "model + domain prior, weight 20"
_OURS = "hierarchical"
_RECORDS = "Beta of the track records"
_GRADED = (1, 5, 10, 20, 50, 100)
_PRIOR_WORTH = 20.0
_MODEL_WORTH = 10.0


class _Cells(NamedTuple):
    """Counts (models, domains)."""

    right: _Array
    asked: _Array


class _Score(NamedTuple):
    rmse: float
    brier: float
    covered: float
    """Share of held-out accuracies inside the interval for them; NaN for estimators without one."""
    covered_rate: float
    """Share inside the narrower interval of the reliability itself, though held-out accuracies are noisy."""


def graded(recorded: Recorded, rows: NDArray[np.bool_], n: int | None, dice: np.random.Generator) -> _Cells:
    """Counts of n answers a model and domain, drawn from these rows for each cell by itself; None: all of them."""
    shape = (len(recorded.models), len(recorded.domains))
    right, asked = np.zeros(shape), np.zeros(shape)
    for domain in range(shape[1]):
        inside = np.flatnonzero(rows & (recorded.domain == domain))
        for model in range(shape[0]):
            pool = inside[recorded.known[inside, model]]
            chosen = pool if n is None else dice.permutation(pool)[:n]
            asked[model, domain] = len(chosen)
            right[model, domain] = recorded.right[chosen, model].sum()
    return _Cells(right, asked)


def experiment_calibration(path: Path, seed: int = 0, draws: int = 10) -> Report:
    """RMSE, Brier score and coverage on held-out answers, for n graded answers a model and domain.

    Each draw splits the questions by sha256 of seed, draw and id: answers are graded on one side and the held-out
    accuracy of each cell is taken on the other. All that is learned is learned from the graded answers.
    """
    recorded = load_recorded(path)
    recorded = recorded.of_models(instructed(recorded.models))
    models, domains = len(recorded.models), len(recorded.domains)
    if models < 2 or domains < 2:
        raise InputError(f"{path} has {models} models and {domains} domains: give at least 2 of each")
    scores: dict[int, dict[str, list[_Score]]] = {n: {} for n in _GRADED}
    for draw in range(draws):
        side = halves(recorded.ids, seed, draw)
        dice = np.random.default_rng([seed, draw])
        held = graded(recorded, ~side, None, dice)
        for n in _GRADED:
            cells = graded(recorded, side, n, dice)
            for name, guess in _estimates(cells).items():
                scores[n].setdefault(name, []).append(_score(guess, held))
    return _report(path, seed, draws, recorded, scores)


def prior_shrunk(right: _Array, asked: _Array, worth: float = _PRIOR_WORTH) -> _Array:
    """The baseline: each cell's share shrunk to model mean + domain mean - overall mean, worth so many answers."""
    of_model = (right.sum(axis=1) + 1) / (asked.sum(axis=1) + 2)
    of_domain = (right.sum(axis=0) + 1) / (asked.sum(axis=0) + 2)
    prior = np.clip(of_model[:, None] + of_domain - right.sum() / max(asked.sum(), 1), 0.01, 0.99)
    return np.asarray((right + worth * prior) / (asked + worth))


def _estimates(cells: _Cells) -> dict[str, _Array | Calibration]:
    of_model = ((cells.right.sum(axis=1) + 1) / (cells.asked.sum(axis=1) + 2))[:, None]
    return {
        "model mean only": np.broadcast_to(of_model, cells.right.shape),
        "cell alone": (cells.right + 1) / (cells.asked + 2),
        "shrunk to model mean, weight 10": (cells.right + _MODEL_WORTH * of_model) / (cells.asked + _MODEL_WORTH),
        BASELINE: prior_shrunk(cells.right, cells.asked),
        _RECORDS: _as_recorded(cells),
        _OURS: calibrate(cells.right, cells.asked),
    }


def _as_recorded(cells: _Cells) -> Calibration:
    """What the track records of a mind would say: each cell's Beta, started from the model's record elsewhere and
    from how others do in the domain."""
    shape = cells.right.shape
    mean, low, high, sd = (np.zeros(shape) for _ in range(4))
    wrong = cells.asked - cells.right
    for model in range(shape[0]):
        others = np.arange(shape[0]) != model
        everywhere = Tally(float(cells.right[others].sum()), float(wrong[others].sum()))
        overall = Tally(float(cells.right[model].sum()), float(wrong[model].sum()))
        for domain in range(shape[1]):
            right, asked = float(cells.right[model, domain]), float(cells.asked[model, domain])
            here = Tally(float(cells.right[others, domain].sum()), float(wrong[others, domain].sum()))
            own = shrunk(Tally(right, asked - right), overall, ease_of(here, everywhere))
            mean[model, domain], low[model, domain], high[model, domain] = posterior(own)
            worth = own.good + own.bad + 3  # of Beta(1 + good, 1 + bad), plus 1
            sd[model, domain] = np.sqrt(mean[model, domain] * (1 - mean[model, domain]) / worth)
    return Calibration(mean, low, high, sd)


def _score(guess: _Array | Calibration, held: _Cells) -> _Score:
    there = held.asked > 0
    right, asked = held.right[there], held.asked[there]
    mean = (guess.mean if isinstance(guess, Calibration) else guess)[there]
    share = right / asked
    rmse = float(np.sqrt(np.mean((mean - share) ** 2)))
    brier = float((right * (1 - mean) ** 2 + (asked - right) * mean**2).sum() / asked.sum())
    if not isinstance(guess, Calibration):
        return _Score(rmse, brier, float("nan"), float("nan"))
    low, high = (bound[there] for bound in guess.share_between(held.asked))
    inside = float(np.mean((low <= share) & (share <= high)))
    return _Score(rmse, brier, inside, float(np.mean((guess.low[there] <= share) & (share <= guess.high[there]))))


def _report(
    path: Path, seed: int, draws: int, recorded: Recorded, scores: dict[int, dict[str, list[_Score]]]
) -> Report:
    rows: list[tuple[object, ...]] = []
    figures: dict[str, dict[str, object]] = {}
    lines: dict[str, list[Point]] = {}
    for n, by_name in scores.items():
        base = by_name[BASELINE]
        for name, drawn in by_name.items():
            rmse, brier = over_draws([one.rmse for one in drawn]), over_draws([one.brier for one in drawn])
            gain = over_draws([1 - one.rmse / other.rmse for one, other in zip(drawn, base, strict=True)])
            has_interval = name in {_OURS, _RECORDS}
            cover = over_draws([one.covered for one in drawn]) if has_interval else None
            rate = over_draws([one.covered_rate for one in drawn]) if has_interval else None
            rows.append((n, name, rmse, brier, gain, cover, rate))
            figures.setdefault(f"n={n}", {})[name] = _document(rmse, brier, gain, cover, rate)
            lines.setdefault(name, []).append(Point(n, rmse))
    columns = ("n", "estimator", "RMSE", "Brier", "RMSE saved", "90 % covers held-out", "90 % covers, chance ignored")
    size = f"{len(recorded.models)} models x {len(recorded.domains)} domains"
    title = f"{size}, {len(recorded.ids)} questions, {draws} draws"
    series = tuple(Series(name, tuple(points)) for name, points in lines.items())
    return Report(
        experiment="calibration",
        data=path.name,
        seed=seed,
        tables=(Table(title, columns, tuple(rows)),),
        chart=Chart("RMSE of reliabilities", "graded answers a cell", "RMSE", series, is_log_x=True),
        figures=figures,
        notes=(
            "Held-out accuracies are noisy themselves: that noise is part of every RMSE.",
            "Intervals of the figures are the range of 95 % of the draws.",
        ),
    )


def _document(*found: Finding | None) -> dict[str, dict[str, float | None]]:
    names = ("rmse", "brier", "rmse_saved", "coverage", "coverage_chance_ignored")
    return {name: one.document() for name, one in zip(names, found, strict=True) if one is not None}
