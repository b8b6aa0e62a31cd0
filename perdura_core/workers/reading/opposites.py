"""Opposites: words that pull one axis apart, and comparisons between two things."""

import re
from functools import lru_cache
from typing import NamedTuple

from perdura_core.epistemics.wording.words import NEGATORS, STOPWORDS, content, normalise, stem, words
from perdura_core.workers.reading.clauses import Clause, subjects_match

__all__ = ["Comparison", "Pull", "comparisons", "comparisons_conflict", "pulls"]

_AXES: dict[str, tuple[str, str]] = {
    "amount": (
        "increase rise grow expand climb double triple quadruple raise accelerate soar improve surge gain widen swell",
        "decrease fall decline shrink drop reduce lower halve diminish dwindle retreat worsen narrow contract thin",
    ),
    "estimate": ("overestimate overstate exaggerate", "underestimate understate"),
    "acceptance": ("accept approve adopt ratify endorse", "reject refuse deny veto"),
    "permission": ("allow permit", "forbid prohibit disallow ban"),
    "need": ("require mandatory compulsory obligatory", "optional voluntary unneeded unnecessary"),
    "outcome": ("succeed pass successful", "fail unsuccessful"),
    "switch": ("enable enabled active", "disable disabled inactive"),
    "truth": ("true correct right accurate", "false wrong incorrect inaccurate mistaken"),
    "safety": ("safe harmless", "dangerous unsafe harmful hazardous"),
    "stance": ("support favour favor", "oppose"),
    "membership": ("include", "exclude omit"),
    "result": ("win", "lose"),
    "life": ("alive", "dead"),
    "sameness": ("identical same", "different"),
    "possibility": ("possible feasible", "impossible infeasible"),
    "familiarity": ("familiar", "unfamiliar"),
    "likelihood": ("likely", "unlikely"),
    "reliability": ("reliable dependable", "unreliable"),
    "stability": ("stable", "unstable"),
    "compatibility": ("compatible", "incompatible"),
    "openness": ("public", "private"),
    "timing": ("eager eagerly", "lazy lazily"),
    "difficulty": ("easy simple trivial", "hard difficult"),
    "commonness": ("common frequent widespread", "rare uncommon scarce"),
    "purity": ("toxic poisonous", "nontoxic"),
    "fill": ("full", "empty"),
    "agreement": ("agree", "disagree"),
    "presence": ("present", "absent missing"),
    "encryption": ("encrypted", "unencrypted plaintext"),
    "health": ("healthy", "unhealthy"),
    "plan": ("planned scheduled", "unplanned unscheduled"),
    "automation": ("automatic automatically", "manual manually"),
}
_SIGN_OF: dict[str, tuple[str, int]] = {
    stem(word): (axis, sign)
    for axis, sides in _AXES.items()
    for side, sign in zip(sides, (1, -1), strict=True)
    for word in side.split()
}
_MEASURES: dict[str, tuple[str, int]] = {
    word: (axis, sign)
    for axis, up, down in (
        ("cost", "expensive costlier dearer pricier costly", "cheap cheaper cheapest inexpensive affordable"),
        ("size", "bigger larger greater biggest largest", "smaller smallest"),
        ("speed", "faster quicker fastest quickest fast quick", "slower slowest slow"),
        ("heat", "warmer hotter warmest hottest warm hot", "cooler colder coolest coldest cool cold"),
        ("height", "higher taller highest tallest", "lower shorter lowest"),
        ("ease", "easier simpler easiest simplest easy simple", "harder hardest difficult complex complicated"),
        ("safety", "safer safest safe", "riskier dangerous risky"),
        ("strength", "stronger strongest", "weaker weakest"),
        ("quality", "better best", "worse worst"),
        ("age", "older oldest", "younger newer youngest newest"),
        ("weight", "heavier heaviest", "lighter lightest"),
        ("reach", "common popular frequent", "rare rarer uncommon"),
        ("trust", "reliable accurate", "unreliable"),
        ("time", "earlier sooner", "later"),
    )
    for words_, sign in ((up, 1), (down, -1))
    for word in words_.split()
}
_COMPARATIVE = re.compile(
    rf"(?P<degree>\b(?:more|less|least|most)\s+)?\b(?P<word>{'|'.join(sorted(_MEASURES, key=len, reverse=True))})\b"
    r"(?:\s+\w+){0,6}?\s+than\s+(?P<right>[^,;.]+)",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(?:is|are|was|were)\s+(?:still\s+|now\s+)?(?:by far\s+)?(?:the\s+)?(?:(?P<degree>most|least)\s+)?"
    rf"(?P<word>{'|'.join(sorted(_MEASURES))})\b(?P<rest>[^,;.]*)",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"^(?:the |any |all |every |most )?(?:alternatives?|others?|anything|everything|rest|competition|other \w+)\b",
    re.IGNORECASE,
)
_RIGHT_END = re.compile(
    r"\s+(?:and|but|because|when|if|in|at|for|since|as|so|by|during|after|before|was|were|is|are|has|had|did|does"
    r"|do)\b",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"(?:^|[,;:\"“()]|\b(?:that|while|whereas|but|and|because|although)\b)\s*(?P<np>[^,;:\"“()]*?)\s+(?:(?:is|are|was"
    r"|were|be|been|being|has|have|had|will|would|may|might|can|could|now|still|also|even|much|far|considerably"
    r"|significantly|slightly|a|an|\d+%)\s+)+$",
    re.IGNORECASE,
)


