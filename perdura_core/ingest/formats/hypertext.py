"""HTML into passages, by selectolax. Lines are found again by looking the words up in the source."""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from perdura_core.epistemics.wording.words import listed
from perdura_core.ingest.formats.passages import Block, Listing, Passage, Row, Span, Table

__all__ = ["read_hypertext"]

_DROPPED = (
    "script, style, noscript, template, head, nav, footer, form, button, svg, pre, code.block, iframe, figure, "
    "sup.reference"
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "dt", "caption", "legend", "summary"))
_INLINE = listed(
    """
    a abbr b bdi bdo cite code data dfn em i kbd label mark q s samp small span strong sub sup time u var font ins del
    wbr tt img input -text
    """
)


class _Lines:
    """Finds the line of a text in the source, going forward only."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._line = 1

    def of(self, text: str) -> int:
        words = re.findall(r"\w+", text)[:4]
        for count in range(len(words), 0, -1):
            pattern = r"\W+(?:<[^>]*>\W*)*".join(map(re.escape, words[:count]))
            match = re.compile(pattern).search(self._source, self._at)
            if match is not None:
                self._line += self._source.count("\n", self._at, match.start())
                self._at = match.start()
                break
        return self._line


def read_hypertext(text: str) -> list[Block]:
    """The passages, lists and tables of a page in order, without navigation, scripts and code."""
    tree = LexborHTMLParser(text)
    for node in tree.css(_DROPPED):
        node.decompose()
    root = tree.css_first("main, article") or tree.body
    if root is None:
        return []
    return list(_walk(root, _Lines(text), []))


def _walk(node: LexborNode, lines: _Lines, before: list[Block]) -> Iterator[Block]:
    """Block children in order; runs of inline content between them are paragraphs."""
    run = ""
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag in _INLINE:
            run += _inline(child)
            continue
        if tag == "br":
            run += " "
            continue
        for passage in _flush(run, lines):
            before[:] = [passage]
            yield passage
        run = ""
        if tag in _HEADINGS:
            before.clear()
            lines.of(child.text())
            continue
        for block in _block(child, tag, lines, before):
            before[:] = [block]
            yield block
    yield from _flush(run, lines)


def _block(node: LexborNode, tag: str, lines: _Lines, before: list[Block]) -> Iterator[Block]:
    if tag in ("ul", "ol"):
        lead = before[-1] if before and isinstance(before[-1], Passage) else None
        yield from _listing(node, lines, lead)
    elif tag == "table":
        table = _table(node, lines)
        if table is not None:
            yield table
    else:
        yield from _walk(node, lines, [])


def _listing(node: LexborNode, lines: _Lines, lead: Passage | None) -> Iterator[Block]:
    items: list[Passage] = []
    nested: list[Block] = []
    for item in node.iter():
        for place, block in enumerate(_walk(item, lines, [])):
            if place == 0 and isinstance(block, Passage):
                items.append(block)
            else:
                nested.append(block)
    yield Listing(lead, tuple(items))
    yield from nested


def _flush(run: str, lines: _Lines) -> Iterator[Passage]:
    pieces = [" ".join(piece.split()) for piece in run.split("\n")]
    spans = tuple(Span(lines.of(piece), piece) for piece in pieces if piece)
    if spans:
        yield Passage(spans)


def _inline(node: LexborNode) -> str:
    return node.text(deep=True, separator="")


def _table(node: LexborNode, lines: _Lines) -> Table | None:
    rows: list[tuple[bool, Row]] = []
    for row in node.css("tr"):
        cells = tuple(" ".join(cell.text().split()) for cell in row.iter() if cell.tag in ("td", "th"))
        is_header = all(cell.tag == "th" for cell in row.iter())
        if cells:
            rows.append((is_header, Row(lines.of(" ".join(cells)), cells)))
    if len(rows) < 2 or not rows[0][0]:
        return None
    return Table(rows[0][1].cells, tuple(row for is_header, row in rows[1:] if not is_header))
