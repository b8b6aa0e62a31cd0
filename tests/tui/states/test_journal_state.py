from hypothesis import given
from hypothesis import strategies as st

from perdura_tui.states import journal
from perdura_tui.states.journal import KEPT, around, newer, node_of, older, says
from tests.tui.script import sample_mind

EVENTS = sample_mind(30).events


@given(st.integers(0, len(EVENTS)), st.lists(st.tuples(st.booleans(), st.integers(1, 80)), max_size=12))
def test_pages_from_anywhere_give_a_stretch_without_gaps(start: int, pages: list[tuple[bool, int]]) -> None:
    state = around(start, "")
    for forward, size in pages:
        if forward:
            state = newer(state, EVENTS[state.last : state.last + size])
        else:
            state = older(state, EVENTS[max(state.after - size, 0) : state.after])
        assert list(state.rows) == EVENTS[state.after : state.last]


def test_what_is_too_much_goes_at_the_other_end() -> None:
    many = [EVENTS[0].model_copy(update={"seq": seq}) for seq in range(1, KEPT + 501)]
    state = newer(around(0, ""), many)
    assert (state.after, state.last, len(state.rows)) == (500, KEPT + 500, KEPT)
    back = older(state, many[:500])
    assert (back.after, back.last, len(back.rows)) == (0, KEPT, KEPT)


def test_words_narrow_the_rows_but_not_the_stretch() -> None:
    state = newer(around(0, "refused"), EVENTS)
    assert state.last == len(EVENTS)
    assert {event.kind for event in state.rows} == {"element_rejected"}
    turned = newer(around(0, "!refused"), EVENTS)
    assert len(turned.rows) + len(state.rows) == len(EVENTS)
    assert all(says(event, "REFUSED unknown") for event in state.rows)


def test_an_event_leads_to_the_node_that_it_is_about() -> None:
    found = {event.kind: node_of(event) for event in EVENTS}
    assert found["question_asked"] == "q7"
    assert str(found["interpretation_added"]).startswith("i")
    assert str(found["boarding_opened"]).startswith("q")
    assert str(found["edge_added"])[0] in "if"
    assert found["mind_created"] is None
    assert journal.node_of(next(event for event in EVENTS if event.kind == "fact_recorded")) == "f1"
