"""Facts are measured without a look at interpretations, interpretations without a look into facts."""

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from perdura_core.epistemics import (
    bridges,
    coldstart,
    conflicts,
    fact_layers,
    fact_patterns,
    interpretation_layers,
    promotion,
    snapshot,
    stigmergy,
)
from perdura_core.epistemics.snapshot import EdgeTable, FactTable, InterpretationTable, Snapshot, Uses, Votes

OF_FACTS = [fact_layers, fact_patterns, conflicts, coldstart]
OF_INTERPRETATIONS = [interpretation_layers, bridges, promotion, stigmergy]


def functions(module: ModuleType) -> Iterator[Any]:
    """All functions of a module, its own helpers among them."""
    for _, one in inspect.getmembers(module, inspect.isfunction):
        if one.__module__ == module.__name__:
            yield one


def seen_by(function: Any) -> set[Any]:
    """The types a function can see: those of its parameters, and of the fields of these."""
    hints = get_type_hints(function)
    hints.pop("return", None)
    found: set[Any] = set()
    waiting = list(hints.values())
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        found.add(one)
        waiting += get_args(one)
        if inspect.isclass(one) and one.__module__.startswith("perdura_core."):
            waiting += get_type_hints(one).values()
    return found


@pytest.mark.parametrize("module", OF_FACTS)
def test_no_function_over_facts_can_see_an_interpretation(module: ModuleType) -> None:
    for function in functions(module):
        assert not seen_by(function) & {InterpretationTable, EdgeTable, Snapshot, Uses, Votes}, function
    assert not {"InterpretationTable", "EdgeTable", "Snapshot"} & vars(module).keys()


@pytest.mark.parametrize("module", OF_INTERPRETATIONS)
def test_no_function_over_interpretations_can_see_into_a_fact(module: ModuleType) -> None:
    for function in functions(module):
        assert FactTable not in seen_by(function), function
    assert "FactTable" not in vars(module)


def test_the_check_sees_through_values() -> None:
    def sneaky(mind: Snapshot) -> None: ...

    assert InterpretationTable in seen_by(sneaky)


def test_a_table_of_facts_has_no_place_for_a_belief_about_them() -> None:
    fields = {name for one in (FactTable, snapshot.Measures) for name in get_type_hints(one)}
    assert not {name for name in fields for word in ("confid", "status", "gradient", "trace", "use") if word in name}
