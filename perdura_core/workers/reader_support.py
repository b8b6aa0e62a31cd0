"""The supporting reader: quotes the sentences that answer the question best."""

import re
from collections import Counter

from perdura_core.vocabulary import Briefing
from perdura_core.workers.reading.agreement import figures_clash
from perdura_core.workers.reading.conflict import find_conflict
from perdura_core.workers.reading.elements import Element, claim, link
from perdura_core.workers.reading.judgement import is_hedged, is_record, is_routine
from perdura_core.workers.reading.view import Note, View

__all__ = ["support"]

_CLAIMS = 3
_SUPPORTS = 2
_TOO_ALIKE = 0.5
_LEAST_BEARING = 0.2
_OF_THE_BEST = 0.3
"""A sentence must bear on the question at least so far, measured by the one that does most."""
_TELLING = re.compile(
    r"\b(?:because|therefore|must|should|require[sd]?|allow(?:s|ed)?|solve[sd]?|problem|cause[sd]?|lead|led|due to"
    r"|better|"
    r"worse|cheaper|faster|slower|easier|prevent(?:s|ed)?|need(?:s|ed)?|propose[sd]?|recommend(?:s|ed)?|decid\w+"
    r"|reject\w*|"
    r"agree\w*|show(?:s|ed)?|found|confirm\w*|instead|rather than|only|never|always|\d+)\b",
    re.IGNORECASE,
)
# Who said what in a discussion tells less about the matter than what a document itself puts forward.
_NARRATIVE = re.compile(
    r"\b(?:suggest(?:s|ed)|responded|pointed out|pointing out|voiced|expressed|admitted|stressed|convinced|debaters?"
    r"|threads?"
    r"|was concerned|were concerned|commenters?|raised during|discussions?|originally proposed|after a while|draft)\b",
    re.IGNORECASE,
)
_THESIS = re.compile(
    r"^[A-Z]\w* \d+ (?:also )?(?:proposes?|defines?|specif(?:y|ies)|requires?|adds?|introduces?|recommends?|argues?"
    r"|describes?)\b"
    r"|\b(?:we (?:propose|recommend|conclude|decided)|proposal is|should be|must be|the solution is|the answer is)\b",
)
_LOOSE_PRONOUN = re.compile(
    r"\b(?:it|they|them|its|their|he|she|his|her|this|these|those|we|our|you|your)\b", re.IGNORECASE
)
_DEFINITE_START = re.compile(r"^The (?:\w+ ){1,2}(?:is|are|was|were|of|will|can|has|have|must|should)\b")


def support(briefing: Briefing) -> list[Element]:
    """Elements of a delta: claims that quote facts, and facts that bear out standing claims."""
    view = View(briefing)
    if briefing.mode == "adversarial":
        against = _against_the_strongest(view)
        if against:
            return against
    claims = [claim(view, note, f"s{number}", answers=True) for number, note in enumerate(_best(view), start=1)]
    return claims + _borne_out(view)


def _best(view: View) -> list[Note]:
    """The best facts not claimed yet, each unlike what stands and unlike the others, spread over the documents."""
    frequency = Counter(stem for note in view.facts for stem in note.stems)
    claimed = Counter(document for standing in view.claims for document in standing.documents)
    chosen: list[Note] = []
    bearing = {note.id: _bearing(view, note) for note in view.facts}
    least = 0.0 if view.is_vague else max(_LEAST_BEARING, _OF_THE_BEST * max(bearing.values(), default=0.0))
    candidates = [n for n in view.loose if bearing[n.id] >= least and not is_routine(n.node.text)]
    scores = {n.id: 1.5 * bearing[n.id] + _worth(n, frequency) for n in candidates}
    while candidates and len(chosen) < _CLAIMS:
        next_ = max(
            candidates, key=lambda n: (scores[n.id] - 0.08 * sum(claimed[d] for d in n.documents), -int(n.id[1:]))
        )
        candidates.remove(next_)
        if any(_is_too_alike(view, next_, other) for other in (*view.claims, *chosen)):
            continue
        chosen.append(next_)
        claimed.update(next_.documents)
    return chosen


def _is_too_alike(view: View, note: Note, other: Note) -> bool:
    """Whether a claim about the note would say again what the other says; a conflicting figure is something new."""
    if figures_clash(note.text, other.text):
        return False
    shared, union = note.stems & other.stems, note.stems | other.stems
    return (
        view.agree(note, other)
        or view.weights.overlap(note.stems, other.stems) > _TOO_ALIKE
        or len(shared) > _TOO_ALIKE * len(union)
    )


def _bearing(view: View, note: Note) -> float:
    """How far a sentence bears on the question, 0..1: by its words, or half as far by those of its answers."""
    answered = frozenset().union(*(claim_.stems for claim_ in view.answers)) if view.answers else frozenset()
    return max(view.relevance(note), 0.5 * view.weights.coverage(note.stems, answered))


def _worth(note: Note, frequency: Counter[str]) -> float:
    """How well a sentence serves as a claim: on what the documents dwell on, telling, plain."""
    top = frequency.most_common(1)[0][1]
    central = sum(frequency[s] for s in note.stems) / (top * len(note.stems)) if note.stems else 0.0
    length = len(note.text.split())
    score = 1.0 * central
    score += 0.15 * min(2, len(_TELLING.findall(note.text)))
    score -= 0.10 * min(3, len(_LOOSE_PRONOUN.findall(note.text)))
    score -= 0.25 if _DEFINITE_START.match(note.text) else 0.0
    score -= 0.10 if is_hedged(note.text) else 0.0
    score -= 0.30 if is_record(note.node.text) else 0.0
    score -= 0.60 if _NARRATIVE.search(note.text) else 0.0
    score += 0.35 if _THESIS.search(note.text) else 0.0
    score += 0.25 / (1 + _line(note) / 60)
    score -= 0.02 * max(0, length - 22) + 0.03 * max(0, 9 - length)
    return score


def _line(note: Note) -> int:
    """The line of the note in its document: what matters most is said early."""
    line = (note.node.source or "").rpartition("#")[2][1:]
    return int(line) if line.isdigit() else 60


def _borne_out(view: View) -> list[Element]:
    """Facts of another document that say what a standing claim says."""
    found: list[Element] = []
    for standing in view.claims:
        for fact in view.agreeing(standing, view.facts):
            if fact.id in standing.node.facts or view.has_edge("supports", fact.id, standing.id):
                continue
            found.append(link(fact.id, "supports", standing.id))
            if len(found) == _SUPPORTS:
                return found
    return found


def _against_the_strongest(view: View) -> list[Element]:
    """Facts against the most trusted claims."""
    found: list[Element] = []
    for strong in sorted(view.claims, key=lambda c: (-(c.node.confidence or 0.0), int(c.id[1:]))):
        for fact in view.loose:
            if find_conflict(strong.text, fact.text, view.weights) is not None:
                found.append(claim(view, fact, f"s{len(found) + 1}", answers=True, against=strong.id))
                break
        if len(found) == _CLAIMS:
            break
    return found
