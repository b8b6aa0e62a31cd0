"""What a worker sends back, after validation. Before it, an element is whatever JSON object came over the wire."""

from typing import Literal

from pydantic import Field

from perdura_core.vocabulary.nodes import EdgeType, Level, NodeId
from perdura_core.vocabulary.value import Text, Unit, Value

__all__ = ["ELEMENT_KINDS", "TEMPLATE_TEXTS", "Element", "ElementKind", "Link", "LinkType", "RejectionReason"]

ElementKind = Literal["question", "fact", "claim", "decision", "rejected", "link", "confidence", "supersede", "resolve"]
ELEMENT_KINDS: tuple[ElementKind, ...] = (
    "question", "fact", "claim", "decision", "rejected", "link", "confidence", "supersede", "resolve",
)  # fmt: skip
LinkType = EdgeType | Literal["supersedes", "resolved_by"]

TEMPLATE_TEXTS: frozenset[str] = frozenset(
    {
        "<one sentence that answers the question>",
        "<one observation, as the source has it>",
        "<where it was seen>",
        "<why>",
        "<subject area>",
    }
)
"""The words that hold a place in the prompt's example. An element that sends one back as its text says nothing."""

RejectionReason = Literal[
    "malformed",        # not an object, or a field of the wrong type
    "unknown_kind",
    "unknown_type",     # a link type that does not exist
    "unknown_level",
    "unknown_id",       # an id the briefing did not show, or a ref nothing defined
    "ref_taken",        # a ref used twice, or one that reads as an id
    "missing_field",
    "empty_text",
    "oversized_text",
    "template_text",    # placeholder words of the prompt sent back as content
    "bad_confidence",
    "self_loop",
    "repeated_edge",
    "repeated_node",    # says what a node already says, and adds nothing to it
    "repeated_element", # this boarding already sent it
    "not_allowed",      # an edge or change that the ontology does not allow
    "supersede_cycle",
    "not_live",         # touches a node that was superseded or deleted meanwhile
    "too_many_links",
    "operator_refused",
]  # fmt: skip


class Link(Value):
    """One link of an element. `to` is an id the briefing showed, or the ref of an element of the same delta."""

    type: LinkType
    to: str


class Element(Value):
    """One node together with its links, or one change to nodes that stand. Merges whole or not at all.

    Every field below is set only where the kind uses it; see the delta's wire format in the design.
    """

    kind: ElementKind
    ref: str | None = None
    origin: NodeId | str | None = Field(default=None, alias="from")
    """The standing node (or ref) that a link, confidence, supersede or resolve element is about."""
    text: Text | None = None
    confidence: Unit | None = None
    level: Level = 1
    domains: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """Facts (ids or refs) that an interpretation refers to."""
    entities: tuple[str, ...] = ()
    source: Text | None = None
    links: tuple[Link, ...] = ()
