"""Stored values as lines of data that no stored text can break out of."""

import json
import re
from typing import Any

from perdura_core.vocabulary import BriefingNode, EdgeType, NodeId

__all__ = ["edge_line", "node_line", "pair_line", "quoted"]

_LOUD = re.compile("[<>`\x7f-\x9f\u2028\u2029\ud800-\udfff]|\\[(?=/?[A-Z_]+\\])")
"""What could end the data block, open a code fence, break the line, not be encoded, or read as a chat template's mark
(`<|end|>`, `[INST]`)."""

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def quoted(value: Any) -> str:
    """The value as JSON on one line, with tag brackets, backquotes and template marks as `\\uXXXX` escapes.

    Reading it as JSON gives the value back unchanged. Other characters beyond ASCII stand as they are, because an
    escape takes six times their tokens.
    """
    return _LOUD.sub(_escape, _JSON.encode(value))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def node_line(node: BriefingNode, usual_domains: tuple[str, ...] = ()) -> str:
    """One node: its id, what it is, its confidence if shown, its text; then domains (other than usual), source, facts.

    Ids and kinds are the mind's own words and stand bare; whatever anybody wrote is quoted.
    """
    parts = [node.id, node.kind or node.layer]
    if node.level is not None and node.level > 1:
        parts.append(f"level {node.level}")
    if node.is_context:
        parts.append("settled")
    if node.confidence is not None:
        parts.append(f"{node.confidence:.2f}")
    parts.append(quoted(node.text))
    if node.domains and node.domains != usual_domains:
        parts.append(f"domains {quoted(node.domains)}")
    if node.source is not None:
        parts.append(f"source {quoted(node.source)}")
    if node.facts:
        parts.append(f"facts {' '.join(node.facts)}")
    return " ".join(parts)


def edge_line(type_: EdgeType, src: NodeId, dst: NodeId) -> str:
    """One edge between two shown nodes."""
    return f"{src} {type_} {dst}"


def pair_line(pair: tuple[NodeId, NodeId]) -> str:
    """One pair that an audit asks about."""
    return f"pair {pair[0]} {pair[1]}"
