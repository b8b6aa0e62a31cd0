"""The gathering reader: puts together what several documents agree on, and settles what they outvote."""

from perdura_core.vocabulary import Briefing
from perdura_core.workers.reading.agreement import refines
from perdura_core.workers.reading.elements import Element, link
from perdura_core.workers.reading.judgement import is_hedged
from perdura_core.workers.reading.view import Note, View

__all__ = ["gather"]

_PATTERNS = 2
_LINKS = 3
_MAX_FACTS = 12
_SHOWN_DOCUMENTS = 4


def gather(briefing: Briefing) -> list[Element]:
    """Elements of a delta: decisions, patterns with the claims that support them, links; rarely a resolution."""
    view = View(briefing)
    elements = _decisions(view)
    if not elements:
        elements = _patterns(view)
    elements += _links(view)
    return elements + _resolution(view)


def _witnesses(view: View, claim: Note) -> tuple[list[Note], frozenset[str]]:
    """The facts behind a claim and those that agree with it, and the documents they come from."""
    own = [note for note in view.facts if note.id in claim.node.facts]
    further = [note for note in view.agreeing(claim, view.facts) if note.id not in claim.node.facts]
    documents = claim.documents.union(*(note.documents for note in further)) if further else claim.documents
    return [*own, *further][:_MAX_FACTS], documents


def _named(documents: frozenset[str]) -> str:
    shown = sorted(documents)[:_SHOWN_DOCUMENTS]
    more = len(documents) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _sentence(text: str) -> str:
    return text if text.rstrip("\"'”’)").endswith((".", "!", "?", "。")) else f"{text}."


def _patterns(view: View) -> list[Element]:
    """What at least two documents say, once for each thing said."""
    summarised = {fact for note in view.claims if note.is_summary for fact in note.node.facts}
    elements: list[Element] = []
    made = 0
    for claim in view.claims:
        if (
            claim.is_summary
            or set(claim.node.facts) & summarised
            or view.is_disputed(claim.id)
            or is_hedged(claim.text)
        ):
            continue
        facts, documents = _witnesses(view, claim)
        if len(documents) < 2:
            continue
        made += 1
        ref = f"g{made}"
        members = [c for c in view.claims if not c.is_summary and (c.id == claim.id or view.agree(claim, c))]
        elements.append(
            {
                "kind": "claim",
                "ref": ref,
                "level": 2,
                "text": f"{len(documents)} sources agree ({_named(documents)}): {_sentence(claim.text)}",
                "confidence": round(min(0.85, 0.6 + 0.1 * (len(documents) - 1)), 2),
                "domains": list(claim.node.domains),
                "facts": [note.id for note in facts],
                "links": [{"type": "answers", "to": view.question.id}],
            }
        )
        elements += [link(c.id, "supports", ref) for c in members]
        summarised |= {note.id for note in facts} | {fact for c in members for fact in c.node.facts}
        if made == _PATTERNS:
            break
    return elements


def _decisions(view: View) -> list[Element]:
    """Disputes in which at least two documents, and more than twice as many, stand against one."""
    decided = [set(note.node.facts) for note in view.claims if note.node.kind == "decision"]
    for pair in sorted(view.contradictions, key=sorted):
        sides = [note for id_ in sorted(pair) if (note := view.by_id(id_)) is not None and not note.is_fact]
        if len(sides) != 2 or any(side.is_summary for side in sides):
            continue
        (facts_a, docs_a), (facts_b, docs_b) = (_witnesses(view, side) for side in sides)
        strong, weak = sides
        facts, backing, opposing = [*facts_a, *facts_b], docs_a - docs_b, docs_b - docs_a
        if len(backing) < len(opposing):
            strong, weak, backing, opposing = weak, strong, opposing, backing
        ids = {note.id for note in facts}
        if not opposing or len(backing) <= 2 * len(opposing) or any(ids & known for known in decided):
            continue
        return [
            {
                "kind": "decision",
                "ref": "g1",
                "text": f"{_sentence(strong.text)} {len(backing)} sources say so ({_named(backing)}), "
                f"{len(opposing)} says otherwise ({_named(opposing)}).",
                "confidence": round(min(0.85, 0.55 + 0.1 * (len(backing) - len(opposing))), 2),
                "domains": list(strong.node.domains),
                "facts": [note.id for note in facts][:_MAX_FACTS],
                "links": [
                    {"type": "answers", "to": view.question.id},
                    {"type": "contradicts", "to": weak.id},
                ],
            },
            link(strong.id, "supports", "g1"),
        ]
    return []


def _links(view: View) -> list[Element]:
    """Standing claims that say the same (supports) or say more (refines), where no edge joins them yet."""
    elements: list[Element] = []
    plain = [claim for claim in view.claims if not claim.is_summary]
    for at, a in enumerate(plain):
        for b in plain[at + 1 :]:
            if any(
                view.has_edge(t, x.id, y.id)
                for t in ("supports", "refines", "contradicts")
                for x, y in ((a, b), (b, a))
            ):
                continue
            type_, src, dst = _relation(view, a, b)
            if type_:
                elements.append(link(src, type_, dst))
            if len(elements) == _LINKS:
                return elements
    return elements


def _relation(view: View, a: Note, b: Note) -> tuple[str, str, str]:
    if refines(a.text, b.text, view.weights):
        return "refines", a.id, b.id
    if refines(b.text, a.text, view.weights):
        return "refines", b.id, a.id
    if b.documents - a.documents and view.agree(a, b):
        return "supports", b.id, a.id
    return "", "", ""


def _resolution(view: View) -> list[Element]:
    """Resolve only what three documents agree on, in the question's own words, with no contradiction in sight."""
    if view.contradictions:
        return []
    for note in view.claims:
        is_pattern = note.is_summary and not view.is_disputed(note.id)
        if is_pattern and len(note.documents) >= 3 and view.relevance(note) >= 0.75 and len(view.asked) >= 2:
            return [{"kind": "resolve", "from": view.question.id, "links": [{"type": "resolved_by", "to": note.id}]}]
    return []
