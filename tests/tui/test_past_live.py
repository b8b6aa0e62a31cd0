"""The past of a real mind on a real file."""

import asyncio
from pathlib import Path

from perdura_core import acts
from perdura_core.conductor import SessionOrder
from perdura_core.mind import Mind
from perdura_core.vocabulary import Terms
from perdura_tui.feed import Feed
from perdura_tui.live import LiveSource


async def _travelled(feed: Feed, seq: int) -> None:
    feed.travel(seq)
    async with asyncio.timeout(30):
        while feed.head != seq:
            await feed.read()
            await feed.tick()


async def test_the_desk_goes_back_before_each_act_and_returns(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "m.mind") as mind:
        source = LiveSource(mind, SessionOrder(operator="operator", seats=1, boardings=1))
        feed = Feed(source)
        await feed.open()
        heads = [mind.graph.head]
        await mind.ask("Is the cache safe?", ["storage"])
        heads.append(mind.graph.head)
        await mind.act(acts.pin("q1", True))
        heads.append(mind.graph.head)
        card = mind.registry.card("reader:doubt")
        await mind.change("reader:doubt", Terms.of(card).model_copy(update={"tier": "frontier"}))
        await mind.disable("reader:gather", "by the operator")
        heads.append(mind.graph.head)
        await mind.act(acts.resolve("q1"))
        await feed.read()
        await feed.tick()

        await _travelled(feed, heads[1])
        assert [(row.pinned, row.is_open) for row in feed.questions.rows.values()] == [(False, True)]
        assert feed.source.registry.card("reader:doubt").tier == "local"
        assert feed.source.registry.why_not("reader:gather", mind.clock.now()) is None
        await _travelled(feed, heads[3])
        assert [(row.pinned, row.is_open) for row in feed.questions.rows.values()] == [(True, True)]
        assert feed.source.registry.card("reader:doubt").tier == "frontier"
        assert feed.source.registry.why_not("reader:gather", mind.clock.now()) == "disabled: by the operator"
        await _travelled(feed, heads[0] or 1)
        assert not feed.questions.rows

        await mind.ask("Asked meanwhile?")
        await feed.read()
        await feed.tick()
        assert not feed.questions.rows
        await feed.come_back()
        assert [row.is_open for row in feed.questions.rows.values()] == [False, True]
        assert feed.source is source
        await source.closed()