class Pull(NamedTuple):
    """One word that pulls an axis up (+1) or down (-1), denial counted in."""

    axis: str
    sign: int
    stem: str


class Comparison(NamedTuple):
    """`left` lies above (+1) or below (-1) `right` on an axis. An empty `right` is everything else."""

    axis: str
    sign: int
    left: frozenset[str]
    right: frozenset[str]


def pulls(clause: Clause) -> tuple[Pull, ...]:
    """The opposites-bearing words of a clause. A negator up to three words before turns one round."""
    found = []
    for at, word in enumerate(clause.words):
        known = _SIGN_OF.get(word.stem)
        if known is None or at < clause.verb:
            continue
        before = [w.text.lower() for w in clause.words[max(0, at - 3) : at]]
        sign = -known[1] if any(b in NEGATORS for b in before) else known[1]
        found.append(Pull(known[0], sign, word.stem))
    mixed = {pull.axis for pull in found if any(p.axis == pull.axis and p.sign != pull.sign for p in found)}
    return tuple(pull for pull in found if pull.axis not in mixed)


@lru_cache(maxsize=4_096)
def comparisons(text: str) -> tuple[Comparison, ...]:
    """What the text puts above or below what. Denied and hedged comparisons are left out."""
    text = normalise(text)
    found: list[Comparison] = []
    for match in _COMPARATIVE.finditer(text):
        left = _left_of(text[: match.start()])
        right = _RIGHT_END.split(match["right"], maxsplit=1)[0]
        if left is not None:
            found.append(_comparison(match, left, frozenset() if _GENERIC.match(right) else _phrase(right)))
    if not found:
        for match in _SUPERLATIVE.finditer(text):
            is_superlative = match["word"].lower().endswith("est") or match["degree"]
            left = _left_of(
                text[: match.start("word")].removesuffix("most ").removesuffix("least ").removesuffix("the ")
            )
            if is_superlative and left is not None:
                found.append(_comparison(match, left, frozenset()))
    return tuple(c for c in found if c.left)


def _left_of(before: str) -> frozenset[str] | None:
    match = _LEFT.search(before.rstrip() + " ")
    if match is None or any(
        w.text.lower() in NEGATORS or w.text.lower() in ("may", "might", "if") for w in words(match.group())
    ):
        return None
    return _phrase(match["np"])


def _phrase(text: str) -> frozenset[str]:
    return frozenset(s for s in content(text) if s not in STOPWORDS)


def _comparison(match: re.Match[str], left: frozenset[str], right: frozenset[str]) -> Comparison:
    axis, sign = _MEASURES[match["word"].lower()]
    return Comparison(
        axis, -sign if (match["degree"] or "").strip().lower() in ("less", "least") else sign, left, right
    )


def comparisons_conflict(a: Comparison, b: Comparison) -> bool:
    """Whether both cannot hold: the same two things in the same order pulled apart, or in the opposite order alike."""
    if a.axis != b.axis:
        return False
    if a.sign != b.sign:
        return subjects_match(a.left, b.left) and (not a.right or not b.right or subjects_match(a.right, b.right))
    crosswise = bool(a.left and b.left) and (
        (bool(b.right) and subjects_match(a.left, b.right) and (not a.right or subjects_match(a.right, b.left)))
        or (bool(a.right) and subjects_match(b.left, a.right) and (not b.right or subjects_match(b.right, a.left)))
    )
    return crosswise and not subjects_match(a.left, b.left)
