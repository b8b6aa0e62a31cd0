"""Each rule of the wire format, with the reason that is kept when an element breaks it."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.delta import MAX_LINKS, MAX_TEXT_CHARACTERS, Refusal, Unreadable, validate
from perdura_core.vocabulary import ELEMENT_KINDS, TEMPLATE_TEXTS, Element, Link

CLAIM: dict[str, Any] = {"kind": "claim", "text": "Ice floats."}
LINK = {"type": "answers", "to": "q1"}


def accepted(value: Any) -> Element:
    element = validate(value)
    assert isinstance(element, Element), element
    return element


@pytest.mark.parametrize(
    ("value", "reason", "quoted"),
    [
        ("words", "malformed", "'words'"),
        (["a"], "malformed", "['a']"),
        (None, "malformed", "null"),
        (7, "malformed", "7"),
        (Unreadable("{", "it never ends"), "malformed", "it never ends"),
        ({}, "missing_field", "kind"),
        ({"text": "x"}, "missing_field", "kind"),
        ({**CLAIM, "kind": None}, "missing_field", "kind"),
        ({**CLAIM, "kind": ["claim"]}, "malformed", "['claim']"),
        ({**CLAIM, "kind": {"a": 1}}, "malformed", "{'a': 1}"),
        ({**CLAIM, "kind": "opinion"}, "unknown_kind", "'opinion'"),
        ({**CLAIM, "kind": "claim|fact|question"}, "template_text", "claim|fact|question"),
        ({"kind": "claim"}, "missing_field", "text"),
        ({**CLAIM, "text": 3}, "malformed", "3"),
        ({**CLAIM, "text": ["x"]}, "malformed", "['x']"),
        ({**CLAIM, "text": " \n\x00"}, "empty_text", "empty"),
        ({**CLAIM, "text": "0.70"}, "empty_text", "0.70"),
        ({**CLAIM, "text": "x" * (MAX_TEXT_CHARACTERS + 1)}, "oversized_text", str(MAX_TEXT_CHARACTERS)),
        ({**CLAIM, "text": "..."}, "template_text", "..."),
        ({**CLAIM, "text": "[…]"}, "template_text", "…"),
        ({**CLAIM, "text": "Id or ref"}, "template_text", "Id or ref"),
        ({**CLAIM, "text": "claim | fact"}, "template_text", "claim | fact"),
        ({**CLAIM, "confidence": "high"}, "bad_confidence", "'high'"),
        ({**CLAIM, "confidence": "0.7"}, "bad_confidence", "'0.7'"),
        ({**CLAIM, "confidence": "0.0-1.0"}, "bad_confidence", "0.0-1.0"),
        ({**CLAIM, "confidence": True}, "bad_confidence", "True"),
        ({**CLAIM, "confidence": math.nan}, "bad_confidence", "nan"),
        ({**CLAIM, "confidence": math.inf}, "bad_confidence", "inf"),
        ({**CLAIM, "confidence": 1.01}, "bad_confidence", "1.01"),
        ({**CLAIM, "confidence": -0.1}, "bad_confidence", "-0.1"),
        ({**CLAIM, "confidence": 10**400}, "bad_confidence", "1000"),
        ({**CLAIM, "confidence": [0.5]}, "bad_confidence", "[0.5]"),
        ({**CLAIM, "level": 0}, "unknown_level", "0"),
        ({**CLAIM, "level": 4}, "unknown_level", "4"),
        ({**CLAIM, "level": True}, "unknown_level", "True"),
        ({**CLAIM, "level": "1"}, "unknown_level", "'1'"),
        ({**CLAIM, "level": 1.5}, "unknown_level", "1.5"),
        ({**CLAIM, "ref": "f45"}, "ref_taken", "'f45'"),
        ({**CLAIM, "ref": "Q1"}, "ref_taken", "'Q1'"),
        ({**CLAIM, "ref": 3}, "malformed", "3"),
        ({**CLAIM, "ref": "my first claim"}, "malformed", "my first claim"),
        ({**CLAIM, "ref": "a" * 41}, "malformed", "aaaa"),
        ({**CLAIM, "domains": 3}, "malformed", "3"),
        ({**CLAIM, "domains": {"a": 1}}, "malformed", "{'a': 1}"),
        ({**CLAIM, "domains": ["a", 3]}, "malformed", "3"),
        ({**CLAIM, "facts": [["f1"]]}, "malformed", "['f1']"),
        ({**CLAIM, "facts": [f"f{n}" for n in range(MAX_LINKS + 1)]}, "too_many_links", str(MAX_LINKS + 1)),
        ({**CLAIM, "links": "q1"}, "malformed", "'q1'"),
        ({**CLAIM, "links": LINK}, "malformed", "answers"),
        ({**CLAIM, "links": ["q1"]}, "malformed", "'q1'"),
        ({**CLAIM, "links": [LINK] * (MAX_LINKS + 1)}, "too_many_links", str(MAX_LINKS + 1)),
        ({**CLAIM, "links": [{"to": "q1"}]}, "missing_field", "type"),
        ({**CLAIM, "links": [{"type": ["answers"], "to": "q1"}]}, "malformed", "['answers']"),
        ({**CLAIM, "links": [{"type": {}, "to": "q1"}]}, "malformed", "{}"),
        ({**CLAIM, "links": [{"type": "likes", "to": "q1"}]}, "unknown_type", "'likes'"),
        ({**CLAIM, "links": [{"type": "answers|supports", "to": "q1"}]}, "template_text", "answers|supports"),
        ({**CLAIM, "links": [{"type": "answers"}]}, "missing_field", "to"),
        ({**CLAIM, "links": [{"type": "answers", "to": 1}]}, "malformed", "1"),
        ({**CLAIM, "links": [{"type": "answers", "to": "id or ref"}]}, "template_text", "id or ref"),
        ({**CLAIM, "links": [{"type": "supersedes", "to": "i1"}]}, "not_allowed", "supersedes"),
        ({"kind": "fact", "text": "Ice.", "source": ["a.md"]}, "malformed", "a.md"),
        ({"kind": "link", "links": [LINK]}, "missing_field", "from"),
        ({"kind": "link", "from": 3, "links": [LINK]}, "malformed", "3"),
        ({"kind": "link", "from": "i1"}, "missing_field", "i1"),
        ({"kind": "link", "from": "i1", "links": [{"type": "resolved_by", "to": "i2"}]}, "not_allowed", "resolved_by"),
        ({"kind": "confidence", "from": "i1"}, "missing_field", "i1"),
        ({"kind": "confidence", "from": "i1", "confidence": "low"}, "bad_confidence", "low"),
        ({"kind": "confidence", "from": "i1", "confidence": 0.3, "text": "<why>"}, "template_text", "why"),
        ({"kind": "supersede", "from": "i1", "links": []}, "missing_field", "i1"),
        ({"kind": "supersede", "from": "i1", "links": [LINK]}, "not_allowed", "answers"),
        ({"kind": "supersede", "from": "i1", "links": [{"type": "supersedes", "to": "a"}] * 2}, "too_many_links", "2"),
        ({"kind": "resolve", "from": "q1", "links": [LINK]}, "not_allowed", "answers"),
    ],
)
def test_refuses(value: Any, reason: str, quoted: str) -> None:
    refusal = validate(value)
    assert isinstance(refusal, Refusal), refusal
    assert refusal.reason == reason
    assert quoted in refusal.detail
    assert len(refusal.detail) < 250


@pytest.mark.parametrize("text", sorted(TEMPLATE_TEXTS))
def test_refuses_every_placeholder_of_our_prompt(text: str) -> None:
    refusal = validate({"kind": "claim", "text": text})
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "template_text"


def test_takes_a_whole_claim() -> None:
    value = {
        "kind": "claim", "ref": "a", "text": "Ice floats.", "confidence": 0.7, "level": 2, "domains": ["Sea ", "sea"],
        "facts": ["f12", "b", "f12"], "links": [LINK, {"type": "contradicts", "to": "i9"}],
    }  # fmt: skip
    assert accepted(value) == Element(
        kind="claim", ref="a", text="Ice floats.", confidence=0.7, level=2, domains=("sea",), facts=("f12", "b"),
        links=(Link(type="answers", to="q1"), Link(type="contradicts", to="i9")),
    )  # fmt: skip


def test_what_is_missing_is_unknown_and_not_zero() -> None:
    assert accepted(CLAIM) == Element(kind="claim", text="Ice floats.")
    assert accepted(CLAIM).confidence is None


def test_empty_strings_and_null_are_absent() -> None:
    empty = {"ref": "", "from": "", "confidence": None, "level": None, "domains": None, "facts": None, "links": None}
    assert accepted({**CLAIM, **empty}) == accepted(CLAIM)
    fact = accepted({"kind": "fact", "text": "Ice.", "source": "", "links": []})
    assert fact.source is None


def test_a_fact_has_no_confidence_whatever_was_sent() -> None:
    said: dict[str, Any] = {
        "kind": "Evidence",
        "text": "Ice.",
        "confidence": "high",
        "level": 9,
        "source": " a.md\n#L3 ",
        "entities": "Ice",
    }
    fact = accepted(said)
    assert (fact.kind, fact.confidence, fact.level, fact.source) == ("fact", None, 1, "a.md #L3")
    assert fact.entities == ("Ice",)


def test_a_nodes_type_is_its_kind() -> None:
    assert accepted({"type": "claim", "text": "Ice floats."}) == accepted(CLAIM)
    refusal = validate({"type": "claim|fact", "text": "Ice floats."})
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "template_text"


def test_a_lone_string_is_a_list_of_one_domain_or_fact() -> None:
    element = accepted({**CLAIM, "domains": "Sea  Ice", "facts": "f1"})
    assert (element.domains, element.facts) == (("sea ice",), ("f1",))


def test_domains_that_say_nothing_are_left_out() -> None:
    sent = ["...", "", "string|lazy", "x" * 41, "https://a.b", "c++", "[b]", "<domain>", *(f"d{n}" for n in range(20))]
    assert accepted({**CLAIM, "domains": sent}).domains == ("c++", *(f"d{n}" for n in range(7)))


def test_text_is_cleaned() -> None:
    assert accepted({**CLAIM, "text": " a\x00b\r\n\ud800c\x1b[31m "}).text == "ab\nc[31m"


def test_other_writing_systems_have_words() -> None:
    assert accepted({**CLAIM, "text": "氷は浮く。"}).text == "氷は浮く。"


def test_a_resolve_may_leave_its_answer_to_the_graph() -> None:
    assert accepted({"kind": "resolve", "from": "q1", "links": []}).links == ()


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["claim", "a", "q1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
_FIELDS = ("ref", "from", "text", "confidence", "level", "domains", "facts", "entities", "source", "links")


@settings(max_examples=250)
@given(st.sampled_from([*ELEMENT_KINDS, "evidence"]), st.dictionaries(st.sampled_from(_FIELDS), _JSON))
def test_never_raises(kind: str, fields: dict[str, Any]) -> None:
    result = validate({"kind": kind, **fields})
    assert isinstance(result, Element | Refusal)
    if isinstance(result, Element):
        assert result.confidence is None or 0 <= result.confidence <= 1


@settings(max_examples=200)
@given(_JSON)
def test_never_raises_on_any_value(value: Any) -> None:
    assert isinstance(validate(value), Element | Refusal)
