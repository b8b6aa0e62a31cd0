"""What routing by record and by the worth of another answer buys, on a pool of six recorded models."""

from collections.abc import Callable, Mapping
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import calibrate
from perdura_core.epistemics.asking import Crew, ask, copying_of, unevenness_of
from perdura_core.errors import InputError
from perdura_core.experiments.calibration import prior_shrunk
from perdura_core.experiments.recorded import Recorded, halves, load_recorded
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, over_draws

__all__ = ["POOL", "crew_from", "experiment_routing"]

POOL = (
    "llama-3.1-8b-instruct",
    "gemini-1.5-flash-002",
    "deepseek-v2-chat",
    "llama-3.1-70b-instruct",
    "gemini-1.5-pro-002",
    "gpt-4o-2024-05-13",
)
_CHOICES = 10
_LADDER = (1, 2, 3)
"""Whom a cascade asks first, in this order; then the model that is named."""
_PRO, _FRONTIER = 4, 5
_EVENER = 0.4
"""Share of the measured unevenness of difficulty that is used: asking looks one answer ahead only, and with all of it
a second opinion seems worth less than it turns out to be."""
_WORTHS = (5.0, 8.0, 12.0, 20.0, 30.0, 40.0, 60.0, 90.0, 120.0, 150.0)
_STOPS = (0.7, 0.75, 0.8, 0.85, 0.88, 0.9)
"""On questions that are learned from, and beyond those graded, a cascade did better below half a dollar per 1,000."""
_THRIFT = 0.97
"""Of what a baseline costs, so that ours is not dearer by the luck of a draw."""
_BATCH = 100
_ONLINE_WORTH = 15.0

_Array = NDArray[np.floating[Any]]


class _Outcome(NamedTuple):
    accuracy: float
    usd: float
    """A thousand questions."""


class _Grades(NamedTuple):
    """Graded answers: counts (models, domains)."""

    rows: NDArray[np.intp]
    right: _Array
    answered: _Array
    asked: _Array
    usd: _Array
    """(domains, models): mean cost of an answer."""


Policy = Callable[[NDArray[np.intp]], _Outcome]
"""Given questions, what comes of routing them."""


def experiment_routing(path: Path, seed: int = 0, draws: int = 10) -> Report:
    """Accuracy at cost with 20 graded questions a domain, with half of all, and learning online.

    Each draw learns from one half of the questions and reports the other. For each point of the baselines, ours is
    chosen on the graded questions so as to cost no more than that point does there.
    """
    recorded = load_recorded(path).of_models(POOL)
    if np.isnan(recorded.cost[recorded.known]).any():
        raise InputError(f"a price is unknown: put model-prices.json with all of {', '.join(POOL)} beside {path.name}")
    recorded = recorded._replace(cost=np.nan_to_num(recorded.cost))
    found: dict[str, dict[str, list[_Outcome]]] = {}
    for draw in range(draws):
        side = halves(recorded.ids, seed, draw)
        test = np.flatnonzero(~side)
        for label, n in (("20 graded a domain", 20), ("half graded", None)):
            grades = _graded(recorded, side, n, np.random.default_rng([seed, draw]))
            into = found.setdefault(label, {})
            ours = {name: (policy(grades.rows), policy(test)) for name, policy in _candidates(recorded, grades).items()}
            for name, policy in _baselines(recorded, grades).items():
                into.setdefault(name, []).append(policy(test))
                into.setdefault(f"ours at {name}", []).append(_spending(ours, _THRIFT * policy(grades.rows).usd))
        for name, outcome in _online(recorded, seed, draw).items():
            found.setdefault("online, one grade a question", {}).setdefault(name, []).append(outcome)
    return _report(path, seed, draws, found)


