"""The verbs `domains` and `place`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Document = Callable[..., Any]
Run = Callable[..., Any]


def test_a_domain_is_listed_and_set_until_it_is_used(document: Document, run: Run, mind: Path) -> None:
    rows = {row["name"]: row for row in document("domains", "--mind", mind)}
    used = [name for name, row in rows.items() if row["interpretations"]]
    assert used
    assert all(rows[name]["is_settled"] for name in used)
    set_ = {row["name"]: row for row in document("domains", "law", "--velocity", "slow", "--mind", mind)}
    assert (set_["law"]["velocity"], set_["law"]["settled_by"]) == ("slow", "operator")
    refused = run("domains", used[0], "--velocity", "slow", "--mind", mind)
    assert refused.returncode == 1
    assert "before the first one only" in refused.stderr
    half = run("domains", "law", "--mind", mind)
    assert half.returncode == 2


def test_a_fact_is_placed_among_the_interpretations_and_show_says_who_did(
    document: Document, run: Run, mind: Path, tmp_path: Path
) -> None:
    (tmp_path / "extra.md").write_text("# Extra\n\nThe pantry of the office was painted green in May.\n")
    document("read", tmp_path / "extra.md", "--mind", mind)
    [fact] = [one["id"] for one in document("facts", "--mind", mind) if "pantry" in one["text"]]
    assert document("show", fact, "--mind", mind)["placed"]["tier"] == "source"
    moved = document("place", fact, "interpretation", "--mind", mind)
    assert moved["moved"] == fact
    there = document("show", moved["to"], "--mind", mind)
    assert (there["placed"]["tier"], there["placed"]["moved_from"]) == ("operator", fact)
    assert document("show", fact, "--mind", mind)["superseded_by"] == moved["to"]
    again = run("place", fact, "interpretation", "--mind", mind)
    assert again.returncode == 1
    assert "gave way to" in again.stderr
    assert run("place", "q1", "fact", "--mind", mind).returncode == 2
