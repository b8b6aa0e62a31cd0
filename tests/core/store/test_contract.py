"""What every store promises, whatever it is made of."""

import asyncio
from datetime import timedelta

import pytest

from perdura_core.errors import StoreError
from perdura_core.store import Store
from perdura_core.vocabulary import (
    CostSettled,
    NodeRestored,
    NodeSuperseded,
    SessionEnded,
    SessionStarted,
    StatusChanged,
    clean,
)
from tests.core.store.conftest import OpenStore
from tests.core.store.making import MODEL, NOW, boarding, claim, edge, fact, put, question, start


async def test_an_empty_mind_answers_everything(store: Store) -> None:
    assert await store.head() == 0
    assert await store.events() == []
    assert await store.counters() == {}
    assert (await store.load_graph()).head == 0
    assert await store.nodes(["q1"]) == {}
    assert (await store.questions(), await store.facts(), await store.interpretations(), await store.edges()) == (
        [],
    ) * 4
    assert await store.search_text("anything", ["question", "fact", "interpretation"], 5) == []
    assert (await store.boardings(), await store.spend(), await store.shown_counts("q1")) == ([], [], {})


async def test_a_closed_store_opens_again_with_everything(open_store: OpenStore) -> None:
    async with open_store() as store:
        events = await put(store, *start(), fact(), claim(), edge("i1", "q1"))
    async with open_store() as store:
        assert await store.events() == events
        assert await store.counters() == {"q": 1, "f": 1, "i": 1, "e": 1}


async def test_closing_twice_is_harmless_and_then_nothing_works(open_store: OpenStore) -> None:
    async with open_store() as store:
        await store.close()
        await store.close()
        with pytest.raises(StoreError, match="closed"):
            await store.head()


async def test_what_does_not_continue_the_journal_is_refused_and_the_lock_let_go(store: Store) -> None:
    events = await put(store, *start())
    for wrong in ([events[0]], [events[1].model_copy(update={"seq": 4})]):
        await store.begin(2)
        with pytest.raises(ValueError, match="continue"):
            await store.commit(wrong)
    assert await store.events() == events
    await put(store, fact())


async def test_an_edge_to_a_node_that_is_not_there_is_refused_whole(store: Store) -> None:
    events = await put(store, *start())
    with pytest.raises(StoreError):
        await put(store, claim(), edge("i1", "q99"))
    assert await store.events() == events
    assert await store.interpretations() == []


async def test_rollback_changes_nothing(store: Store) -> None:
    await store.begin(0)
    await store.rollback()
    await put(store, *start())


async def test_two_openings_see_each_other(open_store: OpenStore) -> None:
    async with open_store() as one, open_store() as two:
        assert await one.has_news()
        await two.has_news()
        events = await put(one, *start())
        assert not await one.has_news()
        assert await two.has_news()
        assert not await two.has_news()
        assert await two.begin(0) == events
        await two.rollback()
        assert await two.begin(1) == events[1:]
        waiting = asyncio.create_task(one.begin(2))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        await two.rollback()
        assert await waiting == []
        await one.rollback()


async def test_a_cancelled_begin_leaves_the_lock_free(open_store: OpenStore) -> None:
    async with open_store() as one, open_store() as two:
        await one.begin(0)
        waiting = asyncio.create_task(two.begin(0))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.wait([waiting])
        await one.rollback()
        for _ in range(20):
            racing = asyncio.create_task(two.begin(0))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            racing.cancel()
            if not (await asyncio.wait([racing]))[0].pop().cancelled():
                await two.rollback()
        await asyncio.wait_for(put(one, *start()), 10)
        await asyncio.wait_for(put(two, fact()), 10)