def _spending(ours: Mapping[str, tuple[_Outcome, _Outcome]], usd: float) -> _Outcome:
    """What comes of our candidates, (on the graded questions, on the others), when so much may be spent.

    Of those that spend the limit but for a fifth, the best on the graded questions: few grades cannot tell a cheap
    policy's luck from its merit, and money that may be spent buys accuracy. Where the next dearer one did better
    there, both take turns by lot so as to spend the limit on average.
    """
    affordable = {name: one for name, (one, _) in ours.items() if one.usd <= usd}
    if not affordable:
        return ours[min(ours, key=lambda name: ours[name][0].usd)][1]
    most = max(one.usd for one in affordable.values())
    near = [name for name, one in affordable.items() if one.usd >= 0.8 * most]
    best = max(near, key=lambda name: (affordable[name].accuracy, -affordable[name].usd))
    dearer = [name for name, (one, _) in ours.items() if one.usd > usd and one.accuracy > affordable[best].accuracy]
    if not dearer:
        return ours[best][1]
    after = min(dearer, key=lambda name: ours[name][0].usd)
    share = (usd - ours[best][0].usd) / (ours[after][0].usd - ours[best][0].usd)
    low, high = ours[best][1], ours[after][1]
    return _Outcome(
        (1 - share) * low.accuracy + share * high.accuracy,
        (1 - share) * low.usd + share * high.usd,
    )


def _graded(recorded: Recorded, side: NDArray[np.bool_], n: int | None, dice: np.random.Generator) -> _Grades:
    chosen = []
    for domain in range(len(recorded.domains)):
        inside = np.flatnonzero(side & (recorded.domain == domain))
        chosen.append(inside if n is None else dice.permutation(inside)[:n])
    return _counted(recorded, np.concatenate(chosen))


def _counted(recorded: Recorded, rows: NDArray[np.intp], asked: NDArray[np.bool_] | None = None) -> _Grades:
    """`asked` (rows, models) leaves out answers that nobody asked for."""
    shape = (len(recorded.models), len(recorded.domains))
    right, answered, number, usd = (np.zeros(shape) for _ in range(4))
    known = recorded.known[rows] if asked is None else recorded.known[rows] & asked
    for domain in range(shape[1]):
        inside = recorded.domain[rows] == domain
        there = known[inside]
        number[:, domain] = there.sum(axis=0)
        right[:, domain] = (recorded.right[rows][inside] & there).sum(axis=0)
        answered[:, domain] = ((recorded.answer[rows][inside] >= 0) & there).sum(axis=0)
        usd[:, domain] = (recorded.cost[rows][inside] * there).sum(axis=0)
    whole = usd.sum(axis=1, keepdims=True) / np.maximum(number.sum(axis=1, keepdims=True), 1)
    mean = (usd + whole) / (number + 1)
    return _Grades(rows, right, answered, number, mean.T)


def crew_from(recorded: Recorded, grades: _Grades) -> Crew:
    """Reliabilities when they answer, how often they answer, costs, and how errors go together, from the grades."""
    right = calibrate(grades.right, grades.answered).mean.T
    answers = calibrate(grades.answered, grades.asked).mean.T
    rows = grades.rows
    expected = (right * answers)[recorded.domain[rows]]
    return Crew(
        right=right,
        answers=answers,
        usd=grades.usd,
        copying=copying_of(recorded.known[rows] & ~recorded.right[rows], recorded.answer[rows], _CHOICES),
        unevenness=_EVENER * unevenness_of(recorded.right[rows], expected),
        choices=_CHOICES,
    )


def _candidates(recorded: Recorded, grades: _Grades) -> dict[str, Policy]:
    crew = crew_from(recorded, grades)
    reliability = (crew.right * crew.answers).T
    found: dict[str, Policy] = {}
    for worth in _WORTHS:
        found[f"ask while a dollar buys {worth:g}"] = _asking(recorded, crew, worth)
    for stop in _STOPS:
        found[f"calibrated cascade, stop at {stop}"] = _cascade(recorded, reliability, stop, _PRO)
    return found


def _asking(recorded: Recorded, crew: Crew, worth: float) -> Policy:
    def run(rows: NDArray[np.intp]) -> _Outcome:
        done = ask(recorded.domain[rows], recorded.answer[rows], crew, worth)
        usd = float((done.asked * recorded.cost[rows]).sum(axis=1).mean())
        return _Outcome(_accuracy(recorded, rows, done.answer), 1_000 * usd)

    return run


