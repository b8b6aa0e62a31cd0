from perdura_core.vocabulary import (
    EdgeRetracted,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
)
from perdura_tui.states.questions import Questions, matches, ordered, reduce_questions, with_contention
from tests.tui.script import Script


def _three() -> Script:
    script = Script()
    script.ask("Why did the cache fail?", ("storage",), "high")
    script.ask("Who was paged?", ("people",))
    script.ask("Which region?", ("network",), "low")
    return script


def test_asked_questions_are_open_rows() -> None:
    state = reduce_questions(Questions(), _three().events)
    assert list(state.rows) == ["q1", "q2", "q3"]
    assert state.open_count == 3
    assert state.rows["q1"].stake == "high"


def test_events_about_other_things_change_nothing() -> None:
    state = reduce_questions(Questions(), _three().events)
    script = Script()
    script.record("a fact")
    assert reduce_questions(state, script.events) is state


def test_answers_are_counted_by_edge_and_taken_back_with_it() -> None:
    script = _three()
    claim = script.claim("It was full.", "reader:doubt", None)
    edge = script.join("answers", claim, "q1", "reader:doubt")
    script.join("supports", claim, "q2", "reader:doubt")
    state = reduce_questions(Questions(), script.events)
    assert len(state.rows["q1"].answers) == 1
    assert not state.rows["q2"].answers
    script.add(EdgeRetracted(edge=edge, reason="wrong"))
    assert not reduce_questions(state, script.events[-1:]).rows["q1"].answers


def test_folding_the_same_events_twice_does_not_count_answers_twice() -> None:
    script = _three()
    claim = script.claim("It was full.", "reader:doubt", None)
    script.join("answers", claim, "q1", "reader:doubt")
    state = reduce_questions(Questions(), script.events)
    assert reduce_questions(state, script.events).rows["q1"].answers == state.rows["q1"].answers


def test_boardings_are_counted() -> None:
    script = _three()
    script.board(1, "q2", "reader:doubt")
    script.board(2, "q2", "reader:support")
    assert reduce_questions(Questions(), script.events).rows["q2"].boardings == 2


def test_resolved_reopened_superseded_and_restored() -> None:
    script = _three()
    script.add(QuestionResolved(node="q1", resolved_by="i1"))
    script.add(NodeSuperseded(node="q2", superseded_by="q3"))
    state = reduce_questions(Questions(), script.events)
    assert [state.rows[node].is_open for node in ("q1", "q2", "q3")] == [False, False, True]
    assert state.rows["q1"].resolved_by == "i1"
    script.add(QuestionReopened(node="q1"))
    script.add(NodeRestored(node="q2", reason="undone"))
    state = reduce_questions(state, script.events[-2:])
    assert state.open_count == 3
    assert state.rows["q1"].resolved_by is None


def test_a_redacted_text_is_gone() -> None:
    script = _three()
    script.add(NodeRedacted(node="q1"))
    assert reduce_questions(Questions(), script.events).rows["q1"].text == "(redacted)"


def test_order_is_open_then_pinned_then_contended_then_old() -> None:
    script = _three()
    script.ask("Fourth?")
    script.add(QuestionResolved(node="q4"))
    script.add(QuestionPinned(node="q3", pinned=True))
    state = reduce_questions(Questions(), script.events)
    state = with_contention(state, {"q1": 0.1, "q2": 0.4, "q3": 0.0, "q4": 0.9, "q99": 1.0})
    assert [row.id for row in ordered(state)] == ["q3", "q2", "q1", "q4"]


def test_contention_that_the_desk_cannot_show_is_no_change() -> None:
    state = with_contention(reduce_questions(Questions(), _three().events), {"q1": 0.25})
    assert with_contention(state, {"q1": 0.2502}) is state


def test_filter_words_must_all_match_and_can_be_turned_round() -> None:
    state = reduce_questions(Questions(), _three().events)
    assert [row.id for row in ordered(state, "CACHE storage")] == ["q1"]
    assert [row.id for row in ordered(state, "high")] == ["q1"]
    assert [row.id for row in ordered(state, "!storage")] == ["q2", "q3"]
    assert [row.id for row in ordered(state, "  ! ")] == ["q1", "q2", "q3"]
    assert not matches(state.rows["q2"], "q3")
