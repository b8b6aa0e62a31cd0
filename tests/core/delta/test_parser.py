"""Whatever a model sends and however it is cut, the same elements come out, and only those that are whole."""

import json
import math
import time
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perdura_core.delta import DeltaParser, RawElement, Unreadable

CLAIM = '{"kind": "claim", "text": "a"}'
FACT = '{"kind": "fact", "text": "b"}'
A, B = json.loads(CLAIM), json.loads(FACT)


class Read(NamedTuple):
    values: list[Any]
    found: bool
    complete: bool


def read(*pieces: str) -> Read:
    parser = DeltaParser()
    out: list[RawElement] = []
    for piece in pieces:
        out += parser.feed(piece)
    out += parser.close()
    assert [raw.index for raw in out] == list(range(len(out)))
    return Read([raw.value for raw in out], parser.found_delta, parser.is_complete)


def delta(*elements: str) -> str:
    return '{"contributions": [' + ", ".join(elements) + "]}"


@pytest.mark.parametrize(
    "text",
    [
        delta(CLAIM, FACT),
        f"\ufeff{delta(CLAIM, FACT)}",
        f"Here you are:\n```json\n{delta(CLAIM, FACT)}\n```\nAnything else?",
        '{"summary": "both", "n": [1, {"a": 2}], "contributions": [' + CLAIM + "," + FACT + '], "more": null}',
        '{"answer": ' + delta(CLAIM, FACT) + "}",
        "{" + delta(CLAIM, FACT),
        "{" + delta(CLAIM, FACT) + "}",
        delta(CLAIM, FACT)[1:],
        '{"contributions": [{' + CLAIM + "}, {" + FACT + "}]}",
        '{"contributions": [{' + CLAIM + ", {" + FACT + "]}",
        '{"contributions": [' + CLAIM + "}, " + FACT + "]}",
        '{"contributions": [' + CLAIM + "," + FACT + "}",
        '{"contributions": [' + CLAIM + ",, " + FACT + ",]}",
        '{"contributions": [' + CLAIM + " " + FACT + " ... ]}",
        '{"contributions": [ // two\n' + CLAIM + ", /* } */ " + FACT + "]}",
        '{"contributions": [{"kind": "claim", /* "kind */ "text": "a", }, ' + FACT + "]}",
        "<think>Maybe " + delta('{"kind": "draft"}') + "</think>\n" + delta(CLAIM, FACT),
        "Maybe " + '{"kind": "draft"} </think>\n' + delta(CLAIM, FACT),
        "<think>a <think> b</think>" + delta(CLAIM, FACT),
        "<think>So: " + delta('{"kind": "draft"}') + " or rather\n```json\n" + delta(CLAIM, FACT) + "\n```\n",
        "<THINKING>" + "{" * 50 + "</Thinking >" + delta(CLAIM, FACT),
        '{} {"example": 1} ' + delta(CLAIM, FACT),
        '{"kind": "claim", "text": "an example"}\n' + delta(CLAIM, FACT),
        'Such as [{"kind": "claim", "text": "an example"}].\n' + delta(CLAIM, FACT),
        'Reply with {"contributions": [...]}, as in\n' + delta(CLAIM, FACT),
        'Use { to open, [ for lists and " for text.\n' + delta(CLAIM, FACT),
        f"[{CLAIM}, {FACT}]",
        f"```json\n[\n{CLAIM},\n{FACT},\n]\n```",
        f"These are my elements:\n[{CLAIM}, {FACT}]",
        f'{{"kind": "claim", "text": "an example"}}\n[{CLAIM}, {FACT}]',
        f"{CLAIM}\n{FACT}\n",
        f"```\n{CLAIM}\n{FACT}\n```",
        f"1. {CLAIM}\n2. {FACT}",
        f'A claim looks like {{"kind": "claim", "text": "c"}}.\n{CLAIM}\n{FACT}',
        delta(CLAIM) + "\nand\n" + delta(FACT),
        'Say { "a": ' + delta(CLAIM) + "<think>" + delta('{"kind": "draft"}') + "</think>" + delta(FACT),
        '{"contributions": [' + CLAIM + '], "contributions": [' + FACT + "]}",
    ],
)
def test_reads_what_is_meant(text: str) -> None:
    assert read(text).values == [A, B]
    assert read(*text).values == [A, B]
    assert read(text).found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would rather not.",
        '{"example": 1}',
        '{"contributions": "none"}',
        '{"contributions": {"kind": "claim"}}',
        'Reply with {"contributions": [...]}.',
        '{"note": {"kind": "claim", "text": "an inner fragment"}}',
        '{"note": [\n{"kind": "claim", "text": "an inner fragment"}\n]}',
        'In prose {"kind": "claim", "text": "is an example"} of one.',
        '["one", "two"]',
        '[{"name": "no element"}]',
        "<think>" + delta(CLAIM) + " or not",
        "<think>" + delta(CLAIM)[:-1],
        r'{"note": "write {\"contributions\": [{\"kind\": \"claim\"}]}"}',
    ],
)
def test_finds_no_delta_where_there_is_none(text: str) -> None:
    assert read(text) == ([], False, False)
    assert read(*text) == ([], False, False)


