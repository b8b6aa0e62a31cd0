"""One reader per document format: bytes in, passages out."""

from importlib import import_module
from pathlib import PurePath

from perdura_core.errors import DocumentError
from perdura_core.ingest.formats.encodings import decode
from perdura_core.ingest.formats.hypertext import read_hypertext
from perdura_core.ingest.formats.markdown import read_markdown
from perdura_core.ingest.formats.passages import Block
from perdura_core.ingest.formats.plain import looks_like_markdown, looks_like_restructured, read_plain
from perdura_core.ingest.formats.restructured import read_restructured

__all__ = ["SUFFIXES", "read_passages"]

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkd")
_RESTRUCTURED = (".rst", ".rest")
_HYPERTEXT = (".html", ".htm", ".xhtml")
_PLAIN = (".txt", ".text", ".log")
SUFFIXES: frozenset[str] = frozenset((*_MARKDOWN, *_RESTRUCTURED, *_HYPERTEXT, *_PLAIN, ".pdf"))
"""What a walk through a directory reads. A file that is named outright is read whatever its suffix."""


def read_passages(data: bytes, name: str) -> list[Block]:
    """The passages of a file. `name` chooses the format by its suffix. Raises DocumentError."""
    suffix = PurePath(name).suffix.lower()
    if suffix == ".pdf" or data.startswith(b"%PDF-"):
        # Loaded by name: the library behind it takes a third of a second, and most documents are no PDF.
        portable: list[Block] = import_module("perdura_core.ingest.formats.portable").read_portable(data, name)
        return portable
    text = decode(data, name).replace("\r\n", "\n").replace("\r", "\n")
    if suffix in _HYPERTEXT or text.lstrip()[:15].lower().startswith(("<!doctype html", "<html")):
        return read_hypertext(text)
    try:
        if suffix in _RESTRUCTURED or (suffix not in _MARKDOWN and looks_like_restructured(text)):
            return read_restructured(text)
    except DocumentError as error:
        raise DocumentError(f"{name!r}: {error}") from error
    if suffix in _MARKDOWN or (suffix != ".log" and looks_like_markdown(text)):
        return read_markdown(text)
    return read_plain(text)
