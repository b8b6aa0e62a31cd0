"""Many boardings over real HTTP against random faults: the right endings, the allowed calls, exact money."""

import asyncio
import random
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import pytest
from pydantic import SecretStr

from perdura_core.clock import Clock
from perdura_core.conductor import SessionOrder
from perdura_core.config import BudgetSettings, Providers, Settings
from perdura_core.mind import Mind
from perdura_core.routing import cost_of
from perdura_core.vocabulary import (
    BoardingRecord,
    Card,
    CostReserved,
    CostSettled,
    Event,
    ModelDisabled,
    Price,
    SessionStarted,
    Usage,
)
from tests.servers.fault import Entry, FaultServer, Request
from tests.servers.scenario import Kind, Scenario

PAID = (Price(usd_per_mtok_in=2, usd_per_mtok_out=10, usd_per_mtok_cache_read=0.2),)
CARDS = (
    Card(id="anthropic:one", tier="standard", prices=PAID),
    Card(id="gemini:two", tier="frontier", prices=PAID),
    Card(id="openai:three", tier="standard", prices=PAID),
    Card(id="ollama:qwen3:8b", tier="local", prices=(Price(usd_per_mtok_in=0, usd_per_mtok_out=0),)),
)
WEIGHTS: dict[Kind, int] = {
    "success": 40,
    "rate_limit": 6,
    "daily_quota": 1,
    "overloaded": 6,
    "overloaded_midstream": 4,
    "unavailable": 3,
    "bad_key": 1,
    "no_credit": 1,
    "too_large": 2,
    "schema_refused": 2,
    "cut": 4,
    "silent_end": 4,
    "disconnect": 4,
    "garbage": 3,
    "empty": 4,
    "thinking_only": 3,
    "thinking_first": 6,
    "refusal": 3,
    "max_tokens": 3,
}
RETRIED: frozenset[Kind] = frozenset(
    {"rate_limit", "overloaded", "overloaded_midstream", "unavailable", "cut", "silent_end", "disconnect", "garbage"}
)
REPAIRED: frozenset[Kind] = frozenset({"empty", "thinking_only"})
DONE: frozenset[Kind] = frozenset({"success", "thinking_first", "max_tokens"})
QWEN = "qwen3:8b"
"""Ollama knows no refusals: what looks like one is an empty reply."""
CALLS_AT_MOST = 4
"""Two retries and one repair."""


def fast_clock() -> Clock:
    """Runs 600 times as fast as the wall's, so that models cool down in a tenth of a second."""
    start, started = datetime(2026, 11, 30, 3, 0, tzinfo=UTC), monotonic()
    return Clock(now=lambda: start + timedelta(seconds=(monotonic() - started) * 600))


def scenarios(seed: int) -> "tuple[FaultServer, random.Random]":
    dice = random.Random(seed)

    def choose(request: Request) -> Scenario:
        kind = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        text = (
            '{"contributions": [{"kind": "claim", "text": "It is far too risky to go on, for reason '
            f'{dice.randrange(10**9)}", "confidence": 0.6}}]}}'
        )
        return Scenario(kind=kind, text=text, retry_after="0.001")

    return FaultServer(choose), dice


async def soak(place: Path, boardings: int, seed: int) -> None:
    server, _ = scenarios(seed)
    async with server:
        providers = Providers(
            anthropic_key=SecretStr("sk-planted-anthropic"),
            anthropic_url=server.url("anthropic"),
            google_key=SecretStr("sk-planted-google"),
            google_url=server.url("gemini"),
            openai_key=SecretStr("sk-planted-openai"),
            openai_url=server.url("openai"),
            ollama_host=server.url("ollama"),
        )
        caps = BudgetSettings(model_usd={"gemini:two": 3.0}, question_usd=2.5, domain_usd={"red": 4.0})
        settings = Settings(model=CARDS, budget=caps)
        async with Mind.open(place / "soak.mind", settings, providers, clock=fast_clock()) as mind:
            for number in range(10):
                await mind.ask(f"What happened in hour {number}?", domains=["red" if number % 2 else "blue"])
            order = SessionOrder(
                seats=8,
                boardings=boardings,
                models=tuple(card.id for card in CARDS),
                route="round_robin",
                retry_wait_s=0.002,
                audit_every=0,
                stagnation_after=10_000,
                budget_usd=boardings / 100,
            )
            async with asyncio.TaskGroup() as tasks:
                repairing = tasks.create_task(put_back(mind))
                report = await mind.conductor.run(order)
                repairing.cancel()
            check_endings(report.boardings, server.ledger)
            events = await mind.store.events()
            check_caps(events, caps)
            await check_ledger(mind, server.ledger, report.boardings)
            assert all("planted" not in event.model_dump_json() for event in events)
            assert len(report.boardings) >= boardings * 0.8


