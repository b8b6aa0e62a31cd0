import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.vocabulary import Progress
from perdura_tui.states.workers import Card, Workers, reduce_events, reduce_progress, spoken, tokens_per_s
from tests.tui.script import Script, told


def _session() -> Script:
    script = Script()
    script.ask("Why?")
    script.start(seats=2)
    return script


def test_a_session_brings_its_seats_and_takes_them_away() -> None:
    script = _session()
    state = reduce_events(Workers(), script.events, 0.0)
    assert list(state.cards) == [1, 2]
    assert state.aboard == 0
    boarding = script.board(1, "q1", "reader:doubt", "explore")
    state = reduce_events(state, script.events[-2:], 5.0)
    card = state.cards[1]
    assert (card.model, card.question, card.reason, card.boarding) == ("reader:doubt", "q1", "explore", boarding)
    assert card.elapsed_at(8.0) == 3.0
    script.end(boarding, "reader:doubt", "q1", merged=2, rejected=1)
    state = reduce_events(state, script.events[-2:], 9.0)
    assert not state.cards[1].is_aboard
    past = state.cards[1].past
    assert past is not None
    assert (past.ending, past.merged, past.rejected) == ("merged", 2, 1)
    script.stop()
    state = reduce_events(state, script.events[-1:], 9.0)
    assert state.cards[1].reason == "the session has ended"
    assert state.cards[1].past == past


def test_progress_wins_over_the_event_that_opened_the_boarding() -> None:
    script = _session()
    boarding = script.board(1, "q1", "reader:doubt")
    state = reduce_events(Workers(), script.events, 0.0)
    state = reduce_progress(state, [told(1, "streaming", "reader:doubt", "q1", "abc", boarding=boarding)], 1.0)
    assert reduce_events(state, script.events[-2:], 2.0) is state
    assert state.cards[1].phase == "streaming"


def test_text_of_one_boarding_is_joined_and_a_new_boarding_starts_afresh() -> None:
    news = [told(1, "streaming", "m:a", "q1", "one "), told(1, "streaming", "m:a", "q1", "two")]
    state = reduce_progress(Workers(), news, 0.0)
    assert state.cards[1].tail == "one two"
    state = reduce_progress(state, [told(1, "streaming", "m:a", "q1", " three")], 0.1)
    assert state.cards[1].tail == "one two three"
    following = [
        told(1, "streaming", "m:a", "q1", " lost"),
        told(1, "waiting", "m:b", "q1", "", boarding="b77"),
        told(1, "streaming", "m:b", "q1", "new", boarding="b77"),
    ]
    assert reduce_progress(state, following, 0.2).cards[1].tail == "new"


def test_the_tail_is_bounded() -> None:
    state = reduce_progress(Workers(), [told(1, "streaming", "m:a", "q1", "x" * 50_000)], 0.0)
    assert len(state.cards[1].tail) == 4_000


def test_an_empty_seat_says_why() -> None:
    state = reduce_progress(Workers(), [told(1, "streaming", "m:a", "q1", "x")], 0.0)
    state = reduce_progress(state, [Progress(seat=1, phase="empty", reason="no question needs work")], 1.0)
    card = state.cards[1]
    assert not card.is_aboard
    assert (card.reason, card.tail, card.question) == ("no question needs work", "", None)


def test_elapsed_time_goes_on_between_news_unless_paused() -> None:
    running = Card(1, "waiting", model="m:a", elapsed_s=3.0, told_at_s=10.0)
    assert running.elapsed_at(12.5) == 5.5
    assert running.elapsed_at(9.0) == 3.0
    assert Card(1, "paused", model="m:a", elapsed_s=3.0, told_at_s=10.0).elapsed_at(99.0) == 3.0


def test_speed_is_told_only_when_there_is_enough_to_tell() -> None:
    card = Card(1, "streaming", model="m:a", elapsed_s=4.0, told_at_s=0.0, streams_since_s=2.0, output_tokens=100)
    assert tokens_per_s(card, 0.0) == 50.0
    assert tokens_per_s(Card(1, "waiting", model="m:a"), 0.0) is None
    assert tokens_per_s(Card(1, "streaming", model="m:a", streams_since_s=0.0, output_tokens=5), 0.0) is None


@pytest.mark.parametrize(
    ("tail", "said"),
    [
        ('{"contributions": [{"kind": "claim", "text": "The cache', "claim: The cache"),
        ('{"kind": "fact", "text": "a \\"quoted\\" \\u00e9 word", "source": "x"}', 'fact: a "quoted" é word'),
        ('{"kind": "fact", "text": "cut in an escape \\u00', "fact: cut in an escape "),
        ('{"kind": "fact", "text": "cut in an escape \\', "fact: cut in an escape "),
        ("plain words ", "plain words"),
        ('{"contributions": [{"ki', "…"),
        ('{"kind": "claim", "ref": "', "claim …"),
        ('{"kind": "fact", "text": "first"}, {"kind": "claim", "ref": "b"', "fact: first"),
        ('"text": "no kind', "no kind"),
        ("", ""),
    ],
)
def test_the_stream_is_shown_as_what_it_says(tail: str, said: str) -> None:
    assert spoken(tail) == said


@given(st.text(max_size=60), st.data())
def test_any_cut_of_any_text_can_be_shown(text: str, data: st.DataObject) -> None:
    sent = json.dumps({"contributions": [{"kind": "claim", "text": text, "ref": "a"}]})
    cut = data.draw(st.integers(0, len(sent)))
    assert isinstance(spoken(sent[:cut]), str)
    assert spoken(sent) == f"claim: {text}"
