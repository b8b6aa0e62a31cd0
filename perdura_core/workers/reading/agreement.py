"""Agreement: two sentences that say the same about the same thing."""

from perdura_core.epistemics.wording.quantities import moments, quantities
from perdura_core.epistemics.wording.words import NEGATORS, Weights, content, words
from perdura_core.workers.reading.conflict import figures_agree, find_conflict
from perdura_core.workers.reading.judgement import said

__all__ = ["agree", "figures_clash", "refines"]

_SAME_WORDS = 0.6
_CONTAINED = 0.9


def agree(a: str, b: str, weights: Weights) -> bool:
    """Whether two sentences say the same: nearly the same words, or the same figure of the same thing."""
    left, right = content(said(a)), content(said(b))
    shared = left & right
    if len(shared) < 2 or figures_clash(a, b):
        return False
    if len(shared) >= 3 and weights.overlap(left, right) >= _SAME_WORDS and _denials(a) == _denials(b):
        return find_conflict(a, b, weights) is None
    return figures_agree(a, b, weights) and find_conflict(a, b, weights) is None


def refines(specific: str, general: str, weights: Weights) -> bool:
    """Whether the first says all that the second says, and more."""
    left, right = content(said(specific)), content(said(general))
    if (
        len(right) < 4
        or len(left) <= len(right)
        or figures_clash(specific, general)
        or _denials(specific) != _denials(general)
    ):
        return False
    figures = {(q.low, q.high, q.dimension) for q in quantities(said(specific))}
    return (
        weights.coverage(right, left) >= _CONTAINED
        and {(q.low, q.high, q.dimension) for q in quantities(said(general))} <= figures
        and find_conflict(specific, general, weights) is None
    )


def figures_clash(a: str, b: str) -> bool:
    """Whether some figure or moment of one has no match among those of its kind in the other, while there are some."""
    a, b = said(a), said(b)
    for x in quantities(a):
        alike = [y for y in quantities(b) if y.dimension == x.dimension]
        if alike and all(x.conflicts_with(y) for y in alike):
            return True
    for m in moments(a):
        kindred = [n for n in moments(b) if n.kind == m.kind]
        if kindred and all(m.conflicts_with(n) for n in kindred):
            return True
    return False


def _denials(text: str) -> int:
    return sum(1 for word in words(text) if word.text.lower() in NEGATORS)
