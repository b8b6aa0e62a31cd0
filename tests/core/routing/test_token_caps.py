"""Caps in tokens: held before a call, settled after it, for free models too."""

import pytest

from perdura_core.config import BudgetSettings
from perdura_core.errors import OverBudgetError
from perdura_core.routing import Purse, settlement
from perdura_core.vocabulary import CostReserved, SessionStarted, Usage
from tests.core.routing.scenes import NOW, numbered

TODAY = NOW.date()


def reservation(tokens: int, boarding: str = "b1") -> CostReserved:
    return CostReserved(
        boarding=boarding, model="m:a", question="q1", domains=("law",), cost_micro_usd=0, tokens=tokens
    )


def purse_of(caps: BudgetSettings, *happenings: object) -> Purse:
    purse = Purse(caps)
    purse.apply(numbered(happenings, session="s1"))  # type: ignore[arg-type]
    return purse


def refusal(purse: Purse, tokens: int) -> OverBudgetError | None:
    return purse.refusal(0, session="s1", day=TODAY, model="m:a", question="q1", domains=("law",), tokens=tokens)


@pytest.mark.parametrize(
    ("caps", "title"),
    [
        (BudgetSettings(session_tokens=1_000), "session"),
        (BudgetSettings(day_tokens=1_000), "day"),
        (BudgetSettings(question_tokens=1_000), "question q1"),
        (BudgetSettings(model_tokens={"m:a": 1_000}), "model m:a"),
        (BudgetSettings(domain_tokens={"law": 1_000}), "domain law"),
    ],
)
def test_each_cap_holds_for_a_free_model(caps: BudgetSettings, title: str) -> None:
    purse = purse_of(caps, reservation(700))
    assert purse.counts_tokens(session="s1", model="m:a", domains=("law",))
    assert refusal(purse, 300) is None
    over = refusal(purse, 301)
    assert over is not None
    assert over.cap == f"{title} token"
    assert str(over).startswith(f"the {title} budget has 300 tokens left and this call may take 301")


def test_settling_gives_back_what_was_not_taken() -> None:
    held = reservation(700)
    caps = BudgetSettings(session_tokens=1_000)
    usage = Usage(input_tokens=100, output_tokens=20, cache_read_tokens=5, cache_write_tokens=None)
    purse = purse_of(caps, held, settlement(held, 0, usage))
    assert purse.charged("session", "s1", "tokens") == 125
    assert purse.charged("session", "s1") == 0
    assert purse_of(caps, held, settlement(held, 0, None)).charged("session", "s1", "tokens") == 700


def test_the_session_may_bring_its_own_cap() -> None:
    started = SessionStarted(session="s1", operator="o", seats=1, policy="cheap", models=(), budget_tokens=50)
    purse = purse_of(BudgetSettings(session_tokens=1_000), started)
    assert refusal(purse, 51) is not None
    assert refusal(purse, 50) is None


def test_without_a_cap_nothing_is_counted() -> None:
    purse = purse_of(BudgetSettings(session_usd=1.0))
    assert not purse.counts_tokens(session="s1", model="m:a", domains=("law",))
    assert refusal(purse, 10**9) is None
