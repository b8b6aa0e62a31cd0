"""Is a small model worth its place? What each adds to, or takes from, what a crew of models believes."""

import os
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.conductor import SessionOrder
from perdura_core.config import Providers, Settings
from perdura_core.epistemics import calibrate
from perdura_core.epistemics.asking import copied_belief, copying_of, unevenness_of
from perdura_core.errors import InputError
from perdura_core.experiments.calibration import graded
from perdura_core.experiments.live import LETTERS, Asked, letter_of, live_card, live_questions
from perdura_core.experiments.recorded import (
    NO_ANSWER,
    Recorded,
    halves,
    instructed,
    load_recorded,
    load_tariffs,
    rows_of,
)
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, resampled
from perdura_core.mind import Mind
from perdura_core.vocabulary import ElementRejected, Interpretation, ModelId

__all__ = ["contribution_of", "experiment_contribution"]

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
    points = [(model, Point(figures[model]["accuracy"].value, figures[model]["net_contribution"])) for model in small]
    series = tuple(Series(model, (point,), is_line=False) for model, point in points)
    columns = ("model", "place", "accuracy alone", "net contribution", "verdict")
    return Report(
        "contribution", path.name, seed,
        (Table(f"{len(small)} small models, {len(test)} questions", columns, tuple(rows)),),
        Chart("Net contribution", "accuracy alone", "accuracy added", series),
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


def _live_verdict(gain: Finding, net: Finding) -> str:
    """On its answers where they tell; else on what it sends: elements that merge, less those to be filtered out."""
    on_answers = _verdict(gain)
    if on_answers != "cannot be told" or net.high is None or net.low is None:
        return on_answers
    return "mostly noise" if net.high < 0 else "sends more than is refused" if net.low > 0 else on_answers


# A live model


class _Boarded(NamedTuple):
    """What a live model made of one question."""

    answer: str | None
    """The choice that its claims name; None: none, or nothing was merged."""
    merged: int
    rejected: int
    seconds: float


async def contribution_of(path: Path, seed: int, model: ModelId, questions: int) -> Report:
    """The same verdict on a model that runs now: it boards recorded questions through the conductor, one each.

    Its claims are read as answers. It joins the crew of the three best small recorded models, weighted by its own
    accuracy on the other questions (leaving each one out).
    """
    asked = live_questions(path, seed, questions)
    boarded, refusals = await _board_live(model, asked)
    tariffs = load_tariffs(path.with_name("model-prices.json"))
    recorded = load_recorded(path)
    small = [one for one in instructed(recorded.models) if one in tariffs and tariffs[one].tier == _SMALL]
    recorded = recorded.of_models(small)
    side = halves(recorded.ids, seed, 0)
    reliability = calibrate(*graded(recorded, side, _GRADED, np.random.default_rng(seed))).mean
    togetherness = _togetherness(recorded, np.flatnonzero(side), reliability)
    crew = list(np.argsort(-reliability.mean(axis=1))[:_CREW])
    own = np.array([float(one.answer == each.gold) for one, each in zip(boarded, asked, strict=True)])
    with_it = _joined(path, recorded, crew, reliability, togetherness, asked, boarded, own)
    gain = resampled([after - before for before, after in with_it], seed)
    usable = resampled([float(one.answer is not None) for one in boarded], seed)
    sent = sum(one.merged + one.rejected for one in boarded)
    net = resampled([float(one.merged - one.rejected) for one in boarded], seed)
    found: dict[str, Any] = {
        "accuracy": resampled(list(own), seed),
        "answers_read": usable,
        "net_contribution": gain,
        "net_elements": net,
        "elements_refused": sum(one.rejected for one in boarded) / sent if sent else 0.0,
        "seconds": float(np.mean([one.seconds for one in boarded])),
        "refusals": dict(refusals.most_common()),
        "verdict": _live_verdict(gain, net),
    }
    names = [recorded.models[at] for at in crew]
    figures = {"crew": names, "crew_accuracy": resampled([before for before, _ in with_it], seed), model: found}
    row = (model, found["accuracy"], usable, found["net_elements"], gain, found["seconds"], found["verdict"])
    columns = (
        "model", "accuracy alone", "answers read", "merged less refused, a boarding", "net contribution", "seconds",
        "verdict",
    )  # fmt: skip
    told = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in refusals.most_common()) or "none"
    point = Point(found["accuracy"].value, gain)
    series = (Series(model, (point,), is_line=False),)
    return Report(
        "contribution", path.name, seed, (Table(f"{len(asked)} questions boarded live", columns, (row,)),),
        Chart("Net contribution", "accuracy alone", "accuracy added", series), figures,
        (f"It joins {', '.join(names)}. Elements refused, by reason: {told}.",
         "Intervals: 95 % by bootstrap over questions. The verdict is on the crew's accuracy where that interval "
         "excludes 0, else on elements merged less refused."),
    )  # fmt: skip


