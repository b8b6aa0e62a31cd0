"""The readers as workers: deterministic, bound to the briefing, gone at once when cancelled."""

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest

from perdura_core.config import Providers
from perdura_core.errors import RequestError
from perdura_core.vocabulary import (
    Briefing,
    BriefingEdge,
    BriefingNode,
    Call,
    Card,
    Mode,
    Prompt,
    Stop,
    TextChunk,
)
from perdura_core.workers import Worker, build_worker
from perdura_core.workers.reader import HABITS, ReaderWorker

pytestmark = pytest.mark.timeout(30)

FACTS = (
    ("a.md#L1", "The checkout outage began at 02:11 UTC."),
    ("b.md#L4", "The checkout outage began at 02:11 UTC on Monday."),
    ("c.md#L9", "The checkout outage started at 02:11 UTC."),
    ("d.md#L2", "The checkout outage began at 02:40 UTC."),
    ("d.md#L7", "The outage lasted 47 minutes."),
    ("a.md#L3", "The outage lasted 74 minutes."),
    ("a.md#L5", "Should the outage be discussed on Friday?"),
    ("a.md#L6", "This was found later."),
    ("b.md#L7", "The root cause of the outage was an expired certificate."),
)


def briefing(mode: Mode = "organic", claims: tuple[BriefingNode, ...] = (), **changes: Any) -> Briefing:
    facts = tuple(
        BriefingNode(id=f"f{number}", layer="fact", text=text, source=source)
        for number, (source, text) in enumerate(FACTS, start=1)
    )
    question = BriefingNode(id="q1", layer="question", text="When did the checkout outage begin, and how long was it?")
    return Briefing(question=question, nodes=(*claims, *facts), mode=mode, **changes)


def claim(number: int, text: str, *facts: str) -> BriefingNode:
    return BriefingNode(
        id=f"i{number}", layer="interpretation", kind="claim", level=1, text=text, confidence=0.6, facts=facts
    )


def call(shown: Briefing) -> Call:
    prompt = Prompt(system="not read", user="not read")
    return Call(briefing=shown, prompt=prompt, delta_schema={}, max_output_tokens=10, prompt_tokens=10)


async def reply(model: str, shown: Briefing) -> str:
    worker: Worker = build_worker(Card(id=model, tier="local", is_language_model=False), Providers())
    assert worker.model == model
    async with aclosing(worker.stream(call(shown))) as chunks:
        heard = [chunk async for chunk in chunks]
    assert heard[-1] == Stop(reason="end")
    assert all(isinstance(chunk, TextChunk) for chunk in heard[:-1])
    await worker.close()
    return "".join(chunk.text for chunk in heard[:-1] if isinstance(chunk, TextChunk))


async def elements(model: str, shown: Briefing) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(await reply(model, shown))["contributions"]
    return found


def texts(found: list[dict[str, Any]]) -> list[str]:
    return [element["text"] for element in found if "text" in element]


def is_bound(found: list[dict[str, Any]], shown: Briefing) -> bool:
    """Whether every id was shown, and every ref written before it is used."""
    refs: set[str] = set()
    for element in found:
        used = [*element.get("facts", ()), *(link["to"] for link in element["links"])]
        if "from" in element:
            used.append(element["from"])
        if any(name not in shown.ids and name not in refs for name in used):
            return False
        refs.add(element.get("ref", ""))
    return True


@pytest.mark.parametrize("model", HABITS)
@pytest.mark.parametrize("mode", ["organic", "adversarial", "audit"])
async def test_the_same_briefing_gives_the_same_reply_and_touches_only_what_it_shows(model: str, mode: Mode) -> None:
    shown = briefing(
        mode, (claim(1, FACTS[3][1], "f4"), claim(2, FACTS[0][1], "f1", "f2")), audit_pairs=(("i1", "i2"),)
    )
    assert await reply(model, shown) == await reply(model, shown)
    assert is_bound(await elements(model, shown), shown)


@pytest.mark.parametrize("model", HABITS)
async def test_an_empty_briefing_gives_an_empty_delta(model: str) -> None:
    question = BriefingNode(id="q1", layer="question", text="Why?")
    assert await elements(model, Briefing(question=question)) == []


async def test_support_quotes_facts_that_answer_and_stand_alone() -> None:
    found = await elements("reader:support", briefing())
    assert "The checkout outage began at 02:11 UTC." in texts(found)
    assert not {"This was found later.", "Should the outage be discussed on Friday?"} & set(texts(found))
    first = next(e for e in found if e["text"] == "The checkout outage began at 02:11 UTC.")
    assert set(first["facts"]) == {"f1", "f2", "f3"}
    assert first["links"] == [{"type": "answers", "to": "q1"}]
    assert first["confidence"] == 0.8, "three documents say so"


async def test_support_does_not_say_again_what_stands() -> None:
    stands = claim(1, "The checkout outage began at 02:11 UTC.", "f1", "f2", "f3")
    assert not [text for text in texts(await elements("reader:support", briefing(claims=(stands,)))) if "02:11" in text]


