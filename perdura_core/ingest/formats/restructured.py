"""reStructuredText into passages, by docutils. Nothing is included, executed or passed through raw."""

import io
import re
from collections.abc import Iterator, Sequence

from docutils import nodes
from docutils.core import publish_doctree

from perdura_core.errors import DocumentError
from perdura_core.ingest.formats.passages import Block, Listing, Passage, Row, Span, Table
from perdura_core.ingest.formats.preamble import blank_preamble

__all__ = ["read_restructured"]

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "doctitle_xform": False,
    "sectsubtitle_xform": False,
    "docinfo_xform": False,
    "smart_quotes": False,
    "line_length_limit": 100_000,
    "pep_references": False,
    "rfc_references": False,
}
_SKIPPED = (
    nodes.title,
    nodes.subtitle,
    nodes.literal_block,
    nodes.doctest_block,
    nodes.math_block,
    nodes.comment,
    nodes.system_message,
    nodes.substitution_definition,
    nodes.target,
    nodes.footnote,
    nodes.citation,
    nodes.image,
    nodes.raw,
    nodes.docinfo,
    nodes.field_list,
    nodes.option_list,
    nodes.header,
    nodes.footer,
    nodes.sidebar,
    nodes.topic,
    nodes.line_block,
)
_SILENT = (nodes.footnote_reference, nodes.citation_reference, nodes.image, nodes.target, nodes.system_message)
_ROLE = re.compile(r"(?<![\w`]):([A-Za-z][\w:+.-]*):`([^`]+)`")
_ROLE_TARGET = re.compile(r"\s*<[^<>]*>$")
_PEP_TARGET = re.compile(r"[#~!].*$")


def read_restructured(text: str) -> list[Block]:
    """The passages, lists and tables of a document in order. Raises DocumentError when docutils gives up."""
    lines = blank_preamble(text.split("\n"))
    source = _ROLE.sub(_readable_role, "\n".join(lines))
    try:
        tree = publish_doctree(source, settings_overrides={**_SETTINGS, "warning_stream": io.StringIO()})
    except Exception as error:  # docutils raises its own and plain ones alike on odd input
        raise DocumentError(
            f"the text is no reStructuredText that docutils can read ({error}): save it as .txt"
        ) from error
    return list(_blocks(tree.children, []))


def _readable_role(match: re.Match[str]) -> str:
    """A role as words: what it shows, not what it is. Roles that docutils knows keep their own markup."""
    role, body = match.group(1), match.group(2)
    name = role.lower()
    if name in ("pep", "pep-reference", "rfc", "rfc-reference"):
        kind = "PEP" if name.startswith("pep") else "RFC"
        shown = _ROLE_TARGET.sub("", body)
        number = _PEP_TARGET.sub("", shown)
        return f"{kind} {number}" if number.isdigit() else shown
    if name in ("math", "raw", "abbreviation", "ab", "acronym", "ac", "sub", "sup", "subscript", "superscript"):
        return match.group()
    shown = _ROLE_TARGET.sub("", body).lstrip("!")
    if shown.startswith("~"):
        shown = shown.rpartition(".")[2] or shown[1:]
    return f"``{shown}``"


def _blocks(children: Sequence[nodes.Node], before: list[Block]) -> Iterator[Block]:
    """Walk block elements. `before` holds what was yielded last, so that a list finds its lead."""
    for child in children:
        for block in _block(child, before):
            before[:] = [block]
            yield block


def _block(node: nodes.Node, before: list[Block]) -> Iterator[Block]:
    if isinstance(node, nodes.paragraph):
        passage = _passage(node)
        if passage is not None:
            yield passage
    elif isinstance(node, (nodes.bullet_list, nodes.enumerated_list)):
        yield from _listing(node, before)
    elif isinstance(node, nodes.table):
        table = _table(node)
        if table is not None:
            yield table
    elif isinstance(node, nodes.Element) and not isinstance(node, _SKIPPED):
        # Terms of a definition list and rubrics are headings by another name.
        inner = [c for c in node.children if not isinstance(c, (nodes.term, nodes.rubric, nodes.attribution))]
        yield from _blocks(inner, [])


def _listing(node: nodes.Element, before: list[Block]) -> Iterator[Block]:
    lead = before[-1] if before and isinstance(before[-1], Passage) else None
    items: list[Passage] = []
    nested: list[nodes.Node] = []
    for item in node.children:
        if not isinstance(item, nodes.list_item):
            continue
        rest = list(item.children)
        if rest and isinstance(rest[0], nodes.paragraph):
            passage = _passage(rest.pop(0))
            if passage is not None:
                items.append(passage)
        nested.extend(rest)
    yield Listing(lead, tuple(items))
    yield from _blocks(nested, [])


def _passage(node: nodes.Node) -> Passage | None:
    pieces = _inline(node).split("\n")
    first = _line_of(node)
    spans = tuple(Span(first + offset, piece) for offset, piece in enumerate(pieces) if piece.strip())
    return Passage(spans) if spans else None


def _inline(node: nodes.Node) -> str:
    if isinstance(node, nodes.Text):
        return str(node)
    if isinstance(node, _SILENT):
        return ""
    return "".join(_inline(child) for child in node.children)


def _line_of(node: nodes.Node | None) -> int:
    while node is not None:
        if node.line is not None:
            return int(node.line)
        node = node.parent
    return 1


def _line_before(row: nodes.Node) -> int:
    """The line of the last paragraph before the table that the row is in."""
    table = row
    while table.parent is not None and not isinstance(table, nodes.table):
        table = table.parent
    before = table.parent.children[: table.parent.index(table)] if table.parent is not None else []
    return max((int(p.line) for b in before for p in b.findall(nodes.paragraph) if p.line is not None), default=1)


def _table(node: nodes.table) -> Table | None:
    head = [row for part in node.findall(nodes.thead) for row in part.children]
    body = [row for part in node.findall(nodes.tbody) for row in part.children]
    if not head or not body:
        return None
    rows = tuple(Row(_first_line(row), _cells(row)) for row in body)
    return Table(_cells(head[-1]), rows)


def _cells(row: nodes.Node) -> tuple[str, ...]:
    return tuple(" ".join(_inline_of_cell(entry).split()) for entry in row.children if isinstance(entry, nodes.entry))


def _inline_of_cell(entry: nodes.Node) -> str:
    return " ".join(_inline(child) for child in entry.children)


def _first_line(row: nodes.Node) -> int:
    lines = [int(p.line) for p in row.findall(nodes.paragraph) if p.line is not None]
    before = _line_before(row)
    # Rows of a csv-table count from the start of their own text.
    return max(before, min(lines, default=before))
