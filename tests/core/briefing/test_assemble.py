"""What gets into a briefing, in which order, out of a real store."""

import pytest

from perdura_core.briefing import estimate_tokens, render
from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    Briefing,
    Happening,
    NodeId,
    NodeRedacted,
    NodeSuperseded,
    QuestionResolved,
    Route,
    Shown,
    StatusChanged,
)
from tests.core.briefing.conftest import Page
from tests.core.graph.making import START, asked, judged, linked, recorded

QUESTION = asked("q1", "Why did the harbour crane stop on Friday?", domains=["cranes"])


def ids_of(briefing: Briefing) -> list[NodeId]:
    return [node.id for node in briefing.nodes]


def answers(edge: str, node: NodeId, **about: object) -> list[Happening]:
    about.setdefault("text", f"The harbour crane stopped for reason {node}.")
    return [judged(node, **about), linked(edge, "answers", node, "q1")]  # type: ignore[arg-type]


def showing(boarding: str, briefing: Briefing) -> BoardingOpened:
    return BoardingOpened(
        boarding=Boarding(
            id=boarding,
            seat=1,
            question=briefing.question.id,
            model="reader:support",
            route=Route(model="reader:support", policy="cheap", reason="cheapest"),
            shown=tuple(Shown(node=node) for node in ids_of(briefing)),
            opened_at=START,
        )
    )


async def test_contradictions_come_first_hottest_first_then_claims_then_facts(page: Page) -> None:
    await page.write(
        QUESTION,
        recorded("f1", "The crane stopped at noon on Friday."),
        recorded("f2", "The harbour was closed on Saturday."),
        *answers("e1", "i1", confidence=0.9),
        *answers("e2", "i2", confidence=0.3),
        *answers("e3", "i3", confidence=0.4),
        *answers("e4", "i4", confidence=0.9),
        *answers("e5", "i5", confidence=0.8),
        linked("e6", "contradicts", "i2", "i3"),
        linked("e7", "contradicts", "i4", "i5"),
    )
    briefing = await page.brief()
    assert ids_of(briefing)[:5] == ["i4", "i5", "i2", "i3", "i1"]
    assert set(ids_of(briefing)[5:]) == {"f1", "f2"}
    assert {(edge.type, edge.src, edge.dst) for edge in briefing.edges} >= {
        ("contradicts", "i4", "i5"),
        ("answers", "i1", "q1"),
    }
    assert briefing.left_out == 0


async def test_live_decisions_are_always_in_however_little_room_there_is(page: Page) -> None:
    decisions = [f"i{number}" for number in range(1, 9)]
    await page.write(
        QUESTION,
        *(
            what
            for number, node in enumerate(decisions, 1)
            for what in answers(f"e{number}", node, kind="decision", text=f"Decided {node}: " + "the crane " * 300)
        ),
        *(what for number in range(20, 60) for what in answers(f"e{number}", f"i{number}", confidence=0.9)),
    )
    briefing = await page.brief(max_tokens=600)
    assert ids_of(briefing)[:8] == decisions[::-1]
    assert all(node.text.endswith("…") for node in briefing.nodes[:8])
    assert briefing.tokens <= 600


async def test_superseded_shadow_deleted_rejected_and_redacted_nodes_are_never_in(page: Page) -> None:
    await page.write(
        QUESTION,
        *(recorded(f"f{number}", f"The harbour crane stopped, says witness {number}.") for number in range(1, 4)),
        *(what for number in range(1, 7) for what in answers(f"e{number}", f"i{number}")),
        *answers("e7", "i7", kind="rejected"),
        NodeSuperseded(node="i1", superseded_by="i6"),
        StatusChanged(node="i2", before="active", after="shadow", reason="unused"),
        StatusChanged(node="i3", before="active", after="deleted", reason="unused"),
        NodeRedacted(node="i4"),
        NodeSuperseded(node="f1", superseded_by="f2"),
        NodeRedacted(node="f3"),
    )
    assert set(ids_of(await page.brief())) == {"i5", "i6", "f2"}


