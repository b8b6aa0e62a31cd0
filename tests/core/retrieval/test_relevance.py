"""Search finds words; the graph brings what stands beside them and beside the seeds."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from perdura_core.clock import Clock
from perdura_core.retrieval import relevant
from perdura_core.retrieval.spreading import spread
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import Draft, Happening, NodeId, NodeSuperseded, StatusChanged
from tests.core.graph.making import asked, judged, linked, recorded


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    async with open_sqlite(tmp_path / "test.mind") as store, Journal.open(store, Clock()) as journal:
        yield journal


async def write(journal: Journal, *happenings: Happening) -> None:
    await journal.append([Draft(what=what, by="operator") for what in happenings])


async def found(journal: Journal, query: str, seeds: tuple[NodeId, ...] = (), limit: int = 50) -> list[NodeId]:
    hits = await relevant(journal.store.search_text, journal.graph, query, journal.graph.neighbourhood(seeds, 2), limit)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.node for hit in hits]


async def test_the_best_words_come_first(journal: Journal) -> None:
    await write(
        journal,
        recorded("f1", "The lighthouse keeper painted the door."),
        recorded("f2", "Fog hid the harbour."),
        recorded("f3", "The harbour crane failed in the fog because of the harbour crane's brake."),
    )
    assert await found(journal, "harbour crane brake") == ["f3", "f2"]
    assert await found(journal, "volcano") == []
    assert await found(journal, "") == []


async def test_neighbours_of_a_match_and_of_a_seed_come_along(journal: Journal) -> None:
    await write(
        journal,
        asked("q1", "Why did it stop?"),
        recorded("f1", "The crane stopped at noon."),
        recorded("f2", "Rust was seen on a bolt."),
        judged("i1", text="Maintenance came too late.", facts=["f2"]),
        judged("i2", text="A bolt broke.", facts=["f1"]),
        judged("i3", text="Nothing to do with it."),
        linked("e1", "answers", "i1", "q1"),
    )
    assert await found(journal, "crane noon") == ["f1", "i2"]
    assert await found(journal, "crane noon", ("q1",)) == ["f1", "i1", "i2", "f2"]


async def test_what_gave_way_is_not_found_and_what_is_in_shadow_is(journal: Journal) -> None:
    await write(
        journal,
        *(recorded(f"f{number}", f"Crane log, line {number}.") for number in (1, 2)),
        *(judged(f"i{number}", text=f"The crane is old, says {number}.") for number in (1, 2, 3)),
        linked("e1", "supports", "f1", "i3"),
        NodeSuperseded(node="f1", superseded_by="f2"),
        StatusChanged(node="i1", before="active", after="shadow", reason="unused"),
        StatusChanged(node="i2", before="active", after="deleted", reason="unused"),
    )
    assert set(await found(journal, "crane", ("i3",))) == {"f2", "i1"}


async def test_the_limit_holds_and_equals_come_in_order_of_age(journal: Journal) -> None:
    await write(journal, *(recorded(f"f{number}", "The crane stopped.") for number in range(1, 13)))
    assert await found(journal, "crane", limit=11) == [f"f{number}" for number in range(1, 12)]


async def test_text_in_any_script_is_found(journal: Journal) -> None:
    await write(
        journal, recorded("f1", "金曜日の夜にディスクがいっぱいになった。"), recorded("f2", "サーバーは元気だ。")
    )
    assert await found(journal, "ディスク") == ["f1"]


async def test_walks_reach_what_hops_do_not(journal: Journal) -> None:
    """And come by most often what stands beside several of the best matches."""
    await write(
        journal,
        asked("q1", "Why did the harbour crane stop?"),
        *(judged(f"i{n}", text=text) for n, text in enumerate(["Crane.", "Harbour.", "Salt.", "Rust.", "Paint."], 1)),
        linked("e1", "supports", "i1", "i3"),
        linked("e2", "supports", "i2", "i3"),
        linked("e3", "supports", "i3", "i4"),
        linked("e4", "supports", "i4", "i5"),
    )
    search, graph = journal.store.search_text, journal.graph
    near = await relevant(search, graph, "harbour crane", {}, 10)
    far = await relevant(search, graph, "harbour crane", {}, 10, by_pagerank=True)
    assert {hit.node for hit in near} == {"i1", "i2", "i3"}
    assert [hit.node for hit in far][2:] == ["i3", "i4", "i5"]


def test_a_walk_spends_what_it_starts_with() -> None:
    ring = {f"i{n}": [f"i{(n + 1) % 50}", f"i{(n - 1) % 50}"] for n in range(50)}
    found = spread(lambda node: ring[node], {"i0": 3.0})
    assert 0.9 < sum(found.values()) <= 1
    assert max(found, key=lambda node: found[node]) == "i0"
    assert found["i1"] == pytest.approx(found["i49"], rel=0.05)
    assert spread(lambda node: [], {"i7": 1.0}) == {"i7": 1.0}
    assert spread(lambda node: [], {}) == {}
