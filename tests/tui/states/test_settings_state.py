import tomllib
from collections.abc import Sequence
from datetime import timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.conductor import SessionOrder
from perdura_core.config import BudgetSettings, ReviewGate, Settings
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.routing import POLICIES, RouteState, choose_question
from perdura_core.vocabulary import Card, MicroUsd, ModelId, NodeId, PolicyName, SessionChanged
from perdura_tui.states.settings import (
    CHOICES,
    GATES,
    POLICY_WORDS,
    TYPED,
    Outlook,
    chosen,
    forecast,
    order_of,
    toml_lines,
    toml_text,
    typed,
)
from perdura_tui.states.status import Session, reduce_session
from perdura_tui.states.workers import Workers, reduce_events, reduce_progress
from tests.tui.script import START, Script, sample_mind, told

HAIKU, OPUS, NEW = "anthropic:haiku", "anthropic:opus", "anthropic:unpriced"
COSTS: dict[ModelId, MicroUsd | None] = {HAIKU: 10_000, OPUS: 120_000, NEW: None}
CARDS = (Card(id=HAIKU, tier="standard"), Card(id=OPUS, tier="frontier"), Card(id=NEW, tier="standard"))


def _outlook(graph: Graph, opened: int = 0, charged: int = 0, why_not: dict[str, str] | None = None) -> Outlook:
    def state_of(question: NodeId, order: SessionOrder, ahead: Sequence[ModelId]) -> RouteState:
        return RouteState(
            question=question, cards=CARDS, costs=COSTS, turn=opened + len(ahead) + 1, periodic_k=order.periodic_k,
            session_models=tuple(ahead), why_not=why_not or {},
        )  # fmt: skip

    return Outlook(graph, opened, charged, state_of)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return sample_mind(20).graph


def _fields(order: SessionOrder, **changed: str) -> dict[str, str]:
    return {**typed(order), **chosen(order, "perdura"), **changed}


def test_every_policy_and_gate_has_its_words_and_every_field_a_name() -> None:
    assert list(POLICY_WORDS) == list(POLICIES)
    assert max(map(len, POLICY_WORDS.values())) <= 35, "what a terminal of 80 columns has room for"
    assert tuple(GATES) == get_args(ReviewGate)
    assert {*TYPED, *CHOICES} - {"theme"} <= SessionOrder.model_fields.keys()


def test_every_third_boarding_costs_a_frontier_model(graph: Graph) -> None:
    found = forecast(_outlook(graph), SessionOrder())
    assert len(found.ahead) == len({one.question for one in found.ahead}) == 6
    assert [one.model for one in found.ahead] == [HAIKU, HAIKU, OPUS] * 2
    assert (found.expected_micro_usd, found.most_micro_usd) == (280_000, 280_000)
    assert found.room_micro_usd is None
    later = forecast(_outlook(graph, opened=2), SessionOrder())
    assert [one.model for one in later.ahead] == [OPUS, HAIKU, HAIKU] * 2


def test_questions_and_modes_are_those_that_the_conductor_would_take(graph: Graph) -> None:
    order = SessionOrder(audit_every=2, explore_every=0)
    first = choose_question(graph, (), order, 5)
    assert first is not None
    second = choose_question(graph, (first.question,), order, 6)
    assert second is not None
    found = forecast(_outlook(graph, opened=4), order)
    assert [one.question for one in found.ahead[:2]] == [first.question, second.question]
    assert graph.claims_in(second.question) >= 2
    assert [one.mode for one in found.ahead[:2]] == ["organic", "audit"]


@given(cap=st.integers(0, 500_000), charged=st.integers(0, 300_000), policy=st.sampled_from(sorted(POLICIES)))
def test_what_is_foreseen_stays_within_the_budget(cap: int, charged: int, policy: PolicyName) -> None:
    script = Script()
    script.found()
    found = forecast(_outlook(script.graph, charged=charged), SessionOrder(budget_usd=cap / 1e6, route=policy))
    assert found.room_micro_usd == max(cap - charged, 0)
    assert found.most_micro_usd is not None
    assert found.most_micro_usd <= found.room_micro_usd
    assert NEW not in [one.model for one in found.ahead], "an unknown price does not board under a budget"


