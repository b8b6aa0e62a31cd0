from datetime import timedelta

from perdura_core.vocabulary import (
    Fact,
    FactRecorded,
    Interpretation,
    LayerSettled,
    NodeSuperseded,
    Placement,
    Question,
)
from perdura_tui.ink import cells_of
from perdura_tui.placements import given_way
from perdura_tui.states.detail import Detail, DetailLine, detail_lines
from tests.tui.script import START, Script

NOW = START + timedelta(hours=3)


def _text(lines: list[DetailLine]) -> str:
    return "\n".join("".join(part.text for part in line.line).rstrip() for line in lines)


def _script() -> Script:
    script = Script()
    script.ask("Why did it fail?", ("storage",), "high")
    fact = script.record("09:51 first error", "notes/lb.log#L3")
    claim = script.claim("It was the cache.", "m:a", "b1", ("storage",), (fact,), 0.8)
    other = script.claim("It was the deploy.", "m:b", "b2", confidence=0.6)
    script.join("answers", claim, "q1", "m:a")
    script.join("contradicts", other, claim, "m:b")
    return script


def _detail(script: Script, node: str, **more: object) -> Detail:
    texts = {other: value.text for other, value in script.nodes.items()}
    return Detail(
        script.nodes[node], list(script.graph.links(node)), list(script.graph.cited_by(node)), texts,
        script.events, **more,
    )  # type: ignore[arg-type]  # fmt: skip


def test_a_claim_tells_its_worth_its_author_its_edges_and_its_facts() -> None:
    lines = detail_lines(_detail(_script(), "i1", is_disputed=True), 90, NOW)
    text = _text(lines)
    assert "claim · instance · active · confidence 0.80 · its author said 0.80" in text
    assert "✗ disputed" in text
    assert "m:a · boarding b1" in text
    assert [line.target for line in lines if line.target] == ["i2", "q1", "f1"]
    assert text.index("contradicts") < text.index("answers")
    assert "history" in text


def test_a_fact_tells_where_it_was_seen_and_has_no_confidence() -> None:
    script = _script()
    assert isinstance(script.nodes["f1"], Fact)
    lines = detail_lines(_detail(script, "f1"), 90, NOW)
    assert "notes/lb.log#L3 · ingest" in _text(lines)
    assert "confidence" not in _text(lines[:6])
    assert [line.target for line in lines if line.target] == ["i1"]


def test_a_question_tells_stake_contention_and_answer() -> None:
    script = _script()
    question = script.nodes["q1"]
    assert isinstance(question, Question)
    script.nodes["q1"] = question.model_copy(update={"status": "resolved", "resolved_by": "i1", "pinned": True})
    lines = detail_lines(_detail(script, "q1", contention=0.35), 90, NOW)
    assert "question · resolved ✓ · stake high · pinned ★ · contention 0.35" in _text(lines)
    assert next(line.target for line in lines if line.target) == "i1"


def test_a_superseded_node_leads_to_its_heir() -> None:
    script = _script()
    claim = script.nodes["i2"]
    assert isinstance(claim, Interpretation)
    script.nodes["i2"] = claim.model_copy(update={"superseded_by": "i1"})
    lines = detail_lines(_detail(script, "i2"), 90, NOW)
    assert "superseded by i1" in _text(lines)
    assert lines[5].target == "i1" or "i1" in [line.target for line in lines]


def test_no_line_is_wider_than_the_page() -> None:
    script = _script()
    claim = script.nodes["i1"]
    script.nodes["i1"] = claim.model_copy(update={"text": "漢字 " * 3_000})
    for width in (30, 56, 120):
        body = detail_lines(_detail(script, "i1"), width, NOW)[1:]  # the headline may be cut by the frame
        assert all(cells_of(line.line) <= width for line in body)


def test_a_node_tells_why_it_is_in_its_layer() -> None:
    script = _script()
    made = script.nodes["f1"]
    assert isinstance(made, Fact)
    placed = Placement(tier="text", reason="it reads as an observation", called="interpretation", confidence=0.7)
    script.nodes["f2"] = second = made.model_copy(update={"id": "f2", "text": "The pool was 40."})
    script.add(FactRecorded(fact=second, placed=placed))
    text = _text(detail_lines(_detail(script, "f2"), 160, NOW))
    assert "by its wording: it reads as an observation; it was sent as an interpretation" in text
    script.add(LayerSettled(node="f2", layer="fact", tier="model", reason="openai:x says so"))
    assert "by a model that was asked: openai:x says so" in _text(detail_lines(_detail(script, "f2"), 160, NOW))


def test_a_claim_tells_at_once_that_a_fact_under_it_gave_way() -> None:
    script = _script()
    script.record("09:52 first error", "notes/lb.log#L4")
    script.add(NodeSuperseded(node="f1", superseded_by="f2"))
    gone = given_way(script.nodes["i1"], script.graph)
    assert gone == [("f1", "f2")]
    lines = detail_lines(_detail(script, "i1", given_way=gone), 90, NOW)
    assert "f1, on which it rests, gave way" in _text(lines)
    assert "f2" in [line.target for line in lines]


def test_the_memoric_code_and_claims_worded_alike_are_shown_with_their_distance_and_lead_there() -> None:
    code = "8f03d21c77aa4e19b0c2d3e4"
    lines = detail_lines(_detail(_script(), "i1", code=code, near=[("i2", 5)]), 90, NOW)
    text = _text(lines)
    assert code in text
    assert "worded like ≈ i2     5 bits  It was the deploy." in text
    assert text.index("facts it refers to") < text.index("memoric code") < text.index("history")
    assert [line.target for line in lines if line.target] == ["i2", "q1", "f1", "i2"]
    assert "memoric" not in _text(detail_lines(_detail(_script(), "i1"), 90, NOW))
    many = detail_lines(_detail(_script(), "i1", code=code, near=[("i2", 0)] * 31), 30, NOW)
    assert "31 are worded" in _text(many)
    section = [line.line for line in many if "".join(part.text for part in line.line).startswith(" worded like")]
    assert max(map(cells_of, section)) <= 30
