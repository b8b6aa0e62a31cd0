"""Who compacts best? A rule, the departing worker or a dedicated model, on recorded answers through the conductor."""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from math import log
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.briefing import estimate_tokens
from perdura_core.epistemics import calibrate
from perdura_core.errors import InputError
from perdura_core.experiments.calibration import graded
from perdura_core.experiments.escalation import key_for, replayed
from perdura_core.experiments.recorded import Recorded, halves, load_recorded, load_tariffs
from perdura_core.experiments.replaying import Shard, Stage, cards_of, order_of, staged
from perdura_core.experiments.report import Chart, Point, Report, Series, Table, resampled
from perdura_core.graph import Graph
from perdura_core.vocabulary import CONDUCTOR, Briefing, Card, Draft, ElementMerged, NodeId, NodeSuperseded
from perdura_core.workers.replay import Replayed, ReplayWorker, answer_of, answering, sides

__all__ = ["POLICIES", "experiment_compaction"]

Policy = Literal["none", "deterministic", "departing worker", "dedicated model"]
POLICIES: tuple[Policy, ...] = ("none", "deterministic", "departing worker", "dedicated model")

_PEERS = (
    "gemini-1.5-flash-002",
    "deepseek-v2-chat",
    "llama-3.1-8b-instruct",
    "mixtral-8x7b-instruct-v0.1",
    "phi-3-mini-4k-instruct",
)
_DEDICATED = "gpt-4o-2024-05-13"
_GRADED = 20
_SHARD = 61
_CHOICES = 10
_GIVES_WAY = 0.5
"""The rule: an answer whose weight of voices is at most this part of the leading one's gives way to it."""


class _Job(NamedTuple):
    shard: Shard
    policy: Policy
    weights: tuple[dict[str, float], ...]
    """Of each question: what a model's voice weighs there."""


class _Left(NamedTuple):
    """What a mind holds of one question when all have boarded."""

    answers: tuple[tuple[str, float, bool], ...]
    """Each answer that was given, its weight of voices, and whether it still stands."""
    tokens: int
    """Of the answers that stand."""


class ClaimingWorker(ReplayWorker):
    """Answers as recorded by claims alone, so that each answer is one node; one that stands is said again."""

    def elements(self, briefing: Briefing, said: Replayed) -> list[dict[str, Any]]:
        """Its claim."""
        [own] = answering(briefing, said)
        links = own["links"] if own["kind"] == "claim" else [{"type": "answers", "to": briefing.question.id}]
        return [own | {"kind": "claim", "links": links}]


class CompactingWorker(ClaimingWorker):
    """Has every standing answer that differs from its own give way to it, too."""

    def elements(self, briefing: Briefing, said: Replayed) -> list[dict[str, Any]]:
        """Its claim, then one supersede for each other one."""
        mine, others = sides(briefing, said.answer)
        heir = mine[-1].id if mine else "a"
        return [
            *super().elements(briefing, said),
            *({"kind": "supersede", "from": node.id, "links": [{"type": "supersedes", "to": heir}]} for node in others),
        ]


def experiment_compaction(path: Path, seed: int = 0, questions: int = 488) -> Report:
    """Five small models answer each question in turn; then each policy's mind is looked at.

    Deterministic: the conductor lets answers of little weight give way. Departing worker: each lets what it
    contradicts give way to its own answer. Dedicated model: a frontier model comes last and does so once. Weights of
    voices come from 20 graded answers a model and domain on one half (by sha256 of the id), questions from the other.
    """
    recorded, shards, rows = _shards(path, seed, questions)
    weights = _weights(recorded, path, seed)
    jobs = [
        _Job(shard, policy, tuple(weights[int(row)] for row in part))
        for policy in POLICIES
        for shard, part in zip(shards, rows, strict=True)
    ]
    with ProcessPoolExecutor(max_workers=os.cpu_count() or 1, mp_context=get_context("spawn")) as pool:
        left = list(pool.map(_left, jobs))
    found = {
        policy: [one for job, part in zip(jobs, left, strict=True) if job.policy == policy for one in part]
        for policy in POLICIES
    }
    return _report(path, seed, recorded, np.concatenate(rows), found)


