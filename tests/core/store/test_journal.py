"""The writer: whole plans or nothing, in groups, whatever happens to those who wait for it."""

import asyncio
import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from perdura_core.clock import Clock, Ids
from perdura_core.errors import StoreError, StoreFullError, StoreReadOnlyError
from perdura_core.graph import Graph, digest_of
from perdura_core.store import Journal, Store, open_sqlite
from perdura_core.vocabulary import Draft, Event, ModelDisabled, ModelEnabled
from tests.core.store.conftest import OpenStore
from tests.core.store.making import NOW, check_whole, claim, draft, edge, element, fact, put, question, start


def begin() -> list[Draft]:
    return [draft(each) for each in start()]


async def check_in_step(journal: Journal) -> None:
    """The graph in memory is the graph that the store would give."""
    loaded = await journal.store.load_graph()
    assert journal.graph.head == loaded.head == await journal.store.head()
    assert list(journal.graph.vertices()) == list(loaded.vertices())
    assert [list(journal.graph.links(v.id)) for v in loaded.vertices()] == [
        list(loaded.links(v.id)) for v in loaded.vertices()
    ]


async def test_what_was_written_is_in_the_store_and_in_the_graph(store: Store) -> None:
    async with Journal.open(store, Clock()) as journal:
        events = await journal.append(begin())
        assert [event.seq for event in events] == [1, 2]
        assert journal.graph.head == 2
        assert await store.events() == list(events)
        (added, linked, _) = await journal.write(element("b1"))
        assert added.what == claim("It is safe, says b1.", "i1")
        assert linked.what == edge("i1", "q1", "e1")
        assert [link.id for link in journal.graph.links("q1")] == ["e1"]
        await check_in_step(journal)


async def test_each_plan_sees_what_the_plans_before_it_did(store: Store) -> None:
    def once(graph: Graph, ids: Ids) -> list[Draft]:
        if graph.same_text("fact", digest_of("It rained.")):
            return []
        return [draft(fact("It rained.", ids.next("f")))]

    async with Journal.open(store, Clock()) as journal:
        written = await asyncio.gather(*(journal.write(once) for _ in range(300)))
        assert sum(len(events) for events in written) == 1
        assert written[0][0].what == fact("It rained.", "f1")


async def test_a_plan_that_fails_fails_alone_and_takes_no_numbers(store: Store) -> None:
    def broken(graph: Graph, ids: Ids) -> list[Draft]:
        ids.next("i")
        raise ZeroDivisionError

    async with Journal.open(store, Clock()) as journal:
        await journal.append(begin())
        plans = [broken if number % 3 == 0 else element(f"b{number}") for number in range(30)]
        outcomes = await asyncio.gather(*(journal.write(plan) for plan in plans), return_exceptions=True)
        for plan, outcome in zip(plans, outcomes, strict=True):
            assert isinstance(outcome, ZeroDivisionError if plan is broken else tuple)
        assert len(check_whole(await store.events())) == 20
        assert await store.counters() == {"q": 1, "i": 20, "e": 20}
        await check_in_step(journal)


POISON: list[Callable[[Graph, Ids], Sequence[Draft]]] = [
    lambda graph, ids: [draft(claim("Half.", ids.next("i"))), draft(edge("i9999", "q1", ids.next("e")))],
    lambda graph, ids: [draft(claim("Twice.", "i1"))],
    lambda graph, ids: [draft(claim("Ahead.", ids.next("i"))), draft(ModelEnabled(model="bad\ud800"))],
    lambda graph, ids: [draft(claim("Strange.", "x1"))],
]


@pytest.mark.parametrize("poison", POISON)
async def test_what_the_store_or_the_graph_cannot_take_hurts_nobody_else(
    store: Store, poison: Callable[[Graph, Ids], Sequence[Draft]]
) -> None:
    async with Journal.open(store, Clock()) as journal:
        await journal.append(begin())
        await journal.write(element("b0"))
        plans = [element(f"b{number}") for number in range(1, 11)]
        outcomes = await asyncio.gather(
            *(journal.write(plan) for plan in [*plans[:5], poison, *plans[5:]]), return_exceptions=True
        )
        assert [isinstance(outcome, tuple) for outcome in outcomes] == [True] * 5 + [False] + [True] * 5
        assert check_whole(await store.events()) == {f"b{number}" for number in range(11)}
        assert len(await store.interpretations()) == 11
        await check_in_step(journal)


async def test_time_never_goes_back(store: Store) -> None:
    moments = iter([NOW, NOW - timedelta(hours=1), NOW + timedelta(seconds=1)])
    async with Journal.open(store, Clock(lambda: next(moments))) as journal:
        for _ in range(3):
            await journal.append([draft(ModelEnabled(model="a:b"))])
        stamps: list[datetime] = [event.at for event in await store.events()]
        assert stamps == [NOW, NOW, NOW + timedelta(seconds=1)]
    async with Journal.open(store, Clock(lambda: NOW - timedelta(days=9))) as journal:
        assert (await journal.append([draft(ModelEnabled(model="a:b"))]))[0].at == stamps[-1]


