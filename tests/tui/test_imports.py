"""Panes see events and read models: nothing of the desk but its entrance reaches stores, workers or the mind."""

import ast
from pathlib import Path

import pytest

import perdura_tui

PACKAGE = Path(perdura_tui.__file__).parent
ENTRANCE = {"app.py", "live.py"}
FAR = ("perdura_core.store", "perdura_core.workers", "perdura_core.mind", "perdura_core.ingest", "sqlite3", "aiosqlite")


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def _modules() -> list[Path]:
    own = [path for path in PACKAGE.glob("*.py") if path.name not in {*ENTRANCE, "cli.py", "__main__.py"}]
    return own + [path for folder in ("panes", "screens", "states") for path in (PACKAGE / folder).glob("*.py")]


@pytest.mark.parametrize("path", _modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_desk_does_not_reach_behind_its_source(path: Path) -> None:
    assert not [name for name in _imports(path) if name.startswith(FAR)]


@pytest.mark.parametrize("path", (PACKAGE / "states").glob("*.py"), ids=lambda path: path.name)
def test_states_know_no_textual(path: Path) -> None:
    assert not [name for name in _imports(path) if name.split(".")[0] in {"textual", "rich"}]