def _baselines(recorded: Recorded, grades: _Grades) -> dict[str, Policy]:
    """The README's: records shrunk with weight 20, alone or as a cascade by summed log odds."""
    reliability = prior_shrunk(grades.right, grades.asked)
    best = reliability.argmax(axis=0)
    found: dict[str, Policy] = {"always gemini-1.5-pro": _by_domain(recorded, np.full(len(recorded.domains), _PRO))}
    for worth in (0.0, 2.0, 10.0, 30.0):
        chosen = (reliability.T - worth * grades.usd).argmax(axis=1)
        found[f"record, accuracy - {worth:g} x USD"] = _by_domain(recorded, chosen)
    for stop in (0.8, 0.9):
        found[f"cascade to gemini-1.5-pro, stop at {stop}"] = _cascade(recorded, reliability, stop, _PRO)
        found[f"cascade to gpt-4o, stop at {stop}"] = _cascade(recorded, reliability, stop, _FRONTIER)
        found[f"cascade to best of domain, stop at {stop}"] = _cascade(recorded, reliability, stop, best)
    return found


def _by_domain(recorded: Recorded, model: NDArray[np.intp]) -> Policy:
    def run(rows: NDArray[np.intp]) -> _Outcome:
        chosen = model[recorded.domain[rows]]
        right = float(recorded.right[rows, chosen].mean())
        return _Outcome(right, 1_000 * float(recorded.cost[rows, chosen].mean()))

    return run


def _cascade(recorded: Recorded, reliability: _Array, stop: float, last: int | NDArray[np.intp]) -> Policy:
    """Ask the ladder, then `last`, until the leading answer's share by summed log odds reaches `stop`."""
    sure = np.clip(reliability, 0.02, 0.98)
    weight = np.log(sure / (1 - sure)) + log(_CHOICES - 1)

    def run(rows: NDArray[np.intp]) -> _Outcome:
        domain = recorded.domain[rows]
        named = np.broadcast_to(last, len(recorded.domains))[domain]
        votes, usd = np.zeros((len(rows), _CHOICES + 1)), np.zeros(len(rows))
        going = np.ones(len(rows), dtype=bool)
        for step in (*_LADDER, named):
            who = np.broadcast_to(step, len(rows))
            said = recorded.answer[rows, who]
            heard = np.flatnonzero(going & (said >= 0))
            votes[heard, np.minimum(said[heard], _CHOICES)] += weight[who[heard], domain[heard]]
            usd += np.where(going, recorded.cost[rows, who], 0)
            share = np.exp(votes - votes.max(axis=1, keepdims=True))
            going &= share.max(axis=1) / share[:, :_CHOICES].sum(axis=1) < stop
        return _Outcome(_accuracy(recorded, rows, votes.argmax(axis=1)), 1_000 * float(usd.mean()))

    return run


def _accuracy(recorded: Recorded, rows: NDArray[np.intp], answer: NDArray[np.intp]) -> float:
    hit = recorded.right[rows] & (recorded.answer[rows] == answer[:, None])
    return float(hit.any(axis=1).mean())


def _online(recorded: Recorded, seed: int, draw: int) -> dict[str, _Outcome]:
    """The second half of a stream of all questions, learning from one grade a question: of a model that was asked.

    Where several were asked, one of them is graded, by lot. Reliabilities are drawn from their posterior for every
    hundred questions (Thompson 1933).
    """
    stream = np.random.default_rng([seed, draw, 1]).permutation(len(recorded.ids))
    return {
        "one model asked, accuracy - 10 x USD": _streamed(recorded, stream, seed, draw, is_single=True),
        "ours: ask while it is worth it": _streamed(recorded, stream, seed, draw, is_single=False),
    }


