"""Vectors are kept beside the journal: replaced, never mixed, and gone with their text."""

from pathlib import Path

import numpy as np
import pytest

from perdura_core.errors import StoreReadOnlyError
from perdura_core.graph import digest_of
from perdura_core.store import Store, StoredVectors, open_sqlite
from perdura_core.vocabulary import NodeRedacted, NodeSuperseded
from tests.core.store.making import claim, fact, put, start


def made(texts: dict[str, str], dimension: int = 4) -> StoredVectors:
    rows = np.arange(len(texts) * dimension, dtype=np.float16).reshape(len(texts), dimension)
    return StoredVectors(tuple(texts), tuple(map(digest_of, texts.values())), rows)


async def test_vectors_come_back_as_they_went_in(store: Store) -> None:
    await put(store, *start(), fact("Otters swim."), claim("Otters rest."))
    await store.keep_vectors("a", made({"f1": "Otters swim.", "i1": "Otters rest.", "q1": "Is it safe?"}))
    found = await store.vectors("a")
    assert dict(zip(found.nodes, found.matrix.tolist(), strict=True)) == {
        "f1": [0, 1, 2, 3],
        "i1": [4, 5, 6, 7],
        "q1": [8, 9, 10, 11],
    }
    assert set(found.digests) == {digest_of(text) for text in ("Otters swim.", "Otters rest.", "Is it safe?")}
    assert (await store.vectors("b")).nodes == ()


async def test_another_model_takes_the_place_of_the_first_and_a_new_dimension_starts_anew(store: Store) -> None:
    await put(store, *start(), fact("Otters swim."), claim("Otters rest."))
    both = {"f1": "Otters swim.", "i1": "Otters rest."}
    await store.keep_vectors("a", made(both))
    await store.keep_vectors("b", made({"f1": "Otters swim."}, 8))
    assert (await store.vectors("a")).nodes == ("i1",)
    assert (await store.vectors("b")).matrix.shape == (1, 8)
    await store.keep_vectors("a", made({"f1": "Otters swim."}, 6))
    assert (await store.vectors("a")).matrix.shape == (1, 6)
    assert (await store.vectors("b")).nodes == ()


async def test_no_vector_is_kept_of_a_text_that_is_not_there(store: Store) -> None:
    await put(store, *start(), fact("Otters swim."), fact("They say: Otters swim.", "f2"))
    texts = {"f1": "Otters swim.", "f2": "They say: Otters swim."}
    await store.keep_vectors("a", made(texts))
    await put(store, NodeRedacted(node="f1"))
    assert (await store.vectors("a")).nodes == ()
    await store.keep_vectors("a", made({**texts, "f9": "Nobody."}))
    assert (await store.vectors("a")).nodes == ()


async def test_texts_by_id_and_search_among_what_gave_way(store: Store) -> None:
    await put(store, *start(), fact("Otters swim."), fact("Otters dive.", "f2"))
    await put(store, NodeSuperseded(node="f1", superseded_by="f2"))
    assert await store.texts(["f1", "q1", "f9"]) == {"f1": "Otters swim.", "q1": "Is it safe?"}
    assert [hit.node for hit in await store.search_text("otters", ["fact"], 9)] == ["f2"]
    assert {hit.node for hit in await store.search_text("otters", ["fact"], 9, with_gone=True)} == {"f1", "f2"}


async def test_a_store_opened_to_read_keeps_nothing(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store:
        await put(store, *start())
    async with open_sqlite(tmp_path / "a.mind", readonly=True) as store:
        with pytest.raises(StoreReadOnlyError):
            await store.keep_vectors("a", made({"q1": "Is it safe?"}))
