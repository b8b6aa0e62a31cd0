"""No stored text may steer a terminal."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from perdura_tui.visible import visible


@given(st.text(alphabet=st.characters(), max_size=200))
def test_nothing_that_steers_survives(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    for character in shown:
        if character not in "\n\t":
            assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
            assert unicodedata.bidirectional(character) not in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI")


@given(st.text(max_size=200))
def test_one_line_is_one_line(text: str) -> None:
    assert len(visible(text, one_line=True).splitlines()) <= 1


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "M"], exclude_characters="\ufeff")))
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_controls_have_pictures() -> None:
    assert visible("a\x1b[31mb\x00\x7f\x9b") == "a␛[31mb␀␡\ufffd"
