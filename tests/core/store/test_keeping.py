"""What is kept beside the journal is written with it or not at all; a lease has one living holder."""

from datetime import UTC, datetime

import numpy as np
import pytest

from perdura_core.clock import Clock, Ids
from perdura_core.errors import StoreError
from perdura_core.graph import Graph
from perdura_core.store import HistoryBlock, Journal, Kept, PackedLayer, StepRow, Store
from perdura_core.store.keeping import pack, unpack
from perdura_core.vocabulary import ConfidencesRevised, Draft, StatusChanged
from tests.core.store.conftest import OpenStore
from tests.core.store.making import NOW, claim, edge, fact, put, start

AT = datetime(2030, 5, 2, tzinfo=UTC)


def step(run: int = 1, position: int = 0, *, is_last: bool = False) -> StepRow:
    return StepRow(run, position, "confidence", AT, AT, True, 0.5, 3, {"moved": 3}, is_last)


def layer(value: float) -> PackedLayer:
    return PackedLayer("M3", "interpretations", 1, AT, b"in", pack({"degree": np.array([value])}))


def test_arrays_come_back_as_they_were() -> None:
    columns = {"a": np.arange(3), "b": np.array(["x", "y"]), "c": np.array([np.nan, 1.0], np.float32)}
    back = unpack(pack(columns))
    assert list(back) == list(columns)
    for name, column in columns.items():
        assert back[name].dtype == column.dtype
        np.testing.assert_array_equal(back[name], column)


async def test_a_plan_and_what_is_kept_are_one_transaction(store: Store) -> None:
    await put(store, *start(), claim())
    async with Journal.open(store, Clock()) as journal:
        head = await store.head()

        def refused(graph: Graph, ids: Ids) -> list[Draft]:
            return [Draft(what=edge("i1", "q99"), by="conductor")]

        with pytest.raises(StoreError):
            await journal.write(refused, Kept(step=step(), layers=[layer(1)]))
        assert (await store.head(), await store.runs(9)) == (head, [])
        assert await store.layers("interpretations", ["M3"]) == {}

        kept = Kept(step=step(), layers=[layer(2)], history=[HistoryBlock(0, 3, AT, b"rows")])
        assert await journal.write(lambda graph, ids: (), kept) == ()
        assert await store.head() == head
        [run] = await store.runs(9)
        assert (run.run, run.as_of, run.is_finished, run.steps[0].counts) == (1, AT, False, {"moved": 3})
        found = (await store.layers("interpretations", ["M3", "M4"]))["M3"]
        assert (found.as_of, found.inputs, found.columns["degree"].tolist()) == (AT, b"in", [2.0])
        assert [block.day for block in await store.history(0)] == [3]

        await journal.write(lambda graph, ids: (), Kept(step=step(1, 1, is_last=True), forgotten_days=[3]))
        assert (await store.runs(1))[0].is_finished
        assert await store.history(0) == []


async def test_old_runs_go(store: Store) -> None:
    async with Journal.open(store, Clock()) as journal:
        for run in (1, 2, 3):
            await journal.write(lambda graph, ids: (), Kept(step=step(run, is_last=True), runs_until=run - 2))
    assert [run.run for run in await store.runs(9)] == [3, 2]


async def test_confidences_that_move_together_reach_rows_and_graph(store: Store) -> None:
    await put(store, *start(), claim(), claim("Other.", "i2"))
    moved = ConfidencesRevised(as_of=NOW, after={"i1": 0.25, "i2": 0.75}, reason="age, use and facts")
    await put(store, moved)
    graph = await store.load_graph()
    for node in await store.interpretations():
        vertex = graph.get(node.id)
        assert vertex is not None
        assert node.confidence == vertex.confidence == moved.after[node.id]
    assert await store.events(node="i1", kinds=["confidences_revised"]) == []


async def test_statuses_are_counted_with_their_changes(store: Store) -> None:
    await put(store, *start(), fact(), claim(), claim("Other.", "i2"))
    for before, after in (("active", "shadow"), ("shadow", "active"), ("active", "shadow"), ("shadow", "deleted")):
        await put(store, StatusChanged(node="i1", before=before, after=after, reason="test"))  # type: ignore[arg-type]
    flow = await store.status_flow(datetime(2020, 1, 1, tzinfo=UTC))
    assert flow == (1, 0, 1, 2, 1, 1)
    assert (await store.status_flow(datetime(2099, 1, 1, tzinfo=UTC)))[3:] == (0, 0, 0)


async def test_a_lease_has_one_living_holder(open_store: OpenStore) -> None:
    async with open_store() as one, open_store() as two:
        assert await one.claim("upkeep")
        assert not await two.claim("upkeep")
        assert not await one.claim("upkeep")
        await one.release("upkeep")
        assert await two.claim("upkeep")
        assert "upkeep" in await one.attended()