async def test_an_author_is_never_named(page: Page) -> None:
    await page.write(QUESTION, recorded("f1", "The harbour crane stopped."), *answers("e1", "i1"))
    briefing = await page.brief()
    prompt = render(briefing)
    for author in ("reader:support", "ingest", "operator"):
        assert author not in briefing.model_dump_json()
        assert author not in prompt.user + prompt.system


@pytest.mark.parametrize("mode", ["organic", "adversarial", "audit"])
async def test_masked_briefings_hold_no_confidence(page: Page, mode: str) -> None:
    await page.write(
        QUESTION,
        *answers("e1", "i1", confidence=0.831),
        *answers("e2", "i2", confidence=0.829),
        linked("e3", "contradicts", "i1", "i2"),
    )
    open_ = await page.brief(mode=mode)  # type: ignore[arg-type]
    masked = await page.brief(mode=mode, masked=True)  # type: ignore[arg-type]
    assert {node.confidence for node in open_.nodes} == {0.831, 0.829}
    assert "0.83" in render(open_).user
    assert all(node.confidence is None for node in masked.nodes)
    assert "0.8" not in render(masked).user


async def test_masked_order_does_not_tell_confidences(page: Page) -> None:
    claims = [what for number in range(1, 6) for what in answers(f"e{number}", f"i{number}", confidence=number / 10)]
    await page.write(
        QUESTION, *claims, linked("e9", "contradicts", "i1", "i2"), linked("e8", "contradicts", "i4", "i5")
    )
    assert ids_of(await page.brief())[:2] == ["i4", "i5"]
    assert ids_of(await page.brief(masked=True))[:2] == ["i1", "i2"]


async def test_two_of_the_facts_a_claim_rests_on_travel_with_it(page: Page) -> None:
    facts = [recorded(f"f{number}", f"The harbour crane stopped, log line {number}.") for number in range(1, 41)]
    await page.write(QUESTION, *facts, *answers("e1", "i1", facts=["f1", "f2"]), linked("e2", "supports", "f3", "i1"))
    briefing = await page.brief(max_tokens=700)
    chosen = ids_of(briefing)
    assert chosen[0] == "i1"
    assert len({"f1", "f2", "f3"} & set(chosen)) >= 2
    assert set(briefing.nodes[0].facts) <= set(chosen)


async def test_facts_that_were_shown_sink_so_that_boardings_meet_new_ones(page: Page) -> None:
    facts = [recorded(f"f{number}", f"The harbour crane stopped, log line {number}.") for number in range(1, 101)]
    await page.write(QUESTION, *facts)
    met: set[NodeId] = set()
    first: list[NodeId] = []
    for number in range(1, 9):
        briefing = await page.brief(max_tokens=900)
        first = first or ids_of(briefing)
        met.update(ids_of(briefing))
        await page.write(showing(f"b{number}", briefing))
    assert len(first) < 40
    assert len(met) > 3 * len(first)


async def test_one_long_node_takes_its_share_and_no_more(page: Page) -> None:
    await page.write(
        QUESTION,
        recorded("f1", "The harbour crane stopped. " * 2_000),
        *(recorded(f"f{number}", f"The harbour crane stopped, log line {number}.") for number in range(2, 12)),
    )
    briefing = await page.brief(max_tokens=1_500)
    assert set(ids_of(briefing)) == {f"f{number}" for number in range(1, 12)}
    long = next(node for node in briefing.nodes if node.id == "f1")
    assert long.text.endswith("…")
    assert 100 < estimate_tokens(long.text) < 1_500 / 8


async def test_a_long_question_leaves_room(page: Page) -> None:
    await page.write(
        asked("q1", "Why did the harbour crane stop? " * 900), recorded("f1", "The harbour crane stopped.")
    )
    briefing = await page.brief(max_tokens=500)
    assert briefing.question.text.endswith("…")
    assert ids_of(briefing) == ["f1"]


