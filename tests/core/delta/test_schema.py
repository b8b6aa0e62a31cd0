"""The schema is flat enough for every provider and takes the wire format's own example."""

from typing import Any

from perdura_core.delta import DELTA_SCHEMA
from perdura_core.vocabulary import ELEMENT_KINDS

EXAMPLE = {
    "contributions": [
        {
            "kind": "claim", "ref": "a", "text": "x", "confidence": 0.7, "level": 1, "domains": ["storage"],
            "facts": ["f12"], "links": [{"type": "answers", "to": "q1"}, {"type": "contradicts", "to": "i9"}],
        },
        {"kind": "fact", "ref": "b", "text": "x", "source": "a.md#L20", "links": [{"type": "supports", "to": "a"}]},
        {"kind": "link", "from": "i3", "text": "", "links": [{"type": "refines", "to": "i9"}]},
        {"kind": "confidence", "from": "i9", "confidence": 0.3, "text": "why", "links": []},
        {"kind": "supersede", "from": "i4", "text": "", "links": [{"type": "supersedes", "to": "a"}]},
        {"kind": "resolve", "from": "q1", "text": "", "links": [{"type": "resolved_by", "to": "a"}]},
    ]
}  # fmt: skip

_TYPES: dict[str, Any] = {"object": dict, "array": list, "string": str, "number": (int, float), "integer": int}


def faults(schema: dict[str, Any], value: Any, path: str = "$") -> list[str]:
    """What a plain validator of the keywords that the schema uses would say."""
    if not isinstance(value, _TYPES[schema["type"]]):
        return [f"{path} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{path} is {value!r}"]
    if isinstance(value, list):
        return [fault for n, item in enumerate(value) for fault in faults(schema["items"], item, f"{path}[{n}]")]
    if not isinstance(value, dict):
        return []
    found = [f"{path} lacks {name}" for name in schema["required"] if name not in value]
    for name, item in value.items():
        if name in schema["properties"]:
            found += faults(schema["properties"][name], item, f"{path}.{name}")
        else:
            found.append(f"{path} has {name}")
    return found


def parts(schema: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    return [schema, *(part for child in inner for part in parts(child))]


def test_takes_the_example_of_the_wire_format() -> None:
    assert faults(DELTA_SCHEMA, EXAMPLE) == []


def test_refuses_what_is_none() -> None:
    assert faults(DELTA_SCHEMA, {}) == ["$ lacks contributions"]
    wrong = {"contributions": [{"kind": "opinion", "text": "", "links": [{"type": "likes", "to": 1}]}]}
    assert len(faults(DELTA_SCHEMA, wrong)) == 3


def test_uses_only_keywords_that_every_provider_takes() -> None:
    for part in parts(DELTA_SCHEMA):
        assert part.keys() <= {"type", "properties", "required", "items", "enum", "additionalProperties"}
        assert isinstance(part["type"], str)
        assert (part["type"] == "object") == ("properties" in part) == (part.get("additionalProperties") is False)


def test_is_flat_and_leaves_little_optional() -> None:
    element = DELTA_SCHEMA["properties"]["contributions"]["items"]
    assert element["properties"]["kind"]["enum"] == list(ELEMENT_KINDS)
    assert len(element["properties"]) - len(element["required"]) <= 8
    assert max(len(path) for path in _paths(DELTA_SCHEMA)) <= 6


def _paths(schema: dict[str, Any]) -> list[list[str]]:
    children = [*schema.get("properties", {}).items(), *([("[]", schema["items"])] if "items" in schema else [])]
    return [[], *([name, *path] for name, child in children for path in _paths(child))]