async def test_support_links_further_witnesses_to_a_standing_claim() -> None:
    found = await elements(
        "reader:support", briefing(claims=(claim(1, "The checkout outage began at 02:11 UTC.", "f1"),))
    )
    links = [e for e in found if e["kind"] == "link"]
    assert {e["from"] for e in links} == {"f2", "f3"}
    assert all(e["links"] == [{"type": "supports", "to": "i1"}] for e in links)


async def test_support_looks_for_the_other_side_when_adversarial() -> None:
    shown = briefing("adversarial", (claim(1, "The outage lasted 47 minutes.", "f5"),))
    (found,) = await elements("reader:support", shown)
    assert found["text"] == "The outage lasted 74 minutes."
    assert {"type": "contradicts", "to": "i1"} in found["links"]


async def test_doubt_writes_both_sides_once_and_joins_them() -> None:
    found = await elements("reader:doubt", briefing())
    by_ref = {e["ref"]: e["text"] for e in found}
    pairs = {
        frozenset((e["text"], by_ref[link["to"]]))
        for e in found
        for link in e["links"]
        if link["type"] == "contradicts"
    }
    assert pairs == {
        frozenset(("The checkout outage began at 02:11 UTC.", "The checkout outage began at 02:40 UTC.")),
        frozenset(("The outage lasted 47 minutes.", "The outage lasted 74 minutes.")),
    }


async def test_doubt_links_claims_that_stand_and_lets_drawn_ones_be() -> None:
    sides = (claim(1, FACTS[4][1], "f5"), claim(2, FACTS[5][1], "f6"))
    (link,) = [e for e in await elements("reader:doubt", briefing(claims=sides)) if e["kind"] == "link"]
    assert {link["from"], link["links"][0]["to"]} == {"i1", "i2"}
    drawn = briefing(claims=sides, edges=(BriefingEdge(type="contradicts", src="i1", dst="i2"),))
    assert not [e for e in await elements("reader:doubt", drawn) if "minutes" in str(e)]


async def test_doubt_refines_only_when_sure_in_an_audit() -> None:
    sides = (
        claim(1, "The new worker pool keeps 40 idle connections open at night in both regions.", "f1"),
        claim(2, "The worker pool keeps 40 idle connections open at night.", "f2"),
        claim(3, "The worker pool keeps 80 idle connections open at night in one region.", "f3"),
    )
    shown = briefing("audit", sides, audit_pairs=(("i1", "i2"), ("i2", "i3")))
    links = [
        (e["from"], e["links"][0]["type"], e["links"][0]["to"])
        for e in await elements("reader:doubt", shown)
        if e["kind"] == "link"
    ]
    assert ("i1", "refines", "i2") in links
    assert not any({a, b} == {"i2", "i3"} and type_ == "refines" for a, type_, b in links)


async def test_gather_says_how_many_agree_and_settles_what_they_outvote() -> None:
    sides = (claim(1, FACTS[0][1], "f1", "f2", "f3"), claim(2, FACTS[3][1], "f4"))
    drawn = briefing(claims=sides, edges=(BriefingEdge(type="contradicts", src="i1", dst="i2"),))
    decision, *others = await elements("reader:gather", drawn)
    assert decision["kind"] == "decision"
    assert decision["text"] == (
        "The checkout outage began at 02:11 UTC. 3 sources say so (a.md, b.md, c.md), 1 says otherwise (d.md)."
    )
    assert {"type": "contradicts", "to": "i2"} in decision["links"]
    assert {"kind": "link", "from": "i1", "links": [{"type": "supports", "to": "g1"}]} in others
    assert not [e for e in others if e["kind"] == "resolve"]


async def test_gather_leaves_an_even_dispute_to_the_operator() -> None:
    sides = (claim(1, FACTS[4][1], "f5"), claim(2, FACTS[5][1], "f6"))
    drawn = briefing(claims=sides, edges=(BriefingEdge(type="contradicts", src="i1", dst="i2"),))
    assert [e for e in await elements("reader:gather", drawn) if e["kind"] == "decision"] == []


async def test_gather_makes_a_pattern_of_what_nobody_disputes() -> None:
    pattern, link = (await elements("reader:gather", briefing(claims=(claim(1, FACTS[0][1], "f1"),))))[:2]
    assert pattern["level"] == 2
    assert pattern["text"] == "3 sources agree (a.md, b.md, c.md): The checkout outage began at 02:11 UTC."
    assert link == {"kind": "link", "from": "i1", "links": [{"type": "supports", "to": pattern["ref"]}]}


async def test_a_paced_reader_is_heard_slowly_and_gone_at_once() -> None:
    worker = ReaderWorker(Card(id="reader:doubt"), pace=40.0)
    heard: list[str] = []

    async def listen() -> None:
        async with aclosing(worker.stream(call(briefing()))) as chunks:
            async for chunk in chunks:
                assert isinstance(chunk, TextChunk)
                heard.append(chunk.text)

    loop = asyncio.get_running_loop()
    listening = asyncio.create_task(listen())
    await asyncio.sleep(1.5)
    listening.cancel()
    began = loop.time()
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert loop.time() - began < 0.2
    assert 0 < len("".join(heard)) < 150


def test_an_unknown_reader_is_refused() -> None:
    with pytest.raises(RequestError, match="reader:support"):
        ReaderWorker(Card(id="reader:guess"))
