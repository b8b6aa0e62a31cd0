"""One element on its way through a plan, and who sent it."""

from dataclasses import dataclass, field
from typing import Any

from perdura_core.config import ReviewGate
from perdura_core.delta.fingerprint import as_sent, fingerprint
from perdura_core.delta.parser import RawElement
from perdura_core.delta.placing import moved, placement, wording_of
from perdura_core.delta.validate import NODE_KINDS, Refusal, validate
from perdura_core.epistemics import Wording
from perdura_core.graph import Graph, digest_of
from perdura_core.vocabulary import (
    Element,
    ElementKind,
    InterpretationKind,
    Layer,
    ModelId,
    NodeId,
    Placement,
    Value,
    layer_of,
)

__all__ = ["Aboard", "End", "Piece", "kind_of_end", "layer_of_end"]


class Aboard(Value):
    """The boarding whose elements are planned."""

    boarding: str
    session: str | None = None
    model: ModelId
    question: NodeId
    domains: tuple[str, ...] = ()
    """The question's: new nodes that bring none inherit them."""
    shown: frozenset[NodeId]
    """Every id the worker may touch."""
    review: ReviewGate = "off"
    is_language_model: bool = True
    """What a language model says about decisions waits for the operator whatever the gate."""


@dataclass(eq=False)
class Piece:
    """One element of a group under plan."""

    index: int
    fingerprint: str
    sent: str
    element: Element | None
    refusal: Refusal | None = None
    digest: int = 0
    """Of a node's words; 0 for changes."""
    value: Any = None
    """As it was sent."""
    wording: Wording | None = None
    """What the words of a fact or claim say of its layer, where they may decide."""
    placement: Placement | None = None
    """Of a fact or claim: why it is in its layer."""
    sent_kind: ElementKind | None = None
    """What a fact or claim was called, where it is in the other layer now."""
    left_out: list[str] = field(default_factory=list)
    """Links that could not be kept because something was put in the other layer."""
    ends: dict[str, "End"] = field(default_factory=dict)
    """What each name that it uses stands for."""
    standing: NodeId | None = None
    """The live node that already says what this one says."""
    node: NodeId | None = None
    """The node it adds or is about."""
    follows: str | None = None
    """A proposal that it refers to, and with which it must wait."""
    proposal: str | None = None
    """Set when it waits for the operator."""

    @classmethod
    def of(cls, raw: RawElement) -> "Piece":
        """The piece of a raw element, refused if it is no valid element."""
        return cls.of_value(raw.index, raw.value, fingerprint(raw.value))

    @classmethod
    def of_value(cls, index: int, value: Any, mark: str) -> "Piece":
        """The piece of a value with its fingerprint as it was first sent."""
        element = validate(value)
        if isinstance(element, Refusal):
            return cls(index, mark, as_sent(value), None, element)
        digest = digest_of(element.text or "") if element.kind in NODE_KINDS else 0
        return cls(index, mark, as_sent(value), element, digest=digest, value=value, wording=wording_of(element))

    @property
    def said(self) -> Element:
        """The element. Only of pieces that are not refused."""
        assert self.element is not None
        return self.element

    @property
    def is_node(self) -> bool:
        """Whether it brings a node, rather than a change."""
        return self.said.kind in NODE_KINDS

    def place(self, graph: Graph) -> None:
        """Put a fact or claim in the layer where it belongs."""
        is_known = self.said.kind == "fact" and graph.same_text("fact", self.digest) is not None
        placed = placement(self.said, self.wording, is_known)
        if placed is None:
            return
        layer, self.placement = placed
        if layer != layer_of_end(self):
            self.sent_kind = self.said.kind
            self.element = moved(self.said, self.value, layer)

    def refuse(self, refusal: Refusal) -> None:
        """Refuse it, unless it was refused before: the first reason stays."""
        self.refusal = self.refusal or refusal


_LAYERS: dict[str, Layer] = {"question": "question", "fact": "fact"}

End = NodeId | Piece
"""A node that stands, or one that the same group brings."""


def layer_of_end(end: End) -> Layer:
    """The layer of a standing or coming node."""
    if isinstance(end, str):
        return layer_of(end)
    return _LAYERS.get(end.said.kind, "interpretation")


def kind_of_end(end: End, graph: Graph) -> InterpretationKind | None:
    """The kind of an interpretation, standing or coming; None for other layers."""
    if isinstance(end, Piece):
        return end.said.kind if layer_of_end(end) == "interpretation" else None  # type: ignore[return-value]
    vertex = graph.get(end)
    return vertex.kind if vertex is not None else None
