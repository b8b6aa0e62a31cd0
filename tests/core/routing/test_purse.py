"""Caps hold, whatever the interleaving."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from perdura_core.config import BudgetSettings
from perdura_core.errors import OverBudgetError
from perdura_core.routing import BUDGET_KINDS, Purse, settlement
from perdura_core.vocabulary import (
    CostReserved,
    CostSettled,
    Event,
    Happening,
    SessionStarted,
    Usage,
)
from tests.core.routing.scenes import NOW, numbered

TODAY = NOW.date()
USAGE = Usage(input_tokens=10, output_tokens=10)


def reservation(cost: int, boarding: str = "b1", model: str = "m:a", domains: tuple[str, ...] = ()) -> CostReserved:
    return CostReserved(boarding=boarding, model=model, question="q1", domains=domains, cost_micro_usd=cost)


def purse_of(caps: BudgetSettings, *happenings: Happening) -> Purse:
    purse = Purse(caps)
    purse.apply(numbered(happenings, session="s1"))
    return purse


def refusal(purse: Purse, cost: int | None, session: str = "s1", day: date = TODAY) -> OverBudgetError | None:
    return purse.refusal(cost, session=session, day=day, model="m:a", question="q1", domains=("storage",))


def test_what_is_held_counts_before_it_is_settled() -> None:
    purse = purse_of(BudgetSettings(session_usd=0.001), reservation(600))
    assert purse.charged("session", "s1") == 600
    assert refusal(purse, 400) is None
    over = refusal(purse, 401)
    assert over is not None
    assert (over.cap, over.needed_micro_usd, over.left_micro_usd) == ("session", 401, 400)
    assert str(over).startswith("the session budget has $0.0004 left and this call may cost $0.0004")


def test_settling_gives_back_what_was_not_used() -> None:
    held = reservation(600)
    purse = purse_of(BudgetSettings(session_usd=0.001), held, settlement(held, 100, USAGE))
    assert purse.charged("session", "s1") == 100
    assert purse.held("b1") == ()
    assert purse.left(session="s1", day=TODAY) == 900


def test_unknown_usage_is_charged_at_the_reservation() -> None:
    held = reservation(600)
    settled = settlement(held, None, None)
    assert settled.cost_micro_usd == 600
    assert purse_of(BudgetSettings(), held, settled).charged("model", "m:a") == 600


def test_an_interrupted_call_stays_charged_and_can_be_settled_later() -> None:
    purse = purse_of(BudgetSettings(day_usd=0.001), reservation(300), reservation(400))
    (first, second) = purse.held("b1")
    late = [settlement(first, None, None), settlement(second, None, None)]
    events = [Event(seq=9 + at, at=NOW + timedelta(days=3), by="conductor", what=what) for at, what in enumerate(late)]
    purse.apply(events)
    assert purse.held("b1") == ()
    assert purse.charged("day", TODAY.isoformat()) == 700
    assert purse.charged("day", (TODAY + timedelta(days=3)).isoformat()) == 0


def test_the_tightest_cap_is_named() -> None:
    caps = BudgetSettings(
        session_usd=5, day_usd=4, question_usd=3, model_usd={"m:a": 2}, domain_usd={"storage": 1, "other": 0}
    )
    over = refusal(Purse(caps), 6_000_000)
    assert over is not None
    assert (over.cap, over.left_micro_usd) == ("domain storage", 1_000_000)
    over = refusal(Purse(caps.model_copy(update={"domain_usd": {}})), 6_000_000)
    assert over is not None
    assert over.cap == "model m:a"


def test_reserve_raises_and_counts_a_repeated_domain_once() -> None:
    purse = Purse(BudgetSettings(domain_usd={"storage": 0.001}))

    def reserve(cost: int) -> CostReserved:
        return purse.reserve(
            cost,
            boarding="b1",
            session="s1",
            day=TODAY,
            model="m:a",
            question="q1",
            domains=("storage", "storage"),
        )

    held = reserve(1_000)
    assert held.domains == ("storage",)
    purse.apply(numbered([held], session="s1"))
    with pytest.raises(OverBudgetError, match="domain storage"):
        reserve(1)


def test_free_calls_pass_an_empty_purse_and_unknown_prices_none() -> None:
    purse = Purse(BudgetSettings(day_usd=0))
    assert refusal(purse, 0) is None
    over = refusal(purse, None)
    assert over is not None
    assert "price is unknown" in str(over)
    assert refusal(Purse(BudgetSettings()), None) is None
    assert refusal(Purse(BudgetSettings()), 10**12) is None


def test_a_cap_is_known_before_the_call() -> None:
    purse = Purse(BudgetSettings(model_usd={"m:a": 1}))
    assert purse.is_capped(session="s1", model="m:a")
    assert not purse.is_capped(session="s1", model="m:b")
    assert Purse(BudgetSettings(question_usd=1)).is_capped(session=None, model="m:b")
    assert Purse(BudgetSettings()).left(session="s1", day=TODAY) is None


def test_the_sessions_own_cap_goes_before_the_settings() -> None:
    def started(session: str, cap: int | None) -> SessionStarted:
        return SessionStarted(session=session, operator="o", seats=1, policy="cheap", models=(), budget_micro_usd=cap)

    purse = purse_of(BudgetSettings(session_usd=0.001), started("s1", 5_000), started("s2", None))
    assert refusal(purse, 5_000, session="s1") is None
    assert refusal(purse, 1_001, session="s2") is not None


def test_events_count_once_and_a_reset_purse_folds_again() -> None:
    events = numbered([reservation(600)], session="s1")
    purse = Purse(BudgetSettings(session_usd=0.001))
    purse.apply(events)
    purse.apply(events)
    assert purse.charged("session", "s1") == 600
    purse.reset()
    assert purse.charged("session", "s1") == 0
    purse.apply(events)
    assert purse.charged("session", "s1") == 600


def test_a_call_without_a_reservation_counts_when_its_cost_is_known() -> None:
    settled = CostSettled(
        boarding="b1", model="m:a", question="q1", domains=(), reserved_micro_usd=0, cost_micro_usd=70
    )
    assert purse_of(BudgetSettings(), settled).charged("question", "q1") == 70


CAPS = BudgetSettings(
    session_usd=0.0030, day_usd=0.0040, question_usd=0.0025, model_usd={"m:a": 0.0035}, domain_usd={"storage": 0.0020}
)
LIMITS = {"session": 3_000, "day": 4_000, "question": 2_500, "model m:a": 3_500, "domain storage": 2_000}


class Spending(RuleBasedStateMachine):
    """Two processes with a purse each, over one journal; reservations are planned under its lock, one at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.journal: list[Event] = []
        self.purses = [Purse(CAPS), Purse(CAPS)]
        self.now: datetime = NOW
        self.open: list[tuple[CostReserved, str]] = []
        self.boardings = 0

    def write(self, process: int, session: str, what: Happening) -> None:
        event = Event(seq=len(self.journal) + 1, at=self.now, by="conductor", session=session, what=what)
        self.journal.append(event)
        self.purses[process].apply(self.journal)

    @rule(
        process=st.sampled_from([0, 1]),
        session=st.sampled_from(["s1", "s2", "s3"]),
        model=st.sampled_from(["m:a", "m:b"]),
        question=st.sampled_from(["q1", "q2"]),
        domains=st.sampled_from([(), ("storage",), ("storage", "network")]),
        cost=st.integers(0, 1_500),
    )
    def reserve(
        self, process: int, session: str, model: str, question: str, domains: tuple[str, ...], cost: int
    ) -> None:
        self.purses[process].apply(self.journal)
        self.boardings += 1
        purse, day = self.purses[process], self.now.date()
        over = purse.refusal(cost, session=session, day=day, model=model, question=question, domains=domains)
        if over is not None:
            assert cost > over.left_micro_usd
            return
        held = purse.reserve(
            cost,
            boarding=f"b{self.boardings % 5}",
            session=session,
            day=day,
            model=model,
            question=question,
            domains=domains,
        )
        self.write(process, session, held)
        self.open.append((held, session))

    @precondition(lambda self: self.open)
    @rule(process=st.sampled_from([0, 1]), data=st.data())
    def settle(self, process: int, data: st.DataObject) -> None:
        held, session = self.open.pop(data.draw(st.integers(0, len(self.open) - 1)))
        cost = data.draw(st.none() | st.integers(0, held.cost_micro_usd))
        self.write(process, session, settlement(held, cost, None if cost is None else USAGE))

    @precondition(lambda self: self.open)
    @rule()
    def lose_a_process_with_its_call(self) -> None:
        self.open.pop()

    @rule()
    def restart(self) -> None:
        self.purses[0] = Purse(CAPS)
        self.purses[0].apply(event for event in self.journal if event.kind in BUDGET_KINDS)

    @rule()
    def let_a_day_pass(self) -> None:
        self.now += timedelta(days=1)

    @invariant()
    def no_cap_is_exceeded_by_what_was_or_may_be_billed(self) -> None:
        charged: dict[str, int] = {}
        pending: list[tuple[CostReserved, list[str]]] = []
        for event in self.journal:
            if isinstance(event.what, CostReserved):
                held = event.what
                names = [
                    f"session {event.session}",
                    f"day {event.at.date()}",
                    f"question {held.question}",
                    f"model {held.model}",
                    *(f"domain {domain}" for domain in held.domains),
                ]
                pending.append((held, names))
                for name in names:
                    charged[name] = charged.get(name, 0) + held.cost_micro_usd
            elif isinstance(event.what, CostSettled):
                settled = event.what
                match = next(
                    entry
                    for entry in pending
                    if entry[0].boarding == settled.boarding and entry[0].cost_micro_usd == settled.reserved_micro_usd
                )
                pending.remove(match)
                for name in match[1]:
                    charged[name] += settled.cost_micro_usd - settled.reserved_micro_usd
        for name, amount in charged.items():
            limit = LIMITS.get(name, LIMITS.get(name.split()[0]))
            assert limit is None or amount <= limit, name
        for purse in self.purses:
            purse.apply(self.journal)
            for name, amount in charged.items():
                kind, _, key = name.partition(" ")
                assert purse.charged(kind, key) == amount  # type: ignore[arg-type]


TestSpending = Spending.TestCase
TestSpending.settings = settings(max_examples=80, stateful_step_count=40, deadline=None)
