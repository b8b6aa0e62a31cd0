"""`bench`: the program's own measurements, on this machine."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from perdura_core.experiments.brief_bench import bench_brief
from perdura_core.experiments.merge_bench import bench_merge
from perdura_tui.command import Verb
from perdura_tui.command.minds import wants_json
from perdura_tui.command.output import Column, line, print_json, print_table, say
from perdura_tui.command.values import positive

__all__ = ["VERBS"]

_SIZES = (1_000, 10_000, 100_000)
_EDGES_PER_NODE = 4


async def _bench(given: Namespace) -> int:
    sizes = (given.nodes,) if given.nodes else _SIZES
    with TemporaryDirectory(prefix="perdura-bench-", dir=given.folder) as folder:
        results = []
        for size in sizes if given.name == "merge" else (given.nodes or _SIZES[-1],):
            say(f"a mind of {size} nodes is being written and measured")
            path = Path(folder) / f"{size}.mind"
            if given.name == "merge":
                results.append(await bench_merge(path, size, given.rounds or 2_000))
            else:
                results.append(await bench_brief(path, size, size * _EDGES_PER_NODE, given.rounds or 200))
    if wants_json(given):
        print_json({"bench": given.name, "results": results})
        return 0
    columns = [Column(title, is_number=True) for title in results[0]]
    print_table(columns, (list(result.values()) for result in results), empty="")
    if given.name == "merge":
        line("Elements a second, durable: 8 seats with group commit beside sqlite3 writing the same rows,", style="dim")
        line("one transaction an element, both with synchronous=FULL on the same disk.", style="dim")
    return 0


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", choices=("merge", "brief"), help="merging elements, or assembling briefings")
    parser.add_argument(
        "--nodes", metavar="N", type=positive, help="size of the mind (merge: 1k, 10k, 100k; brief: 100k)"
    )
    parser.add_argument("--rounds", metavar="N", type=positive, help="how many to measure (merge: 2000, brief: 200)")
    parser.add_argument("--folder", metavar="DIR", help="on which disk (default: the temporary folder)")


VERBS = {"bench": Verb(_arguments, _bench)}
