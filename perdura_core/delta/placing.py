"""Observation or judgement: in which layer a worker's fact or claim is put, whatever the worker called it.

Three tiers. Where it comes from and what it does decides first: what rests on facts or takes a stand among judgements
is a judgement, and words that the mind holds as a fact are that fact. Then the wording, where it is plain. What
neither decides stays what the worker called it; a model may be asked about it later.

Outputs of an analysis are measurements, hence facts, also when they answer a question. Any other answer is a judgement:
two workers that answer with different figures contradict each other, and facts cannot.
"""

from typing import Any

from perdura_core.delta.validate import Refusal, validate
from perdura_core.epistemics import Wording, may_be_analysis, read_wording
from perdura_core.vocabulary import Element, JudgedLayer, Placement

__all__ = ["moved", "placement", "wording_of"]

_STANDS = frozenset({"contradicts", "refines", "depends_on"})
"""Links that only a judgement can have."""
_ANSWERS = "it answers a question"


def wording_of(element: Element) -> Wording | None:
    """What the wording says, where it may decide; None where the kind or the links decide."""
    if element.kind not in ("fact", "claim") or _role(element) is not None:
        return None
    return read_wording(element.text or "")


def placement(element: Element, wording: Wording | None, is_known_fact: bool) -> tuple[JudgedLayer, Placement] | None:
    """The layer of a fact or a claim, and why; None for other elements.

    is_known_fact: the mind holds a fact in the very words of a fact element.
    """
    if element.kind not in ("fact", "claim"):
        return None
    called: JudgedLayer = "fact" if element.kind == "fact" else "interpretation"
    role = "the mind holds it as a fact" if element.kind == "fact" and is_known_fact else _role(element)
    if role is not None or wording is None:
        return called, Placement(tier="source", reason=role or "it was sent as such")
    reads: JudgedLayer = "interpretation" if wording.is_judgement else "fact"
    if element.kind == "claim" and _answers(element) and not (wording.is_analysis and reads == "fact"):
        return called, Placement(tier="source", reason=_ANSWERS)
    words = f"its wording reads as {'a judgement' if wording.is_judgement else 'an observation'}"
    why = (
        f"{words} ({', '.join(wording.cues) or 'nothing judges'}; {max(wording.judgement, 1 - wording.judgement):.2f})"
    )
    if reads == called or wording.is_sure:
        return reads, Placement(
            tier="text",
            reason=why,
            called=None if reads == called else called,
            confidence=element.confidence if reads == "fact" else None,
            is_sure=wording.is_sure,
        )
    return called, Placement(tier="source", reason=f"it was sent as such, though {why}", is_sure=False)


def moved(element: Element, value: Any, layer: JudgedLayer) -> Element:
    """The element as one of the other layer, with what its author sent that this layer has a place for."""
    kind = "fact" if layer == "fact" else "claim"
    again = validate({**value, "kind": kind}) if isinstance(value, dict) else element
    if isinstance(again, Refusal):  # a field that only this kind uses is malformed: it is left out
        return Element(kind=kind, ref=element.ref, text=element.text, domains=element.domains, links=element.links)
    return again


def _role(element: Element) -> str | None:
    if element.kind == "fact":
        return None
    if element.facts:
        return "it rests on facts"
    if any(link.type in _STANDS for link in element.links):
        return "it takes a stand among judgements"
    if _answers(element) and not may_be_analysis(element.text or ""):
        return _ANSWERS
    return None


def _answers(element: Element) -> bool:
    return any(link.type == "answers" for link in element.links)
