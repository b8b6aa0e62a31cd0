"""Holds back elements that name a ref still to come, and lets out what can be merged, in an order that works."""

from collections.abc import Collection, Iterator
from typing import Any

from perdura_core.delta.parser import RawElement
from perdura_core.delta.validate import reads_like_id

__all__ = ["Intake"]


class Intake:
    """One call's elements on their way to the plan. Pure.

    A group that comes out is to be planned together: one element whose refs were all let out before it, or several
    that refer to each other. An id never waits, shown or not.
    """

    def __init__(self, shown: Collection[str]) -> None:
        self._shown = shown
        self._let_out: set[str] = set()
        self._waiting: dict[int, tuple[RawElement, set[str]]] = {}
        """By index: the element and the refs that have not come."""
        self._owner: dict[str, int] = {}
        """Refs that waiting elements define."""
        self._wanted: dict[str, list[int]] = {}

    def offer(self, raw: RawElement) -> list[list[RawElement]]:
        """Take one element in; return the groups that can be planned now, in order."""
        missing = {name for name in _names(raw.value) if not self._is_known(name)}
        ref = _ref(raw.value)
        if not missing:
            return [[raw], *self._release(ref)]
        self._waiting[raw.index] = (raw, missing)
        for name in missing:
            self._wanted.setdefault(name, []).append(raw.index)
        if ref is None or ref in self._owner or ref in self._let_out:
            return []
        self._owner[ref] = raw.index
        circle = self._circle(raw.index)
        if circle is None:
            return []
        group = [self._take(index) for index in sorted(circle)]
        return [group, *self._release(*(_ref(member.value) for member in group))]

    def close(self) -> list[list[RawElement]]:
        """No more will come: let out the rest one by one. What they miss, the plan refuses."""
        return [[self._take(index)] for index in sorted(self._waiting)]

    def _is_known(self, name: str) -> bool:
        return name in self._let_out or name in self._shown or reads_like_id(name)

    def _take(self, index: int) -> RawElement:
        raw, _missing = self._waiting.pop(index)
        return raw

    def _release(self, *refs: str | None) -> list[list[RawElement]]:
        """Let out, in turn, what waited only for these refs and for what follows from them."""
        groups: list[list[RawElement]] = []
        arrived = [ref for ref in refs if ref is not None]
        while arrived:
            ref = arrived.pop(0)
            self._let_out.add(ref)
            self._owner.pop(ref, None)
            for index in self._wanted.pop(ref, ()):
                if index not in self._waiting:
                    continue
                missing = self._waiting[index][1]
                missing.discard(ref)
                if not missing:
                    raw = self._take(index)
                    groups.append([raw])
                    own = _ref(raw.value)
                    if own is not None:
                        arrived.append(own)
        return groups

    def _circle(self, start: int) -> set[int] | None:
        """All waiting elements that `start` needs, itself included, if nothing else is missing.

        Whatever closed without `start` has been let out already, so that they all need each other.
        """
        found, rim = {start}, [start]
        while rim:
            for name in self._waiting[rim.pop()][1]:
                owner = self._owner.get(name)
                if owner is None:
                    return None
                if owner not in found:
                    found.add(owner)
                    rim.append(owner)
        return found


def _ref(value: Any) -> str | None:
    ref = value.get("ref") if isinstance(value, dict) else None
    return ref.strip() if isinstance(ref, str) and ref.strip() else None


def _names(value: Any) -> Iterator[str]:
    """Every name that the element uses, as far as it has the shape of one."""
    if not isinstance(value, dict):
        return
    facts, links = value.get("facts"), value.get("links")
    found = [value.get("from"), *(facts if isinstance(facts, list) else [facts])]
    found += [link.get("to") for link in links if isinstance(link, dict)] if isinstance(links, list) else []
    for name in found:
        if isinstance(name, str) and name.strip():
            yield name.strip()
