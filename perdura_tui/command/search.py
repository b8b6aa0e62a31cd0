"""`search`: by words and by meaning, with filters."""

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from rich.text import Text

from perdura_core.mind import Mind
from perdura_core.retrieval import Coverage, Found, parse_query
from perdura_core.vocabulary import Interpretation, Node, layer_of
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.documents import node_document
from perdura_tui.command.minds import opened, settings_of, wants_json
from perdura_tui.command.output import Column, line, print_json, print_table, say
from perdura_tui.command.values import positive
from perdura_tui.visible import visible

__all__ = ["VERBS"]

_BLANKS = re.compile(r"\s+")
_REMOTE = ("gemini:", "ollama:")
_FEW_MISSING = 4_000
"""So many texts without a vector are embedded for one search; more only with --index, which keeps the vectors."""


async def _search(given: Namespace) -> int:
    text = " ".join(given.words)
    if not text.strip() and not given.index:
        raise UsageError("nothing to look for: give words or filters, as in `perdura search cache type:claim`")
    parse_query(text)
    needs_key = settings_of(given).search.embedder.startswith(_REMOTE)
    async with opened(given, readonly=not given.index, looks_for_models=needs_key) as mind:
        coverage = await _covered(mind, everything=given.index)
        found = await mind.search(text, given.limit) if text.strip() else []
        coverage = mind.finder.coverage if coverage.fault is None else coverage
        if wants_json(given):
            print_json({"query": text, "coverage": coverage._asdict(), "results": [_document(one) for one in found]})
            return 0
        if text.strip():
            _print(found)
        if coverage.fault is not None:
            line(f"found by words alone: {coverage.fault}", style="dim")
        elif given.index or coverage.embedded < coverage.total:
            rest = "" if given.index else ": `perdura search --index` makes the rest"
            line(f"{coverage.embedded} of {coverage.total} texts have a vector of {coverage.model}{rest}", style="dim")
    return 0


async def _covered(mind: Mind, *, everything: bool) -> Coverage:
    """Wait for the vectors, unless too many would have to be made for one search."""
    await mind.finder.loaded()
    coverage = mind.finder.coverage
    missing = coverage.total - coverage.embedded
    if everything or missing <= _FEW_MISSING:
        if missing > _FEW_MISSING:
            say(f"making vectors of {missing} texts")
        return await mind.finder.caught_up()
    return coverage


def _document(found: Found) -> dict[str, Any]:
    return {**node_document(found.node), "score": round(found.score, 6), "marks": [list(mark) for mark in found.marks]}


def _print(found: list[Found]) -> None:
    rows = ((one.node.id, _kind(one.node), _confidence(one.node), one.node.created_by, _marked(one)) for one in found)
    columns = [Column("id", style="cyan"), Column("type"), Column("confidence", is_number=True)]
    columns += [Column("by", style="dim"), Column("text", is_text=True)]
    print_table(columns, rows, empty="Nothing found: try other words, or fewer filters.")


def _kind(node: Node) -> str:
    kind = node.kind if isinstance(node, Interpretation) else layer_of(node.id)
    if node.superseded_by is not None:
        return f"{kind} -> {node.superseded_by}"
    if isinstance(node, Interpretation) and node.status != "active":
        return f"{kind}, {node.status}"
    return kind


def _confidence(node: Node) -> str | None:
    return f"{node.confidence:.2f}" if isinstance(node, Interpretation) else None


def _marked(found: Found) -> Text:
    """The text on one line, with the words of the query standing out."""
    shown = Text()
    for piece, is_marked in _pieces(found):
        plain = _BLANKS.sub(" ", visible(piece))
        shown.append(plain, style="bold yellow" if is_marked and sys.stdout.isatty() else "")
    return shown


def _pieces(found: Found) -> Iterator[tuple[str, bool]]:
    text, at = found.node.text, 0
    for start, end in found.marks:
        yield text[at:start], False
        yield text[start:end], True
        at = end
    yield text[at:], False


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="WORDS",
        help="words, and filters among them: type:claim domain:x by:model after:2026-10-01 before:2027 "
        '"conf>0.6" status:shadow',
    )
    parser.add_argument("--limit", metavar="N", type=positive, default=20, help="at most so many (default: 20)")
    parser.add_argument("--index", action="store_true", help="make and keep the vectors of all texts first")


VERBS = {"search": Verb(_arguments, _search)}
