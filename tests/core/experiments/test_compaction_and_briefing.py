"""Who compacts, and what a worker reads, on a part of the recorded answers; and how a live reply is read."""

import gzip
import json
from pathlib import Path

import pytest

from perdura_core.experiments.briefing import experiment_briefing
from perdura_core.experiments.compaction import POLICIES, experiment_compaction
from perdura_core.experiments.drawing import as_svg, as_text
from perdura_core.experiments.live import letter_of, live_questions

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
