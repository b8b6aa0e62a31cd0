"""The whole: what both faces call, on a real file."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from perdura_core import acts
from perdura_core.conductor import SessionOrder
from perdura_core.errors import InputError, StoreReadOnlyError, UnknownNodeError
from perdura_core.ingest.documents import read_documents
from perdura_core.mind import Mind

NOTES = """# Deploy

The deploy of the cache service started at 09:58 on Friday.
The first error was logged four minutes after the deploy.
"""
MAIL = """Hello all,

The deploy of the cache service started at 10:41 on Friday.
Customers saw failed payments from 10:02 until 11:15.
"""


@pytest.fixture
async def mind(tmp_path: Path) -> AsyncIterator[Mind]:
    async with Mind.open(tmp_path / "outage.mind") as opened:
        yield opened


async def test_a_new_mind_begins_with_its_creation_and_has_the_readers_aboard(mind: Mind) -> None:
    [created] = await mind.store.events()
    assert (created.seq, created.kind) == (1, "mind_created")
    able = [card.id for card in mind.registry.able(mind.clock.now())]
    assert able == ["reader:support", "reader:doubt", "reader:gather"]


async def test_asking_tidies_and_refuses_what_is_no_question(mind: Mind) -> None:
    question = await mind.ask("  When did\r\nthe deploy start?\x00 ", domains=["Storage ", "storage", ""], stake="high")
    assert (question.text, question.domains, question.stake) == (
        "When did\nthe deploy start?",
        ("storage",),
        "high",
    )
    for wrong in ("", " \n", "x" * 5_000):
        with pytest.raises(InputError):
            await mind.ask(wrong)


async def test_documents_become_facts_and_readers_turn_them_into_attributed_claims(mind: Mind, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(NOTES)
    (tmp_path / "mail.txt").write_text(MAIL)
    reports = await read_documents(mind, [tmp_path / "notes.md", tmp_path / "mail.txt"], domains=["storage"])
    assert sum(report.facts for report in reports) == 4
    question = await mind.ask("When did the deploy of the cache service start?", domains=["storage"])
    report = await asyncio.wait_for(mind.conductor.run(SessionOrder(seats=1, boardings=3)), 60)
    assert [record.ending for record in report.boardings] == ["merged"] * 3
    claims = await mind.store.interpretations()
    assert claims
    assert all(claim.created_by.startswith("reader:") and claim.boarding and claim.facts for claim in claims)
    [pair] = mind.graph.disputes(question.id)
    assert {"09:58" in claim.text for claim in claims if claim.id in pair} == {True, False}
    assert report.contention > 0
    records = await mind.tracks()
    assert {record.model for record in records} <= {"reader:support", "reader:doubt", "reader:gather"}


async def test_resolving_reopening_and_pinning(mind: Mind) -> None:
    question = await mind.ask("When?")
    await mind.act(acts.pin(question.id, True))
    await mind.act(acts.resolve(question.id))
    assert mind.graph.open_questions() == []
    with pytest.raises(InputError, match="resolved already"):
        await mind.act(acts.resolve(question.id))
    await mind.reopen(question.id)
    with pytest.raises(InputError, match="open already"):
        await mind.reopen(question.id)
    assert [vertex.pinned for vertex in mind.graph.open_questions()] == [True]


async def test_a_question_gives_way_to_another_and_never_in_a_circle(mind: Mind) -> None:
    old, new = await mind.ask("When?"), await mind.ask("When exactly?")
    await mind.act(acts.supersede(old.id, new.id, "sharper"))
    assert [vertex.id for vertex in mind.graph.open_questions()] == [new.id]
    with pytest.raises(InputError, match="circle"):
        await mind.act(acts.supersede(new.id, old.id, "back"))
    with pytest.raises(InputError, match="already gave way"):
        await mind.act(acts.supersede(old.id, new.id, "again"))
    with pytest.raises(UnknownNodeError, match="'q99'"):
        await mind.act(acts.supersede("q99", new.id, "who"))


async def test_redaction_destroys_the_text_and_keeps_the_node(mind: Mind, tmp_path: Path) -> None:
    question = await mind.ask("Is the password swordfish-in-the-moonlight still in use?")
    await mind.redact(question.id)
    [left] = await mind.store.questions()
    assert "swordfish" not in left.text
    for file in tmp_path.iterdir():
        assert b"swordfish" not in file.read_bytes()


async def test_disabling_a_model_lasts_and_enabling_ends_it(mind: Mind, tmp_path: Path) -> None:
    await mind.disable("reader:doubt", "too eager")
    async with Mind.open(tmp_path / "outage.mind", readonly=True) as other:
        assert other.registry.why_not("reader:doubt", other.clock.now()) == "disabled: too eager"
    await mind.enable("reader:doubt")
    assert mind.registry.why_not("reader:doubt", mind.clock.now()) is None
    with pytest.raises(InputError, match="'reader:nobody'"):
        await mind.disable("reader:nobody", "")


async def test_a_read_only_mind_sees_what_others_write_and_cannot_write(mind: Mind, tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "outage.mind", readonly=True) as other:
        await mind.ask("When?")
        assert await other.journal.sync()
        assert [vertex.id for vertex in other.graph.open_questions()] == ["q1"]
        with pytest.raises(StoreReadOnlyError):
            await other.ask("Why?")
