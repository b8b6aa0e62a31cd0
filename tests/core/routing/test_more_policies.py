"""The policies that escalate by lot, by contention, by record, by speciality and out of stagnation."""

from typing import Any

import pytest

from perdura_core.routing import RouteState, route
from perdura_core.vocabulary import Card, TrackRecord

CHEAP = Card(id="a:cheap", tier="standard")
EXPERT = Card(id="b:expert", tier="standard", domains=("law",))
GREAT = Card(id="c:great", tier="frontier")
COSTS = {CHEAP.id: 100, EXPERT.id: 200, GREAT.id: 20_000}


def state(**changes: Any) -> RouteState:
    base = {"question": "q1", "cards": (CHEAP, EXPERT, GREAT), "costs": COSTS, "domains": ("law",), "seed": "s1"}
    return RouteState(**{**base, **changes})


def record(model: str, mean: float, width: float, domain: str | None = None, **more: Any) -> TrackRecord:
    low, high = mean - width / 2, mean + width / 2
    return TrackRecord(model=model, domain=domain, reliability=mean, low=low, high=high, outcomes=30, **more)


def model(found: RouteState, policy: Any) -> tuple[str, str]:
    answer = route(found, policy)
    assert answer is not None
    return answer.model, answer.policy


def test_random_escalates_its_share_of_turns() -> None:
    models = [model(state(turn=turn, random_p=0.25), "random") for turn in range(1, 801)]
    assert sum(policy == "random" for _, policy in models) == pytest.approx(200, abs=45)
    assert {chosen for chosen, policy in models if policy == "random"} == {GREAT.id}
    assert model(state(turn=7), "random") == model(state(turn=7), "random")


def test_contention_escalates_from_the_threshold_and_from_half_of_it_for_a_high_stake() -> None:
    assert model(state(contention=0.149), "contention") == (CHEAP.id, "cheap")
    assert model(state(contention=0.15), "contention") == (GREAT.id, "contention")
    assert model(state(contention=0.08, stake="high"), "contention") == (GREAT.id, "contention")
    assert model(state(contention=0.08, stake="low"), "contention") == (CHEAP.id, "cheap")


def test_the_record_decides_and_a_dollar_must_buy_its_worth() -> None:
    records = (record(CHEAP.id, 0.6, 0.02), record(EXPERT.id, 0.3, 0.02), record(GREAT.id, 0.7, 0.02))
    assert model(state(records=records, usd_worth=0.0), "track_record") == (GREAT.id, "track_record")
    assert model(state(records=records, usd_worth=10.0), "track_record") == (CHEAP.id, "track_record")


def test_a_model_of_few_outcomes_is_tried_now_and_then() -> None:
    records = (record(CHEAP.id, 0.6, 0.02), record(EXPERT.id, 0.5, 0.6))
    found = [model(state(records=records, turn=turn, why_not={GREAT.id: "off"}), "track_record") for turn in range(99)]
    assert {chosen for chosen, _ in found} == {CHEAP.id, EXPERT.id}


def test_what_boardings_cost_replaces_what_they_may_cost() -> None:
    worked = record(GREAT.id, 0.7, 0.02, boardings=10, cost_micro_usd=1_000)
    assert state(records=(worked,)).usd(GREAT.id) == pytest.approx(0.0001)
    assert state().usd(GREAT.id) == pytest.approx(0.02)
    assert state(costs={}).usd(GREAT.id) is None


def test_a_specialist_boards_when_its_interval_is_above_the_usual_choice() -> None:
    usual = record(CHEAP.id, 0.5, 0.1)
    assert model(state(records=(usual, record(EXPERT.id, 0.8, 0.2, "law"))), "specialist") == (EXPERT.id, "specialist")
    assert model(state(records=(usual, record(EXPERT.id, 0.8, 0.7, "law"))), "specialist")[0] == CHEAP.id
    assert model(state(records=(usual, record(EXPERT.id, 0.8, 0.2))), "specialist")[0] == CHEAP.id
    assert (
        model(state(domains=("art",), records=(usual, record(EXPERT.id, 0.8, 0.2, "law"))), "specialist")[0] == CHEAP.id
    )


def test_stagnation_brings_somebody_who_was_not_there_lately() -> None:
    stuck = state(idle=2, question_models=(GREAT.id, CHEAP.id, CHEAP.id), records=(record(GREAT.id, 0.8, 0.1),))
    assert model(stuck, "stagnation") == (GREAT.id, "stagnation")
    assert model(state(idle=1, question_models=(CHEAP.id,)), "stagnation") == (CHEAP.id, "cheap")
    everybody = state(idle=3, question_models=(GREAT.id, CHEAP.id, EXPERT.id))
    assert model(everybody, "stagnation") == (CHEAP.id, "cheap")