def test_an_empty_delta_is_found_and_complete() -> None:
    assert read('{"contributions": []}') == ([], True, True)
    assert read('{"new_nodes": [], "new_edges": [], "supersedes": [], "resolve_questions": []}') == ([], True, True)
    assert read('{"contributions": [') == ([], False, False)


def test_yields_an_element_with_its_last_character() -> None:
    parser = DeltaParser()
    assert parser.feed('{"contributions": [' + CLAIM[:-1]) == []
    assert parser.feed("}") == [RawElement(0, A)]
    assert parser.found_delta
    assert not parser.is_complete
    parser.feed("]}")
    assert parser.is_complete


def test_streams_an_array_that_opens_the_reply() -> None:
    parser = DeltaParser()
    assert parser.feed("```json\n[" + CLAIM) == [RawElement(0, A)]


def test_text_that_parses_is_never_mended() -> None:
    said = {"kind": "claim", "text": "see http://a.b//c#d /* no comment */, ] } {{ True 0.0-1.0 ,}", "n": -1e-05}
    assert read(delta(json.dumps(said))).values == [said]


def test_mends_only_what_is_certain() -> None:
    bad = '{"kind": "claim", "confidence": 0.0-1.0, "ok": True, "no": None, "n": 1e-5, "url": "http://x", }'
    expected = {"kind": "claim", "confidence": "0.0-1.0", "ok": True, "no": None, "n": 1e-5, "url": "http://x"}
    assert read(delta(CLAIM, bad, FACT)).values == [A, expected, B]


def test_odd_numbers_are_left_to_the_validator() -> None:
    values = read(delta('{"confidence": NaN}', '{"confidence": -Infinity}', '{"confidence": 1e999}')).values
    assert math.isnan(values[0]["confidence"])
    assert [value["confidence"] for value in values[1:]] == [-math.inf, math.inf]


def test_what_is_no_object_keeps_its_place() -> None:
    assert read(delta(CLAIM, '"words"', "3", "null", "[1]", FACT)).values == [A, "words", 3, None, [1], B]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ('{"kind": "a", "kind": "b"}', "two values"),
        ('{"kind": claim}', "no JSON near"),
        ('{"text": "he said "no" to it"}', "no JSON near"),
        ('{"links": [}', "never closed"),
        ('{"text": "never closed\n}', "never closed"),
        ('{"n": ' + "9" * 5000 + "}", "digits"),
        ('{"a": ' * 40 + "1" + "}" * 40, "nests 40 deep"),
    ],
)
def test_an_unreadable_element_costs_no_neighbour(bad: str, why: str) -> None:
    values = read(delta(CLAIM, bad, FACT)).values
    assert [values[0], values[-1]] == [A, B]
    assert len(values) == 3
    assert isinstance(values[1], Unreadable)
    assert why in values[1].why


def test_an_element_that_was_never_closed_costs_no_neighbour() -> None:
    values = read('{"contributions": [{"kind": "claim", "text": "a", ' + FACT + "]}").values
    assert isinstance(values[0], Unreadable)
    assert values[1:] == [B]


