"""Equal digests mean the same words, and nothing that changes a meaning is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.graph import digest_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The disk is full.", "the disk is FULL"),
        ("The  disk\nis full", "“The disk is full”"),
        ("The disk: is *full*", "the disk is full!"),
        ("a well-known fault", "a well known fault"),
        ("café", "cafe\u0301"),
    ],
)
def test_the_same_words(one: str, other: str) -> None:
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("It must scale", "It must not scale"),
        ("a change of -5", "a change of 5"),
        ("1.5 ms", "15 ms"),
        ("1.5 ms", "1 5 ms"),
        ("a < b", "a > b"),
        ("a != b", "a = b"),
        ("C is fast", "C++ is fast"),
        ("5 % of it", "5 of it"),
        ("कि", "की"),
        ("no", "No, no"),
        ("🙂", "🙁"),
    ],
)
def test_other_words(one: str, other: str) -> None:
    assert digest_of(one) != digest_of(other)


@given(st.text())
def test_fits_a_signed_64_bit_column_and_is_never_the_mark_of_a_redacted_text(text: str) -> None:
    assert -(2**63) <= digest_of(text) < 2**63
    assert digest_of(text) != 0
