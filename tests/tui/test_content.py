from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from perdura_tui.content import fit, flat, width_of, wrap

ANY_TEXT = st.text(max_size=120)


@given(ANY_TEXT)
def test_flat_text_is_one_line_of_printable_characters(text: str) -> None:
    said = flat(text)
    assert all(character.isprintable() or character == "\u3000" for character in said)
    assert not any(character in said for character in "\n\r\t\x1b\x07\x9b\u202e\u2066\u2028")


@given(ANY_TEXT, st.integers(0, 40), st.booleans())
def test_fitted_text_takes_exactly_its_cells(text: str, width: int, right: bool) -> None:
    assert cell_len(fit(text, width, right=right)) == width


@given(ANY_TEXT, st.integers(1, 30))
def test_wrapped_lines_stay_within_the_width(text: str, width: int) -> None:
    for line in wrap(text, width):
        assert width_of(line) <= max(width, 2)
        assert "\x1b" not in line


@given(
    st.lists(st.sampled_from(["word", "a", "longer-word", "漢字", "🦆"]), min_size=1, max_size=20), st.integers(12, 40)
)
def test_wrapping_loses_no_word(words: list[str], width: int) -> None:
    assert " ".join(wrap(" ".join(words), width)).split() == words


def test_escape_codes_become_symbols() -> None:
    assert flat("a\x1b[31mred\x1b[0m") == "a␛[31mred␛[0m"
    assert flat("\x9b31m") == "\ufffd31m"


def test_leading_spaces_stay_and_breaks_become_spaces() -> None:
    assert flat(" · two\n  lines\tand tabs") == " · two lines and tabs"


def test_joined_emoji_are_shown_part_by_part() -> None:
    assert flat("👨\u200d👩\u200d👧") == "👨👩👧"
    assert flat("👍🏽") == "👍"


def test_piled_up_marks_are_limited() -> None:
    assert len(flat("Z" + "\u0301" * 500)) == 3


def test_a_cut_text_ends_in_an_ellipsis() -> None:
    assert fit("abcdefgh", 5) == "abcd…"
    assert fit("漢字かな", 5) == "漢字…"
    assert fit("漢字かな", 6) == "漢字… "
    assert fit("7", 4, right=True) == "   7"


def test_markup_is_shown_as_it_is() -> None:
    for text in ("[b", "[/]", "arr[i] = b[j]", "[@click=app.quit]x[/]"):
        assert flat(text) == text


def test_a_very_long_text_says_how_much_is_not_shown() -> None:
    lines = wrap("word " * 10_000, 40)
    assert lines[-1] == "… 30,000 characters more"
