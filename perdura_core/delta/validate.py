"""From a raw value to an Element, or to a refusal with its reason. Needs no graph: what the graph says comes later."""

import re
from typing import Any, NamedTuple

from perdura_core.delta.decode import Unreadable
from perdura_core.vocabulary import (
    EDGE_TYPES,
    ELEMENT_KINDS,
    TEMPLATE_TEXTS,
    Element,
    ElementKind,
    Link,
    LinkType,
    RejectionReason,
    clean,
)

__all__ = ["MAX_LINKS", "MAX_TEXT_CHARACTERS", "NODE_KINDS", "Refusal", "is_template", "reads_like_id", "validate"]

MAX_TEXT_CHARACTERS = 4_000
MAX_LINKS = 24
"""Most links, and most facts, of one element."""
_MAX_TAGS = 8
_MAX_TAG_CHARACTERS = 40
_MAX_SOURCE_CHARACTERS = 400

NODE_KINDS: tuple[ElementKind, ...] = ("question", "fact", "claim", "decision", "rejected")
_INTERPRETATIONS = ("claim", "decision", "rejected")
_FITTING: dict[str, tuple[LinkType, ...]] = {
    "link": EDGE_TYPES,
    "supersede": ("supersedes",),
    "resolve": ("resolved_by",),
}
_LINK_TYPES: dict[str, LinkType] = {name: name for names in _FITTING.values() for name in names}
_KINDS: dict[str, ElementKind] = {**dict(zip(ELEMENT_KINDS, ELEMENT_KINDS, strict=True)), "evidence": "fact"}

_ID = re.compile(r"[qfi]\d+", re.IGNORECASE)
_REF = re.compile(r"[\w.:+-]{1,40}")
_ALTERNATIVES = re.compile(r"\s*[\w-]+(?:\s*\|\s*[\w-]+)+\s*")
_DOTS = re.compile(r"[\s.…]+")
_WRAPPING = " \t\n\"'`<>[](){}.:…*"
_TAG = re.compile(r"\w[\w .+#/&'-]*")

# Words that hold a place in other prompts and schemas: alone they say nothing.
_PLACEHOLDERS = frozenset({
    "a claim", "a fact", "answer", "claim", "claim text", "confidence", "decision", "domain", "domains", "entity",
    "fact", "file", "id", "id or ref", "kind", "link", "one sentence", "question", "reason", "ref", "ref or id",
    "rejected", "sentence", "short sentence", "source", "string", "text", "the answer", "the claim", "the fact",
    "the question", "the text", "this is a claim", "this is a fact", "this is a question", "type", "why", "your answer",
    "your claim", "your claim here", "your text", "your text here",
})  # fmt: skip
_TEMPLATES = _PLACEHOLDERS | {text.strip(_WRAPPING).lower() for text in TEMPLATE_TEXTS}


class Refusal(NamedTuple):
    """Why an element is not merged. `detail` is one sentence that quotes the value at fault."""

    reason: RejectionReason
    detail: str


class _RefusedError(Exception):
    def __init__(self, reason: RejectionReason, detail: str) -> None:
        self.refusal = Refusal(reason, detail)


def reads_like_id(name: str) -> bool:
    """Whether the name has the form of a node's id, so that it can be no ref."""
    return _ID.fullmatch(name) is not None


def is_template(text: str) -> bool:
    """Whether the text is a placeholder of a prompt: `...`, `id or ref`, `claim|fact|question`."""
    bare = text.strip(_WRAPPING).lower()
    if not bare:
        return _DOTS.fullmatch(text) is not None or "..." in text or "…" in text
    return bare in _TEMPLATES or _ALTERNATIVES.fullmatch(text) is not None


def validate(value: Any) -> Element | Refusal:
    """The element that a raw value says, or why it says none. Never raises on any JSON value.

    Normalised where the meaning is certain: `evidence` is a fact, a node's `type` is its kind, a lone string is a
    list of one domain or fact, empty strings and null are absent, kinds and domains come in any case. Domains and
    entities that are placeholders or no words are left out. Fields that the kind does not use are passed over, also a
    confidence on a fact.
    """
    try:
        return _element(value)
    except _RefusedError as refused:
        return refused.refusal


