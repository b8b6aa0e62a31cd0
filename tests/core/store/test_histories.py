"""Any history reads back as the fold of its events, and the loaded graph is the graph that lived through it."""

import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.graph import Graph
from perdura_core.store import Store, open_sqlite
from perdura_core.vocabulary import Draft, Event, NodeRedacted, layer_of
from tests.core.store.folding import Folded, fold
from tests.core.store.histories import histories, stamped


async def write(store: Store, events: list[Event], sizes: list[int]) -> None:
    """Write the events in transactions of these sizes, over and over."""
    start, turn = 0, 0
    while start < len(events):
        size = sizes[turn % len(sizes)]
        await store.begin(start)
        await store.commit(events[start : start + size])
        start, turn = start + size, turn + 1


def portrait(graph: Graph, boardings: list[str]) -> dict[str, Any]:
    """Everything that a graph answers."""
    nodes = list(graph.vertices())
    questions = [node.id for node in nodes if node.layer == "question"]
    return {
        "head": graph.head,
        "nodes": nodes,
        "links": {node.id: list(graph.links(node.id)) for node in nodes},
        "cited": {node.id: list(graph.cited_by(node.id)) for node in nodes},
        "same": {node.id: graph.same_text(node.layer, node.digest) for node in nodes},
        "near": {node.id: graph.neighbourhood([node.id], 2) for node in nodes},
        "open": graph.open_questions(),
        "contention": (graph.contention_all(), dict(graph.contention_of_domains()), graph.disputes()),
        "questions": {
            q: (
                graph.contention(q), graph.disputes(q), graph.claims_in(q), graph.boardings_of(q),
                graph.idle_boardings(q), graph.last_models(q),
            )
            for q in questions
        },
        "aboard": (dict(graph.open_boardings()), graph.total_boardings()),
        "elements": {b: [graph.was_applied(b, f) for f in "abcdefg"] for b in boardings},
        "refs": {b: dict(graph.refs(b)) for b in boardings},
    }  # fmt: skip


async def check(store: Store, events: list[Event]) -> None:
    """The store's answers against the fold of the journal it holds."""
    kept = await store.events()
    assert [event.seq for event in kept] == list(range(1, len(events) + 1))
    redactions = {event.what.node for event in events if isinstance(event.what, NodeRedacted)}
    if not redactions:
        assert kept == events
    expected: Folded = fold(kept)
    assert await store.nodes([*expected.nodes, "q99", "x", "", "q", "f-1", "i01"]) == expected.nodes
    assert {
        node.id: node for node in [*await store.questions(), *await store.facts(), *await store.interpretations()]
    } == (expected.nodes)
    assert {edge.id: edge for edge in await store.edges()} == expected.edges
    records = await store.boardings()
    assert {record.boarding.id: record for record in records} == expected.boardings
    assert [record.boarding.id for record in records] == list(reversed(expected.boardings))
    assert [(row.boarding, row.cost_micro_usd) for row in await store.spend()] == expected.spend
    assert {expected.nodes[node].text for node in redactions} <= {"[redacted]"}

    folded, loaded = Graph(), await store.load_graph()
    folded.apply(kept)
    boardings = list(expected.boardings)
    assert portrait(loaded, boardings) == portrait(folded, boardings)
    counters = await store.counters()
    for node in expected.nodes:
        assert counters[node[0]] >= int(node[1:])


@settings(max_examples=60)
@given(histories(60), st.lists(st.integers(1, 7), min_size=1, max_size=4))
async def test_state_is_the_fold_of_the_journal(drafts: list[Draft], sizes: list[int]) -> None:
    events = stamped(drafts)
    with tempfile.TemporaryDirectory() as folder:
        async with open_sqlite(Path(folder) / "a.mind") as store:
            await write(store, events, sizes)
            await check(store, events)
        async with open_sqlite(Path(folder) / "a.mind", readonly=True) as again:
            await check(again, events)


@settings(max_examples=30)
@given(histories(max_size=25), st.data())
async def test_events_are_chosen_as_asked(drafts: list[Draft], data: st.DataObject) -> None:
    events = stamped(drafts)
    after, until = data.draw(st.integers(0, 25)), data.draw(st.none() | st.integers(0, 25))
    limit, newest = data.draw(st.none() | st.integers(0, 5)), data.draw(st.booleans())
    kinds = data.draw(st.none() | st.sets(st.sampled_from([event.kind for event in events])))
    with tempfile.TemporaryDirectory() as folder:
        async with open_sqlite(Path(folder) / "a.mind") as store:
            await write(store, events, [len(events)])
            kept = await store.events()
            got = await store.events(after, until=until, limit=limit, kinds=kinds, newest=newest)
            fitting = [
                event
                for event in kept
                if after < event.seq
                and (until is None or event.seq <= until)
                and (kinds is None or event.kind in kinds)
            ]
            if limit is not None:
                fitting = fitting[max(0, len(fitting) - limit) :] if newest else fitting[:limit]
            assert got == fitting
            for node in {event.what.node for event in events if hasattr(event.what, "node") and event.what.node}:
                named = await store.events(node=node)
                assert {event.seq for event in kept if getattr(event.what, "node", None) == node} <= {
                    e.seq for e in named
                }
                assert all(f'"{node}"' in event.model_dump_json() or event.kind == "edge_retracted" for event in named)
                assert layer_of(node) in {"question", "fact", "interpretation"}
            for boarding in {event.boarding for event in events if event.boarding}:
                told = await store.events(boarding=boarding)
                assert {e.seq for e in kept if e.boarding == boarding} <= {e.seq for e in told}
    assert isinstance(events[0].at, datetime)