def test_the_first_seeds_shape() -> None:
    text = """{
      "new_nodes": [{"ref": "a", "type": "evidence", "text": "t", "domain_tags": ["x"], "supersedes": ["f3"]},
                    {"id": "b", "type": "claim", "text": "u", "confidence": 0.5}, "words"],
      "new_edges": [{"type": "supports", "src": "a", "dst": "b"}],
      "supersedes": ["i1", {"old": "i2", "new": "b"}, ["b", "i3"], ["i4", "i5"]],
      "resolve_questions": ["q1", {"question": "q2", "by": "b"}, ["q3", "b"], 7],
      "confidence_updates": [{"id": "i9", "confidence": 0.1, "reason": "r"}]
    }"""

    def change(kind: str, origin: str, type_: str, *to: str) -> dict[str, Any]:
        return {"kind": kind, "from": origin, "links": [{"type": type_, "to": name} for name in to]}

    assert read(text).values == [
        {"kind": "fact", "ref": "a", "text": "t", "domains": ["x"]},
        change("supersede", "f3", "supersedes", "a"),
        {"kind": "claim", "ref": "b", "text": "u", "confidence": 0.5},
        "words",
        change("link", "a", "supports", "b"),
        change("supersede", "i1", "supersedes"),  # by which of the two?
        change("supersede", "i2", "supersedes", "b"),
        change("supersede", "i3", "supersedes", "b"),
        ["i4", "i5"],
        change("resolve", "q1", "resolved_by"),
        change("resolve", "q2", "resolved_by", "b"),
        change("resolve", "q3", "resolved_by", "b"),
        7,
        {"kind": "confidence", "from": "i9", "confidence": 0.1, "text": "r"},
    ]
    assert read(*text).values == read(text).values


def test_the_first_seeds_items_in_a_bare_array() -> None:
    text = '[{"ref": "a", "type": "claim", "text": "t"}, {"type": "supports", "src": "f1", "dst": "a"}]'
    assert [value["kind"] for value in read(text).values] == ["claim", "link"]


@pytest.mark.parametrize(
    "text",
    [
        '{"contributions": [' + "[" * 10_000 + "]" * 10_000 + "," + CLAIM + "]}",
        '{"contributions": [' + '{"a":' * 10_000 + "1" + "}" * 10_000 + "," + CLAIM + "]}",
        "[" * 10_000 + "{" * 10_000 + '"<think>' * 10_000 + delta(CLAIM),
        "<think>" * 10_000 + "</think>" + delta(CLAIM),
    ],
)
def test_deep_nesting_is_survived(text: str) -> None:
    values = read(text).values
    assert values[-1] == A
    assert all(isinstance(value, Unreadable) for value in values[:-1])