def _streamed(recorded: Recorded, stream: NDArray[np.intp], seed: int, draw: int, *, is_single: bool) -> _Outcome:
    dice = np.random.default_rng([seed, draw, 2])
    asked = np.zeros((len(stream), len(recorded.models)), dtype=bool)
    graded = np.zeros_like(asked)
    right, usd = np.zeros(len(stream), dtype=bool), np.zeros(len(stream))
    for start in range(0, len(stream), _BATCH):
        rows = stream[start : start + _BATCH]
        past = _counted(recorded, stream[:start], graded[:start])
        seen = _counted(recorded, stream[:start], asked[:start])
        known = calibrate(past.right, past.asked if is_single else past.answered)
        drawn = np.clip(dice.normal(known.mean, known.sd), 0.02, 0.98).T
        domain = recorded.domain[rows]
        # A model that nobody asked yet costs what is seen when it is: nothing until then.
        if is_single:
            choice = (drawn - 10.0 * seen.usd).argmax(axis=1)[domain]
            asked[start + np.arange(len(rows)), choice] = True
            right[start : start + len(rows)] = recorded.right[rows, choice]
        else:
            answers = calibrate(seen.answered, seen.asked).mean.T
            crew = Crew(drawn, answers, seen.usd, copying=0.35, unevenness=_EVENER * 2, choices=_CHOICES)
            done = ask(domain, recorded.answer[rows], crew, _ONLINE_WORTH)
            asked[start : start + len(rows)] = done.asked
            hit = recorded.right[rows] & (recorded.answer[rows] == done.answer[:, None])
            right[start : start + len(rows)] = hit.any(axis=1)
        lots = np.where(asked[start : start + len(rows)], dice.random((len(rows), asked.shape[1])), -1.0)
        graded[start + np.arange(len(rows)), lots.argmax(axis=1)] = True
        usd[start : start + len(rows)] = (asked[start : start + len(rows)] * recorded.cost[rows]).sum(axis=1)
    later = slice(len(stream) // 2, None)
    return _Outcome(float(right[later].mean()), 1_000 * float(usd[later].mean()))


def _report(path: Path, seed: int, draws: int, found: dict[str, dict[str, list[_Outcome]]]) -> Report:
    tables: list[Table] = []
    figures: dict[str, Any] = {}
    series: list[Series] = []
    for label, by_name in found.items():
        rows: list[tuple[object, ...]] = []
        for name, drawn in by_name.items():
            accuracy, usd = over_draws([one.accuracy for one in drawn]), over_draws([one.usd for one in drawn])
            figures.setdefault(label, {})[name] = {"accuracy": accuracy, "usd_per_thousand": usd}
            if name.startswith("ours at "):
                continue
            ours = by_name.get(f"ours at {name}")
            rows.append((name, accuracy, usd, *_beside(drawn, ours)))
        columns = ("policy", "accuracy", "USD per 1,000", "ours: accuracy", "ours: USD", "accuracy gained")
        tables.append(Table(f"{label}, {draws} draws", columns, tuple(rows)))
        for is_ours in (True, False):
            points = [
                Point(figures[label][name]["usd_per_thousand"].value, figures[label][name]["accuracy"])
                for name in by_name
                if name.startswith("ours") == is_ours
            ]
            points.sort(key=lambda point: point.x)
            series.append(Series(f"{label}: {'ours' if is_ours else 'baselines'}", tuple(points), is_line=is_ours))
    notes = (
        "Ours asks while another answer is worth its price; errors that go together are discounted.",
        "Which candidate stands beside a baseline is chosen on the graded questions.",
        "Intervals: the range of 95 % of the draws. Cost by recorded lengths and list prices.",
    )
    chart = Chart("Routing a pool of six", "USD per 1,000 questions", "accuracy", tuple(series), is_log_x=True)
    return Report("routing", path.name, seed, tuple(tables), chart, figures, notes)


def _beside(theirs: list[_Outcome], ours: list[_Outcome] | None) -> tuple[Finding | None, ...]:
    if ours is None:
        return None, None, None
    return (
        over_draws([one.accuracy for one in ours]),
        over_draws([one.usd for one in ours]),
        over_draws([a.accuracy - b.accuracy for a, b in zip(ours, theirs, strict=True)]),
    )
