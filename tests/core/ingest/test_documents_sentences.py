"""Where a sentence ends, and on which line it begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.ingest.formats.passages import Span
from perdura_core.ingest.formats.sentences import split_sentences


def split(text: str) -> list[str]:
    spans = [Span(number, line) for number, line in enumerate(text.split("\n"), 1)]
    return [sentence.text for sentence in split_sentences(spans)]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith and Prof. Lee agree with the U.S. Senate.",
        "The limit is 3.5 s, approx. 40 ms more than before.",
        "Jim J. Jewett and J. R. R. Tolkien wrote it.",
        "See v1.2.3 in deploy/config.yaml or https://a.b/c?d=e.f for more.",
        "The file main.py holds the code.",
        "The pool, i.e. the old one, was full, e.g. at noon.",
        "He said (see Fig. 3. It is small.) that it works.",
        "They waited... and then left.",
        "No. 5 was replaced in Sept. 2019 by Widget Co. of Leeds.",
        "「まだだ。待て。」と言った。",
    ],
)
def test_one_sentence_stays_whole(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("We use Python 3.7. No warnings are raised.", ["We use Python 3.7.", "No warnings are raised."]),
        ("It broke! Did it? Yes.", ["It broke!", "Did it?", "Yes."]),
        ('He said "It broke." Then he left.', ['He said "It broke."', "Then he left."]),
        ("It was in the U.S. The office closed.", ["It was in the U.S.", "The office closed."]),
        ("Call `f()`. `g()` is next.", ["Call `f()`.", "`g()` is next."]),
        ("設定は古い。再起動した。", ["設定は古い。", "再起動した。"]),
        ("It ended at 5 p.m. The shop closed.", ["It ended at 5 p.m.", "The shop closed."]),
        ("It waited… Then it stopped.", ["It waited…", "Then it stopped."]),
    ],
)
def test_two_sentences_are_two(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_wrapped_lines_are_joined_and_a_sentence_has_its_first_line() -> None:
    lines = ["The pool was full. The queue", "  was empty, and the", "rest slept."]
    found = split_sentences([Span(number, line) for number, line in enumerate(lines, 7)])
    assert found == [(7, "The pool was full."), (7, "The queue was empty, and the rest slept.")]


def test_lines_of_scripts_without_spaces_are_joined_without_one() -> None:
    assert [s.text for s in split_sentences([Span(1, "再起動で"), Span(2, "直った。")])] == ["再起動で直った。"]


@given(st.lists(st.text("abcAB .!?\"'()\n。", max_size=40), max_size=6))
def test_no_word_is_lost_or_moved(lines: list[str]) -> None:
    spans = [Span(n, line) for n, line in enumerate(lines, 1)]
    found = split_sentences(spans)
    joined = "".join("".join(s.text.split()) for s in found)
    assert joined == "".join("".join(line.split()) for line in lines)
    numbers = [s.line for s in found]
    assert numbers == sorted(numbers)
    assert all(1 <= n <= len(lines) for n in numbers)
