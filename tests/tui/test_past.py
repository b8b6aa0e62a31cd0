import asyncio
import time

import pytest

from perdura_core import acts
from perdura_core.clock import Clock
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.vocabulary import ConfidenceRevised, Interpretation, NodeSuperseded, Question
from perdura_tui.feed import Feed
from perdura_tui.past import PastSource
from perdura_tui.states.moment import Moment, moved
from tests.tui.script import Script, sample_mind
from tests.tui.scripted import ScriptedSource


def _source(script: Script | None = None) -> ScriptedSource:
    source = ScriptedSource(script or sample_mind(40))
    source.clock = Clock(lambda: source.now, time.monotonic)
    return source


async def _at(past: PastSource, seq: int) -> None:
    past.aim(seq)
    async with asyncio.timeout(20):
        while past.moment.seq != past.target:
            await past.advance(0.5)


def _graph_at(script: Script, seq: int) -> Graph:
    graph = Graph()
    graph.apply(script.events[:seq])
    return graph


def _facts_of(graph: Graph) -> object:
    return (
        graph.head,
        {v.id: (v.confidence, v.superseded_by, v.status, v.question_status) for v in graph.vertices()},
        {link for v in graph.vertices() for link in graph.links(v.id)},
        graph.contention_all(),
        graph.total_boardings(),
    )


async def test_any_way_to_an_event_shows_the_same() -> None:
    source = _source()
    past = PastSource(source, between_marks=50)
    for seq in (300, 120, 121, 12, 400, 399, 1, 250):
        await _at(past, seq)
        straight = Graph()
        expected = moved(Moment(), straight, source.script.events[:seq])
        assert _facts_of(past.graph) == _facts_of(_graph_at(source.script, seq))
        shown = await past.opening()
        assert (shown.head, shown.questions, shown.workers) == (seq, expected.questions, expected.workers)
        assert (shown.session, shown.contention) == (expected.session, expected.contention)


async def test_the_live_graph_is_left_alone() -> None:
    source = _source()
    before = _facts_of(source.graph)
    await _at(PastSource(source), 200)
    assert _facts_of(source.graph) == before


async def test_an_aim_beyond_the_journal_is_its_end() -> None:
    source = _source()
    past = PastSource(source)
    await _at(past, 10**9)
    assert past.moment.seq == len(source.script.events)
    await _at(past, -5)
    assert past.moment.seq == 1


async def test_nodes_are_what_they_were() -> None:
    script = sample_mind(10)
    before = len(script.events)
    first = script.graph.get("i1")
    assert first is not None
    script.add(ConfidenceRevised(node="i1", before=first.confidence, after=0.01, reason="vote"))
    script.add(NodeSuperseded(node="i1", superseded_by="i2"))
    script.resolve("q1", "i2")
    later = script.ask("Not asked yet?")
    past = PastSource(_source(script))
    await _at(past, before)
    found = await past.nodes(["i1", "q1", later])
    claim, question = found["i1"], found["q1"]
    assert isinstance(claim, Interpretation)
    assert isinstance(question, Question)
    assert (claim.superseded_by, question.status, question.resolved_by) == (None, "open", None)
    assert claim.confidence > 0.01
    assert later not in found
    assert all(event.seq <= before for event in await past.history_of("i1", 50))


async def test_records_are_folded_up_to_the_moment() -> None:
    past = PastSource(_source())
    await _at(past, 60)
    early = {record.model: record.merged for record in await past.tracks(None)}
    await _at(past, 460)
    late = {record.model: record.merged for record in await past.tracks(None)}
    assert sum(late.values()) > sum(early.values())
    again = PastSource(past.live)
    await _at(again, 460)
    assert {record.model: record.merged for record in await again.tracks(None)} == late


async def test_nothing_can_be_changed() -> None:
    past = PastSource(_source())
    await _at(past, 100)
    count = len(past.live.graph.open_questions())
    for change in (past.start, past.pause, past.resume, past.step, lambda: past.swap(1, None), lambda: past.rank("q1")):
        with pytest.raises(InputError, match="esc returns to the present"):
            change()
    with pytest.raises(InputError, match="esc returns"):
        await past.ask("Why?", (), "normal")
    with pytest.raises(InputError, match="esc returns"):
        await past.act(acts.pin("q1", True))
    with pytest.raises(InputError, match="esc returns"):
        await past.undo()
    assert len(past.live.graph.open_questions()) == count
    assert past.is_readonly


async def test_the_feed_goes_there_and_comes_back_while_the_session_goes_on() -> None:
    source = _source()
    feed = Feed(source)
    await feed.open()
    await feed.read()
    await feed.tick()
    asked = feed.questions.open_count
    past = feed.travel(5)
    async with asyncio.timeout(20):
        while feed.head != 5:
            await feed.read()
            await feed.tick()
    assert past.moment.seq == 5
    assert feed.questions.open_count == 0
    source.script.ask("Asked while the desk looked away?")
    await feed.read()
    await feed.tick()
    assert feed.questions.open_count == 0
    await feed.come_back()
    assert feed.past is None
    assert feed.questions.open_count == asked + 1
    assert len(feed.contention.samples) == 40


async def test_play_brings_what_time_brings_and_skips_silence() -> None:
    script = sample_mind(3)
    start = len(script.events)
    script.ask("Ten seconds later?")
    script.now = script.now.replace(hour=23)
    script.ask("After a long night?")
    source = ScriptedSource(script)
    past = PastSource(source)
    await _at_still(past, start)
    past.play(1)
    source.monotonic_s += 1.0
    assert await past.play_on()
    await _at_still(past, past.target)
    assert past.moment.seq == start + 1
    for _ in range(3):
        source.monotonic_s += 0.8
        assert await past.play_on()
        await _at_still(past, past.target)
    assert past.moment.seq == start + 2, "nobody waits through the night"
    source.monotonic_s += 1.0
    assert not await past.play_on()


async def _at_still(past: PastSource, seq: int) -> None:
    """With a clock that stands still one call goes all the way."""
    past.aim(seq)
    await past.advance(0.5)
    assert past.moment.seq == seq
