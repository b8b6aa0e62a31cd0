"""Metadata on top of a document: front matter, mail-like headers, provenance lines. It is about the document."""

import re

from perdura_core.epistemics.wording.words import listed

__all__ = ["blank_preamble"]

_HEADER = re.compile(r"^([A-Z][A-Za-z]*(?:[-_ ][A-Za-z]+){0,2}):(?:\s|$)")
_KNOWN = listed(
    """
    source license licence copyright author authors title subject from to cc bcc date sent received reply-to message-id
    status type topic created updated modified version resolution replaces superseded-by discussions-to post-history
    sponsor delegate category tags keywords language layout permalink id revision editor translator publisher doi url
    mime-version content-type abstract-url in-reply-to references list-id x-mailer importance attendees participants
    """
)
_RULE = re.compile(r"^\s*([-=*_~])(?:\s*\1){2,}\s*$")


def blank_preamble(lines: list[str]) -> list[str]:
    """The lines with metadata on top emptied, so that numbers of later lines stay right."""
    kept = list(lines)
    at = _blank_front_matter(kept)
    while True:
        while at < len(kept) and (not kept[at].strip() or _RULE.match(kept[at])):
            kept[at] = ""
            at += 1
        end = _header_end(kept, at)
        if end is None:
            return kept
        for number in range(at, end):
            kept[number] = ""
        at = end


def _blank_front_matter(lines: list[str]) -> int:
    if not lines or lines[0].strip() not in ("---", "+++"):
        return 0
    fence = lines[0].strip()
    for number in range(1, min(len(lines), 200)):
        if lines[number].strip() == fence or (fence == "---" and lines[number].strip() == "..."):
            block = lines[1:number]
            if not any(":" in line or "=" in line for line in block):
                return 0
            lines[: number + 1] = [""] * (number + 1)
            return number + 1
    return 0


def _header_end(lines: list[str], start: int) -> int | None:
    """Where the header block that starts here ends; None when none does."""
    known = total = hyphened = 0
    at = start
    while at < len(lines) and lines[at].strip() and not _RULE.match(lines[at]):
        match = _HEADER.match(lines[at])
        if match is not None:
            total += 1
            hyphened += "-" in match.group(1)
            known += match.group(1).lower().replace(" ", "-") in _KNOWN
        elif not (total and lines[at][:1] in " \t"):
            return None
        at += 1
    is_header = total >= 2 and (known * 2 >= total or (total >= 5 and hyphened * 3 >= total))
    return at if is_header else None