async def put_back(mind: Mind) -> None:
    """The operator who mends every account within a moment."""
    while True:
        await asyncio.sleep(0.05)
        for card in CARDS:
            if (mind.registry.why_not(card.id, mind.clock.now()) or "").startswith("disabled"):
                await mind.enable(card.id)


def check_endings(records: "tuple[BoardingRecord, ...]", ledger: list[Entry]) -> None:
    """Each boarding ended as its calls made it end, and made no call that the policy does not allow."""
    calls: dict[str, list[Kind]] = defaultdict(list)
    by_model: dict[str, int] = defaultdict(int)
    for entry in ledger:
        calls[entry.request.model].append(entry.scenario.kind)
    for record in records:
        assert record.ending in {"merged", "failed", "refused"}, record
        by_model[record.boarding.model.partition(":")[2]] += 1
        if record.merged:
            assert record.ending == "merged"
    for model, kinds in calls.items():
        opened = by_model[model]
        retries = sum(kind in RETRIED for kind in kinds)
        repairs = sum(kind in REPAIRED or (kind == "refusal" and model == QWEN) for kind in kinds)
        assert opened <= len(kinds) <= opened + retries + repairs
        assert len(kinds) <= opened * CALLS_AT_MOST
    kinds = [entry.scenario.kind for entry in ledger]
    merged = [record for record in records if record.merged]
    assert len(merged) == sum(kind in DONE for kind in kinds)
    refusals = sum(entry.scenario.kind == "refusal" and entry.request.model != QWEN for entry in ledger)
    assert sum(record.ending == "refused" for record in records) == refusals


def check_caps(events: list[Event], caps: BudgetSettings) -> None:
    """Settled plus held is over no cap at any moment."""
    held: dict[str, int] = defaultdict(int)
    limits = {"gemini:two": 3_000_000, "red": 4_000_000}
    for event in events:
        match event.what:
            case SessionStarted(budget_micro_usd=int(limit)):
                limits["session"] = limit
            case CostReserved() as what:
                change = what.cost_micro_usd
            case CostSettled() as what:
                change = what.cost_micro_usd - what.reserved_micro_usd
            case ModelDisabled() | _:
                continue
        if isinstance(event.what, SessionStarted):
            continue
        for account in ("session", what.model, what.question, *what.domains):
            held[account] += change
            limit = 2_500_000 if account.startswith("q") else limits.get(account)
            assert limit is None or held[account] <= limit, (account, event.seq)


async def check_ledger(mind: Mind, ledger: list[Entry], records: "tuple[BoardingRecord, ...]") -> None:
    """Calls that ended properly were charged to the micro-dollar what the server billed; no other one was for less."""
    cards = {card.id.partition(":")[2]: card for card in CARDS}
    day = mind.clock.now().date()
    billed: list[int] = []
    for entry in ledger:
        usage = Usage(
            input_tokens=entry.input_tokens,
            output_tokens=entry.output_tokens,
            cache_read_tokens=entry.cached_tokens,
            cache_write_tokens=0,
        )
        billed.append(cost_of(cards[entry.request.model], usage, day) or 0)
    settled = [event.what for event in await mind.store.events(kinds=["cost_settled"])]
    exact = sorted(
        cost
        for cost, entry in zip(billed, ledger, strict=True)
        if entry.request.model != QWEN and entry.scenario.kind in DONE | REPAIRED | {"refusal"}
    )
    charged = sorted(
        what.cost_micro_usd
        for what in settled
        if isinstance(what, CostSettled) and what.usage is not None and what.cost_micro_usd
    )
    assert charged == exact
    spend = await mind.store.spend()
    assert sum(row.cost_micro_usd for row in spend) == sum(record.cost_micro_usd for record in records)
    assert sum(row.cost_micro_usd for row in spend) >= sum(billed)


async def test_a_hundred_boardings_against_random_faults(place: Path) -> None:
    await asyncio.wait_for(soak(place, 100, seed=1), 100)


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_thousand_boardings_against_random_faults(place: Path) -> None:
    await asyncio.wait_for(soak(place, 1_000, seed=2), 880)
