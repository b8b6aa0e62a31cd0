"""Whether the scatter of memoric codes says something that edges do not say: the three tests on which `w` depends."""

import gzip
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import Standing, distance, encode, scatter, simhash
from perdura_core.errors import InputError
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table

__all__ = ["Said", "experiment_memoric", "measure_memoric", "planted"]

_EARLY = 4
"""Claims that are there when the scatter is taken; as many come later."""
_TIMES = 200
_WEIGHT = 0.5
_CONFIDENCE = 0.7
"""Of every claim: the recorded models said none."""
_BARS = {"1 scatter foretells": 0.7, "2 closeness is reliability": 0.6, "3 order is preserved": 0.9}
_BANDS = 6


class Said(NamedTuple):
    """What several models said to one question, in the order in which they came."""

    models: tuple[str, ...]
    texts: tuple[str, ...]
    answers: tuple[str, ...]
    right: str


class _Coded(NamedTuple):
    """All questions, row by row; in far and right, NaN for a model that did not answer."""

    early_scatter: NDArray[np.float64]
    """Of the first four claims."""
    agrees: NDArray[np.bool_]
    """Whether these four say the same."""
    is_contested: NDArray[np.bool_]
    """Whether one of the next four says something else."""
    edges: NDArray[np.float64]
    """Contention of all claims by edges alone."""
    scatter: NDArray[np.float64]
    far: NDArray[np.float64]
    """(questions, models): mean distance of a model's claim to the others."""
    right: NDArray[np.float64]


def experiment_memoric(path: Path, seed: int = 0) -> Report:
    """All three tests on recorded reasoning and on minds with planted truth. Raises InputError for another file.

    1: the area under the curve of early scatter for a contradiction that comes later, where none is there yet.
    2: |r| over models of how close their claims lie to those of others with the share that is right.
    3: the share of question pairs that contention with scatter leaves in the order of contention without it.
    """
    recorded = measure_memoric(_recorded(path, seed), seed)
    made = measure_memoric(planted(seed), seed)
    rows: list[tuple[object, ...]] = []
    for name, bar in _BARS.items():
        passes = recorded.figures[name].low is not None and (recorded.figures[name].low or 0) > bar
        rows.append((name, recorded.figures[name], made.figures[name], bar, "passes" if passes else "fails"))
    has_passed = all(row[-1] == "passes" for row in rows)
    verdict = (
        "All three pass on recorded reasoning: a memoric weight of 0.5 is supported."
        if has_passed
        else "Not all three pass on recorded reasoning: the memoric weight stays 0."
    )
    table = Table("the three tests", ("test", "recorded", "planted", "must exceed", "recorded"), tuple(rows))
    return Report(
        experiment="memoric",
        data=path.name,
        seed=seed,
        tables=(table,),
        chart=Chart(
            "contradictions to come by early scatter",
            "scatter of the first four claims, which agree",
            "share of questions where one of the next four disagrees",
            (Series("recorded reasoning", recorded.bands), Series("planted truth", made.bands)),
        ),
        figures={
            "recorded": recorded.figures,
            "planted": made.figures,
            "passes": has_passed,
            "supported_weight": _WEIGHT if has_passed else 0.0,
        },
        notes=(verdict, "Intervals: 95 % of the bootstrap over questions; a test passes when its lower end does."),
    )


class Measured(NamedTuple):
    """The three figures, and what the chart shows."""

    figures: dict[str, Finding]
    bands: tuple[Point, ...]


def measure_memoric(everything: Sequence[Said], seed: int) -> Measured:
    """The three tests on these questions, with intervals by the bootstrap over them."""
    coded = _coded(everything)
    dice = np.random.default_rng(seed)
    draws = [dice.integers(0, len(everything), len(everything)) for _ in range(_TIMES)]
    measures: dict[str, Callable[[_Coded, NDArray[np.intp]], float]] = {
        "1 scatter foretells": _foretelling,
        "2 closeness is reliability": _closeness,
        "3 order is preserved": _order,
    }
    figures = {}
    for name, measure in measures.items():
        low, high = np.nanquantile([measure(coded, draw) for draw in draws], [0.025, 0.975])
        figures[name] = Finding(measure(coded, np.arange(len(everything))), float(low), float(high))
    return Measured(figures, _bands(coded, dice))


def planted(seed: int, questions: int = 600, models: int = 10) -> list[Said]:
    """Minds with planted truth: each model is right as often as it is reliable, and says so in words of its own.

    Right claims are wordings of one sentence, wrong ones of several others; hard questions have more of them.
    """
    dice = random.Random(seed)
    reliability = {f"m{number}": 0.35 + 0.6 * number / (models - 1) for number in range(models)}
    words = [
        f"{a}{b}" for a in ("lan", "tor", "mel", "sik", "dur", "pav", "ost", "ree") for b in ("a", "ik", "um", "en")
    ]
    found = []
    for _ in range(questions):
        hardness = dice.random()
        sentences = [dice.choices(words, k=14) for _ in range(4)]
        order = dice.sample(sorted(reliability), models)
        answers, texts = [], []
        for model in order:
            is_right = dice.random() < reliability[model] ** (2 * hardness)
            answer = 0 if is_right else dice.randint(1, 3)
            loose = 0.05 + 0.5 * hardness
            said = [dice.choice(words) if dice.random() < loose else word for word in sentences[answer]]
            answers.append("ABCD"[answer])
            texts.append(" ".join(said))
        found.append(Said(tuple(order), tuple(texts), tuple(answers), "A"))
    return found


