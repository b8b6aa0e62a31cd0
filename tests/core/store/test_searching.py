"""Text search: any words of any person, found where they stand."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.store import Store, open_sqlite
from tests.core.store.making import claim, fact, put, start

TEXTS = {
    "f1": "The replica answers in 40 ms because its cache is warm.",
    "f2": "Replication across regions costs 12% of the budget.",
    "f3": "データベースの複製は安全です。",
    "f4": "数据库复制需要两个节点",
    "f5": "The launch went well 🎉 said Zoë in C++",
    "f6": "猫がいる",
    "f7": "ฐานข้อมูลปลอดภัย",
    "i1": "Caches must not be trusted after a failover.",
    "i2": "The cache may be trusted.",
}


@pytest.fixture
async def filled(store: Store) -> Store:
    nodes = [fact(text, id) if id[0] == "f" else claim(text, id) for id, text in TEXTS.items()]
    await put(store, *start(), *nodes)
    return store


async def find(store: Store, query: str) -> list[str]:
    return [hit.node for hit in await store.search_text(query, ["fact", "interpretation"], 10)]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("warm caches", "f1"),
        ("REPLICATION budget", "f2"),
        ("複製", "f3"),
        ("データベースの安全", "f3"),
        ("复制", "f4"),
        ("节点", "f4"),
        ("猫", "f6"),
        ("🎉", "f5"),
        ("zoe", "f5"),
        ("Zoe\u0308", "f5"),
        ("ข้อมูล", "f7"),
        ("failover trusted", "i1"),
        ('"failover" AND (NOT trusted', "i1"),
    ],
)
async def test_words_are_found_in_every_script(filled: Store, query: str, best: str) -> None:
    assert (await find(filled, query))[0] == best


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", "*", '"', "NEAR(", "-", "unheard-of-word", "\x00", "\ud800"]
)
async def test_nothing_to_look_for_finds_nothing(filled: Store, query: str) -> None:
    assert await find(filled, query) == []


async def test_scores_fall_and_are_positive(filled: Store) -> None:
    hits = await filled.search_text("cache trusted failover replica", ["fact", "interpretation"], 10)
    scores = [hit.score for hit in hits]
    assert len(hits) >= 3
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


async def test_a_query_as_long_as_a_document_is_answered(filled: Store) -> None:
    assert (await find(filled, " ".join(f"word{n} replica" for n in range(100_000))))[0] == "f1"


async def test_frequent_words_give_way_to_rare_ones(store: Store) -> None:
    await put(store, *start(), *(fact(f"common usual word{n}", f"f{n}") for n in range(1, 12_001)))
    assert (await find(store, "common usual word17"))[0] == "f17"
    hits = await store.search_text("usual common", ["fact"], 3)
    assert [hit.node for hit in hits] == ["f12000", "f11999", "f11998"]
    assert all(hit.score > 0 for hit in hits)


async def test_no_query_raises(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store:
        await put(store, *start(), *(fact(text, id) for id, text in TEXTS.items() if id[0] == "f"))

        @settings(max_examples=300)
        @given(st.text(st.characters(), max_size=40) | st.sampled_from(["a" * 5000, "(" * 50, '"a" OR b*', "a^b:c{d}"]))
        def queries(query: str) -> None:
            asked.append(query)

        asked: list[str] = []
        queries()
        for query in asked:
            assert all(hit.score > 0 for hit in await store.search_text(query, ["question", "fact"], 3))