@pytest.mark.parametrize(
    "unit",
    [
        '{"a": "', "{ ", "[{", '{"contributions": [', "<think>", "</think", "/*", "\n", " ", '"', "\\", "[}",
        '{"a":1}]', '{,"', "1,,", "#", '{"contributions"  ', "```\n", "}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("before", ["", '{"contributions": [', '{"contributions": [{"text": "', "<think>", '{"a": '])
def test_time_grows_with_the_text_only(before: str, unit: str) -> None:
    def cost(size: int) -> float:
        text = before + unit * (size // len(unit))
        parser = DeltaParser()
        start = time.process_time()
        for pos in range(0, len(text), 256):
            parser.feed(text[pos : pos + 256])
        parser.close()
        return time.process_time() - start

    small = min(cost(10_000) for _ in range(3))
    assert cost(80_000) < 8 * small * 4 + 0.05  # quadratic would be 64 times


# Properties

_LETTERS = 'ab é"\\/{}[]:,<>\n\t#`–世'
_BEFORE = [
    "", "\ufeff", "Sure!\n", "```json\n", '<think>so {"contributions": [{}], </think>\n', "{", '{"answer": ', "{} ",
    '{"example": 1}\n', 'He said "{" and [x].\n',
]  # fmt: skip
_OBJECTS = [('{"contributions": [', "]}"), ('{"a": {"b": []},\n "contributions":[', "] }")]
_AFTER = ["", "\n```", " Done.", "}"]
_JOINS = [",", ", ", ",\n  ", " ,\n\n"]


class Sent(NamedTuple):
    text: str
    ends: list[int]
    """Position behind each element."""
    values: list[Any]


def _words(chance: Random) -> str:
    return "".join(chance.choices(_LETTERS, k=chance.randrange(12)))


def _value(chance: Random, depth: int) -> Any:
    match chance.randrange(8 if depth else 5):
        case 0:
            return chance.choice([None, True, False, 0, -7])
        case 1:
            return chance.random()
        case 5 | 6:
            return [_value(chance, depth - 1) for _ in range(chance.randrange(3))]
        case 7:
            return {_words(chance): _value(chance, depth - 1) for _ in range(chance.randrange(3))}
        case _:
            return _words(chance)


def _element(chance: Random) -> dict[str, Any]:
    extra = {f"x{_words(chance)}": _value(chance, 3) for _ in range(chance.randrange(3))}
    return {"kind": "claim", "text": _words(chance), **extra}


def sent_delta(seed: int) -> Sent:
    """A well-formed delta of any layout, in surroundings that do not change what it says."""
    chance = Random(seed)
    values = [_element(chance) for _ in range(chance.randrange(5))]
    indent, ascii_only = chance.choice([None, None, 2]), chance.random() < 0.5
    opening, closing = chance.choice(_OBJECTS)
    text, ends = chance.choice(_BEFORE) + opening, []
    for position, value in enumerate(values):
        text += chance.choice(_JOINS) if position else ""
        text += json.dumps(value, indent=indent, ensure_ascii=ascii_only)
        ends.append(len(text))
    return Sent(text + closing + chance.choice(_AFTER), ends, values)


def sent_list(seed: int) -> Sent:
    """Elements without their object: an array, or one a line."""
    chance = Random(seed)
    values = [_element(chance) for _ in range(chance.randrange(1, 5))]
    as_array = chance.random() < 0.5
    text, ends = chance.choice(["", "```json\n", "These:\n"]) + ("[" if as_array else ""), []
    for position, value in enumerate(values):
        text += (chance.choice(_JOINS) if as_array else "\n") if position else ""
        text += json.dumps(value)
        ends.append(len(text))
    return Sent(text + ("]" if as_array else "\n"), ends, values)


_SEEDS = st.integers(0, 2**32)
_DELTAS = st.builds(sent_delta, _SEEDS)
_LISTS = st.builds(sent_list, _SEEDS)


def _pieces(text: str, cuts: list[int]) -> list[str]:
    marks = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[start:stop] for start, stop in pairwise(marks)]


_CUTS = st.lists(st.integers(0, 10_000), max_size=12)


@settings(max_examples=3_000, deadline=None)
@given(_DELTAS, _CUTS)
def test_any_chunking_gives_the_same_elements(sent: Sent, cuts: list[int]) -> None:
    assert read(*_pieces(sent.text, cuts)) == (sent.values, True, True)


@settings(max_examples=2_500, deadline=None)
@given(_DELTAS | _LISTS, st.integers(0, 10_000), _CUTS)
def test_cut_anywhere_gives_exactly_the_elements_before_the_cut(sent: Sent, cut: int, cuts: list[int]) -> None:
    text = sent.text[: cut % (len(sent.text) + 1)]
    expected = [value for value, end in zip(sent.values, sent.ends, strict=True) if end <= len(text)]
    assert read(*_pieces(text, cuts)).values == expected


_FRAGMENTS = st.sampled_from([
    "{", "}", "[", "]", '"', "\\", ",", ":", " ", "\n", "a", "1", "//", "/*", "*/", "#", "/", "*", "`", "```json\n",
    "...", '"contributions": [', '{"contributions": [', '"new_nodes":[', '{"new_edges" : [', '"supersedes":["i1"]',
    "<think>", "</think>", "<", "</thi", CLAIM, FACT, '{"kind": "claim"', '"text": "x"', "NaN", "0.0-1.0", "\r\n", "]}",
    "\ufeff",
    '{"type": "supports", "src": "a", "dst": "b"}', "\n  },\n  {", " " * 120, "\n" * 120, '"}', '\\"', "- ", "},",
])  # fmt: skip


@settings(max_examples=4_500, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=25).map("".join), _CUTS)
@example('{""/{"kind":"","a":"","b":""}', [4])
@example('{"contributions": [{"a": "\n' + " " * 101 + "}, x", [40])
def test_any_chunking_of_anything_gives_the_same(text: str, cuts: list[int]) -> None:
    whole = read(text)
    assert repr(read(*_pieces(text, cuts))) == repr(whole)
    assert repr(read(*text)) == repr(whole)
