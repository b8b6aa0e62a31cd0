"""Who boards, and the reason that is given."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.errors import InputError
from perdura_core.routing import POLICIES, RouteState, fallback, rank, route
from perdura_core.vocabulary import Card, PolicyName, Tier, TrackRecord

READERS = tuple(Card(id=f"reader:{name}", tier="local", is_language_model=False) for name in ("a", "b", "c"))
HAIKU = Card(id="anthropic:haiku", tier="standard")
FLASH = Card(id="gemini:flash", tier="standard")
OPUS = Card(id="anthropic:opus", tier="frontier")
PRO = Card(id="gemini:pro", tier="frontier")
ALL = (*READERS, HAIKU, FLASH, OPUS, PRO)
COSTS: dict[str, int | None] = {
    **{card.id: 0 for card in READERS},
    HAIKU.id: 1_000,
    FLASH.id: 2_000,
    OPUS.id: 90_000,
    PRO.id: 60_000,
}


def state(**changes: Any) -> RouteState:
    return RouteState(**{"question": "q1", "cards": ALL, "costs": COSTS, **changes})


def record(model: str, reliability: float, domain: str | None = None, outcomes: int = 9) -> TrackRecord:
    return TrackRecord(
        model=model,
        domain=domain,
        reliability=reliability,
        low=reliability / 2,
        high=(1 + reliability) / 2,
        outcomes=outcomes,
    )


def chosen(found: RouteState, policy: PolicyName) -> tuple[str, str, str]:
    answer = route(found, policy)
    assert answer is not None
    return answer.model, answer.policy, answer.reason


def test_cheap_takes_turns_among_equals() -> None:
    boarded: tuple[str, ...] = ()
    for expected in ("reader:a", "reader:b", "reader:c", "reader:a"):
        model, policy, reason = chosen(state(question_models=boarded), "cheap")
        assert (model, policy) == (expected, "cheap")
        assert reason.startswith("cheapest able (free; ")
        boarded = (*boarded, model)
    assert chosen(state(session_models=("reader:a",)), "cheap")[0] == "reader:b"


def test_cheap_says_what_it_may_cost() -> None:
    assert chosen(state(cards=(OPUS, HAIKU)), "cheap") == (HAIKU.id, "cheap", "cheapest able (at most $0.0010)")


def test_an_unknown_cost_comes_last() -> None:
    found = state(cards=(HAIKU, OPUS), costs={HAIKU.id: None, OPUS.id: 90_000})
    assert chosen(found, "cheap")[0] == OPUS.id
    assert chosen(state(cards=(HAIKU,), costs={}), "cheap")[2] == "cheapest able (cost unknown)"


def test_nobody_able_is_no_route() -> None:
    nobody = state(why_not={card.id: "disabled: x" for card in ALL}, pins=(OPUS.id,), turn=3)
    assert [route(nobody, policy) for policy in POLICIES] == [None] * len(POLICIES)


def test_a_pin_goes_before_every_policy() -> None:
    for policy in POLICIES:
        assert chosen(state(pins=(FLASH.id,), turn=3), policy) == (FLASH.id, "pinned", "pinned by the operator")
    second = state(pins=(FLASH.id, OPUS.id), why_not={FLASH.id: "cooling"})
    assert chosen(second, "cheap")[0] == OPUS.id


def test_a_pin_that_cannot_board_is_explained() -> None:
    model, policy, reason = chosen(state(pins=(FLASH.id,), why_not={FLASH.id: "disabled: no credit"}), "pinned")
    assert (model, policy) == ("reader:a", "pinned")
    assert reason.startswith("gemini:flash is pinned but cannot board (disabled: no credit): cheapest able (free")


def test_round_robin_goes_around_and_past_those_who_cannot() -> None:
    seen: list[str] = []
    for _ in range(8):
        model, _, reason = chosen(state(session_models=tuple(seen), why_not={FLASH.id: "cooling"}), "round_robin")
        assert reason == (f"next in turn after {seen[-1]}" if seen else "first in turn")
        seen.append(model)
    able = [card.id for card in ALL if card != FLASH]
    assert seen == [*able, *able][:8]


def test_periodic_escalates_every_kth_boarding() -> None:
    turns = [chosen(state(turn=turn), "periodic") for turn in range(1, 7)]
    assert [policy for _, policy, _ in turns] == ["cheap", "cheap", "periodic"] * 2
    assert turns[2] == (PRO.id, "periodic", "every 3rd boarding escalates: no outcomes yet")
    assert chosen(state(periodic_k=1), "periodic")[2] == "every boarding escalates: no outcomes yet"
    assert chosen(state(periodic_k=11, turn=22), "periodic")[2].startswith("every 11th boarding")
    assert chosen(state(periodic_k=22, turn=22), "periodic")[2].startswith("every 22nd boarding")


def test_periodic_takes_the_best_record_in_the_questions_domain() -> None:
    records = (record(PRO.id, 0.8), record(OPUS.id, 0.6), record(OPUS.id, 0.9, "storage", 12))
    assert chosen(state(turn=3, records=records), "periodic")[0] == PRO.id
    model, _, reason = chosen(state(turn=3, records=records, domains=("storage",)), "periodic")
    assert model == OPUS.id
    assert reason == ("every 3rd boarding escalates: reliability 0.90 (0.45 to 0.95) in storage from 12 outcomes")


def test_periodic_is_honest_without_a_frontier_model() -> None:
    assert chosen(state(cards=READERS, turn=3), "periodic") == (
        "reader:a",
        "periodic",
        "no frontier model aboard: cheapest able (free; new to this question)",
    )
    cooling = {OPUS.id: "cooling until 14:03:20 UTC", PRO.id: "the session budget has no room for it"}
    reason = chosen(state(turn=3, why_not=cooling), "periodic")[2]
    assert reason.startswith(
        "no frontier model can board (anthropic:opus: cooling until 14:03:20 UTC; "
        "gemini:pro: the session budget has no room for it): cheapest able"
    )


def test_an_unknown_policy_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="'operator': choose one of cheap, pinned, round_robin, periodic"):
        route(state(), "operator")


def test_the_fallback_chain_stays_in_its_tier_then_goes_down_then_up() -> None:
    failed: list[str] = [OPUS.id]
    while (following := fallback(state(), failed)) is not None:
        assert following.policy == "fallback"
        failed.append(following.model)
    assert failed[:3] == [OPUS.id, PRO.id, HAIKU.id]
    assert sorted(failed) == sorted(card.id for card in ALL)
    first = fallback(state(cards=(HAIKU, OPUS, READERS[0])), [HAIKU.id])
    assert first is not None
    assert (first.model, first.reason) == ("reader:a", "anthropic:haiku failed: next is a reader")
    assert fallback(state(cards=(HAIKU,)), [HAIKU.id]) is None
    assert fallback(state(), []) is None


def test_the_fallback_prefers_another_provider() -> None:
    other = Card(id="anthropic:sonnet", tier="standard")
    answer = fallback(state(cards=(HAIKU, other, FLASH), costs={**COSTS, other.id: 0}), [HAIKU.id])
    assert answer is not None
    assert answer.model == FLASH.id


def test_the_picker_has_every_card_once_best_first() -> None:
    records = (record("reader:b", 0.7), record(HAIKU.id, 0.3, outcomes=1), record(OPUS.id, 0.9))
    choices = rank(state(records=records, why_not={OPUS.id: "disabled: no credit"}))
    assert [choice.card.id for choice in choices] == [
        "reader:b", PRO.id, FLASH.id, "reader:a", "reader:c", HAIKU.id, OPUS.id,
    ]  # fmt: skip
    assert choices[-1].why_not == "disabled: no credit"
    assert choices[0].reason == "a reader, reliability 0.70 (0.35 to 0.85) overall from 9 outcomes, free"
    assert choices[1].reason == "a frontier model, no outcomes yet, at most $0.0600"
    assert choices[5].reason.endswith("from 1 outcome, at most $0.0010")
    assert choices[1].cost_micro_usd == 60_000


tiers: st.SearchStrategy[Tier] = st.sampled_from(["local", "standard", "frontier"])
fleets = st.lists(
    st.builds(Card, id=st.from_regex(r"[ab]:[a-e]", fullmatch=True), tier=tiers),
    min_size=1,
    max_size=6,
    unique_by=lambda card: card.id,
)


@given(st.data(), fleets, st.sampled_from(sorted(POLICIES)), st.integers(1, 9))
def test_every_policy_chooses_an_able_card_and_says_why(
    data: st.DataObject, fleet: list[Card], policy: PolicyName, turn: int
) -> None:
    ids = [card.id for card in fleet]
    some = st.lists(st.sampled_from(ids), max_size=6)
    out = set(data.draw(some))
    found = RouteState(
        question="q1",
        cards=tuple(fleet),
        why_not=dict.fromkeys(out, "cooling"),
        costs=data.draw(st.dictionaries(st.sampled_from(ids), st.none() | st.integers(0, 9))),
        question_models=tuple(data.draw(some)),
        session_models=tuple(data.draw(some)),
        pins=tuple(data.draw(some)),
        turn=turn,
    )
    answer = route(found, policy)
    assert answer == route(found, policy)
    assert (answer is None) == (len(out) == len(ids))
    if answer is not None:
        assert answer.model not in out
        assert answer.reason
    assert sorted(choice.card.id for choice in rank(found)) == sorted(ids)
    following = fallback(found, [ids[0]])
    assert following is None or (following.model not in out and following.model != ids[0])
