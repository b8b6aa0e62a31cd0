"""Words: tokens, stems and weights. A light stemmer, so that `evaluate` and `evaluation` meet and little else does."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

__all__ = ["NEGATORS", "STOPWORDS", "Weights", "Word", "content", "listed", "normalise", "singular", "stem", "words"]


def listed(text: str) -> frozenset[str]:
    """The words of a list that is written as running text."""
    return frozenset(text.split())


STOPWORDS = listed(
    """
    a an the this that these those it its itself they them their theirs he him his she her hers we us our ours you your
    i me my mine who whom whose which what where when why how there here and or but nor so yet if then than as of at by
    for with about against between into through during before after above below to from up down in out on off over under
    again further once is are was were be been being am have has had having do does did doing will would shall should
    can could may might must ought need each few more most other some such only own same too very just also even still
    ever any all both either neither every one many much s t d ll re ve m however therefore thus hence moreover
    furthermore additionally because since while although though unless until whether upon within without per via etc
    really quite rather already always often sometimes usually now today ago else instead like according well
    said says say told utc gmt cet cest january february april june july august september october november december
    """
)
NEGATORS = listed("not no never none nobody nothing neither nor without cannot hardly scarcely nowhere")

_WORD = re.compile(r"[A-Za-z_À-ɏͰ-ӿ][\w'’]*(?:[./]\w+)*|\d[\d,.:/]*\d|\d|[\u3040-\u30ff\u3400-\u9fff]")
_CONTRACTIONS = (
    (re.compile(r"\bcan['’]t\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon['’]t\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bain['’]t\b", re.IGNORECASE), "is not"),
    (re.compile(r"(\w)n['’]t\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(CO|CH|SO|NO|NH|N|O|H) (\d)\b"), r"\1\2"),
    (re.compile(r"['’]s\b|s['’](?=\s)"), "s"),
    (re.compile(r"\b([Nn])on-(\w)"), r"\1ot \2"),
    (re.compile(r"\b([A-Z]{2,6})[ -](\d{1,5})\b(?![.,:]\d|\s?%)"), r"\1\2"),
    (re.compile(r"\b3rd\b"), "third"),
    (re.compile(r"\b2nd\b"), "second"),
    (re.compile(r"\b1st\b"), "first"),
    (re.compile(r"-[LR][RS]B-"), " "),
)
# The same thing under two names in general English; both sides become the first.
_SAME: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"\b(?:{other})\b", re.IGNORECASE))
    for name, other in (
        ("co2", "carbon dioxide"),
        ("usa", r"united states(?: of america)?|u\.s\.(?:a\.)?"),
        ("uk", r"united kingdom|u\.k\."),
        ("percent", r"per cent|percentage points?"),
        ("lifetime", "residence time|life time|life span|lifespan"),
        ("wildfire", "bushfires?|wild ?fires?|forest fires?"),
    )
)
_IRREGULAR = {
    "children": "child", "men": "man", "women": "woman", "people": "person", "data": "data", "began": "begin",
    "begun": "begin", "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall", "grew": "grow",
    "grown": "grow", "broke": "break", "broken": "break", "went": "go", "gone": "go", "took": "take", "taken": "take",
    "made": "make", "gave": "give", "given": "give", "lost": "lose", "won": "win", "sent": "send", "built": "build",
    "chose": "choose", "chosen": "choose", "ran": "run", "held": "hold", "kept": "keep", "left": "leave", "met": "meet",
    "paid": "pay", "found": "find", "written": "write", "wrote": "write", "shown": "show", "driven": "drive",
    "drove": "drive", "led": "lead", "died": "die", "dies": "die", "dying": "die", "born": "bear", "sold": "sell",
    "bought": "buy", "became": "become", "came": "come", "spoke": "speak", "stood": "stand", "taught": "teach",
    "froze": "freeze", "frozen": "freeze", "shrank": "shrink", "shrunk": "shrink", "flew": "fly",
    "flown": "fly", "hit": "hit", "ice": "ice",
}  # fmt: skip


class Word(NamedTuple):
    """One word of a text: as written, its stem, and where it starts."""

    text: str
    stem: str
    start: int


@lru_cache(maxsize=4_096)
def normalise(text: str) -> str:
    """The text with contractions spelled out and common double names made one."""
    for pattern, replacement in _CONTRACTIONS:
        text = pattern.sub(replacement, text)
    for name, pattern in _SAME:
        text = pattern.sub(name, text)
    return text


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """The stem of a word in lower case."""
    word = word.lower().strip("'’_")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    word = singular(word)
    for suffix, least in (("ingly", 4), ("edly", 4), ("ing", 3), ("ed", 3), ("ly", 4)):
        base = word.removesuffix(suffix)
        if base != word and len(base) >= least and re.search("[aeiouy]", base):
            if base[-1] == base[-2] and base[-1] not in "lsz":
                base = base[:-1]
            word = base
            break
    if word.endswith(("tion", "sion")) and len(word) > 6:
        word = word[:-3]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 else word


def singular(word: str) -> str:
    """The word in lower case without the ending of a plural, as far as its form tells."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ous")):
        return word[:-1]
    return word


@lru_cache(maxsize=4_096)
def words(text: str) -> tuple[Word, ...]:
    """Every word of the normalised text, in order."""
    return tuple(Word(m.group(), stem(m.group()), m.start()) for m in _WORD.finditer(normalise(text)))


@lru_cache(maxsize=4_096)
def content(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning: no stop words, no negators, no bare numbers."""
    return frozenset(
        w.stem
        for w in words(text)
        if w.text.lower() not in STOPWORDS
        and w.text.lower() not in NEGATORS
        and not w.text[0].isdigit()
        and w.text not in ("March", "May")
        and (len(w.stem) > 1 or not w.stem.isascii())
    )


class Weights:
    """How telling each stem is among these texts: rare stems weigh more. Between about 0.3 and 1 each."""

    def __init__(self, texts: Iterable[str]) -> None:
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            counts.update(content(text))
            total += 1
        self._counts = counts
        self._total = total

    def of(self, stem_: str) -> float:
        """Weight of one stem; 1.0 for one that occurs once or never."""
        count = self._counts.get(stem_, 0)
        return 1.0 if count <= 1 else max(0.3, 1.0 - math.log(count) / math.log(self._total + 2))

    def total(self, stems: Iterable[str]) -> float:
        """Sum of the weights."""
        return sum(self.of(s) for s in stems)

    def overlap(self, left: frozenset[str], right: frozenset[str]) -> float:
        """Weighted Jaccard similarity in 0..1."""
        union = self.total(left | right)
        return self.total(left & right) / union if union else 0.0

    def coverage(self, part: frozenset[str], whole: frozenset[str]) -> float:
        """Share of `part` that `whole` has, in 0..1."""
        size = self.total(part)
        return self.total(part & whole) / size if size else 0.0
