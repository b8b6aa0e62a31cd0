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
        self._stuck: dict[int, str] = {}
        """A ref that the element needs, by whatever detour, and that nothing had defined when last looked for."""

    def offer(self, raw: RawElement) -> list[list[RawElement]]:
        """Take one element in; return the groups that can be planned now, in order."""
        missing = {name for name in _names(raw.value) if not self._is_known(name)}
        self._waiting[raw.index] = (raw, missing)
        for name in missing:
            self._wanted.setdefault(name, []).append(raw.index)
        ref = _ref(raw.value)
        if ref is not None and ref not in self._let_out:
            self._owner.setdefault(ref, raw.index)
        return self._let_out_from(raw.index)

    def close(self) -> list[list[RawElement]]:
        """No more will come: let out the rest one by one. What they miss, the plan refuses."""
        return [[self._waiting.pop(index)[0]] for index in sorted(self._waiting)]

    def _is_known(self, name: str) -> bool:
        return name in self._let_out or name in self._shown or reads_like_id(name)

    def _let_out_from(self, index: int) -> list[list[RawElement]]:
        """Let out the element if it is ready, and then what waited only for that, in turn."""
        groups: list[list[RawElement]] = []
        changed = [index]
        while changed:
            index = changed.pop(0)
            circle = self._circle(index) if index in self._waiting else None
            if circle is None:
                continue
            groups.append([self._waiting.pop(member)[0] for member in sorted(circle)])
            for raw in groups[-1]:
                changed += self._arrived(_ref(raw.value))
        return groups

    def _arrived(self, ref: str | None) -> list[int]:
        """Take note that a ref was let out. Returns who waited for it."""
        if ref is None:
            return []
        self._let_out.add(ref)
        if self._owner.pop(ref, None) in self._waiting:  # another element had the same ref: what needs what changes
            self._stuck.clear()
        waited = [index for index in self._wanted.pop(ref, ()) if index in self._waiting]
        for index in waited:
            self._waiting[index][1].discard(ref)
        return waited

    def _circle(self, start: int) -> set[int] | None:
        """All waiting elements that `start` needs, itself included; None if anything else is missing.

        Whatever needs nothing else has been let out before, so that these all need each other.
        """
        found, rim = {start}, [start]
        while rim:
            index = rim.pop()
            known = self._stuck.get(index)
            for name in self._waiting[index][1] if known is None or self._is_coming(known) else (known,):
                owner = self._owner.get(name)
                if owner is None:
                    self._stuck[start] = name
                    return None
                if owner not in found:
                    found.add(owner)
                    rim.append(owner)
        return found

    def _is_coming(self, ref: str) -> bool:
        return ref in self._owner or ref in self._let_out


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
