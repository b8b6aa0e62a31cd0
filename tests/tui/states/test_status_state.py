from perdura_tui.states.lately import KEPT, Lately, reduce_lately
from perdura_tui.states.status import Session, reduce_session
from tests.tui.script import Script, sample_mind


def test_a_session_holds_and_settles_money() -> None:
    script = Script()
    script.ask("Why?")
    script.start(seats=3, budget_usd=1.0)
    boarding = script.board(1, "q1", "anthropic:claude-haiku-5-5")
    state = reduce_session(Session(), script.events)
    assert (state.is_open, state.seats, state.held_micro_usd, state.spent_micro_usd) == (True, 3, 40_000, 0)
    assert state.share == 0.04
    script.end(boarding, "anthropic:claude-haiku-5-5", "q1", merged=1)
    state = reduce_session(state, script.events[-2:])
    assert (state.held_micro_usd, state.spent_micro_usd) == (0, 4_000)
    script.stop()
    assert not reduce_session(state, script.events[-1:]).is_open


def test_money_of_another_session_is_not_counted() -> None:
    script = Script()
    script.ask("Why?")
    script.start()
    state = reduce_session(Session(), script.events)
    script.session = "s99"
    script.board(1, "q1", "anthropic:claude-haiku-5-5")
    assert reduce_session(state, script.events[-1:]) is state


def test_no_cap_has_no_share_and_a_cap_of_nothing_is_used_up() -> None:
    assert Session().share is None
    assert Session(budget_micro_usd=0).share == 1.0


def test_lately_keeps_what_says_something() -> None:
    script = sample_mind(30)
    state = reduce_lately(Lately(), script.events)
    assert len(state.events) == KEPT
    assert not {event.kind for event in state.events} & {"cost_reserved", "cost_settled", "interpretation_added"}
    assert reduce_lately(state, [event for event in script.events if event.kind == "cost_settled"]) is state