async def test_hostile_text_comes_back_as_it_was_cleaned(store: Store) -> None:
    texts = [
        "\x00a\ud800b\x1b[31m",
        "'; DROP TABLE facts; --",
        "[b]x[/]",
        "a\tb\r\nc",
        "🎉 複製 \u202e",
        "x" * 100_000,
        "",
    ]
    await put(store, *start(), *(fact(text, f"f{number}") for number, text in enumerate(texts, 1)))
    assert [node.text for node in await store.facts()] == [clean(text) for text in texts]
    assert (await store.events(node="f1"))[0].what == fact(texts[0], "f1")


async def test_lists_are_limited_from_either_end(store: Store) -> None:
    await put(
        store, *start(), *(fact(f"{n}", f"f{n}") for n in range(1, 13)), *(claim(f"{n}", f"i{n}") for n in range(1, 13))
    )
    assert [node.id for node in await store.facts(limit=2)] == ["f1", "f2"]
    assert [node.id for node in await store.facts(limit=2, newest=True)] == ["f12", "f11"]
    assert [node.id for node in await store.interpretations(limit=2)] == ["i1", "i2"]
    assert [node.id for node in await store.interpretations(limit=2, newest=True)] == ["i12", "i11"]
    assert len(await store.facts()) == 12


async def test_boardings_are_chosen_as_asked(store: Store) -> None:
    await put(store, *start(), fact(), boarding("b1", ["q1", "f1"]), boarding("b2", ["f1"], "s1"), question("?", "q2"))
    ids = [record.boarding.id for record in await store.boardings()]
    assert ids == ["b2", "b1"]
    assert [r.boarding.id for r in await store.boardings(session="s1")] == ["b2"]
    assert [r.boarding.id for r in await store.boardings(question="q1", limit=1)] == ["b2"]
    assert await store.boardings(question="q2") == []
    assert [r.boarding.id for r in await store.boardings(ids=["b1", "b9", "nonsense"])] == ["b1"]
    assert len(await store.boardings(only_open=True)) == 2
    assert await store.shown_counts("q1") == {"q1": 1, "f1": 2}
    assert await store.shown_to("nobody:at-all") == {}


async def test_spend_begins_when_asked(store: Store) -> None:
    await put(store, *start())
    paid = CostSettled(
        boarding="b1", model=MODEL, question="q1", domains=("a",), reserved_micro_usd=5, cost_micro_usd=3
    )
    await put(store, paid)
    (row,) = await store.spend(NOW)
    assert (row.at, row.boarding, row.model, row.domains, row.cost_micro_usd) == (NOW, "b1", MODEL, ("a",), 3)
    assert await store.spend(NOW + timedelta(microseconds=1)) == []


async def test_a_session_is_attended_while_its_process_lives(store: Store) -> None:
    assert await store.attended() == frozenset()
    await put(store, SessionStarted(session="s1", operator="o", seats=1, policy="cheap", models=()))
    await store.attend("s1")
    await store.attend("s1")
    assert await store.attended() == {"s1"}
    await put(store, SessionEnded(session="s1", ending="finished", boardings=0, cost_micro_usd=0))
    assert await store.attended() == frozenset()


async def test_only_what_stands_is_found(store: Store) -> None:
    layers = ("question", "fact", "interpretation")
    await put(store, *start(), fact("Otters swim."), fact("Otters sleep.", "f2"), claim("Otters rest."))

    async def found() -> set[str]:
        return {hit.node for hit in await store.search_text("otters", layers, 9)}

    assert await found() == {"f1", "f2", "i1"}
    await put(store, NodeSuperseded(node="f1", superseded_by="f2"))
    assert await found() == {"f2", "i1"}
    await put(store, NodeRestored(node="f1", reason="mistake"))
    await put(store, StatusChanged(node="i1", before="active", after="shadow", reason="decay"))
    assert await found() == {"f1", "f2", "i1"}
    await put(store, StatusChanged(node="i1", before="shadow", after="deleted", reason="decay"))
    assert await found() == {"f1", "f2"}
    assert {hit.node for hit in await store.search_text("otters", ["interpretation"], 9)} == set()
    assert len(await store.search_text("otters", layers, 1)) == 1
