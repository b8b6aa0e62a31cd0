"""A briefing long after it was sent."""

import pytest

from perdura_core.briefing import recall, render
from perdura_core.config import BriefingSettings
from perdura_core.errors import UnknownNodeError
from perdura_core.vocabulary import (
    Boarding,
    BoardingOpened,
    Briefing,
    ConfidenceRevised,
    Edge,
    EdgeRetracted,
    NodeRedacted,
    Route,
    Shown,
)
from tests.core.briefing.conftest import Page
from tests.core.graph.making import START, asked, judged, linked, recorded

SETTINGS = BriefingSettings()


async def sent(page: Page, *, masked: bool = False) -> tuple[Briefing, Boarding]:
    """A briefing as a boarding gets it, and the boarding."""
    briefing = await page.brief(masked=masked, max_tokens=SETTINGS.max_tokens, node_share=SETTINGS.node_share)
    boarding = Boarding(
        id="b1",
        seat=1,
        question="q1",
        model="m:a",
        route=Route(model="m:a", policy="cheap", reason="cheapest"),
        masked=masked,
        shown=tuple(Shown(node=node.id, confidence=node.confidence) for node in briefing.nodes),
        briefing_tokens=briefing.tokens,
        opened_at=START,
    )
    await page.write(BoardingOpened(boarding=boarding))
    return briefing, boarding


async def mind(page: Page) -> None:
    await page.write(
        asked("q1", "Why did the crane stop?", domains=["cranes"]),
        recorded("f1", "The crane stopped at noon."),
        recorded("f2", "x" * 30_000),
        judged("i1", confidence=0.9, text="The motor was hot.", facts=["f1"]),
        judged("i2", confidence=0.4, text="The motor was cold."),
        linked("e1", "answers", "i1", "q1"),
        linked("e2", "answers", "i2", "q1"),
        linked("e3", "contradicts", "i1", "i2"),
        linked("e4", "supports", "f1", "i1"),
    )


def without_count(briefing: Briefing) -> Briefing:
    edges = sorted(briefing.edges, key=lambda edge: (edge.type, edge.src, edge.dst))
    return briefing.model_copy(update={"left_out": 0, "edges": tuple(edges)})


@pytest.mark.parametrize("masked", [False, True])
async def test_it_is_the_same_whatever_happened_since(page: Page, masked: bool) -> None:
    await mind(page)
    briefing, boarding = await sent(page, masked=masked)
    drawn = Edge(id="e3", type="contradicts", src="i1", dst="i2", created_by="m:a", created_at=START)
    await page.write(
        judged("i3", confidence=0.8, text="It was the brake."),
        linked("e5", "contradicts", "i2", "i1"),
        linked("e6", "answers", "i3", "q1"),
        linked("e7", "supports", "f2", "i1"),
        ConfidenceRevised(node="i1", before=0.9, after=0.2, reason="a vote"),
        EdgeRetracted(edge="e3", reason="settled", was=drawn),
    )
    again = await recall(page.store, page.journal.graph, boarding, SETTINGS)
    assert without_count(again) == without_count(briefing)
    assert len(render(again).user) == len(render(briefing).user)


async def test_what_was_redacted_since_stays_redacted(page: Page) -> None:
    await mind(page)
    _, boarding = await sent(page)
    await page.write(NodeRedacted(node="i1"))
    again = await recall(page.store, page.journal.graph, boarding, SETTINGS)
    assert {node.id: node.text for node in again.nodes}["i1"] == "[redacted]"


async def test_a_question_of_another_mind_is_said(page: Page) -> None:
    await mind(page)
    _, boarding = await sent(page)
    with pytest.raises(UnknownNodeError):
        await recall(page.store, page.journal.graph, boarding.model_copy(update={"question": "q9"}), SETTINGS)
