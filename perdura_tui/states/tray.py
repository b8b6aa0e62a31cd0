"""What the review gate holds: elements that wait for the operator's word."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from perdura_core.errors import InputError
from perdura_core.vocabulary import ElementHeld, Event, ModelId, NodeId, ProposalSettled
from perdura_tui.content import flat

__all__ = ["Field", "Tray", "Waiting", "by_boarding", "changes", "fields", "reduce_tray", "touches"]


@dataclass(frozen=True, slots=True)
class Waiting:
    """One held element, and who sent it."""

    proposal: str
    boarding: str
    by: ModelId
    at: datetime
    element: Mapping[str, Any]
    """Its wire form, with ids in place of refs."""
    why: str

    @property
    def kind(self) -> str:
        """What it is."""
        return str(self.element.get("kind", "element"))

    @property
    def text(self) -> str:
        """Its words; empty when it has none."""
        return str(self.element.get("text") or "")


@dataclass(frozen=True, slots=True)
class Tray:
    """Held elements by proposal, oldest first."""

    waiting: Mapping[str, Waiting] = field(default_factory=lambda: MappingProxyType({}))


class Field(NamedTuple):
    """A part of an element that the operator may change."""

    name: str
    value: str


def reduce_tray(state: Tray, events: Iterable[Event]) -> Tray:
    """The tray after these events; the same object if nothing moved."""
    waiting: dict[str, Waiting] | None = None
    for event in events:
        match event.what:
            case ElementHeld() as held:
                waiting = dict(state.waiting) if waiting is None else waiting
                waiting[held.proposal] = Waiting(
                    held.proposal, held.boarding, event.by, event.at, held.element, held.why
                )
            case ProposalSettled(proposal=proposal):
                waiting = dict(state.waiting) if waiting is None else waiting
                waiting.pop(proposal, None)
            case _:
                pass
    return state if waiting is None else Tray(waiting)


def by_boarding(state: Tray, proposals: Collection[str]) -> list[list[str]]:
    """These proposals boarding by boarding, in the order in which they were sent: each list is accepted as one."""
    groups: dict[str, list[str]] = {}
    for entry in state.waiting.values():
        if entry.proposal in proposals:
            groups.setdefault(entry.boarding, []).append(entry.proposal)
    return list(groups.values())


def touches(entry: Waiting) -> list[tuple[str, NodeId]]:
    """What the element would be joined to, with the type of each link: nodes, or proposals that wait too."""
    found: list[tuple[str, NodeId]] = []
    origin = entry.element.get("from")
    if isinstance(origin, str):
        found.append(("about", origin))
    links = entry.element.get("links") or ()
    found.extend((str(link["type"]).replace("_", " "), link["to"]) for link in links)
    found.extend(("rests on", fact) for fact in entry.element.get("facts") or () if isinstance(fact, str))
    return found


def fields(element: Mapping[str, Any]) -> list[Field]:
    """The parts of an element that can be edited, on one line each: its words, its numbers, its domains and source."""
    found = [Field("text", flat(str(element["text"])))] if "text" in element else []
    found += [Field(name, str(element[name])) for name in ("confidence", "level") if name in element]
    if "domains" in element:
        found.append(Field("domains", flat(", ".join(map(str, element["domains"])))))
    if "source" in element:
        found.append(Field("source", flat(str(element["source"]))))
    return found


def changes(element: Mapping[str, Any], typed: Mapping[str, str]) -> dict[str, Any]:
    """What the operator changed of an element, in its wire form. Raises InputError for what is not a number."""
    changed: dict[str, Any] = {}
    for name, before in fields(element):
        value = typed.get(name, before).strip()
        if value == before.strip():
            continue
        if name == "confidence":
            changed[name] = _number(name, value, 0.0, 1.0)
        elif name == "level":
            changed[name] = int(_number(name, value, 1, 3, whole=True))
        elif name == "domains":
            changed[name] = [part.strip() for part in value.split(",") if part.strip()]
        else:
            changed[name] = value
    if changed.get("text") == "":
        raise InputError("the text is empty: refuse the element instead, or write what it says")
    return changed


def _number(name: str, value: str, least: float, most: float, *, whole: bool = False) -> float:
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if not least <= number <= most or (whole and not number.is_integer()):
        kind = "a whole number" if whole else "a number"
        raise InputError(f"the {name} is {value!r}: write {kind} from {least:g} to {most:g}")
    return number
