"""When two texts that are worded alike say the same thing. Strict: what might differ in meaning does."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from perdura_core.epistemics import normalised
from perdura_core.epistemics.wording.words import NEGATORS, listed, stem

__all__ = ["says_the_same"]

_TOKEN = re.compile(r"[+-]?\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[!<>=]=|[%$€£<>=≤≥≠~]|[^\w\s]")
_MARKS = frozenset(".,;:!?¡¿\"'“”‘’«»()[]{}*_`–—…·、。「」『』#|\\/-")
_EMPTY = listed("a an the is are was were be been being that which this these those it its so also very quite")
"""Words that change no claim, in either text."""
_SAME: dict[str, str] = {
    "shall": "must",
    "%": "percent",
    "till": "until",
    "approximately": "about",
    "roughly": "about",
    "fast": "quick",
    "quickly": "quick",
    "begin": "start",
    "began": "start",
    "large": "big",
}
_NUMBERS = {"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
            "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12"}  # fmt: skip
_CONTRACTIONS = (
    (re.compile(r"\bcan['’]?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"\b(?:has|have|had|needs?) to\b"), "must"),
    (re.compile(r"\b(?:is|are|was|were) (?:required|obliged) to\b"), "must"),
    (re.compile(r"\bper cent\b"), "percent"),
)
_LEADING = listed(
    "at in on during under since according with within after before from by for until while when because despite "
    "although if throughout"
)
"""What may open a part of a sentence that can stand at either end of it."""
_DENYING_ELSEWHERE = listed(
    "nicht kein keine keinen keinem keiner nie niemals ne pas jamais aucun aucune sans no nunca jamás sin ningún "
    "ninguna non mai nessun nessuna senza não nem nenhum sem niet geen nooit inte ingen aldrig ikke не нет ни "
    "никогда nie bez"
)
"""Words of other languages that deny."""
_TURNING = (
    NEGATORS
    | _DENYING_ELSEWHERE
    | listed(
        "only all every each some any few most many less least more half rarely barely seldom unless except if may "
        "might could would will should ought but instead almost nearly partly before after above below over under up "
        "down out off against false wrong untrue impossible unlikely doubtful allegedly supposedly fails failed stopped"
    )
)
"""Added to a text, these say something else rather than the same more precisely."""
_AS_THEY_ARE = _LEADING | _TURNING
_MOST_ADDED = 4


@lru_cache(maxsize=65_536)
def says_the_same(a: str, b: str) -> bool:
    """Whether the texts make one claim: the same words in another form, order or with an addition that narrows it.

    Negations, numbers, dates, directions, names and any other word that one has in place of another's make them
    different; so does a turned comparison. Made for texts that are near duplicates already: of freer paraphrases it
    knows few, and calls the others different.

    >>> says_the_same("The service must scale.", "The service has to scale!")
    True
    >>> says_the_same("The service must scale.", "The service must not scale.")
    False
    >>> says_the_same("At noon the cache was cold.", "The cache was cold at noon.")
    True
    >>> says_the_same("Sales rose 12 % before 2019.", "Sales rose 12 % after 2019.")
    False
    >>> says_the_same("A is faster than B.", "B is faster than A.")
    False
    """
    one, other = _terms(a), _terms(b)
    if not one or not other:
        return False
    if one == other or _is_turned(one, other):
        return True
    shorter, longer = sorted((one, other), key=len)
    added = list((Counter(longer) - Counter(shorter)).elements())
    return (
        len(longer) - len(shorter) == len(added) <= min(_MOST_ADDED, len(shorter) // 2)
        and _is_within(shorter, longer)
        and not any(term in _TURNING or not term.isalpha() for term in added)
    )


@lru_cache(maxsize=4_096)
def _terms(text: str) -> tuple[str, ...]:
    """What a text says, term by term: stems, digits for numbers, one word for several that mean the same."""
    shown = normalised(text)
    for pattern, replacement in _CONTRACTIONS:
        shown = pattern.sub(replacement, shown)
    terms = []
    for token in _TOKEN.findall(shown):
        word = _NUMBERS.get(token, _SAME.get(token, token))
        if token not in _MARKS and token not in _EMPTY:
            terms.append(word if word in _AS_THEY_ARE or not word.isalpha() else stem(word))
    return tuple(terms)


def _is_turned(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one is the other with a part that starts with a preposition moved from one end to the other."""
    if len(one) != len(other):
        return False
    for text, moved in ((one, other), (other, one)):
        for at in range(1, len(text)):
            if text[at] in _LEADING and (*text[at:], *text[:at]) == moved:
                return True
    return False


def _is_within(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Whether the terms of the shorter stand in the longer in the same order."""
    rest = iter(longer)
    return all(term in rest for term in shorter)