def _shards(path: Path, seed: int, questions: int) -> tuple[Recorded, list[Shard], list[NDArray[np.intp]]]:
    recorded, tariffs = load_recorded(path).of_models([*_PEERS, _DEDICATED]), load_tariffs(
        path.with_name("model-prices.json")
    )  # fmt: skip
    if _DEDICATED not in tariffs:
        raise InputError(f"no price of {_DEDICATED} beside {path.name}: put model-prices.json into its folder")
    side = halves(recorded.ids, seed, 0)
    reliability = calibrate(*graded(recorded, side, _GRADED, np.random.default_rng(seed))).mean
    whole = np.flatnonzero(~side & recorded.known.all(axis=1))[:questions]
    rows = [whole[start : start + _SHARD] for start in range(0, len(whole), _SHARD)]
    tariff = tariffs[_DEDICATED]
    shards = [
        Shard(
            questions=tuple((key_for(row), recorded.domains[recorded.domain[row]]) for row in part),
            recording={key_for(row): replayed(recorded, reliability, row) for row in part},
            peers=_PEERS,
            frontier=_DEDICATED,
            usd_per_mtok=(tariff.usd_per_mtok_in, tariff.usd_per_mtok_out),
            policy="round_robin",
            passes=len(_PEERS),
            seed=number,
        )
        for number, part in enumerate(rows)
    ]
    return recorded, shards, rows


def _weights(recorded: Recorded, path: Path, seed: int) -> dict[int, dict[str, float]]:
    """Row -> model -> log odds of being right, against one wrong answer of several."""
    side = halves(recorded.ids, seed, 0)
    reliability = calibrate(*graded(recorded, side, _GRADED, np.random.default_rng(seed))).mean
    odds = np.log(reliability / (1 - reliability)) + log(_CHOICES - 1)
    return {
        row: {model: float(odds[at, recorded.domain[row]]) for at, model in enumerate(recorded.models)}
        for row in map(int, np.flatnonzero(~side))
    }


def _left(job: _Job) -> list[_Left]:
    return asyncio.run(_worked(job))


async def _worked(job: _Job) -> list[_Left]:
    shard = job.shard
    cards = cards_of(shard)

    def build(card: Card) -> ReplayWorker:
        compacts = job.policy == "departing worker" or card.tier == "frontier"
        return (CompactingWorker if compacts else ClaimingWorker)(card, shard.recording)

    async with staged(shard, build) as stage:
        await stage.conductor.run(order_of(shard, cards[:-1]))
        if job.policy == "deterministic":
            await _tidied(stage, await _voices(stage, job))
        if job.policy == "dedicated model":
            await stage.conductor.run(order_of(shard._replace(passes=1), cards[-1:]))
        voices = await _voices(stage, job)
        graph = stage.journal.graph
        texts = {node.id: node.text for node in await stage.journal.store.interpretations()}
        return [_what_is_left(graph, texts, own) for own in voices]


async def _voices(stage: Stage, job: _Job) -> list[dict[NodeId, float]]:
    """Of each question: the nodes that give an answer, with the weight of the models that gave it."""
    said: list[dict[NodeId, dict[str, float]]] = [{} for _ in job.shard.questions]
    for event in await stage.journal.store.events(kinds={"element_merged"}):
        what = event.what
        if isinstance(what, ElementMerged) and what.node is not None and what.node[0] == "i":
            place = _question_of(stage.journal.graph, what.node)
            model = event.by.partition(":")[2]
            if place is not None:
                said[place].setdefault(what.node, {})[model] = job.weights[place][model]
    return [{node: sum(models.values()) for node, models in own.items()} for own in said]


def _question_of(graph: Graph, node: NodeId) -> int | None:
    answered = (link.dst for link in graph.links(node) if link.type == "answers" and link.src == node)
    return next((int(question[1:]) - 1 for question in answered), None)


