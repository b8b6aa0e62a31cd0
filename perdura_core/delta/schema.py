"""The delta's JSON schema for structured output."""

from typing import Any, get_args

from perdura_core.vocabulary import ELEMENT_KINDS, LinkType

__all__ = ["DELTA_SCHEMA"]


def _list_of(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_STRING = {"type": "string"}
_LINK_TYPES = [name for part in get_args(LinkType) for name in (get_args(part) or (part,))]
_LINK = {
    "type": "object",
    "properties": {"type": {"type": "string", "enum": _LINK_TYPES}, "to": _STRING},
    "required": ["type", "to"],
    "additionalProperties": False,
}
_ELEMENT = {
    "type": "object",
    "properties": {
        "kind": {"type": "string", "enum": list(ELEMENT_KINDS)},
        "ref": _STRING,
        "from": _STRING,
        "text": _STRING,
        "confidence": {"type": "number"},
        "level": {"type": "integer"},
        "domains": _list_of(_STRING),
        "facts": _list_of(_STRING),
        "entities": _list_of(_STRING),
        "source": _STRING,
        "links": _list_of(_LINK),
    },
    "required": ["kind", "text", "links"],
    "additionalProperties": False,
}

DELTA_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"contributions": _list_of(_ELEMENT)},
    "required": ["contributions"],
    "additionalProperties": False,
}
"""One flat object per element: no unions, no bounds, few optional fields, so that every provider's grammar takes it.

What it cannot say (ranges, ids, which fields a kind uses) is left to validation. Empty strings count as absent.
"""
