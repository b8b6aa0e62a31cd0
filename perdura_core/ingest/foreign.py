"""The author's JSON format as values: what a file says, and what of it could not be understood.

Top level `nodes`, `edges` and `log`. Node: id, type (question, claim, evidence, decision, rejected), text, domain_tags,
created_by, confidence, created_at, status, superseded_by. Edge: id, type, src, dst, created_by, created_at. Both may
carry boarding_mode. Times are seconds since 1970 or ISO 8601; those without a zone are UTC.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from perdura_core.errors import InputError
from perdura_core.vocabulary import EDGE_TYPES, EdgeType, Mode, Status, Unit, clean

__all__ = [
    "UNSAID_CONFIDENCE",
    "ForeignEdge",
    "ForeignMind",
    "ForeignNode",
    "ForeignType",
    "Remarks",
    "Times",
    "parse_foreign",
]

ForeignType = Literal["question", "claim", "evidence", "decision", "rejected"]
Times = Literal["epoch", "iso"]

UNSAID_CONFIDENCE: Unit = 0.5
"""What the format writes where nobody asserted anything."""

_SHARED_FIELDS = frozenset(["id", "type", "created_by", "created_at", "boarding_mode"])
_NODE_FIELDS = _SHARED_FIELDS | {"text", "domain_tags", "confidence", "status", "superseded_by"}
_EDGE_FIELDS = _SHARED_FIELDS | {"src", "dst"}
_TOP_FIELDS = frozenset(["nodes", "edges", "log", "perdura"])


class ForeignNode(NamedTuple):
    """One node of the file."""

    id: str
    type: ForeignType
    text: str
    domains: tuple[str, ...]
    created_by: str
    confidence: Unit | None
    """None when the file does not say."""
    created_at: datetime
    is_resolved: bool
    status: Status
    superseded_by: str | None
    mode: Mode


class ForeignEdge(NamedTuple):
    """One edge of the file."""

    id: str
    type: EdgeType
    src: str
    dst: str
    created_by: str
    created_at: datetime
    mode: Mode


class ForeignMind(NamedTuple):
    """Everything that could be understood; the remarks say what could not."""

    nodes: tuple[ForeignNode, ...]
    edges: tuple[ForeignEdge, ...]
    log: tuple[dict[str, Any], ...]
    times: Times


_Item = TypeVar("_Item", ForeignNode, ForeignEdge)


class Remarks:
    """What a file says and a mind cannot keep: one sentence a kind, with how often and the first case."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, sentence: str, case: object) -> None:
        """Take note of one case."""
        self._counts[sentence] += 1
        self._first.setdefault(sentence, str(case))

    def sentences(self) -> tuple[str, ...]:
        """In the order in which each kind was first met."""
        return tuple(
            f"{sentence} ({count} time{'s' if count > 1 else ''}, first: {self._first[sentence]})"
            for sentence, count in self._counts.items()
        )


def parse_foreign(text: str, name: str, now: datetime, remarks: Remarks) -> ForeignMind:
    """What a file in the author's format says. `now` stands in for times that cannot be read.

    A node or edge that cannot be understood is left out with a remark. Raises InputError when the text is no such file.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name!r} is not JSON (line {error.lineno}, column {error.colno}: {error.msg}): export it again"
        ) from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{name!r} is JSON that no mind would write ({error}): export it again") from error
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise InputError(f"{name!r} is no mind: it needs a JSON object with the lists 'nodes', 'edges' and 'log'")
    for field in sorted(data.keys() - _TOP_FIELDS):
        remarks.add(f"top-level field {field!r} is unknown and was not kept", name)
    reader = _Reader(now, remarks)
    nodes = _last_of_each([reader.node(value) for value in _list(data, "nodes", remarks)], "node", remarks)
    edges = _last_of_each([reader.edge(value) for value in _list(data, "edges", remarks)], "edge", remarks)
    return ForeignMind(nodes, edges, _log(_list(data, "log", remarks), remarks), reader.times)


def _list(data: Mapping[str, Any], field: str, remarks: Remarks) -> Sequence[Any]:
    value = data.get(field, [])
    if isinstance(value, list):
        return value
    remarks.add(f"{field!r} is no list and was not read", type(value).__name__)
    return []


def _log(entries: Sequence[Any], remarks: Remarks) -> tuple[dict[str, Any], ...]:
    kept = []
    for entry in entries:
        if isinstance(entry, dict):
            kept.append(_writable(entry))
        else:
            remarks.add("log entries that are no object were not kept", str(entry)[:60])
    return tuple(kept)


def _writable(value: Any) -> Any:
    """The value as the journal may hold it: clean texts, finite numbers."""
    match value:
        case str():
            return clean(value)
        case float() if not math.isfinite(value):
            return None
        case list():
            return [_writable(item) for item in value]
        case dict():
            return {clean(key): _writable(item) for key, item in value.items()}
        case _:
            return value


def _last_of_each(items: Sequence[_Item | None], what: str, remarks: Remarks) -> tuple[_Item, ...]:
    """One item an id: the last, at the place of the first, as the format's own program reads it."""
    found: dict[str, _Item] = {}
    for item in items:
        if item is None:
            continue
        if item.id in found:
            remarks.add(f"{what} ids that stand more than once: only the last was taken", item.id)
        found[item.id] = item
    return tuple(found.values())


