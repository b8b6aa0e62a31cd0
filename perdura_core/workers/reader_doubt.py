"""The doubting reader: finds statements that cannot both be right, and says so."""

from itertools import combinations
from typing import Any, NamedTuple

from perdura_core.vocabulary import Briefing
from perdura_core.workers.reading.agreement import refines
from perdura_core.workers.reading.conflict import Conflict, find_conflict
from perdura_core.workers.reading.view import Note, View

__all__ = ["doubt"]

_PAIRS = 3
_PAIRS_ADVERSARIAL = 6
_CONTESTED = 0.1
"""What a conflict takes from the confidence of a claim that is written only now."""


class _Finding(NamedTuple):
    left: Note
    right: Note
    conflict: Conflict


def doubt(briefing: Briefing) -> list[dict[str, Any]]:
    """Elements of a delta: both sides of each conflict as claims where they do not stand yet, joined by an edge."""
    view = View(briefing)
    elements = _audited(view) if briefing.mode == "audit" else []
    wanted = _PAIRS_ADVERSARIAL if briefing.mode == "adversarial" else _PAIRS
    refs: dict[str, str] = {}
    for finding in _findings(view)[:wanted]:
        left, right = sorted((finding.left, finding.right), key=lambda note: note.is_fact)
        for note in (left, right):
            if note.is_fact and note.id not in refs:
                refs[note.id] = f"d{len(refs) + 1}"
                other = right if note is left else left
                against = refs.get(other.id, None if other.is_fact else other.id)
                elements.append(_claim(view, note, refs[note.id], against))
                if against is not None:
                    break
        else:
            elements.append(_link(refs.get(left.id, left.id), refs.get(right.id, right.id), "contradicts"))
    return elements


def _claim(view: View, note: Note, ref: str, against: str | None) -> dict[str, Any]:
    links = [{"type": "answers", "to": view.question.id}]
    if against is not None:
        links.append({"type": "contradicts", "to": against})
    return {
        "kind": "claim",
        "ref": ref,
        "text": note.text,
        "confidence": round(view.confidence(note) - _CONTESTED, 2),
        "domains": list(note.node.domains or view.question.domains),
        "facts": [note.id],
        "links": links,
    }


def _link(src: str, dst: str, type_: str) -> dict[str, Any]:
    return {"kind": "link", "from": src, "links": [{"type": type_, "to": dst}]}


def _findings(view: View) -> list[_Finding]:
    """Conflicts that the briefing does not show yet, firmest first; each node in at most two of them."""
    found = []
    for a, b in combinations((*view.claims, *view.loose), 2):
        if frozenset((a.id, b.id)) in view.contradictions or set(a.node.facts) & set(b.node.facts):
            continue
        if _is_summary(a) or _is_summary(b):
            continue
        conflict = find_conflict(a.text, b.text, view.weights)
        if conflict is not None:
            found.append(_Finding(a, b, conflict))
    found.sort(key=lambda f: (-f.conflict.strength, _number(f.left), _number(f.right)))
    taken: dict[str, int] = {}
    kept = []
    for finding in found:
        ids = (finding.left.id, finding.right.id)
        if all(taken.get(id_, 0) < 2 for id_ in ids):
            kept.append(finding)
            for id_ in ids:
                taken[id_] = taken.get(id_, 0) + 1
    return kept


def _is_summary(note: Note) -> bool:
    """Decisions and patterns speak of both sides of a dispute; what they rest on is compared instead."""
    return note.node.kind == "decision" or (note.node.level or 1) > 1


def _number(note: Note) -> int:
    return int(note.id[1:])


def _audited(view: View) -> list[dict[str, Any]]:
    """What the pairs that were put before it are to each other, where that is certain."""
    elements: list[dict[str, Any]] = []
    for left_id, right_id in view.briefing.audit_pairs:
        left, right = view.by_id(left_id), view.by_id(right_id)
        if left is None or right is None or frozenset((left_id, right_id)) in view.contradictions:
            continue
        if find_conflict(left.text, right.text, view.weights) is not None:
            continue  # a finding like any other
        for specific, general in ((left, right), (right, left)):
            if refines(specific.text, general.text, view.weights) and not view.has_edge(
                "refines", specific.id, general.id
            ):
                elements.append(_link(specific.id, general.id, "refines"))
                break
    return elements
