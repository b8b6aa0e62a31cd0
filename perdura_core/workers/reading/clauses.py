"""Clauses: who or what (the subject), the predicate, and whether it is denied. Shallow, and strict about doubt."""

import re
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.verbs import verb_at
from perdura_core.epistemics.wording.words import NEGATORS, STOPWORDS, Word, listed, normalise, stem, words
from perdura_core.workers.reading.judgement import said

__all__ = ["Clause", "clauses", "subjects_match", "topic"]

_BREAK = re.compile(
    r"\s*[;—]\s*|\s+[-–]{1,2}\s+|:\s+|,\s+(?:but|while|whereas|although|though|and|yet|so|which|whose|because|since"
    r"|as)\s+"
    r"|\s+(?:but|whereas|although|even though|because|unless|until|if|when|while)\s+"
)
_PARENTHESIS = re.compile(r"\s*\([^()]*\)")
_LEADING = re.compile(
    r"^(?:(?:in|on|at|by|for|with|during|since|after|before|from|under|as|according|despite|unlike|like|contrary"
    r"|because|"
    r"within|over|among|across|between)\b[^,]{0,80},\s+)+",
    re.IGNORECASE,
)
_REPORTING = re.compile(
    r"^(?:(?!\b(?:not|never|no|deny|denies|denied|doubts?|doubted)\b)[^,;]){2,70}?\b(?:shows?|showed|says?|said"
    r"|reports?|reported|states?|stated|notes?|noted"
    r"|confirms?|confirmed|finds?|found|clear|concludes?|concluded|indicates?|indicated) that\s+",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|when|whenever|provided|assuming|in case|otherwise|would|could)\b",
    re.IGNORECASE,
)
_SOFT_DENIAL = re.compile(
    r"\b(?:not (?:only|just|merely|simply|necessarily|all|every|always|even|yet|fully|completely|entirely|exactly"
    r"|really|"
    r"everyone|both|so much|until|quite|very|that)|no (?:longer|more|less|fewer|matter|doubt|later|sooner|earlier"
    r"|need)|"
    r"nor|neither|none|never before|without)\b",
    re.IGNORECASE,
)
# Heads that tell little by themselves: sharing one is no sign of the same subject, differing in one no sign of another.
SOFT = listed(
    """
    energi power electricity sourc system way method format approach thing part kind type number amount level rate use
    user case time work process form value result new current average total overall global annual recent major sever
    order estimat approximat describ
    """
)


_REFUSALS = frozenset(map(stem, ("refuse", "fail", "lack", "deny", "avoid")))


class Clause(NamedTuple):
    """One clause. Stems without stop words and negators."""

    text: str
    words: tuple[Word, ...]
    verb: int
    """Where in `words` the verb stands."""
    subject: frozenset[str]
    head: str
    """The last word of the subject's first noun phrase."""
    predicate: frozenset[str]
    denied: tuple[str, ...]
    """The stems right after each negator: what is denied."""
    is_open: bool
    """Conditional, or softly denied: neither affirms nor denies."""

    @property
    def stems(self) -> frozenset[str]:
        """All that carries meaning."""
        return self.subject | self.predicate


@lru_cache(maxsize=4_096)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a sentence that have a subject and a verb, then the sentence as a whole if it has several."""
    whole = _PARENTHESIS.sub("", normalise(said(text))).strip().rstrip(".!")
    found: list[Clause] = []
    for piece in _BREAK.split(whole):
        clause = _clause(_REPORTING.sub("", piece.strip(" ,\"'“”")), found[0] if found else None)
        if clause is not None:
            found.append(clause)
    return tuple(found)


def _clause(text: str, first: Clause | None) -> Clause | None:
    body = _LEADING.sub("", text)
    if len(body.split()) < 3:
        body = text
    found = words(body)
    verb = verb_at(found)
    if verb is None:
        return None
    subject = [w for w in found[:verb] if _is_content(w)]
    predicate = frozenset(w.stem for w in found[verb:] if _is_content(w)) | _leading_stems(text, body)
    if found[0].text.lower() == "there":
        subject = [w for w in found[verb:] if _is_content(w)][:4]
    stems, head = frozenset(w.stem for w in subject), _head(found[:verb])
    if not subject:
        # `it` after a conjunction is most often what the sentence began with.
        if first is None or found[0].text.lower() not in ("it", "they", "he", "she"):
            return None
        stems, head = first.subject, first.head
    is_open = _CONDITION.search(text) is not None or _SOFT_DENIAL.search(text) is not None
    head = head or subject[-1].stem
    return Clause(body, found, verb, stems, head, predicate, _denied(found), is_open)


def _leading_stems(text: str, body: str) -> frozenset[str]:
    leading = text[: len(text) - len(body)]
    return frozenset(w.stem for w in words(leading) if _is_content(w))


def _is_content(word: Word) -> bool:
    lowered = word.text.lower()
    return lowered not in STOPWORDS and lowered not in NEGATORS and not word.text[0].isdigit()


def _head(subject: tuple[Word, ...]) -> str:
    """The last content word before the first preposition: `the cost of coal` is about the cost."""
    head = ""
    for word in subject:
        if head and word.text.lower() in ("of", "in", "for", "on", "at", "from", "with", "by", "that", "which", "to"):
            break
        if _is_content(word):
            head = word.stem
    return head


def _denied(found: tuple[Word, ...]) -> tuple[str, ...]:
    denied = []
    for at, word in enumerate(found):
        if word.text.lower() in NEGATORS or word.stem in _REFUSALS:
            after = next((w.stem for w in found[at + 1 : at + 5] if _is_content(w)), None)
            if after is not None:
                denied.append(after)
    return tuple(denied)


def topic(stems: frozenset[str]) -> frozenset[str]:
    """The telling part of a noun phrase; all of it when nothing else is there."""
    return stems - SOFT or stems


def subjects_match(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether two noun phrases name the same thing: one says no more than the other, soft words aside."""
    a, b = topic(left), topic(right)
    return bool(a & b) and (a <= b | SOFT or b <= a | SOFT)
