"""The first seed's shape (`new_nodes`, `new_edges`, ...) as elements of the wire format.

Each item of its lists is an element of its own, so that nodes merge while edges are still on their way: an edge
becomes a link element of its source. What an item leaves open is left out, for validation to refuse.
"""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["SEED_LISTS", "SeedReader", "is_seed_item"]

SEED_LISTS = ("new_nodes", "new_edges", "supersedes", "resolve_questions", "confidence_updates")
_KINDS = {"evidence": "fact"}
_NODE_FIELDS = ("ref", "text", "confidence", "level", "facts", "entities", "source", "links")
_OLD = ("old", "old_id", "superseded")
_NEW = ("new", "new_id", "by", "superseded_by")
_QUESTION = ("question", "question_id", "id")
_ANSWER = ("by", "resolved_by", "answer")


class SeedReader:
    """Translates one delta of the seed's shape, item by item, in the order of its text."""

    def __init__(self) -> None:
        self._refs: list[str] = []

    def elements(self, key: str, item: Any) -> Iterator[Any]:
        """The elements that one item of the list `key` stands for. Items of another form come back as they are."""
        match key:
            case "new_nodes" if isinstance(item, dict):
                yield from self._node(item)
            case "new_edges" if isinstance(item, dict):
                yield _edge(item)
            case "supersedes":
                yield self._supersede(item)
            case "resolve_questions":
                yield _resolve(item)
            case "confidence_updates" if isinstance(item, dict):
                yield _confidence(item)
            case _:
                yield item

    def _node(self, item: dict[str, Any]) -> Iterator[Any]:
        element = {field: item[field] for field in _NODE_FIELDS if field in item}
        kind = _first(item, ("kind", "type"))
        if kind is not None:
            element["kind"] = _KINDS.get(kind, kind) if isinstance(kind, str) else kind
        ref = element.setdefault("ref", item.get("id"))
        domains = _first(item, ("domains", "domain_tags"))
        if domains is not None:
            element["domains"] = domains
        yield element
        if not isinstance(ref, str):
            return
        self._refs.append(ref)
        replaced = item.get("supersedes")
        for old in [replaced] if isinstance(replaced, str) else replaced if isinstance(replaced, list) else ():
            yield _change("supersede", old, "supersedes", ref)

    def _supersede(self, item: Any) -> Any:
        """A bare id gives way to the delta's new node if it has exactly one so far; a pair must name one of them."""
        if isinstance(item, str):
            return _change("supersede", item, "supersedes", self._refs[0] if len(self._refs) == 1 else None)
        if isinstance(item, list) and len(item) == 2:
            new = [name for name in item if isinstance(name, str) and name in self._refs]
            if len(new) == 1:
                old = item[1] if item[0] == new[0] else item[0]
                return _change("supersede", old, "supersedes", new[0])
        if isinstance(item, dict) and _first(item, _OLD) is not None:
            return _change("supersede", _first(item, _OLD), "supersedes", _first(item, _NEW))
        return item


def is_seed_item(value: Mapping[str, Any]) -> bool:
    """Whether a bare object is plainly a node or an edge of the seed's shape."""
    return "type" in value and (("text" in value and "ref" in value) or ("src" in value and "dst" in value))


def _edge(item: dict[str, Any]) -> Any:
    link = {"type": item.get("type"), "to": _first(item, ("dst", "to", "target"))}
    return {"kind": "link", "from": _first(item, ("src", "from", "source")), "links": [link]}


def _resolve(item: Any) -> Any:
    if isinstance(item, str):
        return _change("resolve", item, "resolved_by", None)
    if isinstance(item, dict) and _first(item, _QUESTION) is not None:
        return _change("resolve", _first(item, _QUESTION), "resolved_by", _first(item, _ANSWER))
    if isinstance(item, list) and len(item) == 2:
        questions = [name for name in item if isinstance(name, str) and name[:1] == "q" and name[1:].isdecimal()]
        if len(questions) == 1:
            answer = item[1] if item[0] == questions[0] else item[0]
            return _change("resolve", questions[0], "resolved_by", answer)
    return item


def _confidence(item: dict[str, Any]) -> Any:
    element = {"kind": "confidence", "from": _first(item, ("id", "node", "ref", "from"))}
    for field, names in (("confidence", ("confidence", "new_confidence")), ("text", ("reason", "text"))):
        value = _first(item, names)
        if value is not None:
            element[field] = value
    return element


def _change(kind: str, origin: Any, link: str, to: Any) -> dict[str, Any]:
    return {"kind": kind, "from": origin, "links": [] if to is None else [{"type": link, "to": to}]}


def _first(item: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)
