"""PDF into passages, by pypdf. A span's line is its page: a PDF has no lines that a reader could find again."""

import io
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from pypdf import PdfReader

from perdura_core.errors import DocumentError
from perdura_core.ingest.formats.passages import Block, Passage, Span

__all__ = ["read_portable"]

# A damaged file is reported once, as an error; its library's own remarks would end on the terminal.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)

_DIGITS = re.compile(r"\d+")
_ENDS = (".", "!", "?", ":", ";", "。", "”", '"', ")")


def read_portable(data: bytes, name: str) -> list[Block]:
    """The passages of a PDF. Raises DocumentError when it is damaged, locked, or holds pictures only."""
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise DocumentError(f"{name!r} is locked with a password: save an unlocked copy")
        pages = [page.extract_text().splitlines() for page in reader.pages]
    except DocumentError:
        raise
    except Exception as error:  # pypdf raises its own errors and plain ones alike on damaged files
        raise DocumentError(f"{name!r} is no PDF that can be read ({type(error).__name__}): save it again") from error
    if not any(line.strip() for page in pages for line in page):
        raise DocumentError(f"{name!r} holds no text, only pictures: run it through text recognition first")
    return list(_passages(_without_running_heads(pages)))


def _without_running_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Pages without the first and last lines that most pages repeat (numbers aside)."""
    edges = Counter(_edge(line) for page in pages for line in {*page[:2], *page[-2:]})
    common = {edge for edge, count in edges.items() if count > 1 and count * 2 > len(pages)}
    return [[line for line in page if _edge(line) not in common] for page in pages]


def _edge(line: str) -> str:
    return _DIGITS.sub("#", line.strip())


def _passages(pages: Sequence[Sequence[str]]) -> Iterator[Passage]:
    lines = [(number, line.strip()) for number, page in enumerate(pages, 1) for line in page]
    width = sorted(len(line) for _, line in lines if line)[int(len([1 for _, line in lines if line]) * 0.8)]
    run: list[Span] = []
    for page, line in lines:
        if not line:
            yield from _close(run)
            run = []
            continue
        if run and _begins_anew(run[-1].text, line, width):
            yield from _close(run)
            run = []
        if run and run[-1].text.endswith("-") and line[:1].islower():
            last = run.pop()
            head, _, rest = line.partition(" ")
            run.append(Span(last.line, last.text[:-1] + head))
            line = rest
        if line:
            run.append(Span(page, line))
    yield from _close(run)


def _begins_anew(previous: str, line: str, width: int) -> bool:
    """A line that stops well short of the margin ends its paragraph when the next begins with a capital."""
    is_short = len(previous) < 0.7 * width
    return is_short and (line[:1].isupper() or line[:1].isdigit() or line[:1] in "•-–")


def _close(run: list[Span]) -> Iterator[Passage]:
    """The run as a passage, unless it reads as a heading: one short line without a stop."""
    if run and (len(run) > 1 or run[0].text.endswith(_ENDS) or len(run[0].text.split()) > 12):
        yield Passage(tuple(run))
