"""Records, grades, routes and previews on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

Document = Callable[..., Any]


def test_a_grade_counts_like_a_settlement_and_can_be_taken_back(document: Document, mind: Path) -> None:
    claim = next(node for node in document("show", "--mind", mind)["interpretations"] if node["kind"] == "claim")
    author, node = claim["created_by"], claim["id"]
    before = {record["model"]: record for record in document("track", "--mind", mind)}[author]
    assert document("grade", node, "right", "--mind", mind) == {"id": node, "grade": "right"}
    after = {record["model"]: record for record in document("track", "--mind", mind)}[author]
    assert after["reliability"] > before["reliability"]
    told = document("track", "--outcomes", author, "--mind", mind)
    assert {"model": author, "node": node, "outcome": "graded_right", "by": "operator"} in told
    document("grade", node, "none", "--mind", mind)
    assert {record["model"]: record for record in document("track", "--mind", mind)}[author] == before


def test_only_answers_are_graded(run: Run, mind: Path) -> None:
    done = run("grade", "q1", "right", "--mind", mind)
    assert (done.returncode, done.stderr) == (1, "perdura: q1 is a question: grade a claim or a decision\n")


def test_routes_tell_why_and_whom_else(document: Document, run: Run, mind: Path) -> None:
    entries = document("routes", "--mind", mind)
    assert len(entries) == 9
    assert all(entry["reason"] and entry["policy"] in {"cheap", "periodic"} for entry in entries)
    others = [other for entry in entries for other in entry["alternatives"]]
    assert {policy for other in others for policy in other["policies"]} >= {"round_robin"}
    assert all(other["model"] != entry["model"] for entry in entries for other in entry["alternatives"])
    assert len(document("routes", "--last", "2", "--mind", mind)) == 2
    assert "round_robin" in run("routes", "--mind", mind).stdout


def test_a_preview_costs_nothing_and_names_every_policy(document: Document, run: Run, mind: Path) -> None:
    told = document("run", "--preview", "--mind", mind)
    assert {one["policy"] for one in told} >= {"cheap", "periodic", "contention", "track_record"}
    assert {one["question"] for one in told} == {"q1"}
    assert all(one["usd"] == 0 and one["reason"] for one in told)
    assert len(document("routes", "--mind", mind)) == 9
    shown = run("run", "--preview", "--mind", mind).stdout
    assert "one boarding of each open question, by policy" in shown
    assert "periodic *" in shown


def test_records_are_sorted_compared_and_followed_through_time(document: Document, run: Run, mind: Path) -> None:
    by_merged = document("track", "--sort", "net", "--mind", mind)
    assert [record["net_contribution"] for record in by_merged] == sorted(
        (record["net_contribution"] for record in by_merged), reverse=True
    )
    found = document("track", "--compare", "reader:support", "reader:doubt", "--mind", mind)
    assert 0 < found["chance_first_is_better"] < 1
    assert [record["model"] for record in found["records"]] == ["reader:support", "reader:doubt"]
    moments = document("track", "--history", "--mind", mind)
    assert moments[-1]["records"] == document("track", "--mind", mind)
    assert "few" in run("track", "--mind", mind).stdout
    assert "●" in run("track", "--mind", mind).stdout
    assert run("track", "--history", "--compare", "a", "b", "--mind", mind).returncode == 2


def test_a_card_is_changed_with_a_dated_price(document: Document, run: Run, mind: Path) -> None:
    changed = ("models", "--change", "openai:any-name")
    card = "anthropic:claude-haiku-5-5"
    before = next(one for one in document("models", "--mind", mind) if one["id"] == card)
    words = ("--tier", "frontier", "--domains", "Law, storage", "--usd-in", "2", "--usd-out", "9")
    found = document("models", "--change", card, *words, "--from", "2031-01-01", "--mind", mind)
    after = next(one for one in found if one["id"] == card)
    assert (after["tier"], after["domains"]) == ("frontier", ["law", "storage"])
    assert after["prices"][:-1] == before["prices"]
    assert (after["prices"][-1]["valid_from"], after["prices"][-1]["usd_per_mtok_out"]) == ("2031-01-01", 9.0)
    again = next(one for one in document("models", "--mind", mind) if one["id"] == card)
    assert again["tier"] == "frontier"
    assert run(*changed, "--tier", "local", "--mind", mind).returncode == 1
    assert run("models", "--tier", "local", "--mind", mind).returncode == 2
    assert run("models", "--change", card, "--usd-in", "1", "--mind", mind).returncode == 2


@pytest.mark.parametrize("words", [("--boardings", "1"), ()])
def test_a_token_cap_of_zero_lets_no_language_model_board(run: Run, mind: Path, words: tuple[str, ...]) -> None:
    done = run("run", *words, "--budget-tokens", "0", "--mind", mind)
    assert done.returncode == (0 if words else 2)  # readers take no tokens


def test_a_chart_that_has_no_place_is_refused_before_anything_is_worked_out(run: Run, tmp_path: Path) -> None:
    labels = tmp_path / "crowd-made.jsonl"
    rows = [(task, worker, "yes" if (task + worker) % 3 else "no") for task in range(8) for worker in range(4)]
    told = [{"task": f"t{task}", "worker": f"w{worker}", "label": label, "gold": "yes"} for task, worker, label in rows]
    labels.write_text("".join(json.dumps(row) + "\n" for row in told), encoding="utf-8")
    chart = tmp_path / "none" / "chart.svg"
    done = run("experiment", "crowd", "--data", labels, "--svg", chart)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"the folder of '{chart}' is not there: make it, or name another file" in done.stderr
    chart.parent.mkdir()
    assert run("experiment", "crowd", "--data", labels, "--svg", chart).returncode == 0
    assert chart.read_text(encoding="utf-8").startswith("<svg")
