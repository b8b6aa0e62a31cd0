"""Causes: what brought about what, or is said not to have."""

import re
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.words import NEGATORS, content, normalise, words
from perdura_core.workers.reading.clauses import SOFT, topic

__all__ = ["Cause", "causes", "causes_conflict"]

_BE = r"(?:is|are|was|were|be|been|being)"
_ADV = r"(?:\w+ly\s+|also\s+|in part\s+|partly\s+)?"
_PATTERNS: tuple[re.Pattern[str], ...] = (
    re.compile(
        rf"(?P<effect>[^,;:]*?)\s+(?:(?:has|have|had)\s+)?(?P<verb>{_BE}\s+(?:not\s+)?{_ADV}(?:caused|triggered"
        rf"|driven|brought (?:about|on|down)|set off|started|due|attributable|attributed|down)\s+(?:mainly |mostly "
        rf"|largely |primarily |in part |partly )?(?:by|to))\s+(?P<cause>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<verb>(?:the\s+)?(?:root |real |actual |main |underlying |direct )?(?:cause|reason)\s+(?:of|for"
        r"|behind))\s+(?P<effect>[^,;:]+?)\s+(?:is|was|were|are)\s+(?P<cause>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<cause>[^,;:]+?)\s+(?P<verb>(?:is|was|were|are)\s+(?:not\s+)?(?:the|a|one|an)?\s*(?:root |real |actual "
        r"|main |underlying |direct |sole |only |contributing )?(?:cause|reason|factor)\s*(?:of|for|behind|affecting"
        r"|in|known to result in)?)\s+(?P<effect>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<verb>\b(?:(?:no|any|a|the|direct|clear|causal|strong|established)\s+)*(?:link|connection|relation"
        r"|relationship|correlation|association)\s+between)\s+(?P<cause>.+?)\s+and\s+(?P<effect>[^,;:]+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<cause>[^,;:]+?)\s+(?P<verb>(?:(?:did|does|do|has|have|had|is|was|to)\s+)?(?:not\s+)?(?:cause|causes"
        r"|caused|triggers?|triggered|led to|leads? to|results? in|resulted in|brought down|took down|contributes? to"
        r"|contributed to))\s+(?P<effect>[^,;:]+)",
        re.IGNORECASE,
    ),
)
_TELLING = re.compile(
    r"caus|trigger|driven|brought|set off|started|due|attribut|down|reason|factor|link|connection|relation|association"
    r"|led to|lead|result|contribut",
    re.IGNORECASE,
)
"""What every pattern needs: they take a hundred times longer than a look for it."""
_PARTIAL = re.compile(
    r"\b(?:contribut\w+|factors?|part(?:ly|ially)?|also|among|including|mainly|mostly|largely|primarily|associat\w+"
    r"|link\w*|"
    r"relat\w+|connect\w*|correlat\w+|one|some|many|often|sometimes|usually)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:can|may|might|could|if|among other|partly)\b", re.IGNORECASE)
_DENIED_PART = re.compile(
    r",?\s+(?:and |but )?(?:not|rather than|instead of)\s+(?:by |to )?(?P<denied>[^,;]+)",
    re.IGNORECASE,
)
_END = re.compile(r"[,;:]|\s+(?:which|when|while|but|although|resulting|leading|after|because)\b", re.IGNORECASE)


class Cause(NamedTuple):
    """`cause` brought about `effect`, or not (`is_affirmed` False)."""

    cause: frozenset[str]
    effect: frozenset[str]
    is_affirmed: bool
    is_whole: bool
    """Said as the one cause of one definite event: another whole cause of it conflicts."""
    is_link: bool
    """A link between two things, which may be named in either order."""
    reach: str
    """`this` when it speaks of one case pointed at, `the` of known ones, empty when of the kind in general."""


@lru_cache(maxsize=4_096)
def causes(text: str) -> tuple[Cause, ...]:
    """The causes that a sentence states or denies."""
    text = re.sub(r"[\"'“”‘’]", "", normalise(text)).rstrip(".")
    for pattern in _PATTERNS if _TELLING.search(text) else ():
        match = pattern.search(text)
        if match is not None:
            return _read(text, match)
    return ()


def _read(text: str, match: re.Match[str]) -> tuple[Cause, ...]:
    effect = content(_END.split(match["effect"])[0])
    raw_cause = match["cause"]
    denied = _DENIED_PART.search(raw_cause)
    cause = content(_END.split(raw_cause[: denied.start()] if denied else raw_cause)[0])
    before = [w.text.lower() for w in words(text[: match.start("verb")])[-5:]]
    is_affirmed = not any(w in NEGATORS for w in [*before, *(w.text.lower() for w in words(match["verb"]))])
    is_definite = (
        re.search(r"\b(?:the|this|that|yesterday|\d{1,2}:\d\d|\d{4})\b", match["effect"], re.IGNORECASE) is not None
    )
    is_one = re.search(r"\b(?:are|were|have|causes|reasons)\b", match["verb"], re.IGNORECASE) is None
    around = f"{' '.join(before)} {match['verb']} {match['cause'].split()[0]}"
    is_whole = is_affirmed and is_definite and is_one and not (_PARTIAL.search(around) or _UNSURE.search(text))
    is_link = "between" in match["verb"].lower()
    reach = _reach(f"{match['cause']} {match['effect']}")
    found = []
    if cause and effect:
        found.append(Cause(cause, effect, is_affirmed, is_whole, is_link, reach))
    if denied is not None and effect:
        found.append(Cause(content(denied["denied"]), effect, False, False, is_link=False, reach=reach))
    return tuple(found)


def causes_conflict(a: Cause, b: Cause) -> bool:
    """Whether one denies what the other affirms, or both name a different single cause of the same event."""
    if {a.reach, b.reach} == {"this", ""}:
        return False
    if a.is_affirmed != b.is_affirmed:
        return (
            _same_relation(a, b)
            or (a.is_link and _same_relation(_turned(a), b))
            or (b.is_link and _same_relation(a, _turned(b)))
        )
    if a.is_whole and b.is_whole:
        return _same_event(a.effect, b.effect) and not topic(a.cause) & topic(b.cause)
    return False


def _reach(phrase: str) -> str:
    if re.search(r"\b(?:this|that|these|those)\b", phrase, re.IGNORECASE):
        return "this"
    return "the" if re.search(r"\bthe\b|\b(?:1[5-9]|20)\d\d\b", phrase, re.IGNORECASE) else ""


def _turned(cause: Cause) -> Cause:
    return cause._replace(cause=cause.effect, effect=cause.cause)


def _same_relation(a: Cause, b: Cause) -> bool:
    return _same(a.cause, b.cause) and _same_event(a.effect, b.effect)


def _same(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether one phrase covers the other's telling words."""
    left, right = topic(a), topic(b)
    shared = left & right
    return bool(shared) and (left <= right | SOFT or right <= left | SOFT)


def _same_event(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether they share what they are about. Events are told in many words, so one in common is enough if it is
    not soft, unless both add a word of their own that names another place or thing."""
    left, right = topic(a), topic(b)
    shared = left & right
    return bool(shared) and len(shared) * 2 >= min(len(left), len(right))
