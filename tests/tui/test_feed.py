import asyncio

from perdura_core.errors import StoreError
from perdura_core.vocabulary import NodeRedacted
from perdura_tui.feed import Feed
from tests.tui.running import busy_source, driven
from tests.tui.script import Script, told
from tests.tui.scripted import ScriptedSource


async def _open(source: ScriptedSource) -> Feed:
    feed = Feed(source)
    await feed.open()
    await feed.recall()
    await feed.tick()
    await feed.read()
    feed.take_dirty()
    return feed


async def test_opening_reads_the_present() -> None:
    feed = await _open(busy_source())
    assert feed.questions.open_count == 6
    assert feed.workers.aboard == 3
    assert feed.session.budget_micro_usd == 2_000_000
    assert feed.head == len(feed.source.script.events)  # type: ignore[attr-defined]
    assert feed.board.records
    assert feed.seat == 1


async def test_an_event_makes_dirty_what_it_changes_and_nothing_else() -> None:
    source = ScriptedSource(Script(), "idle")
    feed = await _open(source)
    source.script.record("a fact")
    await feed.tick()
    await feed.read()
    assert feed.take_dirty() <= {"lately"}
    source.script.ask("Why?")
    await feed.tick()
    await feed.read()
    assert "questions" in feed.take_dirty()
    await feed.tick()
    await feed.read()
    assert feed.take_dirty() == set()


async def test_contention_is_sampled_when_a_boarding_ends() -> None:
    source = busy_source()
    feed = await _open(source)
    before = len(feed.contention.samples)
    source.script.one_boarding(4)
    await feed.tick()
    await feed.read()
    assert len(feed.contention.samples) == before + 1
    assert {"contention", "status"} <= feed.take_dirty()


async def test_the_past_is_recalled_once_and_joined_with_what_came_since() -> None:
    source = busy_source()
    feed = await _open(source)
    source.script.one_boarding(4)
    await feed.tick()
    await feed.read()
    await feed.recall()
    named = [entry.boarding for entry in feed.contention.samples]
    assert len(named) == len(set(named)) == 41


async def test_a_flood_is_taken_in_over_several_ticks() -> None:
    source = busy_source()
    feed = await _open(source)
    source.script.work(150)
    ticks = 0
    while feed.head < len(source.script.events):
        await feed.tick()
        await feed.read()
        ticks += 1
    assert ticks > 1
    assert len(feed.lately.events) <= 60


async def test_two_ticks_at_once_fold_each_event_once() -> None:
    source = busy_source()
    feed = await _open(source)
    before = feed.questions.rows["q1"].boardings
    source.script.board(4, "q1", "reader:support")
    await asyncio.gather(feed.tick(), feed.tick(), feed.tick())
    assert feed.questions.rows["q1"].boardings == before + 1


async def test_records_are_read_again_at_most_once_a_second() -> None:
    source = busy_source()
    feed = await _open(source)
    before = feed.board
    source.script.work(6)
    await feed.tick()
    await feed.read()
    assert feed.board is before
    source.monotonic_s += 1.1
    await feed.tick()
    await feed.read()
    assert feed.board is not before


async def test_a_redacted_text_leaves_the_map() -> None:
    source = busy_source()
    feed = await _open(source)
    feed.around.look_at("q3")
    await feed.tick()
    await feed.read()
    claim = next(dot.id for dot in feed.around.nearby.dots if dot.layer == "interpretation")
    assert feed.around.texts[claim]
    node = source.script.nodes[claim]
    source.script.nodes[claim] = node.model_copy(update={"text": "(redacted)"})
    source.script.add(NodeRedacted(node=claim))
    await feed.tick()
    await feed.read()
    assert feed.around.texts[claim] == "(redacted)"


async def test_a_notice_goes_after_a_while() -> None:
    source = busy_source()
    feed = await _open(source)
    feed.tell("something")
    await feed.tick()
    await feed.read()
    assert feed.notice is not None
    source.monotonic_s += 6.0
    await feed.tick()
    await feed.read()
    assert feed.notice is None
    assert "lately" in feed.take_dirty()


async def test_what_ended_a_session_is_said_once() -> None:
    source = busy_source()
    feed = await _open(source)
    source.said = "the disk is full: make room and resume"
    await feed.tick()
    await feed.read()
    assert feed.notice is not None
    assert feed.notice.is_error
    feed.notice = None
    await feed.tick()
    await feed.read()
    assert feed.notice is None


async def test_a_store_error_is_said_on_the_desk_and_the_rest_goes_on() -> None:
    class Failing(ScriptedSource):
        failing = False

        async def events(self, after: int, limit: int) -> list:  # type: ignore[type-arg]
            if self.failing:
                raise StoreError("the file 'outage.mind' has gone: put it back and resume")
            return await super().events(after, limit)

    made = busy_source()
    source = Failing(made.script)
    async with driven(source) as at:
        source.failing = True
        await at.until(lambda: "has gone" in at.text("#events"))
        source.failing = False
        source.progress = [told(1, "streaming", "m:new", "q1", "again")]
        await at.until(lambda: "m:new" in at.text("#workers"))
