from perdura_core.graph import Graph
from perdura_core.vocabulary import BoardingEnded
from perdura_tui.states.contention import (
    KEPT,
    Contention,
    Sample,
    add_samples,
    domains_are_few,
    heat_rows,
    replay,
    sample,
)
from tests.tui.script import sample_mind


def _samples(*values: float) -> Contention:
    return Contention(tuple(Sample(f"b{n}", value, {"a": value}, {"q1": value}) for n, value in enumerate(values)))


def test_a_replay_samples_each_ended_boarding_and_ends_at_the_present() -> None:
    script = sample_mind(12)
    samples = replay(Graph(), script.events, script.graph.total_boardings())
    ended = [event.what.boarding for event in script.events if isinstance(event.what, BoardingEnded)]
    assert [entry.boarding for entry in samples] == ended
    present = sample(script.graph, ended[-1])
    assert samples[-1].domains == present.domains
    assert samples[-1].overall == present.overall


def test_a_replay_leaves_out_what_is_too_old_to_be_shown() -> None:
    script = sample_mind(12)
    assert len(replay(Graph(), script.events, script.graph.total_boardings() + KEPT - 5)) == 5


def test_rows_are_ordered_by_the_present_and_show_the_last_columns() -> None:
    state = Contention(
        (
            Sample("b1", 0.0, {"a": 0.5}, {}),
            Sample("b2", 0.0, {"a": 0.4, "b": 0.1}, {}),
            Sample("b3", 0.0, {"a": 0.1, "b": 0.6}, {}),
        )
    )
    rows = heat_rows(state, "domain", 2)
    assert [row.key for row in rows] == ["b", "a"]
    assert rows[0].values == (0.1, 0.6)
    assert heat_rows(state, "domain", 9)[0].values == (None, 0.1, 0.6)
    assert heat_rows(state, "domain", 0) == []
    assert heat_rows(Contention(), "domain", 9) == []


def test_trends_compare_with_the_boardings_before() -> None:
    assert heat_rows(_samples(0.1, 0.1, 0.4), "question", 9)[0].trend == "▲"
    assert heat_rows(_samples(0.4, 0.4, 0.1), "question", 9)[0].trend == "▼"
    assert heat_rows(_samples(0.3, 0.3, 0.31), "question", 9)[0].trend == " "
    assert heat_rows(_samples(0.3), "question", 9)[0].trend == " "


def test_samples_are_bounded_and_no_news_is_no_change() -> None:
    state = add_samples(Contention(), _samples(*[0.1] * (KEPT + 10)).samples, 0.1)
    assert len(state.samples) == KEPT
    assert add_samples(state, (), 0.1) is state
    assert add_samples(state, (), 0.4).overall == 0.4


def test_few_domains_are_told() -> None:
    assert domains_are_few(_samples(0.1))
    assert domains_are_few(Contention())
    assert not domains_are_few(Contention((Sample("b1", 0.0, {"a": 0.0, "b": 0.0, "c": 0.0}, {}),)))
