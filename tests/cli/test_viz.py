"""`viz` from the command line."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_viz_writes_one_page(run: Run, document: Callable[..., Any], mind: Path, tmp_path: Path) -> None:
    page = tmp_path / "map.html"
    done = run("viz", page, "--mind", mind)
    assert (done.returncode, done.stderr) == (0, "")
    assert "open it in a browser" in done.stdout
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    whole = document("show", "--mind", mind)
    told = document("viz", page, "--mind", mind)
    assert told["nodes"] == sum(len(whole[key]) for key in ("questions", "facts", "interpretations"))
    assert told["edges"] >= len(whole["edges"])


def test_viz_refuses_what_is_no_page(run: Run, mind: Path, tmp_path: Path) -> None:
    done = run("viz", tmp_path / "map.json", "--mind", mind)
    assert done.returncode == 2
    assert "map.html" in done.stderr
    assert not (tmp_path / "map.json").exists()
