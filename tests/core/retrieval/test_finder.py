"""Search by meaning keeps up with the journal, never compares across models, and works by words when it must."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from perdura_core.clock import Clock
from perdura_core.config import Providers
from perdura_core.errors import ConfigError, InputError
from perdura_core.retrieval import Finder, build_embedder, search
from perdura_core.retrieval.dense import DenseIndex
from perdura_core.retrieval.embedders import Embedder, Vectors, unit_rows
from perdura_core.retrieval.fusion import fuse
from perdura_core.retrieval.query import parse_query
from perdura_core.retrieval.search import marks
from perdura_core.store import Hit, Journal, open_sqlite
from perdura_core.vocabulary import Draft, Happening, NodeRedacted, NodeSuperseded, StatusChanged
from tests.core.graph.making import asked, judged, recorded


class Counting:
    """Hashed n-grams under another name, counting texts."""

    is_local = True

    def __init__(self, model: str = "counting", dimension: int = 384) -> None:
        self.model = model
        self.texts = 0
        self._dimension = dimension
        self._inner = build_embedder("hashed", Providers())

    async def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return (await self._inner.embed(texts))[:, : self._dimension]


class Broken:
    """An embedder whose server is gone."""

    model = "broken"
    is_local = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        raise InputError("no server")


@asynccontextmanager
async def at(path: Path, embedder: Embedder, readonly: bool = False) -> AsyncIterator[tuple[Journal, Finder]]:
    async with (
        open_sqlite(path, readonly=readonly) as store,
        Journal.open(store, Clock()) as journal,
        Finder.open(journal, embedder) as finder,
    ):
        yield journal, finder


async def write(journal: Journal, *happenings: Happening) -> None:
    await journal.append([Draft(what=what, by="operator") for what in happenings])


SOME = (
    asked("q1", "Why did the crane stop?"),
    recorded("f1", "The harbour crane stopped at noon."),
    recorded("f2", "Fog hid the lighthouse."),
    judged("i1", text="Maintenance of cranes came too late.", confidence=0.8),
)


async def test_vectors_are_made_once_and_follow_the_journal(tmp_path: Path) -> None:
    path, first, second = tmp_path / "a.mind", Counting(), Counting()
    async with at(path, first) as (journal, finder):
        await write(journal, *SOME)
        assert first.texts == 0
        assert (await finder.caught_up()).embedded == 4
        await write(journal, recorded("f3", "Craneways were rusty."))
        assert (await finder.caught_up()).embedded == 5
        assert [hit.node for hit in await finder.nearest("craneway", ["fact"], 1)] == ["f3"]
    async with at(path, second, readonly=True) as (_, finder):
        assert (await finder.caught_up()).embedded == 5
        assert second.texts == 0
        assert "f3" in [hit.node for hit in await finder.hits("craneway", ["fact"], 3)]


async def test_another_embedder_makes_all_anew_and_never_compares_with_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with at(path, Counting("one")) as (journal, finder):
        await write(journal, *SOME)
        await finder.caught_up()
    other = Counting("two", 100)
    async with at(path, other) as (journal, finder):
        assert (await finder.caught_up()).embedded == 4
        assert other.texts == 4
    async with open_sqlite(path) as store:
        assert (await store.vectors("one")).nodes == ()
        assert (await store.vectors("two")).matrix.shape == (4, 100)


async def test_what_was_redacted_or_gave_way_is_not_found(tmp_path: Path) -> None:
    async with at(tmp_path / "a.mind", Counting()) as (journal, finder):
        await write(journal, *SOME, recorded("f4", "A note: The harbour crane stopped at noon."))
        await finder.caught_up()
        await write(journal, NodeRedacted(node="f1"), NodeSuperseded(node="f2", superseded_by="f4"))
        assert (await finder.caught_up()).embedded == 4
        assert {hit.node for hit in await finder.nearest("harbour crane stopped at noon", ["fact"], 9)} <= {"f4"}
        assert [hit.node for hit in await finder.hits("fog lighthouse", ["fact"], 9)] in ([], ["f4"])
        gone = await finder.hits("fog lighthouse", ["fact"], 9, with_gone=True)
        assert gone[0].node == "f2"
    async with open_sqlite(tmp_path / "a.mind") as store:
        assert "f1" not in (await store.vectors("counting")).nodes


async def test_without_an_embedder_search_goes_by_words(tmp_path: Path) -> None:
    async with at(tmp_path / "a.mind", Broken()) as (journal, finder):
        await write(journal, *SOME)
        coverage = await finder.caught_up()
        assert coverage.fault == "no server"
        assert [hit.node for hit in await finder.hits("lighthouse fog", ["fact"], 3)] == ["f2"]


async def test_filters_words_and_marks(tmp_path: Path) -> None:
    async with at(tmp_path / "a.mind", Counting()) as (journal, finder):
        await write(
            journal,
            *SOME,
            judged("i2", text="The crane was sound.", confidence=0.4),
            StatusChanged(node="i2", before="active", after="shadow", reason="unused"),
        )
        await finder.caught_up()

        async def found(text: str) -> list[str]:
            return [one.node.id for one in await search(finder, journal.store, journal.graph, text, 10)]

        assert await found("crane type:claim conf>0.6") == ["i1"]
        assert await found("crane status:shadow") == ["i2"]
        assert set(await found("type:claim")) == {"i1", "i2"}
        assert await found("crane type:fact before:2001") == []
        assert await found("") == []
        [best, *_] = await search(finder, journal.store, journal.graph, "cranes type:question", 1)
        assert best.node.text[slice(*best.marks[0])] == "crane"


@pytest.mark.parametrize(
    "text", ["type:claims x", "domain:", "conf>2", "conf>high", "after:soon", "status:gone", "type:thing"]
)
def test_a_filter_with_a_wrong_value_says_what_to_write(text: str) -> None:
    if text.startswith("type:claims"):
        assert parse_query(text).types == {"claim"}
        return
    with pytest.raises(InputError):
        parse_query(text)


def test_what_only_looks_like_a_filter_is_words() -> None:
    query = parse_query('note: https://a.b/c "two words" domain:"open source" by:reader: after:2026-10')
    assert query.words == "note: https://a.b/c  two words "
    assert query.domains == {"open source"}
    assert query.authors == {"reader:"}
    assert query.after == datetime(2026, 10, 1, tzinfo=UTC)


def test_marks_in_scripts_without_blanks() -> None:
    text = "データベースの複製は安全です。"
    assert [text[slice(*mark)] for mark in marks(text, "複製 安全")] == ["複製", "安全"]


def test_fusion_rewards_agreement_and_keeps_what_one_alone_found() -> None:
    one, other = [Hit("a", 9), Hit("b", 8), Hit("c", 7)], [Hit("c", 0.9), Hit("b", 0.8)]
    fused = fuse([(0.5, one), (0.5, other)], 5)
    assert [hit.node for hit in fused] == ["c", "b", "a"]
    assert fused[0].score == pytest.approx(0.5 / 5 + 0.5 / 3)


def test_the_index_agrees_with_all_cosines() -> None:
    dice = np.random.default_rng(1)
    centres = dice.normal(size=(300, 64))
    vectors = unit_rows(np.repeat(centres, 60, axis=0) + dice.normal(scale=0.4, size=(18_000, 64)))
    index = DenseIndex(64)
    nodes = [f"f{number}" for number in range(18_000)]
    for start in range(0, 18_000, 700):
        index.put(nodes[start : start + 700], vectors[start : start + 700])
    index.put(["f5"], -vectors[5:6])
    index.drop("f6")
    found = 0
    for row in range(7, 18_000, 600):
        exact = vectors @ vectors[row]
        exact[[5, 6]] = -1, 0
        best = {nodes[at] for at in np.argsort(-exact)[:20]}
        hits = index.nearest(vectors[row], 20)
        assert hits[0].node == nodes[row]
        assert hits[0].score == pytest.approx(1, abs=1e-3)
        found += len(best & {hit.node for hit in hits})
    assert found / (20 * 30) > 0.97
    assert "f6" not in index
    assert len(index) == 17_999


async def test_the_static_vectors_know_that_words_mean_alike() -> None:
    pytest.importorskip("tokenizers", reason="wordllama is not installed")
    embedder = build_embedder("wordllama", Providers())
    rows = await embedder.embed(["The car was repaired.", "They fixed the automobile.", "Votes decide.", "", "\ud800"])
    assert rows.shape == (5, 256)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2
    assert not rows[3].any()


def test_only_known_embedders_can_be_named() -> None:
    for name in ("", "gpt", "ollama:", "hashed:x"):
        with pytest.raises(ConfigError):
            build_embedder(name, Providers())


async def test_a_key_is_asked_for_when_it_is_needed() -> None:
    with pytest.raises(ConfigError, match="GOOGLE_API_KEY"):
        await build_embedder("gemini:x", Providers()).embed(["a"])
