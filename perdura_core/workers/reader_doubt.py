"""The doubting reader: finds statements that cannot both be right, and says so."""

from itertools import combinations
from typing import NamedTuple

from perdura_core.vocabulary import Briefing
from perdura_core.workers.reading.agreement import refines
from perdura_core.workers.reading.conflict import Conflict, find_conflict
from perdura_core.workers.reading.elements import Element, claim, link
from perdura_core.workers.reading.judgement import stands_alone
from perdura_core.workers.reading.view import Note, View

__all__ = ["doubt"]

_PAIRS = 3
_PAIRS_ADVERSARIAL = 6
_RELEVANT = 0.25
_NEIGHBOURING_LINES = 2


class _Finding(NamedTuple):
    left: Note
    right: Note
    conflict: Conflict
    relevance: float


def doubt(briefing: Briefing) -> list[Element]:
    """Elements of a delta: both sides of each conflict as claims where they do not stand yet, joined by an edge."""
    view = View(briefing)
    elements = _audited(view) if briefing.mode == "audit" else []
    wanted = _PAIRS_ADVERSARIAL if briefing.mode == "adversarial" else _PAIRS
    refs: dict[str, str] = {}
    for finding in _chosen(view, _findings(view), wanted):
        left, right = sorted((finding.left, finding.right), key=lambda note: (note.is_fact, note.id not in refs))
        if left.is_fact and left.id not in refs:
            refs[left.id] = f"d{len(refs) + 1}"
            elements.append(claim(view, left, refs[left.id], answers=False))
        against = refs.get(left.id, left.id)
        if right.is_fact and right.id not in refs:
            refs[right.id] = f"d{len(refs) + 1}"
            elements.append(claim(view, right, refs[right.id], answers=False, against=against))
        else:
            elements.append(link(refs.get(right.id, right.id), "contradicts", against))
    return elements


def _findings(view: View) -> list[_Finding]:
    """Conflicts that the briefing does not show yet, firmest first; only adversarial mode leaves the question."""
    plain = [note for note in view.claims if not note.is_summary]
    loose = [n for n in view.facts if n.id not in view.quoted and stands_alone(n.text, beside_another=True)]
    loose = [fact for fact in loose if not any(view.agree(fact, claim_) for claim_ in plain)]
    found = []
    for a, b in combinations((*plain, *loose), 2):
        if frozenset((a.id, b.id)) in view.contradictions or _is_one_passage(a, b):
            continue
        conflict = find_conflict(a.text, b.text, view.weights)
        if conflict is not None:
            relevance = 1.0 if view.is_vague else max(view.relevance(a), view.relevance(b))
            if relevance >= _RELEVANT or view.briefing.mode == "adversarial":
                found.append(_Finding(a, b, conflict, relevance))
    found.sort(
        key=lambda f: (f.relevance < _RELEVANT, -f.conflict.strength, -f.relevance, _number(f.left), _number(f.right))
    )
    return found


def _chosen(view: View, findings: list[_Finding], wanted: int) -> list[_Finding]:
    """The first findings, one for each dispute: what only repeats a side of a chosen one is left for later."""
    chosen: list[_Finding] = []
    for finding in findings:
        if len(chosen) == wanted:
            break
        if not any(_is_same_dispute(view, finding, other) for other in chosen):
            chosen.append(finding)
    return chosen


def _is_same_dispute(view: View, a: _Finding, b: _Finding) -> bool:
    def same(x: Note, y: Note) -> bool:
        return x.id == y.id or view.agree(x, y)

    return (same(a.left, b.left) and same(a.right, b.right)) or (same(a.left, b.right) and same(a.right, b.left))


def _is_one_passage(a: Note, b: Note) -> bool:
    """Whether both quote the same fact or neighbours in one document: who qualifies what he just said is no witness
    against himself."""
    if set(a.node.facts or [a.id]) & set(b.node.facts or [b.id]):
        return True
    (left, _, x), (right, _, y) = ((note.node.source or "").rpartition("#L") for note in (a, b))
    return bool(left) and left == right and x.isdigit() and y.isdigit() and abs(int(x) - int(y)) <= _NEIGHBOURING_LINES


def _number(note: Note) -> int:
    return int(note.id[1:])


def _audited(view: View) -> list[Element]:
    """Which of the pairs put before it are one statement and a fuller one; conflicts are found like any other."""
    elements: list[Element] = []
    for left_id, right_id in view.briefing.audit_pairs:
        left, right = view.by_id(left_id), view.by_id(right_id)
        if left is None or right is None:
            continue
        for specific, general in ((left, right), (right, left)):
            if refines(specific.text, general.text, view.weights) and not view.has_edge(
                "refines", specific.id, general.id
            ):
                elements.append(link(specific.id, "refines", general.id))
                break
    return elements
