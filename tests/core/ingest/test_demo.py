"""The sample mind: what its documents disagree on is found by the readers in the real loop."""

import re
from pathlib import Path

from perdura_core.conductor import SessionOrder
from perdura_core.ingest.demo import DOCUMENTS, QUESTIONS, fill_demo
from perdura_core.mind import Mind

READERS = ("reader:support", "reader:doubt", "reader:gather")
PLANTED = {
    "start": ("began at 02:11 UTC", "began at 02:40 UTC"),
    "duration": ("lasted 74 minutes", "lasted 47 minutes"),
    "cause": ("was an exhausted connection pool", "was an expired certificate"),
    "orders": ("cost the shop 312 orders", "cost the shop 1,180 orders"),
    "double charges": ("^14 customers were charged twice", "^No customer was charged twice"),
    "certificate": ("certificate had expired", "certificate had not expired"),
    "pool": ("pool of the checkout service held 40", "pool of the checkout service holds 80"),
    "failover": ("failover (?:was manual|is not automatic)", "failover (?:was|is) automatic"),
    "price": ("Northgate is cheaper than Tidewater", "Northgate is more expensive than Tidewater"),
}
"""What the documents were made to disagree on, one side against the other."""


async def test_the_readers_find_all_that_was_planted_and_nothing_else(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "demo.mind") as mind:
        await fill_demo(mind)
        assert len(mind.graph.open_questions()) == len(QUESTIONS)
        order = SessionOrder(
            seats=3, boardings=60, models=READERS, route="round_robin", adversarial_every=4, audit_every=6
        )
        report = await mind.conductor.run(order)
        assert {record.ending for record in report.boardings} == {"merged"}
        refused = {e.what.reason for e in await mind.store.events(kinds=["element_rejected"])}  # type: ignore[union-attr]
        assert refused <= {"repeated_node", "repeated_edge"}  # two seats may find the same at the same time
        claims = {i.id: i for i in await mind.store.interpretations()}
        pairs = [
            (claims[e.src].text, claims[e.dst].text)
            for e in await mind.store.edges()
            if e.type == "contradicts" and "decision" not in (claims[e.src].kind, claims[e.dst].kind)
        ]
        found = {name for name, sides in PLANTED.items() for pair in pairs if _is(pair, sides)}
        assert found == set(PLANTED)
        assert [pair for pair in pairs if not any(_is(pair, sides) for sides in PLANTED.values())] == []
        decisions = [i.text for i in claims.values() if i.kind == "decision"]
        assert any("began at 02:11 UTC" in text and "3 sources say so" in text for text in decisions)
        assert report.contention > 0


async def test_claims_quote_what_documents_say(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "demo.mind") as mind:
        await fill_demo(mind)
        await mind.conductor.run(SessionOrder(seats=1, boardings=20, models=READERS, route="round_robin"))
        facts = {fact.id: _words(fact.text) for fact in await mind.store.facts()}
        interpretations = await mind.store.interpretations()
        assert len(interpretations) >= 15
        for claim in interpretations:
            assert claim.facts
            if claim.kind == "claim" and claim.level == 1:
                said = _words(claim.text)
                assert any(set(said) - _LOG <= set(facts[fact]) for fact in claim.facts), claim.text


async def test_reading_the_sample_twice_adds_no_fact(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "demo.mind") as mind:
        await fill_demo(mind)
        before = len(await mind.store.facts())
        await fill_demo(mind)
        assert len(await mind.store.facts()) == before
        assert before >= 50


def test_every_document_of_the_sample_is_read() -> None:
    folder = Path(__file__).parents[3] / "perdura_core" / "ingest" / "demo" / "outage"
    assert {path.name for path in folder.iterdir()} == set(DOCUMENTS)


_LOG = {"the", "log", "of", "utc", "says"}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower().replace("utc", ""))


def _is(pair: tuple[str, str], sides: tuple[str, str]) -> bool:
    return any(re.search(sides[0], a) is not None and re.search(sides[1], b) is not None for a, b in (pair, pair[::-1]))
