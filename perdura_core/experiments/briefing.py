"""Briefing against full history, by the size of the graph: what each takes to read, and what of it is seen."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from perdura_core.briefing import assemble, estimate_tokens, render
from perdura_core.clock import Clock, Ids
from perdura_core.config import BriefingSettings, Providers
from perdura_core.delta import DELTA_SCHEMA, DeltaParser, RawElement
from perdura_core.errors import ContentError, InputError, RequestError, TransientError
from perdura_core.experiments.live import Asked, letter_of, live_card, live_questions
from perdura_core.experiments.recorded import rows_of
from perdura_core.experiments.report import Chart, Finding, Point, Report, Series, Table, resampled
from perdura_core.graph import Graph
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import (
    OPERATOR,
    Briefing,
    BriefingNode,
    Call,
    Draft,
    Edge,
    EdgeAdded,
    Interpretation,
    InterpretationAdded,
    ModelId,
    NodeId,
    Question,
    QuestionAsked,
    TextChunk,
)
from perdura_core.workers import Worker, build_worker

__all__ = ["briefing_by", "experiment_briefing"]

_SIZES = (4, 16, 64, 256)
"""Questions in a mind; each has about a dozen claims."""
_LIVE_SIZES = (1, 4, 16)
_ATTEMPTS = 4
_LONGEST_WAIT_S = 30.0
_LOOKED_AT = 40
"""Questions of each mind whose briefings are measured."""
_WINDOWS = (8_192, 32_768, 131_072)
_MOST_TOKENS = 6_000
_CLAIM_CHARACTERS = 400


class _Claim(NamedTuple):
    model: str
    answer: str
    text: str


class _Debate(NamedTuple):
    """One question with what was said on it, oldest first."""

    key: str
    domain: str
    gold: str
    asked: str
    claims: tuple[_Claim, ...]


class _Seen(NamedTuple):
    """What one briefing shows of its question."""

    tokens: int
    answers: float
    """Share of the different answers given."""
    gold: float | None
    """Whether the right answer is among them; None: nobody gave it."""
    own: float
    """Share of what is shown that is about this question."""
    milliseconds: float


async def experiment_briefing(path: Path, seed: int = 0) -> Report:
    """Offline: minds of growing size from recorded reasoning; a worker's briefing against reading all that was said.

    What a worker makes of either needs a live model: see `briefing_by`.
    """
    debates = _debates(path, seed)
    sizes = [size for size in _SIZES if size <= len(debates)] or [len(debates)]
    rows: list[tuple[object, ...]] = []
    figures: dict[str, Any] = {}
    briefed, history = [], []
    for size in sizes:
        seen, whole, claims = await _measure(debates[:size])
        found: dict[str, Any] = {
            "claims": claims,
            "briefing_tokens": resampled([float(one.tokens) for one in seen], seed),
            "history_tokens": whole,
            "answers_seen": resampled([one.answers for one in seen], seed),
            "right_answer_seen": resampled([one.gold for one in seen if one.gold is not None], seed),
            "about_the_question": resampled([one.own for one in seen], seed),
            "briefing_ms": resampled([one.milliseconds for one in seen], seed),
            "history_fits": [window for window in _WINDOWS if whole <= window],
        }
        figures[f"{size} questions"] = found
        fits = ", ".join(f"{window // 1024}k" for window in _WINDOWS if whole <= window) or "none"
        rows.append((size, *list(found.values())[:-1], fits))
        briefed.append(Point(claims, found["briefing_tokens"]))
        history.append(Point(claims, Finding(float(whole))))
    columns = (
        "questions", "claims", "briefing, tokens", "history, tokens", "answers seen", "right one seen",
        "about the question", "CPU ms", "windows that hold the history",
    )  # fmt: skip
    notes = (
        "Recorded reasoning says what must be read and what of it is seen. Whether a model then answers better, only "
        "one that runs can tell: --model ID asks it both ways.",
        "Tokens are the estimate that money is reserved by, an upper bound. Intervals: bootstrap over questions.",
    )
    series = (Series("briefing", tuple(briefed)), Series("full history", tuple(history)))
    return Report(
        "briefing", path.name, seed, (Table("Briefing against full history", columns, tuple(rows)),),
        Chart("What a worker reads", "claims in the mind", "tokens", series, is_log_x=True), figures, notes,
    )  # fmt: skip


def _debates(path: Path, seed: int) -> list[_Debate]:
    """Of rows `{id, domain, gold, answers: {model: {answer, reasoning}}}`, in an order drawn by the seed."""
    texts = _question_texts(path)
    found = []
    for number, row in enumerate(row for row in rows_of(path) if row.get("answers")):
        key = f"recorded{number}"
        claims = tuple(
            _Claim(model, said["answer"], f"{key}: the answer is {said['answer']}, for {_short(said['reasoning'])}")
            for model, said in sorted(row["answers"].items())
            if said.get("answer") and said.get("reasoning")
        )
        if claims:
            asked = f"{key} {texts.get(row['id'], 'Which answer is right?')}"
            found.append(_Debate(key, row["domain"], row["gold"], asked, claims))
    if not found:
        raise InputError(f"{path} holds no recorded reasoning: rows need `answers` with `answer` and `reasoning`")
    order = np.random.default_rng(seed).permutation(len(found))
    return [found[at] for at in order]


def _question_texts(path: Path) -> dict[str, str]:
    """Texts of the questions, where a file of answers with them lies beside the reasoning."""
    beside = path.with_name("model-answers-mmlu-pro.jsonl.gz")
    if not beside.is_file():
        return {}
    return {row["id"]: row["question"] for row in rows_of(beside) if "question" in row}


def _short(reasoning: str) -> str:
    return " ".join(reasoning.split())[:_CLAIM_CHARACTERS]


async def _measure(debates: Sequence[_Debate]) -> tuple[list[_Seen], int, int]:
    """What briefings of some of the questions show; tokens of the whole history; claims in the mind."""
    with TemporaryDirectory(prefix="perdura-briefing-") as folder:
        async with open_sqlite(Path(folder) / "one.mind") as store, Journal.open(store, Clock()) as journal:
            answers = await _filled(journal, debates)
            settings = BriefingSettings()
            seen = []
            for number, debate in enumerate(debates[:_LOOKED_AT], start=1):
                began_s = process_time()
                briefing = await assemble(
                    store, journal.graph, f"q{number}", settings=settings, max_tokens=_MOST_TOKENS
                )
                took_ms = (process_time() - began_s) * 1_000
                seen.append(_seen(debate, briefing, answers, took_ms))
    whole = sum(estimate_tokens(claim.text) for debate in debates for claim in debate.claims)
    return seen, whole, sum(len(debate.claims) for debate in debates)


async def _filled(journal: Journal, debates: Sequence[_Debate]) -> dict[NodeId, tuple[str, str]]:
    """A mind that holds it all: claims that answer, and contradict the first claim of each other answer.

    Returns the question's key and the answer of each claim.
    """
    made: dict[NodeId, tuple[str, str]] = {}
    now = datetime(2026, 1, 1, tzinfo=UTC)

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        made.clear()
        drafts: list[Draft] = []
        for debate in debates:
            question = Question(
                id=ids.next("q"), text=debate.asked, domains=(debate.domain,), created_by=OPERATOR, created_at=now
            )
            drafts.append(Draft(what=QuestionAsked(question=question), by=OPERATOR))
            first: dict[str, NodeId] = {}
            for claim in debate.claims:
                node = Interpretation(
                    id=ids.next("i"), kind="claim", text=claim.text, domains=(debate.domain,), confidence=0.7,
                    asserted_confidence=0.7, created_by=f"replay:{claim.model}", created_at=now,
                )  # fmt: skip
                made[node.id] = debate.key, claim.answer
                drafts.append(Draft(what=InterpretationAdded(interpretation=node), by=node.created_by))
                ends = [("answers", question.id)]
                ends += [("contradicts", other) for answer, other in first.items() if answer != claim.answer]
                first.setdefault(claim.answer, node.id)
                for type_, other in ends:
                    edge = Edge(
                        id=ids.next("e"), type=type_, src=node.id, dst=other, created_by=node.created_by,
                        created_at=now,
                    )  # fmt: skip
                    drafts.append(Draft(what=EdgeAdded(edge=edge), by=node.created_by))
        return drafts

    await journal.write(plan)
    return made


def _seen(debate: _Debate, briefing: Briefing, answers: Mapping[NodeId, tuple[str, str]], milliseconds: float) -> _Seen:
    given = {claim.answer for claim in debate.claims}
    shown = [answers[node.id] for node in briefing.nodes if node.id in answers]
    own = [answer for key, answer in shown if key == debate.key]
    gold = float(debate.gold in own) if debate.gold in given else None
    share = len(own) / len(shown) if shown else 0.0
    return _Seen(briefing.tokens, len(given & set(own)) / len(given), gold, share, milliseconds)


# A live model


async def briefing_by(path: Path, seed: int, model: ModelId, questions: int) -> Report:
    """A live model answers the same questions twice: from its briefing, and from all that was said in the mind.

    `path` is the file of reasoning; the questions with their choices are read from the file of answers beside it.
    """
    beside = path.with_name("model-answers-mmlu-pro.jsonl.gz")
    if not beside.is_file():
        raise InputError(f"{beside.name} is not beside {path.name}: the questions and their choices are read from it")
    asked = {one.id: one for one in live_questions(beside, seed, 1_000_000)}
    rows = {row["id"]: row for row in rows_of(path) if row.get("id") in asked}
    if not rows:
        raise InputError(f"no question of {path.name} is in {beside.name}")
    texts = {one: asked[one].text for one in rows}
    chosen = list(np.random.default_rng(seed).permutation(sorted(rows)))
    worker = await asyncio.to_thread(build_worker, live_card(model), Providers.from_environment(os.environ))
    table: list[tuple[object, ...]] = []
    figures: dict[str, Any] = {}
    points: dict[str, list[Point]] = {"briefing": [], "full history": []}
    try:
        for size in _LIVE_SIZES:
            hits, tokens, unfit, claims = await _asked_both_ways(
                worker, model, chosen, rows, asked, texts, size, questions
            )
            gain = resampled([a - b for a, b in zip(hits["briefing"], hits["full history"], strict=True)], seed)
            own = {way: resampled(found, seed) for way, found in hits.items()}
            figures[f"{size} questions"] = {
                "accuracy": own,
                "briefing_above_history": gain,
                "tokens": tokens,
                "too_long": unfit,
            }
            table.append((claims, own["briefing"], own["full history"], gain, *tokens.values(), unfit["full history"]))
            for way, found in own.items():
                points[way].append(Point(claims, found))
    finally:
        await worker.close()
    columns = (
        "claims", "from the briefing", "from the history", "briefing above", "briefing tokens", "history tokens",
        "history too long",
    )  # fmt: skip
    series = tuple(Series(way, tuple(found)) for way, found in points.items())
    return Report(
        "briefing", path.name, seed, (Table(f"{model}, {questions} questions a size", columns, tuple(table)),),
        Chart("Accuracy by what was read", "claims in the mind", "accuracy", series, is_log_x=True), figures,
        ("Both ways the same instructions; a reply that cannot be read, or a prompt that the model finds too long, "
         "counts as wrong. Intervals: bootstrap over questions.",),
    )  # fmt: skip


async def _asked_both_ways(
    worker: Worker,
    model: ModelId,
    chosen: Sequence[str],
    rows: Mapping[str, Mapping[str, Any]],
    asked: Mapping[str, Asked],
    texts: Mapping[str, str],
    size: int,
    questions: int,
) -> tuple[dict[str, list[float]], dict[str, float], dict[str, int], int]:
    """Hits and mean tokens of each way, how many calls the model refused as too long, and claims of a mind."""
    hits: dict[str, list[float]] = {"briefing": [], "full history": []}
    tokens: dict[str, list[int]] = {"briefing": [], "full history": []}
    unfit = dict.fromkeys(hits, 0)
    claims = 0
    for start in range(0, questions * size, size):
        ids = [chosen[at % len(chosen)] for at in range(start, start + size)]
        debates = [
            _Debate(one, rows[one]["domain"], rows[one]["gold"], f"{one} {texts[one]}", _claims(one, rows[one]))
            for one in dict.fromkeys(ids)
        ]
        claims = sum(len(debate.claims) for debate in debates)
        with TemporaryDirectory(prefix="perdura-briefing-") as folder:
            async with open_sqlite(Path(folder) / "one.mind") as store, Journal.open(store, Clock()) as journal:
                await _filled(journal, debates)
                short = await assemble(
                    store, journal.graph, "q1", settings=BriefingSettings(), max_tokens=live_card(model).briefing_tokens
                )
                everything = tuple(
                    BriefingNode(id=node.id, layer="interpretation", kind=node.kind, text=node.text, confidence=0.7)
                    for node in await store.interpretations()
                )
        one = asked[debates[0].key]
        for way, briefing in (("briefing", short), ("full history", short.model_copy(update={"nodes": everything}))):
            prompt = render(briefing)
            size_tokens = estimate_tokens(prompt.system) + estimate_tokens(prompt.user)
            said = await _say(worker, briefing, size_tokens)
            hits[way].append(float(said is not None and letter_of(said, one.choices) == one.gold))
            unfit[way] += said is None
            tokens[way].append(size_tokens)
    return hits, {way: float(np.mean(counts)) for way, counts in tokens.items()}, unfit, claims


def _claims(key: str, row: Mapping[str, Any]) -> tuple[_Claim, ...]:
    return tuple(
        _Claim(model, said["answer"], f"{key}: the answer is ({said['answer']}), for {_short(said['reasoning'])}")
        for model, said in sorted(row["answers"].items())
        if said.get("answer") and said.get("reasoning")
    )


async def _say(worker: Worker, briefing: Briefing, tokens: int) -> str | None:
    """The texts of the elements that the model sends, joined; None when the prompt is too long for it.

    Raises WorkerError when the model cannot be had, also after some attempts.
    """
    call = Call(
        briefing=briefing,
        prompt=render(briefing),
        delta_schema=DELTA_SCHEMA,
        max_output_tokens=live_card(worker.model).max_output_tokens,
        prompt_tokens=tokens,
    )
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return await _heard(worker, call)
        except TransientError as error:
            if attempt == _ATTEMPTS or not error.worth_retrying:
                raise
            await asyncio.sleep(min(error.retry_after_s or 2.0**attempt, _LONGEST_WAIT_S))
        except RequestError as error:
            if error.fault != "too_large":
                raise
            return None
    return None


async def _heard(worker: Worker, call: Call) -> str | None:
    """What one call brings, as far as it can be used; None when the model saw only a part of the prompt."""
    parser, raw = DeltaParser(), list[RawElement]()
    try:
        async with aclosing(worker.stream(call)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, TextChunk):
                    raw += parser.feed(chunk.text)
    except ContentError as error:
        if error.fault == "context_truncated":
            return None
    values = [element.value for element in [*raw, *parser.close()]]
    return " ".join(value["text"] for value in values if isinstance(value, dict) and isinstance(value.get("text"), str))
