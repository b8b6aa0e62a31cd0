"""Sentences with the line that each begins on.

A full stop ends a sentence only when what follows can begin one and what precedes is no abbreviation, initial,
number, version, address or file name. When in doubt the text stays together: a long fact can be read, half a
sentence cannot.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from perdura_core.epistemics.wording.words import listed
from perdura_core.ingest.formats.passages import Span

__all__ = ["Sentence", "split_sentences"]

_ABBREVIATIONS = listed(
    """
    dr mr mrs ms prof sr jr st mt gen col sgt capt lt rev hon gov sen rep e.g i.e eg ie cf vs viz al etc approx ca no
    nos vol vols pp fig figs eq eqs sec ch chap ed eds inc ltd co corp dept est max min avg jan feb mar apr jun jul aug
    sep sept oct nov dec mon tue wed thu fri sat sun a.m p.m u.s u.k u.n e.u ph.d b.sc m.sc resp incl excl ref refs
    """
)
# These may also end a sentence: they do when a capital follows.
_MAY_END = listed("etc al inc ltd co corp a.m p.m u.s u.k u.n e.u jr sr ph.d")
_CANDIDATE = re.compile(r"(?:[.!?…]+[\"'”’»)\]*_`]*(?=\s|$))|(?:[。！？][」』”’）]*)")
_OPENERS = "\"'“‘«([*_`"
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")
_LAST_WORD = re.compile(r"[^\s\"'“‘«(\[]+$")
_INITIAL = re.compile(r"^(?:[A-Z]|[A-Z](?:\.[A-Z])+)$")
_STARTER = re.compile(
    r"^(?:The|A|An|This|That|These|Those|It|Its|We|They|He|She|I|You|In|On|At|If|When|While|But|And|However|For|No|Not"
    r"|There|After|Before|As|By|From|Our|Their|Two|Most|Some|All|Such|Since|Then|Both|One|Many|With)\b"
)


class Sentence(NamedTuple):
    """One sentence, on one line, with the line that it begins on."""

    line: int
    text: str


def split_sentences(spans: Sequence[Span]) -> list[Sentence]:
    """Join wrapped lines and cut them into sentences."""
    text, starts = _join(spans)
    found: list[Sentence] = []
    begin = 0
    for match in _CANDIDATE.finditer(text):
        if match.start() < begin or not _ends(text, begin, match):
            continue
        _collect(found, text, begin, match.end(), starts)
        begin = match.end()
    _collect(found, text, begin, len(text), starts)
    return found


def _join(spans: Sequence[Span]) -> tuple[str, list[tuple[int, int]]]:
    """The text on one line, and for each span the offset where it starts with its line."""
    text = ""
    starts: list[tuple[int, int]] = []
    for span in spans:
        piece = " ".join(span.text.split())
        if not piece:
            continue
        if text:
            text += "" if _CJK.match(text[-1]) and _CJK.match(piece[0]) else " "
        starts.append((len(text), span.line))
        text += piece
    return text, starts


def _collect(found: list[Sentence], text: str, begin: int, end: int, starts: list[tuple[int, int]]) -> None:
    piece = text[begin:end]
    if not piece.strip():
        return
    offset = begin + len(piece) - len(piece.lstrip())
    line = max((line for at, line in starts if at <= offset), default=starts[0][1])
    found.append(Sentence(line, piece.strip()))


def _ends(text: str, begin: int, match: re.Match[str]) -> bool:
    mark, rest = match.group(), text[match.end() :].lstrip()
    if not rest:
        return True
    before = text[begin : match.start()]
    if mark[0] in "。！？":
        # A quotation that a particle follows is part of a longer sentence.
        return not _is_inside_quote(before, mark) and not (mark[-1] in "」』”" and rest[0] in "とがをはにの、")
    if not _can_begin(rest):
        return False
    if mark[0] == "." and not mark.startswith("..") and _is_abbreviated(before, rest):
        return False
    if mark.startswith(("...", "…")) and rest[0].islower():
        return False
    return not _is_inside_quote(before, mark)


def _can_begin(rest: str) -> bool:
    """Whether a sentence can begin so: with a capital, a digit, another script, or code in quotes."""
    first = rest.lstrip(_OPENERS)[:1]
    return bool(first) and (not first.islower() or rest[0] in "`_") and first not in ",;:.)]"


def _is_abbreviated(before: str, rest: str) -> bool:
    found = _LAST_WORD.search(before)
    if found is None:
        return False
    word = found.group()
    lowered = word.lower().strip("*_`")
    if lowered in _ABBREVIATIONS:
        if lowered in ("no", "nos", "fig", "figs", "eq", "sec", "ch", "pp", "vol", "max", "min", "sun", "mar", "sat"):
            return rest[:1].isdigit()
        return not (lowered in _MAY_END and _STARTER.match(rest) is not None)
    if _INITIAL.match(word):
        return _STARTER.match(rest) is None
    return False


def _is_inside_quote(before: str, mark: str) -> bool:
    """Whether the stop stands inside a quotation or brackets that this sentence opened and has not closed."""
    whole = before + mark
    if whole.count("(") > whole.count(")") or whole.count("「") > whole.count("」"):
        return True
    if whole.count("“") > whole.count("”"):
        return True
    # An unclosed straight quote across sentences is more often a stray mark than a quotation: let it end after one.
    return whole.count('"') % 2 == 1 and not before.lstrip().startswith('"') and len(before) < 300
