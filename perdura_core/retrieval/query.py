"""What a person types into search: words, and filters between them."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from operator import ge, gt, le, lt
from typing import Literal, TypeVar, get_args

from perdura_core.errors import InputError
from perdura_core.graph import Vertex
from perdura_core.vocabulary import InterpretationKind, Layer, Value

__all__ = ["Query", "Standing", "parse_query"]

T = TypeVar("T", bound=str)

Standing = Literal["live", "active", "shadow", "deleted", "superseded", "open", "resolved", "any"]
"""`active` and `live` are the same; `open` and `resolved` are of questions."""

_LAYERS: tuple[Layer, ...] = get_args(Layer)
_KINDS: tuple[InterpretationKind, ...] = get_args(InterpretationKind)
_STANDINGS: tuple[Standing, ...] = get_args(Standing)
_FILTER = re.compile(
    r"^(type|domain|by|after|before|status):(.*)$|^(conf(?:idence)?)(>=|<=|>|<|=|:)(.*)$", re.IGNORECASE
)
_COMPARE: dict[str, Callable[[float, float], bool]] = {">": gt, ">=": ge, "<": lt, "<=": le}
_EXACT = 0.005
_GONE = frozenset({"deleted", "superseded", "any"})
_PIECE = re.compile(r'(?:[^\s"]|"[^"]*"?)+')


class Query(Value):
    """Words to look for and what a node must be. Of one filter given twice any value will do."""

    words: str = ""
    types: frozenset[str] = frozenset()
    """Layers and kinds of interpretations; empty: all."""
    domains: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()
    """Who made it; `reader:` stands for every author that starts so."""
    after: datetime | None = None
    """Made at this time or later."""
    before: datetime | None = None
    """Made before this time."""
    confidences: tuple[tuple[str, float], ...] = ()
    """Comparisons that all must hold; questions and facts have no confidence and meet none."""
    standings: frozenset[Standing] = frozenset()
    """Empty: neither superseded nor deleted."""

    @property
    def is_filtered(self) -> bool:
        """Whether nodes can fail it that search would find."""
        return self != Query(words=self.words)

    @property
    def with_gone(self) -> bool:
        """Whether superseded and deleted nodes may meet it."""
        return not self.standings.isdisjoint(_GONE)

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Where to look."""
        if self.confidences:
            return ("interpretation",)
        wanted = {kind if kind in _LAYERS else "interpretation" for kind in self.types}
        return tuple(layer for layer in _LAYERS if not wanted or layer in wanted)

    def admits(self, vertex: Vertex) -> bool:
        """Whether a node meets every filter."""
        return (
            (not self.types or vertex.layer in self.types or vertex.kind in self.types)
            and (not self.domains or not self.domains.isdisjoint(vertex.domains))
            and (not self.authors or any(_is_by(vertex.created_by, author) for author in self.authors))
            and (self.after is None or vertex.created_at >= self.after)
            and (self.before is None or vertex.created_at < self.before)
            and all(_holds(vertex, sign, bound) for sign, bound in self.confidences)
            and self._has_standing(vertex)
        )

    def _has_standing(self, vertex: Vertex) -> bool:
        if "any" in self.standings:
            return True
        if vertex.superseded_by is not None:
            return "superseded" in self.standings
        if not self.standings:
            return vertex.status != "deleted"
        if vertex.layer == "question" and vertex.question_status in self.standings:
            return True
        status = vertex.status if vertex.layer == "interpretation" else "active"
        return status in self.standings or (status == "active" and "live" in self.standings)


def parse_query(text: str) -> Query:
    """Read `words type:claim domain:x by:model after:2026-10-01 before:2027 conf>0.6 status:shadow`.

    What only looks like a filter (`note: this`, `https://…`) is words. Dates are days, months or years in UTC. A value
    with blanks stands in quotes: `domain:"open source"`. Raises InputError for a filter with a value it can't have.
    """
    words: list[str] = []
    found: dict[str, set[str]] = {}
    confidences: list[tuple[str, float]] = []
    for piece in _PIECE.findall(text):
        match = _FILTER.match(piece)
        name = ((match[1] or match[3]) if match else "").lower()
        if match is None:
            words.append(piece.replace('"', " "))
        elif name.startswith("conf"):
            confidences += _comparisons(piece, match[4], match[5])
        else:
            value = match[2].strip('"')
            if not value:
                raise InputError(f"{piece!r} names nothing: put a value after the colon, as in {_EXAMPLES[name]}")
            found.setdefault(name, set()).add(value)
    standings = frozenset(_one_of(value, _STANDINGS, "status") for value in found.get("status", ()))
    return Query(
        words=" ".join(words),
        types=frozenset(_one_of(value, (*_LAYERS, *_KINDS), "type") for value in found.get("type", ())),
        domains=frozenset(found.get("domain", ())),
        authors=frozenset(found.get("by", ())),
        after=max(map(_day, found["after"])) if "after" in found else None,
        before=min(map(_day, found["before"])) if "before" in found else None,
        confidences=tuple(confidences),
        standings=standings,
    )


_EXAMPLES = {
    "type": "type:claim",
    "domain": "domain:security",
    "by": "by:reader:doubt",
    "after": "after:2026-10-01",
    "before": "before:2027",
    "status": "status:shadow",
}


def _one_of(value: str, known: tuple[T, ...], name: str) -> T:
    for one in known:
        if value.lower().rstrip("s") == one.rstrip("s"):
            return one
    raise InputError(f"{name}:{value} is no {name}: use one of {', '.join(known)}")


def _day(value: str) -> datetime:
    for form in ("%Y-%m-%d", "%Y-%m", "%Y"):
        try:
            return datetime.strptime(value, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise InputError(f"{value!r} is no date: write it as 2026-10-01, 2026-10 or 2026") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _comparisons(piece: str, sign: str, value: str) -> list[tuple[str, float]]:
    try:
        bound = float(value)
    except ValueError:
        bound = float("nan")
    if not 0 <= bound <= 1:
        raise InputError(f"{piece!r} compares with no confidence: write it as conf>0.6, from 0 to 1")
    return [(sign, bound)] if sign in _COMPARE else [(">=", bound - _EXACT), ("<=", bound + _EXACT)]


def _holds(vertex: Vertex, sign: str, bound: float) -> bool:
    return vertex.layer == "interpretation" and _COMPARE[sign](vertex.confidence, bound)


def _is_by(author: str, wanted: str) -> bool:
    return author == wanted or (wanted.endswith((":", "*")) and author.startswith(wanted.rstrip("*")))