async def test_adversarial_mode_starts_with_the_most_confident_that_nobody_challenged(page: Page) -> None:
    await page.write(
        QUESTION,
        *answers("e1", "i1", confidence=0.99),
        *answers("e2", "i2", confidence=0.98),
        *answers("e3", "i3", confidence=0.6),
        *answers("e4", "i4", confidence=0.9),
        linked("e5", "contradicts", "i1", "i2"),
    )
    briefing = await page.brief(mode="adversarial")
    assert ids_of(briefing) == ["i4", "i3", "i1", "i2"]
    assert briefing.mode == "adversarial"


async def test_audit_mode_names_unlinked_claims_that_are_worded_alike(page: Page) -> None:
    await page.write(
        QUESTION,
        *answers("e1", "i1", text="The crane must be stopped when the wind is above 60 km/h."),
        *answers("e2", "i2", text="The crane must not be stopped when the wind is above 60 km/h."),
        *answers("e3", "i3", text="The crane must be stopped when the wind is above 80 km/h."),
        *answers("e4", "i4", text="Rust had eaten a cable of the lift."),
        linked("e5", "refines", "i1", "i3"),
    )
    briefing = await page.brief(mode="audit")
    assert briefing.audit_pairs == (("i1", "i2"), ("i2", "i3"))
    assert (await page.brief()).audit_pairs == ()


async def test_an_audit_is_asked_about_six_pairs_at_most_and_shown_their_claims(page: Page) -> None:
    claims = [
        what
        for number in range(1, 31)
        for what in answers(f"e{number}", f"i{number}", text=f"The crane must stop when wind is above {number} m/s.")
    ]
    await page.write(QUESTION, *claims)
    briefing = await page.brief(mode="audit", max_tokens=900)
    assert len(briefing.audit_pairs) == 6
    assert briefing.ids.issuperset(end for pair in briefing.audit_pairs for end in pair)


async def test_the_same_mind_gives_the_same_briefing(page: Page) -> None:
    await page.write(
        QUESTION,
        *(recorded(f"f{number}", f"The harbour crane stopped, log line {number}.") for number in range(1, 60)),
        *(what for number in range(1, 30) for what in answers(f"e{number}", f"i{number}", facts=[f"f{number}"])),
        *(linked(f"e{40 + number}", "contradicts", f"i{number}", f"i{number + 9}") for number in range(1, 9)),
    )
    reloaded: Graph = await page.store.load_graph()
    first = await page.brief()
    assert await page.brief() == first
    page.journal.graph.become(reloaded)
    assert await page.brief() == first


async def test_linked_questions_are_shown_and_settled_ones_marked(page: Page) -> None:
    await page.write(
        QUESTION,
        asked("q2", "When was it oiled?"),
        asked("q3", "Was it windy?"),
        linked("e1", "depends_on", "q1", "q2"),
        linked("e2", "depends_on", "q1", "q3"),
        QuestionResolved(node="q3"),
    )
    briefing = await page.brief()
    assert [(node.id, node.is_context) for node in briefing.nodes] == [("q2", False), ("q3", True)]
    assert "q3 question settled" in render(briefing).user


async def test_what_did_not_fit_is_counted(page: Page) -> None:
    await page.write(QUESTION, *(recorded(f"f{number}", "The harbour crane stopped." * 4) for number in range(1, 12)))
    briefing = await page.brief(max_tokens=400)
    assert briefing.left_out == 11 - len(briefing.nodes) > 0


async def test_a_question_that_is_not_there(page: Page) -> None:
    await page.write(QUESTION, recorded("f1"))
    for node in ("q9", "f1"):
        with pytest.raises(UnknownNodeError):
            await page.brief(node)


async def test_too_few_tokens_are_refused(page: Page) -> None:
    await page.write(QUESTION)
    with pytest.raises(InputError, match="200 tokens"):
        await page.brief(max_tokens=200)
