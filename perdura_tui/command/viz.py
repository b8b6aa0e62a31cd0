"""`viz`: the mind as one HTML page."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from perdura_core.ingest.mindmap import write_mindmap
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import line, print_json

__all__ = ["VERBS"]


async def _viz(given: Namespace) -> int:
    path = Path(given.file)
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageError(f"{given.file!r} is not named like a page: name it {path.stem or 'map'}.html")
    async with opened(given, readonly=True) as mind:
        report = await write_mindmap(mind, path)
    if wants_json(given):
        print_json({"path": report.path, "nodes": report.nodes, "edges": report.edges})
    else:
        line(f"{report.nodes} nodes and {report.edges} edges drawn in {report.path}: open it in a browser")
    return 0


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE.html", help="where to write the page; it needs no network")


VERBS = {"viz": Verb(_arguments, _viz)}