def _element(value: Any) -> Element:
    if isinstance(value, Unreadable):
        raise _RefusedError("malformed", f"this element cannot be read: {value.why}")
    if not isinstance(value, dict):
        raise _RefusedError("malformed", f"an element is an object, not {_name(value)} {_quote(value)}")
    kind = _kind(value)
    links = _links(value)
    if kind in NODE_KINDS:
        return _node(kind, value, links)
    origin = _reference("from", value.get("from"))
    if origin is None:
        raise _RefusedError("missing_field", f"a {kind} element needs `from`, the node it is about")
    if kind == "confidence":
        confidence = _confidence(value)
        if confidence is None:
            raise _RefusedError("missing_field", f"the confidence element about {origin!r} gives no confidence")
        return Element(kind=kind, origin=origin, confidence=confidence, text=_text(value, is_needed=False))
    _check_links(kind, origin, links)
    return Element(kind=kind, origin=origin, text=_text(value, is_needed=False), links=links)


def _node(kind: ElementKind, value: dict[str, Any], links: tuple[Link, ...]) -> Element:
    ref = _reference("ref", value.get("ref"))
    if ref is not None and reads_like_id(ref):
        raise _RefusedError("ref_taken", f"the ref {ref!r} reads like the id of a node: a ref is a name of its own")
    if ref is not None and not _REF.fullmatch(ref):
        raise _RefusedError("malformed", f"the ref {_quote(ref)} is no short name without blanks")
    text = _text(value, is_needed=True)
    for link in links:
        if link.type not in EDGE_TYPES:
            raise _RefusedError("not_allowed", f"a {kind} cannot carry a {link.type!r} link: send a change of its own")
    element = Element(kind=kind, ref=ref, text=text, domains=_tags(value, "domains"), links=links)
    if kind == "fact":
        return element.model_copy(update={"entities": _tags(value, "entities"), "source": _source(value)})
    if kind in _INTERPRETATIONS:
        update = {"confidence": _confidence(value), "level": _level(value), "facts": _facts(value)}
        return element.model_copy(update=update)
    return element


def _kind(value: dict[str, Any]) -> ElementKind:
    kind = value.get("kind")
    if kind is None and isinstance(value.get("type"), str):
        kind = value["type"]  # as the first seed calls it
    if kind is None:
        raise _RefusedError("missing_field", f"{_quote(value)} names no kind")
    if not isinstance(kind, str):
        raise _RefusedError("malformed", f"the kind is a word, not {_name(kind)} {_quote(kind)}")
    known = _KINDS.get(kind.strip().lower())
    if known is not None:
        return known
    if "|" in kind or is_template(kind):
        raise _RefusedError("template_text", f"the kind {_quote(kind)} is copied from the prompt: choose one")
    raise _RefusedError("unknown_kind", f"there is no kind {_quote(kind)}")


def _text(value: dict[str, Any], *, is_needed: bool) -> str | None:
    raw = value.get("text")
    if raw is None and is_needed:
        raise _RefusedError("missing_field", f"{_quote(value)} has no text")
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise _RefusedError("malformed", f"the text is {_name(raw)} {_quote(raw)}, not a string")
    text = clean(raw).strip()
    if not text and not is_needed:
        return None
    if not text:
        raise _RefusedError("empty_text", "the text is empty")
    if len(text) > MAX_TEXT_CHARACTERS:
        raise _RefusedError(
            "oversized_text",
            f"the text {text[:40]!r}… has {len(text)} characters, more than {MAX_TEXT_CHARACTERS}",
        )
    if is_template(text):
        raise _RefusedError("template_text", f"the text {_quote(text)} is copied from the prompt")
    if is_needed and not any(letter.isalpha() for letter in text):
        raise _RefusedError("empty_text", f"the text {_quote(text)} has no words")
    return text


def _confidence(value: dict[str, Any]) -> float | None:
    raw = value.get("confidence")
    if raw is None:
        return None
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        raise _RefusedError("bad_confidence", f"the confidence {_quote(raw)} is {_name(raw)}, not a number in 0..1")
    if not 0 <= raw <= 1:  # NaN is not
        raise _RefusedError("bad_confidence", f"the confidence {_quote(raw)} is not in 0..1")
    return float(raw)


def _level(value: dict[str, Any]) -> Any:
    raw = value.get("level")
    if raw is None:
        return 1
    if isinstance(raw, bool) or not isinstance(raw, int | float) or raw not in (1, 2, 3):
        raise _RefusedError("unknown_level", f"there is no level {_quote(raw)}: 1, 2 or 3")
    return int(raw)


