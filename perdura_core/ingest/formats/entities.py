"""The names that a statement mentions. Modest on purpose: a name left out costs less than a word taken for a name."""

import re

from perdura_core.workers.reading.words import listed

__all__ = ["entities_of"]

_MAX_ENTITIES = 8
_NAME = re.compile(r"(?<![\w.])[A-Z][\w'’&-]*(?:\.[A-Z]\w*)*(?:\s+(?:(?:of|de|van|von|der|la)\s+)?[A-Z0-9][\w'’&-]*)+")
_CODE = re.compile(
    r"(?<![\w/.-])(?:\w+(?:\.\w+)*\(\)|__\w+__|[\w/-]+(?:\.[\w-]+)*\.[a-z]{2,4}\b|[a-z]\w*_\w+|[a-z]+[A-Z]\w+"
    r"|[A-Z][a-z0-9]+[A-Z]\w*"
    r"|[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:api|db|service|proxy|server|worker|gateway|cache|queue)\b)"
)
_ACRONYM = re.compile(r"(?<![\w.-])[A-Z]{2,6}(?:-?\d{1,5}|\s\d{1,5})?(?![\w.])")
_SINGLE = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\w*")
_STARTERS = listed(
    """
    The A An This That These Those It Its We They He She I You In On At If When While But And However For No Not There
    After Before As By From Our Their Most Some All Such Since Then Both One Many With Every Each Any Only Also Because
    Although Under Over Why How What Who Where Which Yesterday Today Tomorrow Later Earlier Here Our
    """
)
_NO_NAMES = listed(
    "MUST SHOULD MAY NOT NOTE TODO OK UTC AM PM AND OR SHALL INFO WARN ERROR DEBUG FATAL "
    "KB MB GB TB MHZ GHZ USD EUR GBP"
)


def entities_of(text: str) -> tuple[str, ...]:
    """Names in order of appearance, each once: capitalised names of several words, code names, acronyms."""
    found: list[tuple[int, str]] = []
    taken: list[tuple[int, int]] = []
    for pattern in (_NAME, _CODE, _ACRONYM, _SINGLE):
        for match in pattern.finditer(text):
            start, name = _trimmed(match)
            if not name or any(begin < match.end() and match.start() < end for begin, end in taken):
                continue
            taken.append(match.span())
            found.append((start, name))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))[:_MAX_ENTITIES]


def _trimmed(match: re.Match[str]) -> tuple[int, str]:
    """The name without a sentence's first word and without a possessive; empty when nothing is left."""
    words = match.group().split()
    while words and words[0] in _STARTERS:
        words.pop(0)
    if not words or (len(words) == 1 and words[0] in _NO_NAMES) or all(word[0].isdigit() for word in words):
        return match.start(), ""
    name = re.sub(r"['’]s?$", "", " ".join(words))
    return match.start(), name if len(name) > 1 else ""
