"""What the router is told, brought together from registry, purse and graph."""

from typing import Any

import pytest

from perdura_core.config import BudgetSettings
from perdura_core.errors import UnknownNodeError
from perdura_core.routing import Purse, Registry, RouteState, rank, route, route_state
from perdura_core.vocabulary import Card, SessionStarted
from tests.core.routing.scenes import NOW, Scene, numbered

OPUS, SONNET, HAIKU = (f"anthropic:claude-{name}-5-5" for name in ("opus", "sonnet", "haiku"))


def told(caps: BudgetSettings, registry: Registry, **changes: Any) -> RouteState:
    scene = Scene()
    scene.ask("q1", stake="high", domains=["storage"])
    scene.board("q1", "reader:doubt")
    purse = Purse(caps)
    start = SessionStarted(session="s1", operator="o", seats=1, policy="cheap", models=())
    purse.apply(numbered([start]))
    given = {"question": "q1", "now": NOW, "session": "s1", "briefing_tokens": 6_000, **changes}
    return route_state(scene.graph, registry, purse, **given)


def test_cards_that_cannot_be_reached_are_left_out_but_for_the_picker() -> None:
    found = told(BudgetSettings(), Registry())
    assert {card.id for card in found.cards} == {"reader:support", "reader:doubt", "reader:gather"}
    assert (found.question_models, found.stake, found.domains) == (("reader:doubt",), "high", ("storage",))
    every = told(BudgetSettings(), Registry(), only_aboard=False)
    assert every.why_not[OPUS] == "anthropic is not aboard: `perdura doctor` says what is missing"
    assert len(rank(every)) == len(Registry().cards)


def test_a_model_that_no_cap_has_room_for_is_not_able_and_the_router_takes_a_cheaper_one() -> None:
    registry = Registry()
    registry.provide("anthropic")
    found = told(BudgetSettings(session_usd=0.01), registry, models=[OPUS, HAIKU], turn=3)
    assert found.costs == {OPUS: 8_000 * 5 + 8_192 * 20, HAIKU: 5_096}
    assert found.why_not == {OPUS: "the session budget has no room for it"}
    answer = route(found, "periodic")
    assert answer is not None
    assert answer.model == HAIKU
    assert answer.reason.startswith(
        "no frontier model can board (anthropic:claude-opus-5-5: the session budget has no room for it): cheapest able"
    )


def test_a_price_must_be_known_under_any_cap_that_applies() -> None:
    registry = Registry([Card(id="openai:mine")])
    registry.provide("openai")
    capped = told(BudgetSettings(domain_usd={"storage": 5}), registry, models=["openai:mine"])
    assert "price is unknown" in capped.why_not["openai:mine"]
    elsewhere = told(BudgetSettings(domain_usd={"network": 5}), registry, models=["openai:mine"])
    assert elsewhere.why_not == {}
    assert elsewhere.costs == {"openai:mine": None}


def test_the_sessions_models_keep_their_order() -> None:
    registry = Registry()
    registry.provide("anthropic")
    models = (SONNET, "reader:gather", OPUS)
    assert tuple(card.id for card in told(BudgetSettings(), registry, models=models).cards) == models


def test_an_unknown_question_is_named() -> None:
    with pytest.raises(UnknownNodeError, match="q9"):
        told(BudgetSettings(), Registry(), question="q9")


def test_the_state_says_how_far_the_best_answer_is_believed() -> None:
    scene = Scene()
    scene.ask("q1", domains=["storage"])
    given: dict[str, Any] = {"now": NOW, "session": None, "briefing_tokens": 6_000}
    assert route_state(scene.graph, Registry(), Purse(BudgetSettings()), "q1", **given).lead is None
    scene.judge("i1", "reader:support")
    scene.link("e1", "i1", "answers", "q1", "reader:support")
    assert route_state(scene.graph, Registry(), Purse(BudgetSettings()), "q1", **given).lead == pytest.approx(0.5)
