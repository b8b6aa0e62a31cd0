"""Settings in force: the file's, and what an option puts in their place."""

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from perdura_tui.command.minds import settings_of


def test_expansion_of_the_command_line_stands_in_place_of_the_configured_one(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("[briefing]\nmax_tokens = 900\n", encoding="utf-8")
    given = {"config": str(tmp_path / "own.toml")}
    assert settings_of(Namespace(**given)).briefing.expansion == "hops"
    changed = settings_of(Namespace(**given, expansion="pagerank")).briefing
    assert (changed.expansion, changed.max_tokens) == ("pagerank", 900)


def test_run_knows_the_expansions(run: Callable[..., Any]) -> None:
    assert "--expansion {hops,pagerank}" in run("run", "--help").stdout
