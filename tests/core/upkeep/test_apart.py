"""Facts have no confidence, no status, no gradient and no trace; what works on facts knows no interpretation."""

import ast
import inspect
import sqlite3
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest

import perdura_core
from perdura_core.epistemics.snapshot import FactTable
from perdura_core.graph import Vertex
from perdura_core.store import open_sqlite
from perdura_core.store.keeping import unpack
from perdura_core.vocabulary import Fact, Occurrence
from tests.core.upkeep.world import open_world

BANNED = ("confidence", "status", "gradient", "trace", "velocity", "decay", "vote", "level", "echo", "wisdom")
"""Parts of names that no table, column or field about facts may have."""
OF_FACTS = ("fact_layers", "fact_patterns", "conflicts", "series", "coldstart", "topology", "pairing")
"""Modules of the L layers, and what they stand on."""


def names_of(module: str) -> set[str]:
    """Every name and attribute in a module's code."""
    source = Path(inspect.getfile(import_module(f"perdura_core.epistemics.{module}"))).read_text(encoding="utf-8")
    tree = ast.parse(source)
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    found |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    found |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
    return found


async def test_no_table_about_facts_has_such_a_column(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind"):
        pass
    connection = sqlite3.connect(tmp_path / "a.mind")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    columns = {table: {row[1] for row in connection.execute(f"PRAGMA table_info({table})")} for table in tables}
    refers = {table: {row[2] for row in connection.execute(f"PRAGMA foreign_key_list({table})")} for table in tables}
    connection.close()
    of_facts = {
        table
        for table in tables
        if table.startswith(("fact_", "facts", "layer_facts")) or "fact" in columns[table] or "facts" in refers[table]
    } - {"interpretation_facts"}
    assert {"facts", "fact_occurrences", "fact_entities", "layer_facts"} <= of_facts
    for table in of_facts:
        assert not [column for column in columns[table] for word in BANNED if word in column], table
    assert columns["interpretation_facts"] == {"interpretation", "position", "fact"}
    for table in tables:  # what hangs on a number of an interpretation cannot hang on a fact
        if any(word in column for column in columns[table] for word in ("confidence", "status")):
            assert "fact" not in columns[table], table


def test_no_value_of_a_fact_has_such_a_field() -> None:
    for fields in (Fact.model_fields, Occurrence.model_fields, FactTable.__dataclass_fields__):
        assert not [field for field in fields for word in BANNED if word in field]


@pytest.mark.parametrize("module", OF_FACTS)
def test_the_layers_over_facts_read_no_interpretation(module: str) -> None:
    for name in names_of(module):
        assert "interpretation" not in name.lower(), (module, name)
        assert name not in {"EdgeTable", "Uses", "Votes", "Snapshot", "confidence", "status"}, (module, name)


@pytest.mark.parametrize("module", ["interpretation_layers", "stigmergy", "bridges", "promotion", "forgetting"])
def test_the_layers_over_interpretations_know_facts_by_reference_alone(module: str) -> None:
    assert not {"FactTable", "facts", "measures", "occurrence_day"} & names_of(module)
    for name, function in inspect.getmembers(import_module(f"perdura_core.epistemics.{module}"), inspect.isfunction):
        if function.__module__.endswith(module):
            assert FactTable not in get_type_hints(function).values(), name


def test_no_code_of_upkeep_gives_a_fact_a_gradient_or_a_trace() -> None:
    vertex = set(Vertex.__slots__)
    assert not {"gradient", "trace", "wisdom", "echo"} & vertex
    for path in (Path(perdura_core.__file__).parent / "upkeep").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "UPDATE" in node.value:
                assert "facts" not in node.value, path.name


async def test_what_is_kept_of_facts_is_measurements(tmp_path: Path) -> None:
    path = tmp_path / "a.mind"
    async with open_world(path) as world:
        await world.begin(40, 60)
        world.pass_days(3)
        await world.board(10, 3)
        world.pass_days(40)
        before = [fact.model_dump() for fact in await world.journal.store.facts()]
        await world.upkeep()
        assert [fact.model_dump() for fact in await world.journal.store.facts()] == before
        after = await world.journal.store.head()
        for event in await world.journal.store.events(after=0, until=after):
            if event.by == "conductor":
                assert '"f' not in event.what.model_dump_json(include={"node", "after", "members"}), event.kind
    connection = sqlite3.connect(path)
    kept = dict(connection.execute("SELECT layer, columns FROM layer_facts").fetchall())
    connection.close()
    assert set(kept) == {"reading", "L1", "L2", "L3", "L4", "L5", "L6"}
    for layer, columns in kept.items():
        assert not [name for name in unpack(columns) for word in BANNED if word in name], layer
