"""The desk's view of a real mind on a real file, with readers at work."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from perdura_core.clock import Ids
from perdura_core.conductor import SessionOrder
from perdura_core.graph import Graph
from perdura_core.mind import Mind
from perdura_core.vocabulary import Draft, Fact, FactRecorded, Occurrence
from perdura_tui.feed import Feed
from perdura_tui.live import LiveSource
from perdura_tui.states.questions import ordered
from tests.tui.script import CLAIMS, FACTS, QUESTIONS

PATIENCE_S = 60.0
ORDER = SessionOrder(operator="operator", seats=2, boardings=6)


@asynccontextmanager
async def _mind(path: Path, *, pace: float | None = None, readonly: bool = False) -> AsyncIterator[Mind]:
    async with Mind.open(path, pace=pace, readonly=readonly) as mind:
        if mind.graph.count("question") == 0:
            await _fill(mind)
        yield mind


async def _fill(mind: Mind) -> None:
    now = mind.clock.now()

    def plan(graph: Graph, ids: Ids) -> list[Draft]:
        texts = [*FACTS, *((claim, f"notes/draft.md#L{line}") for line, claim in enumerate(CLAIMS, 1))]
        return [
            Draft(
                what=FactRecorded(
                    fact=Fact(
                        id=ids.next("f"), text=text, created_by="ingest", created_at=now,
                        occurrences=(Occurrence(source=source, recorded_at=now, recorded_by="ingest"),),
                    )
                ),
                by="ingest",
            )
            for text, source in texts
        ]  # fmt: skip

    await mind.journal.write(plan)
    for text, domains, stake in QUESTIONS[:3]:
        await mind.ask(text, domains, stake)


async def _until_idle(source: LiveSource, feed: Feed) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while source.activity != "idle":
            await feed.read()
            await feed.tick()
            await asyncio.sleep(0.02)
    await feed.read()
    await feed.tick()


async def test_a_session_is_followed_to_its_end(tmp_path: Path) -> None:
    async with _mind(tmp_path / "a.mind") as mind:
        source = LiveSource(mind, ORDER)
        feed = Feed(source)
        await feed.open()
        assert source.activity == "idle"
        assert [row.id for row in ordered(feed.questions)] == ["q1", "q2", "q3"]
        source.start()
        await _until_idle(source, feed)
        await source.closed()
        assert source.fault is None
        assert feed.head == mind.graph.head
        assert sum(row.boardings for row in feed.questions.rows.values()) == 6
        assert len(feed.contention.samples) == 6
        assert not feed.session.is_open
        assert {record.model for record in feed.board.records} <= {"reader:support", "reader:doubt", "reader:gather"}
        for node, row in feed.questions.rows.items():
            answers = [link for link in mind.graph.links(node) if link.type == "answers" and link.dst == node]
            assert len(row.answers) == len(answers)


async def test_a_mind_that_is_opened_again_shows_the_same(tmp_path: Path) -> None:
    async with _mind(tmp_path / "a.mind") as mind:
        source = LiveSource(mind, ORDER)
        feed = Feed(source)
        await feed.open()
        source.start()
        await _until_idle(source, feed)
        await source.closed()
        lived = feed.questions, feed.contention.samples
    async with _mind(tmp_path / "a.mind", readonly=True) as mind:
        source = LiveSource(mind, ORDER)
        feed = Feed(source)
        await feed.open()
        await feed.recall()
        assert feed.questions == lived[0]
        assert [entry.overall for entry in feed.contention.samples] == [entry.overall for entry in lived[1]]
        assert source.activity == "watching"
        source.start()
        assert source.activity == "watching"
        await source.closed()


async def test_swap_pause_and_cancel_reach_the_conductor(tmp_path: Path) -> None:
    async with _mind(tmp_path / "a.mind", pace=120.0) as mind:
        source = LiveSource(mind, SessionOrder(operator="operator", seats=2))
        feed = Feed(source)
        await feed.open()
        source.start()
        async with asyncio.timeout(PATIENCE_S):
            while not any(card.tail for card in feed.workers.cards.values()):
                await feed.read()
                await feed.tick()
                await asyncio.sleep(0.02)
        seat = next(number for number, card in feed.workers.cards.items() if card.is_aboard)
        question = feed.workers.cards[seat].question
        assert question is not None
        choices = source.rank(question)
        assert {choice.card.id for choice in choices} >= {"reader:support", "reader:doubt", "reader:gather"}
        source.swap(seat, "reader:gather")
        async with asyncio.timeout(PATIENCE_S):
            while feed.workers.cards[seat].past is None:
                await feed.read()
                await feed.tick()
                await asyncio.sleep(0.02)
        source.pause()
        assert source.activity == "paused"
        source.resume()
        assert source.activity == "running"
        source.cancel()
        assert source.activity == "finishing"
        async with asyncio.timeout(PATIENCE_S):
            await source.closed()
        assert source.activity == "idle"
        assert source.aboard == 0


async def test_a_desk_that_watches_sees_what_another_process_writes(tmp_path: Path) -> None:
    async with _mind(tmp_path / "a.mind") as working, _mind(tmp_path / "a.mind", readonly=True) as watching:
        source = LiveSource(watching, ORDER)
        feed = Feed(source)
        await feed.open()
        await working.ask("And what about the replica?")
        async with asyncio.timeout(PATIENCE_S):
            while "q4" not in feed.questions.rows:
                await feed.read()
                await feed.tick()
                await asyncio.sleep(0.05)
        await source.closed()


async def test_what_keeps_a_session_from_running_is_a_sentence(tmp_path: Path) -> None:
    async with _mind(tmp_path / "a.mind") as mind:
        source = LiveSource(mind, SessionOrder(operator="operator", seats=1, models=("nobody:knows",)))
        feed = Feed(source)
        await feed.open()
        source.start()
        await _until_idle(source, feed)
        assert source.fault is not None
        assert "nobody:knows" in source.fault
        assert feed.notice is not None
        await source.closed()
