"""Money under eight seats: whatever fails, no cap is ever passed, and the ledger adds up to the micro-dollar."""

import random
from collections import defaultdict
from pathlib import Path

import pytest

from perdura_core.conductor import SessionOrder
from perdura_core.config import BudgetSettings
from perdura_core.errors import ContentError, RequestError
from perdura_core.routing import Ledger
from perdura_core.vocabulary import Call, CostReserved, CostSettled, Stop, TextChunk, Usage, UsageChunk
from tests.core.conductor.conftest import bench, card
from tests.core.conductor.scripted import Script, Step, claim, delta

CAPS = BudgetSettings(
    session_usd=0.9, day_usd=0.8, question_usd=0.05, model_usd={"x:dear": 0.5}, domain_usd={"law": 0.3},
    session_tokens=2_000_000, question_tokens=90_000, model_tokens={"x:free": 1_000_000},
    domain_tokens={"art": 250_000},
)  # fmt: skip


def unsteady(seed: int, model: str) -> Script:
    """Answers, fails, falls silent about usage, or says more tokens than one would think; by lot."""
    dice = random.Random(seed)

    def script(call: Call) -> list[Step]:
        lot = dice.random()
        if lot < 0.1:
            return [RequestError(model, "no such thing")]
        if lot < 0.2:
            return [TextChunk(text='{"contributions": ['), ContentError(model, "broken off", "cut")]
        text = delta(claim(f"claim {dice.random()} of {model}", call.briefing.question.id))
        steps: list[Step] = [TextChunk(text=text)]
        if lot < 0.7:
            steps.append(UsageChunk(usage=Usage(input_tokens=dice.randint(1, 900), output_tokens=dice.randint(1, 80))))
        return [*steps, Stop(reason="end")] if lot < 0.9 else steps

    return script


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_thousand_boardings_pass_no_cap(tmp_path: Path) -> None:
    models = {"x:dear": (2.0, 10.0), "x:fair": (0.2, 1.0), "x:free": (0.0, 0.0)}
    cards = tuple(
        card(one, "standard", *usd).model_copy(update={"max_output_tokens": 200}) for one, usd in models.items()
    )
    scripts = {one: unsteady(seed, one) for seed, one in enumerate(models)}
    async with bench(tmp_path, scripts, cards, CAPS) as under_test:
        for number in range(40):
            await under_test.ask(f"question {number}", domains=("law",) if number % 2 else ("art",))
        order = SessionOrder(seats=8, boardings=1_000, route="round_robin", models=tuple(models), stagnation_after=99)
        report = await under_test.conductor.run(order)
        events = await under_test.store.events()
    assert len(report.boardings) == 1_000
    charged: dict[tuple[str, str], int] = defaultdict(int)
    most: dict[tuple[str, str], int] = defaultdict(int)
    tokens: dict[tuple[str, str], int] = defaultdict(int)
    most_tokens: dict[tuple[str, str], int] = defaultdict(int)
    settled = 0
    for event in events:
        what = event.what
        if not isinstance(what, CostReserved | CostSettled):
            continue
        moved, took = what.cost_micro_usd, what.tokens
        if isinstance(what, CostSettled):
            settled += what.cost_micro_usd
            moved -= what.reserved_micro_usd
            took -= what.reserved_tokens
        keys = [("session", ""), ("question", what.question), ("model", what.model)]
        for key in [*keys, *(("domain", domain) for domain in what.domains)]:
            charged[key] += moved
            most[key] = max(most[key], charged[key])
            tokens[key] += took
            most_tokens[key] = max(most_tokens[key], tokens[key])
    assert most["session", ""] <= 800_000
    assert most["model", "x:dear"] <= 500_000
    assert most["domain", "law"] <= 300_000
    assert all(sum_ <= 50_000 for (kind, _), sum_ in most.items() if kind == "question")
    assert most["session", ""] > 200_000
    assert 400_000 < most_tokens["session", ""] <= 2_000_000
    assert most_tokens["model", "x:free"] <= 1_000_000
    assert 200_000 < most_tokens["domain", "art"] <= 250_000, "this one is reached"
    assert all(sum_ <= 90_000 for (kind, _), sum_ in most_tokens.items() if kind == "question")
    ledger = Ledger()
    ledger.apply(events)
    assert settled == report.spent_micro_usd == sum(ledger.spent().values()) == charged["session", ""]
