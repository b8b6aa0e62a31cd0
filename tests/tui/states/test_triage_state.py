from hypothesis import given
from hypothesis import strategies as st

from perdura_core.vocabulary import QuestionResolved
from perdura_tui.states.triage import (
    Dispute,
    Focus,
    Triage,
    best_frontier,
    disputes,
    favourite,
    mark,
    note,
    ordered,
    refreshed,
    skip,
)
from tests.tui.script import Script, sample_mind
from tests.tui.scripted import choices


def _pair(left: int, right: int, *confidences: float, questions: tuple[str, ...] = ("q1",)) -> Dispute:
    low, high = confidences or (0.5, 0.7)
    return Dispute(f"i{left}", f"i{right}", (low + high) / 2, (low, high), questions)


THREE = (_pair(1, 2), _pair(3, 4), _pair(5, 6, 0.8, 0.4, questions=("q2",)))


def test_every_live_pair_is_there_once_the_older_left_the_hottest_first() -> None:
    graph = sample_mind(60).graph
    found, left_out = disputes(graph, Focus())
    assert left_out == 0
    assert {frozenset((pair.left, pair.right)) for pair in found} == {frozenset(pair) for pair in graph.disputes()}
    assert all(int(pair.left[1:]) < int(pair.right[1:]) for pair in found)
    heats = [pair.heat for pair in found]
    assert heats == sorted(heats, reverse=True)
    assert all(abs(pair.heat - sum(pair.confidences) / 2) < 1e-9 for pair in found)


def test_a_question_or_a_domain_narrows_them() -> None:
    script = sample_mind(60)
    graph = script.graph
    found, _ = disputes(graph, Focus(question="q1"))
    assert len(found) == len(graph.disputes("q1"))
    assert {pair.questions[0] for pair in found} == {"q1"}
    domain = "storage"
    found, _ = disputes(graph, Focus(domain=domain))
    assert found
    for pair in found:
        assert all(domain in script.nodes[node].domains for node in (pair.left, pair.right))


def test_only_open_questions_are_named() -> None:
    script = sample_mind(60)
    script.add(QuestionResolved(node="q1"))
    found, _ = disputes(script.graph, Focus())
    assert not any("q1" in pair.questions for pair in found)


def test_beyond_the_hottest_pairs_the_rest_is_counted() -> None:
    script = Script()
    question = script.ask("Which?")
    for number in range(40):
        claim = script.claim(f"claim {number}", "m:a", None)
        script.join("answers", claim, question, "m:a")
        for other in range(1, number + 1):
            script.join("contradicts", claim, f"i{other}", "m:a")
    found, left_out = disputes(script.graph, Focus())
    assert (len(found), left_out) == (300, 40 * 39 // 2 - 300)


def test_a_pair_that_is_settled_takes_its_mark_along() -> None:
    state = note(mark(mark(refreshed(Triage(), (THREE, 0)), "i1 i2"), "i3 i4"), "i1 i2", "sent")
    after = refreshed(state, (THREE[1:], 0))
    assert after.marked == {"i3 i4"}
    assert after.notes == {}
    assert refreshed(after, (THREE[1:], 0)) is after
    assert mark(after, "i3 i4").marked == frozenset()


def test_what_is_skipped_goes_last_and_comes_back() -> None:
    state = skip(mark(refreshed(Triage(), (THREE, 0)), "i1 i2"), ["i1 i2", "i3 i4"])
    assert [pair.key for pair in ordered(state)] == ["i5 i6", "i1 i2", "i3 i4"]
    assert state.marked == frozenset()
    assert [pair.key for pair in ordered(skip(state, ["i1 i2"]))] == ["i1 i2", "i5 i6", "i3 i4"]


def test_words_narrow_the_list() -> None:
    state = refreshed(Triage(), (THREE, 0))
    texts = {"i1": "The Cache was cold", "i4": "A cache"}
    assert [pair.key for pair in ordered(state, " cache ", texts)] == ["i1 i2", "i3 i4"]
    assert [pair.key for pair in ordered(state, "!cache", texts)] == ["i5 i6"]
    assert [pair.key for pair in ordered(state, "q2")] == ["i5 i6"]


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_favourite_is_the_more_confident_as_it_is_shown(left: float, right: float) -> None:
    better = favourite(_pair(1, 2, left, right))
    if better is None:
        assert f"{left:.2f}" == f"{right:.2f}"
    else:
        assert better == (("i1", "i2") if left > right else ("i2", "i1"))


def test_the_best_frontier_model_is_the_first_that_can_board() -> None:
    ranked = choices(sample_mind().graph)
    assert best_frontier(ranked)[0] == "anthropic:claude-opus-5-5"
    assert best_frontier([])[0] is None
    barred = [choice.model_copy(update={"why_not": "the session budget has no room for it"}) for choice in ranked]
    assert best_frontier(barred) == (
        None,
        "no frontier model can board: anthropic:claude-opus-5-5 the session budget has no room for it",
    )