def test_nobody_and_nothing_are_said(graph: Graph) -> None:
    out = forecast(_outlook(graph, why_not=dict.fromkeys(COSTS, "[b]rests\x1b[31m")), SessionOrder())
    assert {one.model for one in out.ahead} == {None}
    assert "rests" in out.ahead[0].why
    assert out.most_micro_usd == 0
    assert forecast(_outlook(Graph()), SessionOrder()).ahead == ()


def test_an_unknown_cost_makes_the_sum_unknown(graph: Graph) -> None:
    found = forecast(_outlook(graph), SessionOrder(route="round_robin"))
    assert [one.model for one in found.ahead[:3]] == [HAIKU, OPUS, NEW]
    assert found.most_micro_usd is None


@given(
    st.builds(
        SessionOrder,
        seats=st.integers(1, 64),
        route=st.sampled_from(sorted(POLICIES)),
        periodic_k=st.integers(1, 10**9),
        collapse_after=st.integers(0, 10**9),
        mask_confidence=st.booleans(),
        review=st.sampled_from(get_args(ReviewGate)),
        budget_usd=st.none() | st.integers(0, 10**8).map(lambda cents: cents / 100),
    )
)
def test_what_stands_in_the_dialog_is_the_order(order: SessionOrder) -> None:
    assert order_of(order, _fields(order), Settings()) == order
    lines = tomllib.loads(toml_text(toml_lines(order, "perdura-light", Settings())))
    read = Settings.model_validate(lines)
    assert read.theme == "perdura-light"
    assert read.budget.session_usd == order.budget_usd
    assert read.run == read.run.model_copy(update={name: getattr(order, name) for name in ("seats", "route", "review")})
    assert toml_lines(order, "perdura-light", read) == {}


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("seats", "0", "seats '0' should be greater than or equal to 1"),
        ("seats", "65", "seats '65' should be less than or equal to 64"),
        ("periodic_k", "often", "periodic k 'often' should be a valid integer"),
        ("explore_every", "", "explore every '' should be a valid integer"),
        ("audit_every", "-1", "audit every '-1' should be greater"),
        ("adversarial_every", "[@click=app.quit]x[/]", "attack every '[@click=app.quit]x[/]' should be"),
        ("collapse_after", "-1", "alarm after '-1' should be greater"),
        ("budget_usd", "two", "budget in $ 'two' is no sum"),
        ("budget_usd", "-1", "budget in $ '-1' should be from 0"),
        ("budget_usd", "inf", "budget in $ 'inf' should be from 0"),
        ("budget_usd", "nan", "budget in $ 'nan' should be from 0"),
        ("budget_usd", "1e99", "budget in $ '1e99' should be from 0"),
    ],
)
def test_a_wrong_value_says_which_and_why(field: str, value: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        order_of(SessionOrder(), _fields(SessionOrder(), **{field: value}), Settings())
    assert says in str(caught.value)


def test_no_budget_of_its_own_is_no_way_around_the_configured_one() -> None:
    settings = Settings(budget=BudgetSettings(session_usd=2.0))
    with pytest.raises(InputError, match=r"the configuration caps every session at \$2.00"):
        order_of(SessionOrder(), _fields(SessionOrder()), settings)
    assert order_of(SessionOrder(), _fields(SessionOrder(), budget_usd=" $ 3 "), settings).budget_usd == 3.0


def test_status_and_seats_follow_the_change() -> None:
    script = Script()
    script.found()
    script.start(seats=2)
    boarding = script.board(2, "q1", HAIKU)
    assert script.session is not None

    def change(seats: int) -> SessionChanged:
        return SessionChanged(session="s1", seats=seats, policy="cheap", budget_micro_usd=None)

    script.add(change(4))
    workers = reduce_events(Workers(), script.events, 0.0)
    assert list(workers.cards) == [1, 2, 3, 4]
    session = reduce_session(Session(), script.events)
    assert (session.seats, session.policy, session.share) == (4, "cheap", None)
    script.add(change(1))
    workers = reduce_events(workers, script.events[-1:], 0.0)
    assert list(workers.cards) == [1, 2], "a worker is aboard in the second seat"
    script.end(boarding, HAIKU, "q1", merged=1)
    workers = reduce_events(workers, script.events[-2:], 0.0)
    assert list(workers.cards) == [1]
    assert list(reduce_progress(workers, [told(4, "empty", HAIKU, "q1")], 0.0).cards) == [1]
    script.session = "s9"
    script.add(SessionChanged(session="s9", seats=9, policy="x"))
    assert reduce_session(session, script.events[-1:]) is session
    assert script.now > START + timedelta(seconds=1)
