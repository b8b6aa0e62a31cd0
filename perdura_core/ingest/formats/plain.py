"""Plain text into passages: paragraphs, bullets, log lines, chat lines, mail quotes. No markup is assumed."""

import re
from collections.abc import Iterator, Sequence

from perdura_core.ingest.formats.passages import Block, Listing, Passage, Span
from perdura_core.ingest.formats.preamble import blank_preamble

__all__ = ["looks_like_markdown", "looks_like_restructured", "read_plain"]

_TIME = r"(?:\d{4}-\d\d-\d\d[T ])?\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?UTC)?(?: ?[AaPp][Mm])?"
_LOG = re.compile(
    rf"^\[?\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d\S*\]?\s+\S|^\[?{_TIME}\]?\s+\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING"
    rf"|ERROR|FATAL|CRITICAL)\b",
)
_CHAT = re.compile(
    rf"^(?:[\[(]?(?P<at>{_TIME})[\])]?\s+)?<?(?P<who>[@A-Za-z][\w.-]{{1,24}}(?: [A-Z][\w.-]{{1,20}})?)>?(?:\s+[\[(]?"
    rf"(?P<at2>{_TIME})[\])]?)?:\s+(?P<said>\S.*)$",
)
_BULLET = re.compile(r"^(\s*)(?:[-*•‣◦–+]|\(?\d{1,3}[.)]|[a-z][.)])\s+(?=\S)")
_UNDERLINE = re.compile(r"^([=\-~^\"'#*+`.:_])\1{2,}\s*$")
_HASHED = re.compile(r"^#{1,6}\s*\w")
_QUOTED = re.compile(r"^(?:>\s?)+")
_CODE = re.compile(
    r"[{};]\s*$|^\s*(?:def|class|import|from|return|#include|\$ |>>> |sudo |if \(|for \()|^\s*[\w.]+\s*=\s*\S|</?\w+>"
    r"|\w+\(.*\)\s*$",
)
_DIRECTIVE = re.compile(r"^\.\. [\w-]+::|^\.\. _[^:]+:|:[a-z]+:`[^`]+`|(?<!`)``[^`\n]+``(?!`)", re.MULTILINE)
_SECTION = re.compile(r"^\S[^\n]*\n(=|-|~|\*|\^|\"){4,}\s*$", re.MULTILINE)
_MARKDOWN = re.compile(r"^#{1,6} \S|^```|^\|?\s*:?-{3,}:?\s*\||\]\(https?://", re.MULTILINE)


def looks_like_restructured(text: str) -> bool:
    """Whether a .txt file is written in reStructuredText: its sections, and its directives or roles or literals."""
    return len(_DIRECTIVE.findall(text)) >= 3 and _SECTION.search(text) is not None


def looks_like_markdown(text: str) -> bool:
    """Whether a .txt file is written in Markdown."""
    return len(_MARKDOWN.findall(text)) >= 2


def read_plain(text: str) -> list[Block]:
    """The passages and lists of a document in order."""
    lines = ["" if _HASHED.match(line) else _QUOTED.sub("", line) for line in blank_preamble(text.split("\n"))]
    blocks: list[Block] = []
    for first, paragraph in _paragraphs(lines):
        blocks.extend(_read_paragraph(first, paragraph, blocks))
    return blocks


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines between blank ones, with the number of the first line. Underlined headings are dropped."""
    run: list[str] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip() and not (_UNDERLINE.match(line.strip()) and len(line.strip()) > 2):
            run.append(line)
            continue
        if line.strip() and run:
            run.pop()  # an underlined heading
        if run:
            yield number - len(run) - (1 if line.strip() else 0), run
        run = []


def _read_paragraph(first: int, lines: list[str], before: Sequence[Block]) -> Iterator[Block]:
    numbered = [Span(first + offset, line) for offset, line in enumerate(lines)]
    if all(_LOG.match(line.strip()) or line[:1] in " \t" for line in lines) and _LOG.match(lines[0].strip()):
        yield from (Passage((span,), is_entry=True) for span in numbered if _LOG.match(span.text.strip()))
        return
    if _is_code(lines):
        return
    chat = sum(_CHAT.match(line.strip()) is not None for line in lines)
    if chat and chat * 2 >= len(lines) and _is_chat(lines):
        yield from _chat(numbered)
        return
    if any(_BULLET.match(line) for line in lines):
        yield from _bullets(numbered, before)
        return
    yield from _prose(numbered)


def _is_code(lines: Sequence[str]) -> bool:
    indented = all(line.startswith(("    ", "\t")) for line in lines)
    coded = sum(_CODE.search(line) is not None for line in lines)
    return coded > len(lines) * (0.3 if indented else 0.6)


def _is_chat(lines: Sequence[str]) -> bool:
    """A time before or after the name tells a chat from labelled notes (`Duration: 40 min`)."""
    return any((m := _CHAT.match(line.strip())) and (m["at"] or m["at2"] or line.lstrip()[0] in "<@") for line in lines)


def _chat(spans: Sequence[Span]) -> Iterator[Passage]:
    said: list[Span] = []
    speaker: str | None = None
    for span in spans:
        match = _CHAT.match(span.text.strip())
        if match is None:
            said.append(span)
            continue
        if said:
            yield Passage(tuple(said), speaker)
        at = match["at"] or match["at2"]
        speaker = f"{match['who']} at {at}" if at else match["who"]
        said = [Span(span.line, match["said"])]
    if said:
        yield Passage(tuple(said), speaker)


def _bullets(spans: Sequence[Span], before: Sequence[Block]) -> Iterator[Block]:
    items: list[list[Span]] = []
    intro: list[Span] = []
    for span in spans:
        match = _BULLET.match(span.text)
        if match is not None:
            items.append([Span(span.line, span.text[match.end() :])])
        elif items:
            items[-1].append(span)
        else:
            intro.append(span)
    lead = before[-1] if before and isinstance(before[-1], Passage) else None
    for passage in _prose(intro):
        lead = passage
        yield passage
    yield Listing(lead, tuple(Passage(tuple(item)) for item in items))


def _prose(spans: Sequence[Span]) -> Iterator[Passage]:
    """One paragraph, cut after each line that ends in a colon: that is a lead-in, not half a sentence."""
    run: list[Span] = []
    for span in spans:
        run.append(span)
        if span.text.rstrip().endswith(":"):
            yield Passage(tuple(run))
            run = []
    if run:
        yield Passage(tuple(run))