async def test_a_commit_that_fails_takes_everything_back(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    seen: list[Event] = []
    async with open_sqlite(path) as store, Journal.open(store, Clock()) as journal:
        held = journal.graph
        await journal.append([*begin(), draft(ModelDisabled(model="a:b", reason="402"))])
        journal.follow(seen.extend, reset=seen.clear, kinds=["model_disabled", "model_enabled"])

        def to_nowhere(graph: Graph, ids: Ids) -> list[Draft]:
            return [draft(ModelEnabled(model="a:b")), draft(edge("i77777", "q1", ids.next("e")))]

        with pytest.raises(KeyError):
            await journal.write(to_nowhere)
        assert [event.kind for event in seen] == ["model_disabled"]
        path.rename(tmp_path / "b.mind")
        outcomes = await asyncio.gather(*(journal.write(element(f"b{n}")) for n in range(5)), return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {StoreFullError}
        (tmp_path / "b.mind").rename(path)
        await journal.write(element("b9"))
        assert journal.graph is held
        assert [event.kind for event in seen][1:] == ["interpretation_added", "edge_added", "element_merged"]
        assert check_whole(await store.events()) == {"b9"}
        await check_in_step(journal)
        journal.unfollow(seen.extend)


async def test_cancelling_those_who_wait_leaves_whole_elements(store: Store) -> None:
    dice = random.Random(7)
    async with Journal.open(store, Clock()) as journal:
        await journal.append(begin())

        async def restless(name: str) -> None:
            writing = asyncio.create_task(journal.write(element(name)))
            for _ in range(dice.randint(0, 12)):
                await asyncio.sleep(0)
            await asyncio.sleep(dice.choice([0, 0, 0.001, 0.003]))
            writing.cancel()
            await asyncio.wait([writing])

        for turn in range(25):
            await asyncio.gather(*(restless(f"b{turn}-{number}") for number in range(8)))
        await asyncio.wait_for(journal.write(element("last")), 10)
        names = check_whole(await store.events())
        assert "last" in names
        assert len(names) == 25 * 8 + 1  # what was accepted is carried out, though nobody waits for it
        await check_in_step(journal)


async def test_a_store_commits_whole_even_when_cancelled(store: Store) -> None:
    events = await put(store, *start())
    for turn in range(30):
        head = len(events)
        more = [Event(seq=head + n, at=NOW, by="x", what=ModelEnabled(model=f"a:{turn}")) for n in (1, 2, 3)]
        await store.begin(head)
        committing = asyncio.create_task(store.commit(more))
        for _ in range(1 + turn % 5):  # a task that is cancelled before its first step never came to the store
            await asyncio.sleep(0)
        committing.cancel()
        await asyncio.wait([committing])
        kept = await store.events()
        assert kept in (events, [*events, *more])
        events = kept
    await asyncio.wait_for(put(store, fact()), 10)


async def test_closing_writes_what_was_accepted_and_takes_no_more(store: Store) -> None:
    async with Journal.open(store, Clock()) as journal:
        await journal.append(begin())
        writing = [asyncio.create_task(journal.write(element(f"b{number}"))) for number in range(300)]
        await asyncio.sleep(0)
    assert len(await asyncio.gather(*writing)) == 300
    with pytest.raises(StoreError, match="closed"):
        await journal.write(element("late"))
    assert len(check_whole(await store.events())) == 300


async def test_leaving_by_an_error_or_a_cancellation_also_writes_what_was_accepted(open_store: OpenStore) -> None:
    async def work(name: str) -> None:
        async with open_store() as store, Journal.open(store, Clock()) as journal:
            if not journal.graph.head:
                await journal.append(begin())
            writing = asyncio.create_task(journal.write(element(name)))
            await asyncio.sleep(0)
            try:
                if name == "error":
                    raise ZeroDivisionError
                await asyncio.sleep(60)
            finally:
                del writing

    with pytest.raises(ZeroDivisionError):
        await work("error")
    task = asyncio.create_task(work("cancelled"))
    await asyncio.sleep(0.3)
    task.cancel()
    await asyncio.wait([task], timeout=10)
    assert task.cancelled()
    async with open_store() as store:
        assert check_whole(await store.events()) == {"error", "cancelled"}


async def test_a_read_only_mind_follows_and_refuses(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    heads: list[int] = []
    async with open_sqlite(path) as store, Journal.open(store, Clock()) as writer:
        await writer.append(begin())
        async with open_sqlite(path, readonly=True) as other, Journal.open(other, Clock()) as reader:
            assert reader.graph.head == 2
            reader.on_commit(heads.append)
            assert not await reader.sync()
            await asyncio.gather(*(writer.write(element(f"b{number}")) for number in range(400)))
            assert await reader.sync()
            assert heads == [1202]
            await check_in_step(reader)
            reader.forget(heads.append)
            reader.forget(heads.append)
            with pytest.raises(StoreReadOnlyError):
                await reader.write(element("no"))


async def test_two_journals_on_one_mind_lose_nothing(open_store: OpenStore) -> None:
    async with open_store() as a, open_store() as b:
        await put(a, *start())
        async with Journal.open(a, Clock()) as one, Journal.open(b, Clock()) as two:
            wakes: list[int] = []
            one.on_commit(wakes.append)

            async def work(journal: Journal, name: str) -> None:
                for number in range(15):
                    await journal.write(element(f"{name}-{number}"))
                    if number % 4 == 0:
                        await journal.sync()

            await asyncio.gather(*(work(one, f"one{n}") for n in range(3)), *(work(two, f"two{n}") for n in range(3)))
            assert len(check_whole(await a.events())) == 90
            await one.sync()
            await two.sync()
            await check_in_step(one)
            await check_in_step(two)
            assert wakes == sorted(wakes)
            assert wakes[-1] == await a.head()
            (asked,) = await two.write(lambda graph, ids: [draft(question("Next?", ids.next("q")))])
            assert asked.what == question("Next?", "q2")
