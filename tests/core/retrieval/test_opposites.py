"""Opposite meanings never pass for restatements; paraphrases do. A list made by hand, and any number made by rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.retrieval import says_the_same
from tests.core.retrieval.pairs import PAIRS, Pair

NAMES = ["The cache", "The northern bridge", "Our service", "The treaty", "Version 2.4", "缓存"]
VERBS = [("rose", "fell"), ("grew", "shrank"), ("opened", "closed"), ("passed", "failed"), ("won", "lost")]
TIMES = [("before 2019", "after 2019"), ("by 12 %", "by 21 %"), ("in June", "in July"), ("at 02:10", "at 12:10")]


def test_the_list_is_long_and_of_many_kinds() -> None:
    opposite = [pair for pair in PAIRS if not pair.is_same]
    assert len(PAIRS) >= 200
    assert len(opposite) >= 100
    assert len({pair.kind for pair in opposite}) >= 10
    assert len(PAIRS) - len(opposite) >= 60


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.kind}: {pair.one}")
def test_what_means_the_same_and_what_does_not(pair: Pair) -> None:
    assert says_the_same(pair.one, pair.other) is pair.is_same
    assert says_the_same(pair.other, pair.one) is pair.is_same


@given(st.sampled_from(NAMES), st.sampled_from(VERBS), st.sampled_from(TIMES), st.sampled_from(["verb", "time", "not"]))
def test_a_turned_sentence_is_another(name: str, verbs: tuple[str, str], times: tuple[str, str], turned: str) -> None:
    said = f"{name} {verbs[0]} {times[0]}."
    other = {
        "verb": f"{name} {verbs[1]} {times[0]}.",
        "time": f"{name} {verbs[0]} {times[1]}.",
        "not": f"{name} never {verbs[0]} {times[0]}.",
    }[turned]
    assert not says_the_same(said, other)
    assert not says_the_same(other, said)


@given(
    st.sampled_from(NAMES),
    st.sampled_from(VERBS),
    st.sampled_from(["in spring", "since the trial", "after the release"]),
    st.sampled_from([str.upper, str.lower, lambda text: f"“{text}”", lambda text: text.rstrip(".") + " !"]),
    st.booleans(),
)
def test_a_sentence_in_other_dress_is_the_same(
    name: str, verbs: tuple[str, str], when: str, dress: object, moved: bool
) -> None:
    assert callable(dress)
    said = f"{name} {verbs[0]} {when}."
    other = f"{when.capitalize()} {name} {verbs[0]}." if moved else said
    assert says_the_same(said, dress(other))
    assert says_the_same(dress(other), said)


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.sampled_from(["ms", "%", "km", "USD"]))
def test_other_numbers_are_another_claim(one: int, other: int, unit: str) -> None:
    same = says_the_same(f"The limit is {one} {unit} in the north.", f"The limit is {other} {unit} in the north.")
    assert same is (one == other)
