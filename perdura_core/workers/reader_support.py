"""The supporting reader: quotes the sentences that answer the question best."""

import re
from collections import Counter
from typing import Any

from perdura_core.vocabulary import Briefing
from perdura_core.workers.reading.conflict import find_conflict
from perdura_core.workers.reading.judgement import is_hedged
from perdura_core.workers.reading.view import Note, View

__all__ = ["support"]

_CLAIMS = 3
_SUPPORTS = 2
_TOO_ALIKE = 0.5
_LEAST_RELEVANCE = 0.2
_TELLING = re.compile(
    r"\b(?:because|therefore|must|should|require[sd]?|allow(?:s|ed)?|solve[sd]?|problem|cause[sd]?|lead|led|due to|better|"
    r"worse|cheaper|faster|slower|easier|prevent(?:s|ed)?|need(?:s|ed)?|propose[sd]?|recommend(?:s|ed)?|decid\w+|reject\w*|"
    r"agree\w*|show(?:s|ed)?|found|confirm\w*|instead|rather than|only|never|always|\d+)\b",
    re.IGNORECASE,
)
_LOOSE_PRONOUN = re.compile(
    r"\b(?:it|they|them|its|their|he|she|his|her|this|these|those|we|our|you|your)\b", re.IGNORECASE
)
_DEFINITE_START = re.compile(r"^The \w+ (?:is|are|was|were|of|will|can|has|have|must|should)\b")


def support(briefing: Briefing) -> list[dict[str, Any]]:
    """Elements of a delta: claims that quote facts, and facts that bear out standing claims."""
    view = View(briefing)
    if briefing.mode == "adversarial":
        against = _against_the_strongest(view)
        if against:
            return against
    claims = [_claim(view, note, f"s{number}") for number, note in enumerate(_best(view), start=1)]
    return claims + _borne_out(view)


def _claim(view: View, note: Note, ref: str, *, against: str | None = None) -> dict[str, Any]:
    links = [{"type": "answers", "to": view.question.id}]
    if against is not None:
        links.append({"type": "contradicts", "to": against})
    return {
        "kind": "claim",
        "ref": ref,
        "text": note.text,
        "confidence": view.confidence(note),
        "domains": list(note.node.domains or view.question.domains),
        "facts": [note.id],
        "links": links,
    }


def _best(view: View) -> list[Note]:
    """The best facts not claimed yet, each unlike what stands and unlike the others, spread over the documents."""
    frequency = Counter(stem for note in view.facts for stem in note.stems)
    claimed = Counter(document for claim in view.claims for document in claim.documents)
    chosen: list[Note] = []
    candidates = [n for n in view.loose if view.is_vague or view.relevance(n) >= _LEAST_RELEVANCE]
    scores = {n.id: _score(view, n, frequency) for n in candidates}
    while candidates and len(chosen) < _CLAIMS:
        best = max(
            candidates, key=lambda n: (scores[n.id] - 0.08 * sum(claimed[d] for d in n.documents), -int(n.id[1:]))
        )
        candidates.remove(best)
        if any(view.weights.overlap(best.stems, other.stems) > _TOO_ALIKE for other in (*view.claims, *chosen)):
            continue
        chosen.append(best)
        claimed.update(best.documents)
    return chosen


def _score(view: View, note: Note, frequency: Counter[str]) -> float:
    """How well a sentence serves as an answer: on the question, on what the documents dwell on, telling, plain."""
    top = frequency.most_common(1)[0][1]
    central = sum(frequency[s] for s in note.stems) / (top * len(note.stems)) if note.stems else 0.0
    length = len(note.text.split())
    score = 2.0 * view.relevance(note) + 1.0 * central
    score += 0.15 * min(2, len(_TELLING.findall(note.text)))
    score -= 0.10 * min(3, len(_LOOSE_PRONOUN.findall(note.text)))
    score -= 0.25 if _DEFINITE_START.match(note.text) else 0.0
    score -= 0.10 if is_hedged(note.text) else 0.0
    score -= 0.02 * max(0, length - 28) + 0.03 * max(0, 9 - length)
    return score


def _borne_out(view: View) -> list[dict[str, Any]]:
    """Facts of another document that say what a standing claim says."""
    found: list[dict[str, Any]] = []
    for claim in view.claims:
        for fact in view.agreeing(claim, view.facts):
            if fact.id in claim.node.facts or view.has_edge("supports", fact.id, claim.id):
                continue
            found.append({"kind": "link", "from": fact.id, "links": [{"type": "supports", "to": claim.id}]})
            if len(found) == _SUPPORTS:
                return found
    return found


def _against_the_strongest(view: View) -> list[dict[str, Any]]:
    """Facts against the most trusted claims."""
    found: list[dict[str, Any]] = []
    for claim in sorted(view.claims, key=lambda c: (-(c.node.confidence or 0.0), int(c.id[1:]))):
        for fact in view.loose:
            if find_conflict(claim.text, fact.text, view.weights) is not None:
                found.append(_claim(view, fact, f"s{len(found) + 1}", against=claim.id))
                break
        if len(found) == _CLAIMS:
            break
    return found