class _Reader:
    """Reads items one by one; knows by then how the file writes times."""

    def __init__(self, now: datetime, remarks: Remarks) -> None:
        self._now = now
        self._remarks = remarks
        self.times: Times = "epoch"

    def node(self, value: Any) -> ForeignNode | None:
        identifier = self._identified(value, "node", _NODE_FIELDS)
        if identifier is None:
            return None
        type_, text = value.get("type"), value.get("text")
        if type_ not in get_args(ForeignType):
            self._remarks.add(f"nodes of type {type_!r} have no place here and were left out", identifier)
            return None
        if not isinstance(text, str) or not clean(text).strip():
            self._remarks.add("nodes without a text were left out", identifier)
            return None
        is_resolved, status = self._status(value.get("status"), type_, identifier)
        return ForeignNode(
            id=identifier,
            type=type_,
            text=clean(text).strip(),
            domains=self._domains(value.get("domain_tags"), identifier),
            created_by=self._author(value, identifier),
            confidence=self._confidence(value.get("confidence"), identifier),
            created_at=self._time(value.get("created_at"), identifier),
            is_resolved=is_resolved,
            status=status,
            superseded_by=_identifier(value.get("superseded_by")),
            mode=self._mode(value.get("boarding_mode"), identifier),
        )

    def edge(self, value: Any) -> ForeignEdge | None:
        identifier = self._identified(value, "edge", _EDGE_FIELDS)
        if identifier is None:
            return None
        src, dst = _identifier(value.get("src")), _identifier(value.get("dst"))
        if value.get("type") not in EDGE_TYPES or src is None or dst is None:
            self._remarks.add("edges of an unknown type or without both ends were left out", identifier)
            return None
        return ForeignEdge(
            id=identifier,
            type=value["type"],
            src=src,
            dst=dst,
            created_by=self._author(value, identifier),
            created_at=self._time(value.get("created_at"), identifier),
            mode=self._mode(value.get("boarding_mode"), identifier),
        )

    def _identified(self, value: Any, what: str, fields: frozenset[str]) -> str | None:
        identifier = _identifier(value.get("id")) if isinstance(value, dict) else None
        if identifier is None:
            self._remarks.add(f"{what}s that are no object with an id were left out", str(value)[:60])
            return None
        for field in sorted(value.keys() - fields):
            self._remarks.add(f"field {field!r} of {what}s is unknown and was not kept", identifier)
        return identifier

    def _status(self, value: Any, type_: ForeignType, identifier: str) -> tuple[bool, Status]:
        match value:
            case None | "open" | "active":
                return False, "active"
            case "resolved" if type_ == "question":
                return True, "active"
            case "shadow" | "deleted" if type_ in ("claim", "decision", "rejected"):
                return False, value
            case _:
                self._remarks.add(f"status {value!r} has no place on {type_} nodes and was not kept", identifier)
                return False, "active"

    def _domains(self, value: Any, identifier: str) -> tuple[str, ...]:
        if value is None:
            return ()
        tags = value if isinstance(value, list) else [value]
        domains = tuple(dict.fromkeys(clean(tag).strip() for tag in tags if isinstance(tag, str) and tag.strip()))
        if len(domains) != len(tags) or not isinstance(value, list):
            self._remarks.add("domain tags that were no list of distinct words were tidied", identifier)
        return domains

    def _author(self, value: Mapping[str, Any], identifier: str) -> str:
        author = value.get("created_by")
        if isinstance(author, str) and clean(author).strip():
            return clean(author).strip()
        self._remarks.add("items without an author are 'unknown' here", identifier)
        return "unknown"

    def _confidence(self, value: Any, identifier: str) -> Unit | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
            self._remarks.add("confidences that are no number were not kept", f"{identifier}: {value!r}")
            return None
        if not 0 <= value <= 1:
            self._remarks.add("confidences outside 0..1 were moved to the nearer end", f"{identifier}: {value!r}")
        return min(max(float(value), 0.0), 1.0)

    def _time(self, value: Any, identifier: str) -> datetime:
        try:
            if isinstance(value, str):
                moment = datetime.fromisoformat(value)
                self.times = "iso"
                return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return datetime.fromtimestamp(value, UTC)
        except (ValueError, OverflowError, OSError):
            pass
        self._remarks.add("times that cannot be read became the time of the import", f"{identifier}: {value!r}")
        return self._now

    def _mode(self, value: Any, identifier: str) -> Mode:
        if value is None or value in get_args(Mode):
            return value or "organic"
        self._remarks.add(f"boarding mode {value!r} is unknown and was not kept", identifier)
        return "organic"


def _identifier(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return clean(value) or None if isinstance(value, str) else None
