"""A made-up mind has the size that was asked for, and the same arguments make the same one."""

from datetime import UTC, datetime
from pathlib import Path

from perdura_core.clock import Clock
from perdura_core.experiments.brief_bench import bench_brief
from perdura_core.experiments.synthetic import fill_synthetic
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import Edge, Node


async def made(path: Path, seed: int) -> tuple[list[Node], list[Edge]]:
    clock = Clock(now=lambda: datetime(2026, 3, 1, tzinfo=UTC))
    async with open_sqlite(path) as store, Journal.open(store, clock) as journal:
        questions = await fill_synthetic(journal, 900, 2_000, seed)
        assert [question.id for question in await store.questions()] == questions
        assert journal.graph.contention_all() > 0
        nodes = [*await store.questions(), *await store.facts(), *await store.interpretations()]
        return nodes, await store.edges()


async def test_size_and_sameness(tmp_path: Path) -> None:
    nodes, edges = await made(tmp_path / "one.mind", seed=1)
    assert (len(nodes), len(edges)) == (900, 2_000)
    assert len({(edge.type, edge.src, edge.dst) for edge in edges}) == 2_000
    assert all(node.text[0].isupper() and node.text[-1] in ".?" for node in nodes)
    assert await made(tmp_path / "two.mind", seed=1) == (nodes, edges)
    assert await made(tmp_path / "three.mind", seed=2) != (nodes, edges)


async def test_briefings_of_it_are_timed_and_a_mind_that_stands_is_used_again(tmp_path: Path) -> None:
    figures = await bench_brief(tmp_path / "one.mind", 900, 2_000, 5)
    assert (figures["nodes"], figures["edges"], figures["rounds"]) == (900, 2_000, 5)
    assert 0 < figures["p50_ms"] <= figures["p95_ms"] <= figures["max_ms"]
    assert 0 < figures["tokens_mean"] <= 6_000
    again = await bench_brief(tmp_path / "one.mind", 5_000, 9_000, 5)
    assert again["nodes"] == 900