async def _tidied(stage: Stage, voices: Sequence[dict[NodeId, float]]) -> None:
    """The rule, as one plan of the conductor."""
    drafts = []
    for own in voices:
        leader = max(own, key=lambda node: (own[node], -int(node[1:])), default=None)
        for node, weight in own.items():
            if leader is not None and node != leader and weight <= _GIVES_WAY * own[leader]:
                gone = NodeSuperseded(node=node, superseded_by=leader, reason="few voices")
                drafts.append(Draft(what=gone, by=CONDUCTOR))
    if drafts:
        await stage.journal.append(drafts)


def _what_is_left(graph: Graph, texts: dict[NodeId, str], voices: dict[NodeId, float]) -> _Left:
    answers = []
    tokens = 0
    for node, weight in voices.items():
        vertex = graph.get(node)
        stands = vertex is not None and vertex.is_live
        answers.append((answer_of(texts[node]) or "", weight, stands))
        tokens += estimate_tokens(texts[node]) if stands else 0
    return _Left(tuple(answers), tokens)


def _report(
    path: Path, seed: int, recorded: Recorded, rows: NDArray[np.intp], found: dict[Policy, list[_Left]]
) -> Report:
    right = [_right_answers(recorded, int(row)) for row in rows]
    best = recorded.models.index(_DEDICATED)
    usd = 1_000 * float(recorded.cost[rows, best].mean())
    table: list[tuple[object, ...]] = []
    figures: dict[str, Any] = {}
    hits: dict[Policy, list[float]] = {}
    points = []
    for policy, left in found.items():
        hits[policy] = [float(_leading(one) in good) for one, good in zip(left, right, strict=True)]
        lost = [
            float(not any(stands for answer, _, stands in one.answers if answer in good))
            for one, good in zip(left, right, strict=True)
            if any(answer in good for answer, _, _ in one.answers)
        ]
        wrong = [
            float(sum(stands and answer not in good for answer, _, stands in one.answers))
            for one, good in zip(left, right, strict=True)
        ]
        figures[policy] = {
            "accuracy": resampled(hits[policy], seed),
            "accuracy_above_none": resampled(np.subtract(hits[policy], hits["none"]).tolist(), seed),
            "right_answers_lost": resampled(lost, seed),
            "wrong_claims_left": resampled(wrong, seed),
            "claims_left": resampled([float(sum(stands for _, _, stands in one.answers)) for one in left], seed),
            "tokens": resampled([float(one.tokens) for one in left], seed),
            "usd_per_thousand": usd if policy == "dedicated model" else 0.0,
        }
        table.append((policy, *figures[policy].values()))
        points.append(
            Series(policy, (Point(figures[policy]["claims_left"].value, figures[policy]["accuracy"]),), False)
        )
    columns = (
        "compacted by", "accuracy", "above none", "right answers lost", "wrong claims left", "claims left", "tokens",
        "USD per 1,000",
    )  # fmt: skip
    notes = (
        "Accuracy: the standing answer with the greatest weight of voices. Lost: given by somebody, standing nowhere.",
        f"The rule lets an answer of at most {_GIVES_WAY:g} of the leading one's weight give way. It was not tuned.",
        "Recorded answers compact by what they say; a live model could weigh reasons. Intervals: bootstrap.",
    )
    title = f"{len(rows)} questions, five small models each; dedicated: {_DEDICATED}"
    return Report(
        "compaction", path.name, seed, (Table(title, columns, tuple(table)),),
        Chart("What compaction keeps", "claims left a question", "accuracy", tuple(points)), figures, notes,
    )  # fmt: skip


def _right_answers(recorded: Recorded, row: int) -> set[str]:
    """The answers of this question that are right, as the replayed models give them."""
    return {f"option {code}" for code in recorded.answer[row][recorded.right[row]]}


def _leading(left: _Left) -> str | None:
    standing = [(weight, answer) for answer, weight, stands in left.answers if stands]
    return max(standing, default=(0.0, None))[1]
