"""Markdown into passages, by markdown-it-py (CommonMark with tables)."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from perdura_core.ingest.formats.passages import Block, Listing, Passage, Row, Span, Table
from perdura_core.ingest.formats.preamble import blank_preamble

__all__ = ["read_markdown"]

_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
_FOOTNOTE_MARK = re.compile(r"\s?\[\^[^\]\s]+\]")
_FOOTNOTE_BODY = re.compile(r"^\[\^[^\]\s]+\]:")
_DEFINITION = re.compile(r"^\[[^\]]+\]:\s*\S+$")


def read_markdown(text: str) -> list[Block]:
    """The passages, lists and tables of a document in order."""
    lines = blank_preamble(text.split("\n"))
    return _blocks(_PARSER.parse("\n".join(lines)))


def _blocks(tokens: Sequence[Token]) -> list[Block]:
    blocks: list[Block] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type in ("bullet_list_open", "ordered_list_open", "table_open", "heading_open"):
            end = _closing(tokens, at)
            inner = tokens[at + 1 : end]
            if token.type == "table_open":
                table = _table(inner)
                if table is not None:
                    blocks.append(table)
            elif token.type != "heading_open":
                blocks.extend(_listing(inner, blocks))
            at = end + 1
        elif token.type == "inline":
            passage = _passage(token)
            if passage is not None:
                blocks.append(passage)
            at += 1
        else:
            at += 1
    return blocks


def _closing(tokens: Sequence[Token], opening: int) -> int:
    level = tokens[opening].level
    kind = tokens[opening].type.replace("_open", "_close")
    return next(at for at in range(opening + 1, len(tokens)) if tokens[at].type == kind and tokens[at].level == level)


def _listing(tokens: Sequence[Token], before: Sequence[Block]) -> Iterator[Block]:
    """The list, then what its items hold beyond their first paragraph (nested lists, further paragraphs)."""
    lead = before[-1] if before and isinstance(before[-1], Passage) else None
    items: list[Passage] = []
    nested: list[Block] = []
    at = 0
    while at < len(tokens):
        if tokens[at].type != "list_item_open":
            at += 1
            continue
        end = _closing(tokens, at)
        parts = _blocks(tokens[at + 1 : end])
        if parts and isinstance(parts[0], Passage):
            items.append(parts[0])
            parts = parts[1:]
        nested.extend(parts)
        at = end + 1
    yield Listing(lead, tuple(items))
    yield from nested


def _passage(token: Token) -> Passage | None:
    if _FOOTNOTE_BODY.match(token.content) or _DEFINITION.match(token.content):
        return None
    first = (token.map or [0, 0])[0] + 1
    spans = tuple(Span(first + offset, piece) for offset, piece in enumerate(_inline_lines(token)) if piece.strip())
    return Passage(spans) if spans else None


def _inline_lines(token: Token) -> list[str]:
    """The readable text of inline content, one entry per source line."""
    lines = [""]
    for child in token.children or ():
        match child.type:
            case "text" | "code_inline":
                lines[-1] += child.content
            case "softbreak" | "hardbreak":
                lines.append("")
            case "image":
                pass
            case _:
                pass
    return [_FOOTNOTE_MARK.sub("", line) for line in lines]


def _table(tokens: Sequence[Token]) -> Table | None:
    rows: list[Row] = []
    cells: list[str] = []
    line = 0
    for token in tokens:
        if token.type == "tr_open":
            cells, line = [], (token.map or [0, 0])[0] + 1
        elif token.type == "inline":
            cells.append(" ".join(" ".join(_inline_lines(token)).split()))
        elif token.type == "tr_close":
            rows.append(Row(line, tuple(cells)))
    return Table(rows[0].cells, tuple(rows[1:])) if len(rows) > 1 else None
