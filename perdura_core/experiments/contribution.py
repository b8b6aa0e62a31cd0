"""Is a small model worth its place? What each adds to, or takes from, what a crew of models believes."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import calibrate
from perdura_core.epistemics.asking import copied_belief, copying_of, unevenness_of
from perdura_core.errors import InputError
from perdura_core.experiments.calibration import graded
from perdura_core.experiments.recorded import NO_ANSWER, Recorded, halves, instructed, load_recorded, load_tariffs
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, resampled

__all__ = ["experiment_contribution"]

_GRADED = 20
_CHOICES = 10
_SMALL = "small"
_CREW = 3
"""The most reliable small models by the grades: whom a candidate joins."""


def experiment_contribution(path: Path, seed: int = 0) -> Report:
    """Accuracy of a crew's belief with a small model aboard less that without it, for each small model.

    The crew is the three small models that grades of 20 answers a domain rank first; a member is judged by leaving
    it out, another by letting it join. Learned on one half (by sha256 of the id), reported on the other.
    """
    tariffs = load_tariffs(path.with_name("model-prices.json"))
    recorded = load_recorded(path)
    small = [model for model in instructed(recorded.models) if model in tariffs and tariffs[model].tier == _SMALL]
    if len(small) <= _CREW:
        raise InputError(f"{path} has {len(small)} small models with a price beside it: more than {_CREW} are needed")
    recorded = recorded.of_models(small)
    side = halves(recorded.ids, seed, 0)
    counts = graded(recorded, side, _GRADED, np.random.default_rng(seed))
    reliability = calibrate(*counts).mean
    learned, test = np.flatnonzero(side), np.flatnonzero(~side)
    crew = list(np.argsort(-reliability.mean(axis=1))[:_CREW])
    togetherness = _togetherness(recorded, learned, reliability)
    base = _right(recorded, test, crew, reliability, togetherness)
    rows: list[tuple[object, ...]] = []
    figures: dict[str, Any] = {
        "crew": [recorded.models[at] for at in crew],
        "crew_accuracy": resampled(list(base), seed),
    }
    for at, model in enumerate(recorded.models):
        other = [one for one in crew if one != at] if at in crew else [*crew, at]
        changed = _right(recorded, test, other, reliability, togetherness)
        gain = (base - changed) if at in crew else (changed - base)
        found = resampled(list(gain), seed)
        own = resampled(list(recorded.right[test, at].astype(float)), seed)
        verdict = _verdict(found)
        rows.append((model, "member" if at in crew else "joins", own, found, verdict))
        figures[model] = {"accuracy": own, "net_contribution": found, "verdict": verdict}
    points = tuple(Point(figures[m]["accuracy"].value, figures[m]["net_contribution"]) for m in recorded.models)
    columns = ("model", "place", "accuracy alone", "net contribution", "verdict")
    return Report(
        "contribution", path.name, seed,
        (Table(f"{len(small)} small models, {len(test)} questions", columns, tuple(rows)),),
        Chart("Net contribution", "accuracy alone", "accuracy added", (Series("small models", points, is_line=False),)),
        figures,
        ("Answers alone are recorded: what a model adds by claims, links and doubts needs a live run.",
         "Intervals: 95 % by bootstrap over questions; a verdict is given where the interval excludes 0."),
    )  # fmt: skip


def _togetherness(
    recorded: Recorded, rows: NDArray[np.intp], reliability: NDArray[np.floating[Any]]
) -> tuple[float, float]:
    """How errors go together, from at most 20 graded questions a domain."""
    few = np.concatenate([rows[recorded.domain[rows] == one][:_GRADED] for one in range(len(recorded.domains))])
    wrong = recorded.known[few] & ~recorded.right[few]
    copying = copying_of(wrong, recorded.answer[few], _CHOICES)
    return copying, unevenness_of(recorded.right[few], reliability.T[recorded.domain[few]])


def _right(
    recorded: Recorded,
    rows: NDArray[np.intp],
    crew: list[int],
    reliability: NDArray[np.floating[Any]],
    togetherness: tuple[float, float],
) -> NDArray[np.floating[Any]]:
    """(rows,): 1 where the crew believes the right answer most, domain by domain."""
    answers = np.where(recorded.answer < _CHOICES, recorded.answer, NO_ANSWER)[rows][:, crew]
    best = np.full(len(rows), NO_ANSWER)
    for domain in range(len(recorded.domains)):
        inside = np.flatnonzero(recorded.domain[rows] == domain)
        if inside.size:
            told = copied_belief(answers[inside], reliability[crew, domain], _CHOICES, *togetherness)
            best[inside] = np.where((answers[inside] >= 0).any(axis=1), told.argmax(axis=1), NO_ANSWER)
    hit = recorded.right[rows] & (recorded.answer[rows] == best[:, None])
    return np.asarray(hit.any(axis=1), dtype=np.float64)


def _verdict(found: Finding) -> str:
    if found.low is None or found.high is None or found.low <= 0 <= found.high:
        return "cannot be told"
    return "worth its place" if found.low > 0 else "does harm"
