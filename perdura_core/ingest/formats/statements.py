"""Passages into statements: whole sentences that say something, each with its line.

Left out: questions, fragments that no lead-in completes, labels, tables whose cells cannot be named. What stays is
quoted as it stands, except that a list item is put after its lead-in, a table row after its headers and a chat line
after its speaker.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from perdura_core.epistemics.wording.verbs import verb_at
from perdura_core.epistemics.wording.words import STOPWORDS, words
from perdura_core.ingest.formats.passages import Block, Listing, Passage, Row, Span, Table
from perdura_core.ingest.formats.sentences import Sentence, split_sentences

__all__ = ["statements_of"]

_MAX_CHARACTERS = 700
_MAX_LISTING = 420
_ENDS = re.compile(r"[.!…。！]['\"”’»)\]*_`」』]*$")
_QUESTION = re.compile(r"[?？]['\"”’»)\]*_`」』]*$")
_LABEL = re.compile(
    r"^(?:claim|note|finding|statement|warning|important|update|observation|caution|tip|hint|remark|proposal|"
    r"decision|conclusion|result|summary|impact|fact|answer)s?\s*:\s+",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^([A-Z][\w /()-]{1,40}):\s+(\S.*)$")
_QUANTITY = re.compile(r"\d")
_REFERENCE = re.compile(r"\s?\[(?:\d{1,3}|update|citation needed|note \d+|edit)\](?!\()", re.IGNORECASE)
_BRACKETED = re.compile(r"(?<![\w\]])\[([A-Z]\w*(?: \w+){0,3})\](?!\(|:|\w)")
_SPACED_STOP = re.compile(r" ([.,;])(?=\s|$)")
_PROVENANCE = re.compile(r"^(?:sources?|references?|see also|license|copyright|author|credits?)\s*:", re.IGNORECASE)
_LINK = re.compile(r"^<?(?:https?|ftp)://\S+>?$")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|am|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|cannot|"
    r"isn|aren|wasn|weren|hasn|haven|hadn|doesn|don|didn|won|wouldn|couldn|shouldn|"
    r"\w{2,}(?:ed|ies|ows|ets|uts|ins|ings?|ses|tes|ces|zes|ges|ves|res|nes|mes|les|kes|pes|des|ts|ds|ks|ps|ns|rs|ls)|"
    r"went|goes|came|took|gave|made|ran|fell|rose|grew|lost|won|held|kept|left|met|paid|put|read|said|saw|sent|set|shut|"
    r"told|found|began|broke|brought|built|bought|caught|chose|cost|cut|drew|fed|felt|got|hit|hurt|knew|led|let|meant|"
    r"spoke|spent|stood|stuck|thought|threw|understood|wore|wrote|seem|remain|mean|need|want|use|run|get|go|come|take|"
    r"make|keep|show|say|know|work|fail|add|allow|require|contain|support|provide|return|agree|argue|think|believe)\b",
    re.IGNORECASE,
)
_CJK_SENTENCE = re.compile("[\u3040-\u30ff\u3400-\u9fff].*[。！]$")


def statements_of(blocks: Iterable[Block]) -> list[Sentence]:
    """What the blocks state, in order. The same words on a later line are left out."""
    seen: set[str] = set()
    kept: list[Sentence] = []
    for sentence in _all(list(blocks)):
        key = " ".join(re.findall(r"\w+", sentence.text.lower()))
        if key and key not in seen:
            seen.add(key)
            kept.append(sentence)
    return kept


def _all(blocks: Sequence[Block]) -> Iterator[Sentence]:
    for block, following in zip_longest(blocks, blocks[1:]):
        if isinstance(block, Passage):
            yield from _of_passage(block, before_list=isinstance(following, Listing))
        elif isinstance(block, Listing):
            yield from _of_listing(block)
        else:
            yield from _of_table(block)


def _of_passage(passage: Passage, before_list: bool = False) -> Iterator[Sentence]:
    if passage.is_entry:
        text = " ".join(passage.spans[0].text.split())
        if len(text.split()) >= 4 and len(text) <= _MAX_CHARACTERS:
            yield Sentence(passage.spans[0].line, text)
        return
    for span, field in _fields(passage):
        yield Sentence(span, field)
    for sentence in split_sentences(_unlabelled(passage).spans):
        text = _tidy(sentence.text)
        if (before_list and text.endswith(":")) or not _is_statement(text):
            continue
        yield Sentence(sentence.line, f"{passage.speaker}: {text}" if passage.speaker else text)


def _fields(passage: Passage) -> Iterator[tuple[int, str]]:
    """Lines of the form `Label: value` that hold a quantity and are no sentence: `Duration: 47 minutes`."""
    if passage.speaker is not None:
        return
    for span in passage.spans:
        text = _tidy(span.text)
        match = _FIELD.match(text)
        if match is None or _is_sentence(match.group(2)) or not _QUANTITY.search(match.group(2)):
            continue
        is_short = len(match.group(1).split()) <= 4 and len(match.group(2).split()) <= 8
        if is_short and not _LINK.match(match.group(2)):
            yield span.line, text


def _unlabelled(passage: Passage) -> Passage:
    """Without `Label: value` lines: they are no prose, and what follows must not be joined to them."""
    if passage.speaker is not None:
        return passage
    spans = []
    for span in passage.spans:
        match = _FIELD.match(span.text.strip())
        is_field = match is not None and len(match.group(1).split()) <= 3 and not _LABEL.match(span.text.strip())
        if not (is_field and len(span.text) < 90 and not _is_sentence(match.group(2) if match else "")):
            spans.append(span)
    return Passage(tuple(spans), passage.speaker)


def _of_listing(listing: Listing) -> Iterator[Sentence]:
    lead = _lead(listing.lead)
    fragments: list[Sentence] = []
    for item in listing.items:
        sentences = split_sentences(item.spans)
        if len(sentences) == 1 and not _is_sentence(_tidy(sentences[0].text)):
            fragments.append(Sentence(sentences[0].line, _tidy(sentences[0].text)))
            yield from (Sentence(line, text) for line, text in _fields(item))
            continue
        for sentence in sentences:
            text = _tidy(sentence.text)
            if _is_sentence(text) and _is_statement(text):
                yield Sentence(sentence.line, text)
    if lead is not None and fragments:
        whole = f"{lead.text} {'; '.join(_bare(fragment.text) for fragment in fragments)}."
        if len(whole) <= _MAX_LISTING and not any(_LINK.match(fragment.text) for fragment in fragments):
            yield Sentence(lead.line, whole)


def _lead(passage: Passage | None) -> Sentence | None:
    """The lead-in of a list, if it states something itself: a bare label announces and states nothing."""
    if passage is None:
        return None
    sentences = split_sentences(passage.spans)
    if not sentences or not sentences[-1].text.endswith(":"):
        return None
    text = _tidy(sentences[-1].text)
    return Sentence(sentences[-1].line, text) if len(text.split()) >= 4 and _VERB.search(text) else None


def _bare(text: str) -> str:
    return text.rstrip(" .;,:")


def _of_table(table: Table) -> Iterator[Sentence]:
    for row in table.rows:
        cells = [_tidy(cell) for cell in row.cells]
        whole = [cell for cell in cells if _is_sentence(cell) and _is_statement(cell)]
        if len(whole) == 1 and len(split_sentences([Span(row.line, whole[0])])) == 1:
            yield Sentence(row.line, whole[0])
        elif not whole:
            text = _row_in_words(table.header, Row(row.line, tuple(cells)))
            if text is not None:
                yield Sentence(row.line, text)


def _row_in_words(header: Sequence[str], row: Row) -> str | None:
    """`checkout: p95 latency 480 ms, error rate 2 %`; None when the row cannot be put so."""
    cells = row.cells
    if len(cells) != len(header) or not 2 <= len(cells) <= 6:
        return None
    subject = cells[0]
    named = [(_tidy(head), cell) for head, cell in zip(header[1:], cells[1:], strict=True) if cell.strip(" -–—?")]
    if not re.search(r"[A-Za-z\u0370-\uffff]", subject) or len(subject.split()) > 8 or not named:
        return None
    if any(not head or len(head.split()) > 6 or len(cell.split()) > 10 for head, cell in named):
        return None
    if not any(_QUANTITY.search(cell) for _, cell in named) or re.search(r"\.\w{2,4}$", subject):
        return None
    return f"{subject}: " + ", ".join(f"{head} {_bare(cell)}" for head, cell in named) + "."


def _tidy(text: str) -> str:
    text = _REFERENCE.sub("", " ".join(text.split()))
    text = _BRACKETED.sub(r"\1", text)
    text = _SPACED_STOP.sub(r"\1", _LABEL.sub("", text)).strip()
    return _without_stray_quote(text)


def _without_stray_quote(text: str) -> str:
    """Drop a quotation mark at either end that nothing answers."""
    for mark in "\"'":
        inner = text.count(mark) if mark == '"' else len(re.findall(r"(?<!\w)'|'(?!\w)", text))
        if inner % 2 == 1 and text.startswith(mark):
            return text[1:]
        if inner % 2 == 1 and text.endswith(mark) and mark == '"':
            return text[:-1]
    return text


def _is_sentence(text: str) -> bool:
    """Whether a piece that nothing completes reads as a whole sentence: begins as one and has a verb."""
    if _CJK_SENTENCE.search(text):
        return True
    first = text.lstrip("\"'“‘«([*_`")[:1]
    if not first or (first.islower() and text[:1] not in "`_"):
        return False
    if len(text.split()) < 4:
        return False
    if _ENDS.search(text) is None:
        return verb_at(words(text)) is not None
    return _VERB.search(text.partition(" ")[2]) is not None


def _is_foreign(text: str) -> bool:
    """Whether hardly a word is one that every English sentence has, so that its verbs cannot be known."""
    found = re.findall(r"[^\W\d_]+", text.lower())
    return len(found) >= 4 and sum(word in STOPWORDS for word in found) * 6 < len(found)


def _is_statement(text: str) -> bool:
    if _QUESTION.search(text) or len(text) > _MAX_CHARACTERS or _LINK.match(text) or _PROVENANCE.match(text):
        return False
    if _CJK_SENTENCE.search(text):
        return len(text) >= 6
    field = _FIELD.match(text)
    if field is not None and len(field.group(1).split()) <= 3 and not _is_sentence(field.group(2)):
        return False
    if text.endswith(":") or not re.search(r"[^\W\d_]{2}", text):
        return False
    if _ENDS.search(text) is not None and _is_foreign(text):
        return len(text.split()) >= 4
    return _is_sentence(text) and (_ENDS.search(text) is not None or len(text.split()) >= 5)
