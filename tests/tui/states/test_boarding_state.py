from datetime import UTC, datetime

from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    BoardingRecord,
    Briefing,
    BriefingEdge,
    BriefingNode,
    ElementMerged,
    ElementRejected,
    Event,
    NodeId,
    ProposalSettled,
    Route,
    Shown,
)
from perdura_tui.states.boarding import Stay, boarding_lines
from tests.tui.script import Script


def _text(stay: Stay, width: int = 100) -> str:
    return "\n".join("".join(part.text for part in line.line).rstrip() for line in boarding_lines(stay, width))


def _stay() -> tuple[Script, Stay]:
    script = Script()
    question = script.ask("What caused it?")
    old = script.claim("The deploy came first.", "m:a", None, confidence=0.6)
    boarding = script.board(2, question, "m:b", "every 3rd", (Shown(node=old, confidence=0.6),))
    made = script.claim("The cache was cold.", "m:b", boarding)
    script.add(ElementMerged(boarding=boarding, index=0, fingerprint="a", element="claim", node=made), "m:b", boarding)
    script.add(
        ElementRejected(
            boarding=boarding, index=1, fingerprint="b", reason="unknown_id", detail="'i99' was not in the briefing",
            sent='{"kind": "link", "from": "i99"}',
        ), "m:b", boarding,
    )  # fmt: skip
    for _ in range(2):
        script.hold(boarding, "m:b", {"kind": "resolve", "from": "q1", "text": "settled"})
    script.add(ProposalSettled(proposal="p1", accepted=False), "operator", boarding)
    script.end(boarding, "m:b", question, 1, 1, "failed", "the stream was cut")
    briefing = Briefing(
        question=BriefingNode(id=question, layer="question", text="What caused it?"),
        nodes=(
            BriefingNode(id=old, layer="interpretation", text="The deploy came first.", confidence=0.6),
        ),
        edges=(BriefingEdge(type="contradicts", src=old, dst="i9"),),
        tokens=1_234,
    )  # fmt: skip
    opened = next(e.what.boarding for e in script.events if e.kind == "boarding_opened")  # type: ignore[union-attr]
    record = BoardingRecord(boarding=opened, ending="failed", reason="the stream was cut", seconds=12.5)
    told = [event for event in script.events if event.boarding == boarding]
    return script, Stay(record, told, briefing, dict(script.nodes))


def test_each_element_stands_with_what_became_of_it() -> None:
    _, stay = _stay()
    text = _text(stay)
    assert "1 merged, 1 refused, 1 waiting" in text
    assert "✓ claim i2           The cache was cold." in text
    assert "✗ link               unknown id: 'i99' was not in the briefing" in text
    assert '{"kind": "link", "from": "i99"}' in text
    assert "refused by you" in text
    assert "waits for your word" in text
    assert "the stream was cut" in text


def test_the_briefing_says_where_confidence_has_moved() -> None:
    script, stay = _stay()
    assert "now 0." not in _text(stay)
    moved: dict[NodeId, object] = {**script.nodes, "i1": script.nodes["i1"].model_copy(update={"confidence": 0.9})}
    text = _text(stay.__class__(stay.record, stay.told, stay.briefing, moved))  # type: ignore[arg-type]
    assert "i1     0.60  now 0.90  The deploy came first." in text
    assert "i1 contradicts i9" in text
    assert "1,234 tokens" in text


def test_lines_lead_to_their_nodes() -> None:
    _, stay = _stay()
    assert {line.target for line in boarding_lines(stay, 80)} >= {"q1", "i1", "i2"}


def test_one_that_is_aboard_shows_its_stream_and_one_without_a_question_says_so() -> None:
    _, stay = _stay()
    aboard = BoardingRecord(boarding=stay.record.boarding)
    text = _text(Stay(aboard, (), None, {}, "so far so good"), 60)
    assert "aboard" in text
    assert "so far so good" in text
    assert "none yet" in text
    assert "its question is not in this mind any more" in text


def test_what_was_shown_by_lot_is_told() -> None:
    boarding = Boarding(
        id="b1", seat=1, question="q1", model="m:a", route=Route(model="m:a", policy="cheap", reason="cheapest"),
        shown=(Shown(node="i3", confidence=0.4),), opened_at=datetime(2026, 11, 30, tzinfo=UTC),
    )  # fmt: skip
    opened = Event(seq=1, at=boarding.opened_at, by="conductor", what=BoardingOpened(boarding=boarding, breaking="i3"))
    briefing = Briefing(question=BriefingNode(id="q1", layer="question", text="Why?"))
    lines = boarding_lines(Stay(BoardingRecord(boarding=boarding), [opened], briefing), 100)
    [told] = [line for line in lines if any("has a slot by lot" in part.text for part in line.line)]
    assert told.target == "i3"
