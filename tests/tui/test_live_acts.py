"""The operator's hand on a real mind: disputes settled and taken back, the review gate, workers sent for."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from perdura_core.acts import merge_as_same, prefer, stand_both
from perdura_core.conductor import Errand, SessionOrder
from perdura_core.errors import InputError
from perdura_core.ingest.demo import fill_demo
from perdura_core.mind import Mind
from perdura_core.vocabulary import ElementHeld, OperatorActed
from perdura_tui.feed import Feed
from perdura_tui.live import LiveSource
from perdura_tui.screens.boarding import read_stay
from perdura_tui.screens.sides import read_side
from perdura_tui.states.settings import forecast
from perdura_tui.states.triage import Focus, disputes

PATIENCE_S = 60.0
ORDER = SessionOrder(seats=2, boardings=9)


@asynccontextmanager
async def _desk(path: Path, order: SessionOrder = ORDER) -> AsyncIterator[tuple[Mind, LiveSource, Feed]]:
    async with Mind.open(path) as mind:
        await fill_demo(mind)
        source = LiveSource(mind, order)
        feed = Feed(source)
        await feed.open()
        yield mind, source, feed
        source.cancel()
        await source.closed()


async def _until(feed: Feed, holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await feed.read()
            await feed.tick()
            await asyncio.sleep(0.02)


async def test_disputes_are_settled_and_taken_back_on_a_real_mind(tmp_path: Path) -> None:
    async with _desk(tmp_path / "a.mind") as (mind, source, feed):
        source.start()
        await _until(feed, lambda: source.activity == "idle")
        at_first, _ = disputes(source.graph, Focus())
        assert len(at_first) >= 3
        for number, pair in enumerate(at_first[:3]):
            before = mind.graph.contention_all()
            side = await read_side(source, pair.left)
            assert side.node.id == pair.left
            assert side.boarding is not None
            assert side.facts
            now = source.clock.now()
            act = (
                prefer(pair.left, pair.right),
                stand_both(pair.left, pair.right, "each in its hour", now),
                merge_as_same(pair.left, pair.right, now),
            )[number]
            await source.act(act)
            assert pair.key not in {each.key for each in disputes(source.graph, Focus())[0]}
            told = await mind.store.events(kinds={"operator_acted"}, newest=True, limit=1)
            assert isinstance(told[0].what, OperatorActed)
            assert (told[0].by, told[0].what.title) == ("operator", act.title)
            assert await source.undo() == act.title
            assert [each.key for each in disputes(source.graph, Focus())[0]] == [each.key for each in at_first]
            assert mind.graph.contention_all() == pytest.approx(before, abs=0.02)


async def test_an_auditor_starts_a_session_that_is_paused_for_everything_else(tmp_path: Path) -> None:
    async with _desk(tmp_path / "a.mind", SessionOrder(seats=2)) as (mind, source, feed):
        assert source.activity == "idle"
        source.send(Errand("q2", "audit", None, frozenset({"reader:support"})))
        assert source.errands != ()
        await _until(feed, lambda: mind.graph.total_boardings() == 1 and not mind.graph.open_boardings())
        await asyncio.sleep(0.2)
        assert source.activity == "paused"
        assert mind.graph.total_boardings() == 1
        [record] = await mind.store.boardings()
        assert (record.boarding.question, record.boarding.mode) == ("q2", "audit")
        assert record.boarding.model != "reader:support"
        source.resume()
        await _until(feed, lambda: mind.graph.total_boardings() > 2)


async def test_the_review_gate_holds_while_the_seat_goes_on(tmp_path: Path) -> None:
    async with _desk(tmp_path / "a.mind", SessionOrder(seats=1)) as (mind, source, feed):
        source.start()
        source.hold("all")
        assert source.review == "all"
        await _until(feed, lambda: len(feed.tray.waiting) >= 3 and mind.graph.total_boardings() > 2)
        source.hold("off")
        source.finish()
        await source.closed()
        await feed.read()
        await feed.tick()
        first, second, third = list(feed.tray.waiting.values())[:3]
        before = mind.graph.count("interpretation")
        await source.accept([first.proposal], {"text": "What the operator made of it."})
        await feed.read()
        await feed.tick()
        assert first.proposal not in feed.tray.waiting
        made = await mind.store.interpretations()
        assert len(made) > before or first.kind != "claim"
        if first.kind == "claim":
            assert (made[-1].text, made[-1].created_by) == ("What the operator made of it.", first.by)
        await source.refuse(second.proposal, "beside the point")
        await feed.read()
        await feed.tick()
        assert second.proposal not in feed.tray.waiting
        assert (await source.undo()).startswith(f"refuse {second.proposal}")
        await feed.read()
        await feed.tick()
        assert second.element in [entry.element for entry in feed.tray.waiting.values()], "it waits again"
        with pytest.raises(InputError, match="no element waits"):
            await source.accept([first.proposal])
        assert third.proposal in feed.tray.waiting
        reopened = Feed(LiveSource(mind, ORDER))
        await reopened.open()
        assert reopened.tray == feed.tray


async def test_a_boarding_is_opened_with_the_briefing_it_was_sent(tmp_path: Path) -> None:
    async with _desk(tmp_path / "a.mind") as (mind, source, feed):
        source.start()
        await _until(feed, lambda: source.activity == "idle")
        for record in await mind.store.boardings():
            stay = await read_stay(feed, record.boarding.id)
            assert stay is not None
            assert stay.briefing is not None
            shown = [(each.node, each.confidence) for each in record.boarding.shown]
            assert [(node.id, node.confidence) for node in stay.briefing.nodes] == shown
            assert {node.id for node in stay.briefing.nodes} <= stay.nodes.keys()
            ends = [event for event in stay.told if event.kind in ("element_merged", "element_rejected")]
            held = [event for event in stay.told if isinstance(event.what, ElementHeld)]
            assert len(ends) + len(held) >= record.merged + record.rejected
        assert await read_stay(feed, "b999") is None


async def test_a_desk_that_only_watches_sends_nobody(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        await mind.ask("What caused it?")
    async with Mind.open(tmp_path / "a.mind", readonly=True) as mind:
        with pytest.raises(InputError, match="read-only"):
            LiveSource(mind, ORDER).send(Errand("q1", "audit"))
        with pytest.raises(InputError, match="read-only"):
            await LiveSource(mind, ORDER).change(SessionOrder(seats=9))


async def test_settings_hold_for_the_running_session_and_the_next(tmp_path: Path) -> None:
    async with _desk(tmp_path / "a.mind", SessionOrder(seats=1)) as (mind, source, feed):
        ahead = forecast(source.outlook(), source.order)
        assert [one.model is not None for one in ahead.ahead] == [True] * len(mind.graph.open_questions())
        assert ahead.most_micro_usd == 0, "readers cost nothing"
        source.start()
        await _until(feed, lambda: mind.graph.total_boardings() >= 1 and source.outlook().opened >= 1)
        wanted = source.order.model_copy(update={"seats": 3, "route": "round_robin", "budget_usd": 1.5})
        await source.change(wanted)
        await _until(feed, lambda: len(feed.workers.cards) == 3 and feed.session.policy == "round_robin")
        assert (feed.session.seats, feed.session.budget_micro_usd) == (3, 1_500_000)
        reopened = Feed(LiveSource(mind, ORDER))
        await reopened.open()
        assert (reopened.session.policy, reopened.session.budget_micro_usd) == ("round_robin", 1_500_000)
        assert sorted(reopened.workers.cards) == [1, 2, 3]
        source.finish()
        await source.closed()
        source.start()
        await _until(feed, lambda: feed.session.id == "s2")
        assert (feed.session.seats, feed.session.policy) == (3, "round_robin")