def _reference(field: str, raw: Any) -> str | None:
    if raw is None or raw == "":
        return None
    if not isinstance(raw, str):
        raise _RefusedError("malformed", f"`{field}` is {_name(raw)} {_quote(raw)}, not an id or ref")
    name = raw.strip()
    if "|" in name or _DOTS.fullmatch(name) or name.lower() in ("id or ref", "ref or id"):
        raise _RefusedError("template_text", f"`{field}` {_quote(raw)} is copied from the prompt")
    return name


def _links(value: dict[str, Any]) -> tuple[Link, ...]:
    raw = value.get("links")
    if raw is None:
        return ()
    if not isinstance(raw, list):
        raise _RefusedError("malformed", f"`links` is {_name(raw)} {_quote(raw)}, not a list")
    if len(raw) > MAX_LINKS:
        raise _RefusedError("too_many_links", f"the element has {len(raw)} links, more than {MAX_LINKS}")
    return tuple(_link(entry) for entry in raw)


def _link(raw: Any) -> Link:
    if not isinstance(raw, dict):
        raise _RefusedError("malformed", f"a link is an object, not {_name(raw)} {_quote(raw)}")
    type_ = raw.get("type")
    if type_ is None or type_ == "":
        raise _RefusedError("missing_field", f"the link {_quote(raw)} has no type")
    if not isinstance(type_, str):
        raise _RefusedError("malformed", f"a link's type is a word, not {_name(type_)} {_quote(type_)}")
    known = _LINK_TYPES.get(type_.strip().lower())
    if known is None:
        if "|" in type_ or is_template(type_):
            raise _RefusedError("template_text", f"the link type {_quote(type_)} is copied from the prompt: choose one")
        raise _RefusedError("unknown_type", f"there is no link type {_quote(type_)}")
    to = _reference("to", raw.get("to"))
    if to is None:
        raise _RefusedError("missing_field", f"the link {_quote(raw)} leads nowhere: it needs `to`")
    return Link(type=known, to=to)


def _check_links(kind: ElementKind, origin: str, links: tuple[Link, ...]) -> None:
    fitting: tuple[LinkType, ...] = _FITTING[kind]
    least = 0 if kind == "resolve" else 1
    most = MAX_LINKS if kind == "link" else 1
    for link in links:
        if link.type not in fitting:
            raise _RefusedError("not_allowed", f"a {kind} element has no {link.type!r} links")
    if len(links) < least:
        raise _RefusedError("missing_field", f"the {kind} element about {origin!r} has no link")
    if len(links) > most:
        raise _RefusedError("too_many_links", f"the {kind} element about {origin!r} names {len(links)} nodes, not one")


def _strings(value: dict[str, Any], field: str) -> list[str]:
    raw = value.get(field)
    if raw is None:
        return []
    if isinstance(raw, str):
        raw = [raw]
    if not isinstance(raw, list):
        raise _RefusedError("malformed", f"`{field}` is {_name(raw)} {_quote(raw)}, not a list of strings")
    for entry in raw:
        if not isinstance(entry, str):
            raise _RefusedError("malformed", f"`{field}` holds {_name(entry)} {_quote(entry)}, not only strings")
    return raw


def _tags(value: dict[str, Any], field: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for entry in _strings(value, field):
        tag = " ".join(clean(entry).split())
        tag = tag.lower() if field == "domains" else tag
        if len(tag) <= _MAX_TAG_CHARACTERS and _TAG.fullmatch(tag) and not is_template(tag):
            found[tag] = None
    return tuple(found)[:_MAX_TAGS]


def _facts(value: dict[str, Any]) -> tuple[str, ...]:
    names = [name for entry in _strings(value, "facts") if (name := _reference("facts", entry)) is not None]
    if len(names) > MAX_LINKS:
        raise _RefusedError("too_many_links", f"the element refers to {len(names)} facts, more than {MAX_LINKS}")
    return tuple(dict.fromkeys(names))


def _source(value: dict[str, Any]) -> str | None:
    raw = value.get("source")
    if raw is None:
        return None
    if not isinstance(raw, str):
        raise _RefusedError("malformed", f"the source is {_name(raw)} {_quote(raw)}, not a string")
    source = " ".join(clean(raw).split())[:_MAX_SOURCE_CHARACTERS]
    return None if not source or is_template(source) else source


def _name(value: Any) -> str:
    names = {bool: "a truth value", int: "a number", float: "a number", str: "the string", list: "the list"}
    return "null" if value is None else names.get(type(value), "the object")


def _quote(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
