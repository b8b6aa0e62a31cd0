import pytest

from perdura_core.errors import InputError
from perdura_core.vocabulary import ProposalSettled
from perdura_tui.states.tray import Tray, by_boarding, changes, fields, reduce_tray, touches
from tests.tui.script import Script

CLAIM = {
    "kind": "claim", "text": "It was\nthe cache.", "confidence": 0.8, "level": 2, "domains": ["storage", "deploy"],
    "facts": ["f1"], "links": [{"type": "answers", "to": "q1"}, {"type": "resolved_by", "to": "p1"}],
}  # fmt: skip


def _held() -> Script:
    script = Script()
    script.ask("What?")
    for boarding in ("b1", "b2", "b1"):
        script.hold(boarding, f"m:{boarding}", CLAIM)
    return script


def test_what_is_held_waits_until_it_is_settled() -> None:
    script = _held()
    tray = reduce_tray(Tray(), script.events)
    assert list(tray.waiting) == ["p1", "p2", "p3"]
    assert (tray.waiting["p2"].by, tray.waiting["p2"].boarding, tray.waiting["p2"].kind) == ("m:b2", "b2", "claim")
    settled = script.add(ProposalSettled(proposal="p1", accepted=True))
    assert list(reduce_tray(tray, [settled]).waiting) == ["p2", "p3"]
    assert list(tray.waiting) == ["p1", "p2", "p3"]
    assert reduce_tray(tray, script.events[:1]) is tray


def test_several_are_accepted_boarding_by_boarding_in_the_order_they_were_sent() -> None:
    tray = reduce_tray(Tray(), _held().events)
    assert by_boarding(tray, {"p3", "p1", "p2"}) == [["p1", "p3"], ["p2"]]
    assert by_boarding(tray, {"p9"}) == []


def test_what_it_touches_is_named_with_the_kind_of_link() -> None:
    tray = reduce_tray(Tray(), _held().events)
    assert touches(tray.waiting["p1"]) == [("answers", "q1"), ("resolved by", "p1"), ("rests on", "f1")]


def test_only_what_was_changed_is_sent() -> None:
    shown = dict(fields(CLAIM))
    assert shown == {"text": "It was the cache.", "confidence": "0.8", "level": "2", "domains": "storage, deploy"}
    assert changes(CLAIM, shown) == {}, "line breaks that a field cannot show are no change"
    assert changes(CLAIM, {**shown, "confidence": "0.5"}) == {"confidence": 0.5}
    assert changes(CLAIM, {**shown, "level": "3", "domains": "ops, "}) == {"level": 3, "domains": ["ops"]}
    assert changes(CLAIM, {**shown, "text": " No. "}) == {"text": "No."}


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"confidence": "high"}, "'high': write a number from 0 to 1"),
        ({"confidence": "1.5"}, "'1.5': write a number from 0 to 1"),
        ({"confidence": "nan"}, "'nan': write a number from 0 to 1"),
        ({"level": "0"}, "'0': write a whole number from 1 to 3"),
        ({"level": "1.5"}, "'1.5': write a whole number from 1 to 3"),
        ({"text": "  "}, "the text is empty"),
    ],
)
def test_what_cannot_be_is_said(typed: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        changes(CLAIM, typed)


def test_a_link_has_nothing_to_edit() -> None:
    assert fields({"kind": "link", "from": "i1", "links": [{"type": "supports", "to": "i2"}]}) == []
