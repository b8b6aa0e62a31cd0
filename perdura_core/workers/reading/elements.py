"""Elements of a delta, as the readers write them."""

from typing import Any

from perdura_core.workers.reading.view import Note, View

__all__ = ["Element", "claim", "link"]

Element = dict[str, Any]
"""One entry of `contributions`, see the wire format of deltas."""

_RELEVANT = 0.25
_MAX_FACTS = 6


def claim(view: View, note: Note, ref: str, *, answers: bool, against: str | None = None) -> Element:
    """A claim that quotes the note and cites every fact that says the same.

    `answers`: it is meant as an answer; otherwise it counts as one only if it has the question's words. `against` is
    the id or ref of a claim that it contradicts; a contested claim is worth 0.1 less.
    """
    note = view.plainest(note)
    same = [fact for fact in view.agreeing(note, view.facts) if fact.id != note.id]
    links = []
    if answers or view.is_vague or view.relevance(note) >= _RELEVANT:
        links.append({"type": "answers", "to": view.question.id})
    if against is not None:
        links.append({"type": "contradicts", "to": against})
    return {
        "kind": "claim",
        "ref": ref,
        "text": note.text,
        "confidence": view.confidence(note, is_contested=against is not None),
        "domains": list(note.node.domains or view.question.domains),
        "facts": [note.id, *(fact.id for fact in same)][:_MAX_FACTS],
        "links": links,
    }


def link(src: str, type_: str, dst: str) -> Element:
    """An edge between nodes that stand or were written before in this delta."""
    return {"kind": "link", "from": src, "links": [{"type": type_, "to": dst}]}