def _recorded(path: Path, seed: int) -> list[Said]:
    dice = random.Random(seed)
    found = []
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                given: Mapping[str, Any] = row["answers"]
                models = [model for model in sorted(given) if given[model]["answer"] and given[model]["reasoning"]]
                dice.shuffle(models)
                if len(models) >= 2 * _EARLY:
                    texts = tuple(given[model]["reasoning"] for model in models)
                    answers = tuple(given[model]["answer"] for model in models)
                    found.append(Said(tuple(models), texts, answers, row["gold"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no recorded reasoning ({error!r})") from None
    if not found:
        raise InputError(f"{path} holds no question that eight models answered with their reasoning")
    return found


def _coded(everything: Sequence[Said]) -> _Coded:
    models = {model: at for at, model in enumerate(sorted({model for said in everything for model in said.models}))}
    far, right = (np.full((len(everything), len(models)), np.nan) for _ in range(2))
    rows = []
    for row, said in enumerate(everything):
        front = encode(simhash(said.texts), [Standing("claim", _CONFIDENCE)] * len(said.texts), ()).front
        columns = [models[model] for model in said.models]
        far[row, columns] = distance(front[:, None], front[None, :]).sum(axis=1) / (len(front) - 1)
        right[row, columns] = [answer == said.right for answer in said.answers]
        early, later = said.answers[:_EARLY], said.answers[_EARLY : 2 * _EARLY]
        is_contested = any(answer != early[0] for answer in later)
        rows.append((scatter(front[:_EARLY]), len(set(early)) == 1, is_contested, _edges(said.answers), scatter(front)))
    early_scatter, agrees, contested, edges, whole = (np.array(column) for column in zip(*rows, strict=True))
    return _Coded(early_scatter, agrees, contested, edges, whole, far, right)


def _edges(answers: Sequence[str]) -> float:
    """Contention by edges alone: each pair of different answers contradicts, every confidence the same."""
    counts = Counter(answers)
    pairs = (len(answers) ** 2 - sum(count * count for count in counts.values())) / 2
    return _CONFIDENCE * pairs / len(answers)


def _foretelling(coded: _Coded, rows: NDArray[np.intp]) -> float:
    """Area under the curve: how often a contested question was more scattered than one that stayed calm."""
    agreed = rows[coded.agrees[rows]]
    is_contested = coded.is_contested[agreed]
    contested, calm = coded.early_scatter[agreed[is_contested]], np.sort(coded.early_scatter[agreed[~is_contested]])
    if not contested.size or not calm.size:
        return float("nan")
    below = np.searchsorted(calm, contested, "left") + np.searchsorted(calm, contested, "right")
    return float(below.sum() / 2 / (contested.size * calm.size))


def _closeness(coded: _Coded, rows: NDArray[np.intp]) -> float:
    """|r| over models of their mean distance to what others said with the share of their answers that is right."""
    far, right = np.nanmean(coded.far[rows], axis=0), np.nanmean(coded.right[rows], axis=0)
    return abs(float(np.corrcoef(far, right)[0, 1]))


def _order(coded: _Coded, rows: NDArray[np.intp]) -> float:
    """Share of the pairs of questions with different edge signals that stay in order once scatter counts half."""
    edges = coded.edges[rows].astype(np.float32)
    blended = ((1 - _WEIGHT) * coded.edges[rows] + _WEIGHT * coded.scatter[rows]).astype(np.float32)
    order = np.argsort(edges, kind="stable")
    edges, blended = edges[order], blended[order]
    above = edges[:, None] > edges[None, :]
    kept = above & (blended[:, None] > blended[None, :])
    return float(kept.sum() / above.sum()) if above.any() else float("nan")


def _bands(coded: _Coded, dice: np.random.Generator) -> tuple[Point, ...]:
    agreed = np.flatnonzero(coded.agrees)
    agreed = agreed[np.argsort(coded.early_scatter[agreed], kind="stable")]
    points = []
    for part in np.array_split(agreed, _BANDS):
        if part.size:
            contested = coded.is_contested[part].astype(np.float64)
            drawn = [contested[dice.integers(0, part.size, part.size)].mean() for _ in range(_TIMES)]
            low, high = np.quantile(drawn, [0.025, 0.975])
            place = float(coded.early_scatter[part].mean())
            points.append(Point(place, Finding(float(contested.mean()), float(low), float(high))))
    return tuple(points)
