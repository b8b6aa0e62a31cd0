"""`bench`: the program's own measurements, on this machine."""

import importlib
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from perdura_core.experiments.boarding_bench import bench_boarding
from perdura_core.experiments.brief_bench import bench_brief
from perdura_core.experiments.merge_bench import bench_merge
from perdura_core.experiments.reckoning_bench import bench_reckoning
from perdura_core.experiments.search_bench import bench_search
from perdura_core.experiments.upkeep_bench import bench_upkeep
from perdura_tui.command import Verb
from perdura_tui.command.minds import wants_json
from perdura_tui.command.output import Column, line, print_json, print_table, say
from perdura_tui.command.values import positive

__all__ = ["VERBS"]

Figures = Mapping[str, float | int | str]

_EDGES_PER_NODE = 4


class _Bench(NamedTuple):
    """One measurement: sizes of the minds it is made on (0: it needs none of a size), rounds, and how to read it."""

    measure: Callable[[Path, int, int], Awaitable[Figures]]
    sizes: tuple[int, ...]
    rounds: int
    reading: tuple[str, ...]


async def _merge(path: Path, nodes: int, rounds: int) -> Figures:
    return await bench_merge(path, nodes, rounds)


async def _brief(path: Path, nodes: int, rounds: int) -> Figures:
    return await bench_brief(path, nodes, nodes * _EDGES_PER_NODE, rounds)


async def _search(path: Path, nodes: int, rounds: int) -> Figures:
    return await bench_search(path, nodes, rounds)


async def _upkeep(path: Path, nodes: int, rounds: int) -> Figures:
    return await bench_upkeep(path, nodes, rounds)


async def _reckoning(path: Path, nodes: int, rounds: int) -> Figures:
    return await bench_reckoning(nodes, rounds)


async def _boarding(path: Path, nodes: int, rounds: int) -> Figures:
    return await bench_boarding(path, rounds)


async def _desk(path: Path, nodes: int, rounds: int) -> Figures:
    # Loaded here and not above: no other measurement needs Textual.
    measure = importlib.import_module("perdura_tui.command.desk_bench").bench_desk
    figures: Figures = await measure(path, nodes, rounds)
    return figures


_BENCHES: Mapping[str, _Bench] = {
    "merge": _Bench(
        _merge,
        (1_000, 10_000, 100_000),
        2_000,
        (
            "Elements a second, durable: 8 seats with group commit beside sqlite3 writing the same rows,",
            "one transaction an element, both with synchronous=FULL on the same disk.",
        ),
    ),
    "brief": _Bench(_brief, (100_000,), 200, ("Milliseconds a briefing takes, warm, one after another.",)),
    "search": _Bench(
        _search,
        (1_000, 10_000, 100_000),
        200,
        (
            "Milliseconds a search takes, warm, one after another; frequent: of words that most texts hold.",
            "cpu: of the process for one. follow: more CPU for a merge. index: seconds to get all vectors.",
        ),
    ),
    "upkeep": _Bench(
        _upkeep,
        (10_000, 100_000),
        2,
        (
            "Seconds of the first daily upkeep and of the next day's after 1 % of new claims, on so many facts, as",
            "many interpretations and four times as many edges; cpu: of the processes that work it out. wait: of a",
            "merge meanwhile, with --rounds seats merging. peak: memory of that process.",
        ),
    ),
    "reckoning": _Bench(
        _reckoning,
        (10_000, 100_000),
        1,
        (
            "CPU seconds of the formulas of upkeep alone, on tables in memory: so many facts, as many interpretations,",
            "four times as many edges; the least of --rounds. peak: memory of this process, tables among it.",
        ),
    ),
    "boarding": _Bench(
        _boarding,
        (0,),
        60,
        ("CPU milliseconds of a boarding and of the bare SDK call with the same reply from a server in this process.",),
    ),
    "desk": _Bench(
        _desk,
        (10_000, 100_000),
        30,
        (
            "All five panes at 120x40 while 8 seats stream and 500 events a second are merged, for so many seconds as",
            "--rounds says. bare: a list of Textual's alone in this process, and an event's memory without the desk.",
        ),
    ),
}


async def _bench(given: Namespace) -> int:
    bench = _BENCHES[given.name]
    results: list[Figures] = []
    with TemporaryDirectory(prefix="perdura-bench-", dir=given.folder) as folder:
        for size in (given.nodes,) if given.nodes and bench.sizes != (0,) else bench.sizes:
            say(f"measuring {given.name}" + (f" on a mind of {size} nodes" if size else ""))
            results.append(await bench.measure(Path(folder) / f"{size}.mind", size, given.rounds or bench.rounds))
    if wants_json(given):
        print_json({"bench": given.name, "results": results})
        return 0
    columns = [Column(title, is_number=True) for title in results[0]]
    print_table(columns, (list(result.values()) for result in results), empty="")
    for sentence in bench.reading:
        line(sentence, style="dim")
    return 0


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", choices=tuple(_BENCHES), help="what to measure")
    parser.add_argument("--nodes", metavar="N", type=positive, help="size of the mind, where the bench uses one")
    parser.add_argument("--rounds", metavar="N", type=positive, help="how many to measure")
    parser.add_argument("--folder", metavar="DIR", help="on which disk (default: the temporary folder)")


VERBS = {"bench": Verb(_arguments, _bench)}
