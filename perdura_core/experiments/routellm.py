"""Which questions need the strong model of a pair: RouteLLM's measures on its own recorded answers."""

import re
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.blend import learn_blend
from perdura_core.errors import InputError
from perdura_core.experiments.recorded import Recorded, halves, load_recorded, rows_of
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, over_draws

__all__ = ["experiment_routellm"]

_Array = NDArray[np.floating[Any]]
_GRADED = 20
_PRIOR_WORTH = 20.0
_BUCKETS = 1_024
_WORD = re.compile(r"[a-z]+|\d+|[^\w\s]")
_STEPS = 20


class _Pair(NamedTuple):
    """The questions of one benchmark for a weak and a strong model."""

    recorded: Recorded
    gap: NDArray[np.intp]
    """(questions,): 1 when only the strong one is right, -1 when only the weak one is."""
    words: _Array
    """(questions, buckets): square roots of word counts, of unit length."""
    size: _Array
    """(questions,): logarithm of the length in characters, standardised."""


class _Curve(NamedTuple):
    apgr: float
    cpt50: float
    cpt80: float
    recovered: tuple[float, ...]


def experiment_routellm(path: Path, seed: int = 0, draws: int = 10) -> Report:
    """APGR (area under the recovered gap against the share of strong calls), CPT50 and CPT80, 20 graded a subject.

    Each draw grades on one half of the questions and reports the other. The gap between the two models is guessed
    from subject, words and length; how much each counts is learned from the graded answers (see `learn_blend`).
    """
    pair = _pair(path)
    curves: dict[str, list[_Curve]] = {}
    for draw in range(draws):
        side = halves(pair.recorded.ids, seed, draw)
        dice, test = np.random.default_rng([seed, draw]), np.flatnonzero(~side)
        subjects = range(len(pair.recorded.domains))
        inside = [np.flatnonzero(side & (pair.recorded.domain == subject)) for subject in subjects]
        learned = np.concatenate([dice.permutation(rows)[:_GRADED] for rows in inside])
        for name, score in _scores(pair, learned, test).items():
            curves.setdefault(name, []).append(_curve(score, pair.gap[test]))
    return _report(path, seed, draws, pair, curves)


def _pair(path: Path) -> _Pair:
    recorded = load_recorded(path, {})
    if len(recorded.models) != 2:
        raise InputError(f"{path} has answers of {len(recorded.models)} models: a pair needs exactly two")
    benchmark = recorded.ids[0].partition("-")[0]
    recorded = recorded.of_rows(np.array([each.startswith(f"{benchmark}-") for each in recorded.ids]))
    texts = {row["id"]: row.get("question") or "" for row in rows_of(path)}
    weak, strong = np.argsort(recorded.right.mean(axis=0))
    gap = recorded.right[:, strong].astype(np.intp) - recorded.right[:, weak].astype(np.intp)
    size = np.log1p(recorded.length.astype(np.float64))
    words = np.stack([_words(texts[each]) for each in recorded.ids])
    return _Pair(recorded, gap, words, (size - size.mean()) / size.std())


def _words(text: str) -> _Array:
    counts = np.zeros(_BUCKETS)
    for word in _WORD.findall(text.lower()):
        counts[crc32(("#" if word.isdigit() else word).encode()) % _BUCKETS] += 1
    roots = np.sqrt(counts)
    return np.asarray(roots / max(float(np.linalg.norm(roots)), 1.0))


def _scores(pair: _Pair, learned: NDArray[np.intp], test: NDArray[np.intp]) -> dict[str, _Array]:
    """What each way of choosing says of the test questions; those of the highest score get the strong model first."""
    subjects = pair.recorded.domain[learned]
    counts = np.bincount(subjects, minlength=len(pair.recorded.domains))
    sums = np.bincount(subjects, weights=pair.gap[learned], minlength=len(pair.recorded.domains))
    shrunk = (sums + _PRIOR_WORTH * pair.gap[learned].mean()) / (counts + _PRIOR_WORTH)
    blend = learn_blend(pair.gap[learned].astype(np.float64), _kernels(pair, learned, learned))
    return {
        "question length": pair.size[test],
        "subject record, shrunk with weight 20": shrunk[pair.recorded.domain[test]],
        "subject, words and length": blend.guess(_kernels(pair, test, learned)),
    }


def _kernels(pair: _Pair, of: NDArray[np.intp], to: NDArray[np.intp]) -> list[_Array]:
    same = pair.recorded.domain[of][:, None] == pair.recorded.domain[to]
    return [same.astype(np.float64), pair.words[of] @ pair.words[to].T, np.outer(pair.size[of], pair.size[to])]


def _curve(score: _Array, gap: NDArray[np.intp]) -> _Curve:
    ordered = gap[np.argsort(-score, kind="stable")]
    recovered = np.concatenate([[0.0], np.cumsum(ordered) / ordered.sum()])
    share = np.linspace(0, 1, len(recovered))
    area = float(np.sum((recovered[1:] + recovered[:-1]) / 2) / (len(recovered) - 1))
    reach = [float(share[np.argmax(recovered >= part)]) for part in (0.5, 0.8)]
    at = np.linspace(0, len(recovered) - 1, _STEPS + 1).astype(np.intp)
    return _Curve(area, reach[0], reach[1], tuple(recovered[at]))


def _report(path: Path, seed: int, draws: int, pair: _Pair, curves: dict[str, list[_Curve]]) -> Report:
    rows: list[tuple[object, ...]] = [("random", Finding(0.5), Finding(0.5), Finding(0.8))]
    figures: dict[str, Any] = {}
    series = []
    for name, drawn in curves.items():
        found = [over_draws([getattr(one, part) for one in drawn]) for part in ("apgr", "cpt50", "cpt80")]
        rows.append((name, *found))
        figures[name] = dict(zip(("apgr", "cpt50", "cpt80"), found, strict=True))
        mean = np.mean([one.recovered for one in drawn], axis=0)
        points = (Point(step / _STEPS, Finding(float(value))) for step, value in enumerate(mean))
        series.append(Series(name, tuple(points)))
    title = (
        f"{' and '.join(pair.recorded.models)}: {len(pair.gap)} questions, {_GRADED} graded a subject, {draws} draws"
    )
    table = Table(title, ("signal", "APGR", "CPT50", "CPT80"), tuple(rows))
    chart = Chart("Gap recovered by strong calls", "share of strong calls", "gap recovered", tuple(series))
    notes = ("Intervals: the range of 95 % of the draws. Which draw is graded is by sha256 of the id.",)
    return Report("routellm", path.name, seed, (table,), chart, figures, notes)
