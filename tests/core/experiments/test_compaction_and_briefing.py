"""Who compacts, and what a worker reads, on a part of the recorded answers; and how a live reply is read."""

import asyncio
import gzip
import itertools
import json
from pathlib import Path

import pytest

from perdura_core.experiments.briefing import briefing_by, experiment_briefing
from perdura_core.experiments.compaction import POLICIES, experiment_compaction
from perdura_core.experiments.drawing import as_svg, as_text
from perdura_core.experiments.live import letter_of, live_questions
from tests.servers.fault import FaultServer, Request
from tests.servers.scenario import Scenario

CHOICES = {"A": "a red giant", "B": "a white dwarf", "C": "iron"}


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_each_policy_keeps_what_it_says_it_keeps(mmlu_pro: Path) -> None:
    report = experiment_compaction(mmlu_pro, seed=1, questions=61)
    found = report.figures
    assert tuple(found) == POLICIES
    assert found["none"]["right_answers_lost"].value == 0
    assert found["deterministic"]["accuracy"].value == pytest.approx(found["none"]["accuracy"].value)
    assert found["deterministic"]["claims_left"].value < found["none"]["claims_left"].value
    assert found["departing worker"]["claims_left"].value == 1
    assert found["dedicated model"]["usd_per_thousand"] > 0
    for one in found.values():
        assert one["accuracy"].low <= one["accuracy"].value <= one["accuracy"].high
    assert report.chart is not None
    assert as_svg(report.chart).startswith("<svg")


async def test_a_briefing_stays_small_while_the_history_grows(data: Path, tmp_path: Path) -> None:
    with gzip.open(data / "model-reasoning-mmlu-pro-sample.jsonl.gz", "rt", encoding="utf-8") as lines:
        chosen = [line for number, line in enumerate(lines) if number % 80 == 0]
    path = tmp_path / "reasoning.jsonl"
    path.write_text("".join(chosen), encoding="utf-8")
    report = await experiment_briefing(path, seed=2)
    small, large = report.figures["4 questions"], report.figures["16 questions"]
    assert large["history_tokens"] > 3 * small["history_tokens"]
    assert large["briefing_tokens"].value <= 6_000 < large["history_tokens"]
    assert large["right_answer_seen"].value >= 0.9
    assert report.chart is not None
    assert any("full history" in line for line in as_text(report.chart))


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("The answer is (B).", "B"),
        ("option c, since fusion ends there", "C"),
        ("(A)", "A"),
        ("It is a white dwarf.", "B"),
        ("(A) or (B)", None),
        ("The answer is (J).", None),
        ("I do not know.", None),
    ],
)
def test_a_reply_names_one_choice_or_none(text: str, letter: str | None) -> None:
    assert letter_of(text, CHOICES) == letter


def test_live_questions_come_from_the_half_nothing_is_learned_from(tmp_path: Path) -> None:
    rows = [
        {"id": f"q-{n}", "domain": "law", "question": "Which?", "choices": ["x", "y"], "gold": "B", "answers": {}}
        for n in range(40)
    ]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    chosen = live_questions(path, 3, 5)
    assert len({one.id for one in chosen}) == 5
    assert chosen == live_questions(path, 3, 5)
    assert chosen[0].choices == {"A": "x", "B": "y"}
    assert "(A) x (B) y" in chosen[0].text


@pytest.mark.slow
async def test_a_live_model_that_stumbles_is_asked_again(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stumbles = itertools.cycle([Scenario(kind="unavailable", retry_after="0"), None, Scenario(kind="cut"), None, None])

    def choose(request: Request) -> Scenario:
        fault = next(stumbles)
        if len(json.dumps(request.body)) > 40_000:
            return Scenario(kind="too_large")
        claim = {"kind": "claim", "text": "The answer is (A).", "links": [{"type": "answers", "to": "q1"}]}
        return fault or Scenario(text=json.dumps({"contributions": [claim]}))

    async with FaultServer(choose) as server, asyncio.timeout(120):
        monkeypatch.setenv("OPENAI_BASE_URL", server.url("openai"))
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        report = await briefing_by(data / "model-reasoning-mmlu-pro-sample.jsonl.gz", 0, "openai:any-name", 2)
    assert {entry.status for entry in server.ledger} >= {200, 503}
    assert len(server.ledger) > 3 * 2 * 2, "who stumbled was asked again"
    least, *_, most = report.figures.values()
    assert least["too_long"] == {"briefing": 0, "full history": 0}
    assert most["too_long"] == {"briefing": 0, "full history": 2}
    assert most["tokens"]["full history"] > 5 * most["tokens"]["briefing"]
    assert most["accuracy"]["full history"].value == 0.0
