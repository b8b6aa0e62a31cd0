"""How answers become errors, and bytes become events."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from perdura_core.errors import AccountError, RequestError, TransientError
from perdura_core.workers.sse import EventDecoder
from perdura_core.workers.wire import Account, count, turned_away

ACCOUNT = Account("openai:any-name", "OPENAI_API_KEY", SecretStr("planted-key"))


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:00 GMT", "date": "Mon, 30 Nov 2026 12:00:00 GMT"}, 60.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:00 GMT", "date": "Mon, 30 Nov 2026 12:01:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:01:00 GMT"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers: dict[str, str], expected: float | None) -> None:
    error = turned_away(ACCOUNT, 429, {"error": {"message": "slow down"}}, headers)

    assert isinstance(error, TransientError)
    assert error.retry_after_s == expected


def test_a_message_is_one_short_line_without_the_key() -> None:
    body = {"error": {"message": "bad\nkey planted-key \x1b[31m" + "x" * 500}}

    message = turned_away(ACCOUNT, 401, body, {}).message

    assert "planted-key" not in message
    assert "[key]" in message
    assert "\n" not in message
    assert "\x1b" not in message
    assert len(message) < 260


@given(
    st.integers(300, 999),
    st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["error", "message", "details", "code", "retryDelay", "type"]), inner))
    | st.text() | st.binary(),
    st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms", "date"]), st.text()),
)  # fmt: skip
def test_any_answer_becomes_an_error(status: int, body: object, headers: dict[str, str]) -> None:
    error = turned_away(ACCOUNT, status, body, headers)

    assert isinstance(error, TransientError | AccountError | RequestError)
    assert "planted-key" not in str(error)


@pytest.mark.parametrize(
    ("value", "expected"), [(0, 0), (7, 7), (-1, None), (True, None), ("7", None), (1.5, None), (None, None)]
)
def test_only_whole_tokens_count(value: object, expected: int | None) -> None:
    assert count(value) == expected


LINES = st.lists(
    st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=["Cs"]), max_size=20), max_size=6
)


@given(LINES, st.sampled_from([b"\n", b"\r\n", b"\r"]), st.data())
def test_any_chunking_gives_the_same_events(texts: list[str], end: bytes, data: st.DataObject) -> None:
    said = [json.dumps({"t": text}, ensure_ascii=False) for text in texts]
    stream = b"".join(b": note" + end + b"data: " + text.encode() + end * 2 for text in said)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = EventDecoder()

    events = [
        event
        for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True)
        for event in decoder.feed(stream[start:stop])
    ]

    assert [*events, *decoder.close()] == said


def test_data_of_several_lines_is_joined_and_a_last_event_without_blank_line_counts() -> None:
    decoder = EventDecoder()

    assert decoder.feed(b"event: x\ndata: {\ndata:}\n\ndata: tail") == ["{\n}"]
    assert decoder.close() == ["tail"]
