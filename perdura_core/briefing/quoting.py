"""Stored values as lines of data that no stored text can break out of."""

import json
import re
from typing import Any

from perdura_core.vocabulary import BriefingEdge, BriefingNode, NodeId

__all__ = ["edge_line", "node_line", "pair_line", "quoted"]

_LOUD = re.compile("[<>`\u0085\u2028\u2029]|\\[(?=/?[A-Z_]+\\])")
"""What could end the data block, open a code fence, break the line, or read as a chat template's mark (`<|end|>`,
`[INST]`)."""


def quoted(value: Any) -> str:
    """The value as JSON on one line, with tag brackets, backquotes and template marks as `\\uXXXX` escapes.

    Reading it as JSON gives the value back unchanged. Other characters beyond ASCII stand as they are, because an
    escape takes six times their tokens.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _LOUD.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def node_line(node: BriefingNode) -> str:
    """One node: id, layer or kind, and what a worker may know of it."""
    fields: dict[str, Any] = {"id": node.id, "kind": node.kind or node.layer}
    if node.level is not None and node.level > 1:
        fields["level"] = node.level
    if node.confidence is not None:
        fields["confidence"] = round(node.confidence, 2)
    fields["text"] = node.text
    if node.domains:
        fields["domains"] = node.domains
    if node.source is not None:
        fields["source"] = node.source
    if node.facts:
        fields["facts"] = node.facts
    if node.is_context:
        fields["settled"] = True
    return quoted(fields)


def edge_line(edge: BriefingEdge) -> str:
    """One edge between two shown nodes."""
    return quoted({"edge": edge.type, "from": edge.src, "to": edge.dst})


def pair_line(pair: tuple[NodeId, NodeId]) -> str:
    """One pair that an audit asks about."""
    return quoted({"pair": pair})