async def _board_live(model: ModelId, asked: list[Asked]) -> tuple[list[_Boarded], Counter[str]]:
    """One boarding of each question in a mind of its own. Raises InputError when the model is not aboard."""
    settings = Settings(model=(live_card(model),))
    with TemporaryDirectory(prefix="perdura-live-") as folder:
        async with Mind.open(Path(folder) / "live.mind", settings, Providers.from_environment(os.environ)) as mind:
            ids = [(await mind.ask(one.text, domains=[one.domain])).id for one in asked]
            order = SessionOrder(
                seats=1, boardings=len(ids), models=(model,), explore_every=1, audit_every=0, stagnation_after=1_000
            )
            report = await mind.conductor.run(order)
            said = [node for node in await mind.store.interpretations() if isinstance(node, Interpretation)]
            refused = await mind.store.events(kinds={"element_rejected"})
            records = {record.boarding.question: record for record in report.boardings}
            boarded = []
            for question, one in zip(ids, asked, strict=True):
                record = records[question]
                texts = " ".join(node.text for node in said if node.boarding == record.boarding.id)
                answer = letter_of(texts, one.choices)
                boarded.append(_Boarded(answer, record.merged, record.rejected, record.seconds or 0.0))
    return boarded, Counter(event.what.reason for event in refused if isinstance(event.what, ElementRejected))


def _joined(
    path: Path,
    recorded: Recorded,
    crew: list[int],
    reliability: NDArray[np.floating[Any]],
    togetherness: tuple[float, float],
    asked: list[Asked],
    boarded: list[_Boarded],
    own: NDArray[np.floating[Any]],
) -> list[tuple[float, float]]:
    """Of each question: whether the crew believes the right answer, without the live model and with it."""
    letters = _letters(path, [one.id for one in asked], [recorded.models[at] for at in crew])
    found = []
    for at, (one, stay) in enumerate(zip(asked, boarded, strict=True)):
        domain = recorded.domains.index(one.domain)
        mine = (own.sum() - own[at] + 1) / (len(own) + 1)  # a first answer counts half right
        codes = [LETTERS.index(said) if said in LETTERS else NO_ANSWER for said in letters[one.id]]
        live = NO_ANSWER if stay.answer is None else LETTERS.index(stay.answer)
        weights = reliability[crew, domain]
        before = _believed(codes, weights, togetherness) == one.gold
        after = _believed([*codes, live], np.append(weights, np.clip(mine, 0.02, 0.98)), togetherness) == one.gold
        found.append((float(before), float(after)))
    return found


def _letters(path: Path, ids: list[str], models: list[str]) -> dict[str, list[str]]:
    wanted = set(ids)
    return {
        row["id"]: [row["answers"].get(model, {}).get("answer") or "-" for model in models]
        for row in rows_of(path)
        if row.get("id") in wanted
    }


def _believed(codes: list[int], weights: NDArray[np.floating[Any]], togetherness: tuple[float, float]) -> str | None:
    if all(code == NO_ANSWER for code in codes):
        return None
    told = copied_belief(np.array([codes]), weights, _CHOICES, *togetherness)
    return LETTERS[int(told.argmax(axis=1)[0])]
