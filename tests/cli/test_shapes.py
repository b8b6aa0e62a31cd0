"""The JSON that programs rely on: every key, with the type of its value."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdura_core.clock import Clock
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import Draft
from tests.core.graph.making import asked, boarded, ended

Document = Callable[..., Any]

OPTIONAL_TEXT = (str, type(None))
NUMBER = (int, float)
OPTIONAL_NUMBER = (int, float, type(None))

NODE = {
    "id": str, "text": str, "domains": list, "created_by": str, "boarding": OPTIONAL_TEXT, "created_at": str,
    "superseded_by": OPTIONAL_TEXT,
}  # fmt: skip
QUESTION = NODE | {"status": str, "stake": str, "pinned": bool, "resolved_by": OPTIONAL_TEXT}
FACT = NODE | {"source": OPTIONAL_TEXT, "entities": list, "occurrences": list}
INTERPRETATION = NODE | {
    "kind": str, "level": int, "asserted_confidence": OPTIONAL_NUMBER, "confidence": NUMBER, "status": str,
    "velocity": str, "facts": list,
}  # fmt: skip
EDGE = {"id": str, "type": str, "from": str, "to": str, "created_by": str}
BOARDING = {
    "id": str, "question": str, "model": str, "mode": str, "route": str, "reason": str, "ending": OPTIONAL_TEXT,
    "ending_reason": OPTIONAL_TEXT, "merged": int, "rejected": int, "usd": NUMBER, "seconds": OPTIONAL_NUMBER,
}  # fmt: skip
TRACK = {
    "model": str, "domain": OPTIONAL_TEXT, "reliability": NUMBER, "low": NUMBER, "high": NUMBER, "outcomes": int,
    "boardings": int, "merged": int, "rejected": int, "rejected_by_reason": dict, "surviving": int,
    "net_contribution": int, "brier": OPTIONAL_NUMBER, "seconds": OPTIONAL_NUMBER, "usd": OPTIONAL_NUMBER,
    "usd_per_surviving": OPTIONAL_NUMBER,
}  # fmt: skip
EVENT = {
    "seq": int, "at": str, "kind": str, "by": str, "boarding": OPTIONAL_TEXT, "session": OPTIONAL_TEXT,
}  # fmt: skip


def fits(value: Any, shape: dict[str, Any]) -> None:
    assert value.keys() == shape.keys()
    has(value, shape)


def has(value: Any, shape: dict[str, Any]) -> None:
    for key, type_ in shape.items():
        assert isinstance(value[key], type_), (key, value[key])


def test_show(document: Document, mind: Path) -> None:
    shown = document("show", "--mind", mind)
    assert list(shown) == ["questions", "facts", "interpretations", "edges", "contention"]
    for key, shape in (("questions", QUESTION), ("facts", FACT), ("interpretations", INTERPRETATION), ("edges", EDGE)):
        assert shown[key], key
        for one in shown[key]:
            fits(one, shape)
    assert isinstance(shown["contention"], float)
    assert all("confidence" not in key for fact in shown["facts"] for key in fact)
    assert shown["facts"][0]["source"].endswith("chat.md#L3")


def test_show_one_of_each(document: Document, mind: Path) -> None:
    whole = document("show", "--mind", mind)
    for key, shape in (("questions", QUESTION), ("facts", FACT), ("interpretations", INTERPRETATION)):
        one = document("show", whole[key][0]["id"], "--mind", mind)
        more = {"edges", "cited_facts", "cited_by", "history", "boarding_record"}
        more |= {"placed"} if key != "questions" else set()
        more |= {"standing", "revalidate", "memoric_code", "near_duplicates"} if key == "interpretations" else set()
        assert one.keys() == shape.keys() | more
        assert {edge["id"] for edge in one["edges"]} == {
            edge["id"] for edge in whole["edges"] if one["id"] in (edge["from"], edge["to"])
        }
        for event in one["history"]:
            has(event, EVENT)
    claim = document("show", whole["interpretations"][0]["id"], "--mind", mind)
    fits(claim["boarding_record"], BOARDING)
    assert [fact["id"] for fact in claim["cited_facts"]] == claim["facts"]
    edge = document("show", "e1", "--mind", mind)
    assert edge.keys() == {*EDGE, "nodes"}
    boarding = document("show", "b1", "--mind", mind)
    assert boarding.keys() == {*BOARDING, "history", "shown_by_lot"}


def test_lists(document: Document, mind: Path) -> None:
    whole = document("show", "--mind", mind)
    questions = document("questions", "--mind", mind)
    fits(questions[0], QUESTION | {"contention": float, "with_scatter": type(None), "answers": int, "boardings": int})
    assert questions[0]["boardings"] == 9
    assert questions[0]["stake"] == "high"
    assert document("facts", "--mind", mind) == whole["facts"]
    assert document("claims", "--mind", mind) == whole["interpretations"]
    assert len(document("claims", "--limit", "1", "--mind", mind)) == 1
    found = document("facts", "--search", "deploy storage", "--mind", mind)
    assert {"deploy" in fact["text"] for fact in found} == {True}
    assert document("facts", "--domain", "nowhere", "--mind", mind) == []
    assert document("claims", "--kind", "decision", "--mind", mind) == [
        one for one in whole["interpretations"] if one["kind"] == "decision"
    ]


def test_contention(document: Document, mind: Path) -> None:
    shown = document("contention", "--mind", mind)
    assert list(shown) == [
        "contention",
        "questions",
        "domains",
        "disputes",
        "suspected",
        "quiet_boardings",
        "consensus_alarm",
    ]
    assert shown["contention"] > 0
    assert shown["disputes"][0].keys() == {"from", "to", "confidence"}
    assert shown["domains"]["storage"] > 0
    fits(shown["questions"][0], {"id": str, "contention": float, "with_scatter": type(None), "claims": int})


def test_run(document: Document, mind: Path) -> None:
    report = document("run", "--boardings", "3", "--seats", "2", "--models", "reader:support", "--mind", mind)
    assert list(report) == ["boardings", "spent_usd", "contention"]
    assert len(report["boardings"]) == 3
    for boarding in report["boardings"]:
        fits(boarding, BOARDING)
        assert (boarding["ending"], boarding["model"], boarding["usd"]) == ("merged", "reader:support", 0)


def test_events(document: Document, mind: Path) -> None:
    events = document("events", "--mind", mind)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    for event in events:
        has(event, EVENT)
        assert not any(key.endswith("micro_usd") for key in event)
    opened = next(event for event in events if event["kind"] == "boarding_opened")
    assert opened["boarding"] == "b1"
    assert opened["question"] == "q1"
    ended = next(event for event in events if event["kind"] == "boarding_ended")
    assert (ended["boarding"], ended["usd"]) == ("b1", 0)
    assert document("events", "--limit", "2", "--mind", mind) == events[-2:]
    assert document("events", "--after", "5", "--kind", "edge_added", "--mind", mind) == [
        event for event in events[5:] if event["kind"] == "edge_added"
    ]


def test_accounts(document: Document, mind: Path) -> None:
    tracks = document("track", "--mind", mind)
    assert {track["model"] for track in tracks} == {"reader:support", "reader:doubt", "reader:gather"}
    for track in tracks + document("track", "--domain", "storage", "--mind", mind):
        fits(track, TRACK)
        assert 0 <= track["low"] <= track["reliability"] <= track["high"] <= 1
    assert document("track", "--domain", "storage", "--mind", mind)[0]["domain"] == "storage"
    models = document("models", "--mind", mind)
    assert {"id", "tier", "prices", "available", "why_not"} <= models[0].keys()
    assert [one["id"] for one in models if one["available"]] == ["reader:support", "reader:doubt", "reader:gather"]
    spend = document("spend", "--by", "day", "--mind", mind)
    assert list(spend) == ["total_usd", "by", "rows"]
    assert spend["total_usd"] == 0
    (session,) = document("sessions", "--mind", mind)
    assert (session["state"], session["boardings"], session["usd"]) == ("finished", 9, 0)


@pytest.mark.parametrize("by", ["model", "domain", "question", "day"])
def test_spend_adds_up_by(document: Document, mind: Path, by: str) -> None:
    for row in document("spend", "--by", by, "--mind", mind)["rows"]:
        fits(row, {by: str, "usd": NUMBER, "boardings": int})


def test_feeding(document: Document, tmp_path: Path) -> None:
    own = tmp_path / "new.mind"
    asked = document("ask", "Is", "it", "so?", "--domain", "a", "--domain", "b", "--mind", own)
    fits(asked, QUESTION)
    assert (asked["id"], asked["text"], asked["domains"]) == ("q1", "Is it so?", ["a", "b"])
    (tmp_path / "a.txt").write_text("The cache restarted at 09:58 on Tuesday.\n", encoding="utf-8")
    (report,) = document("read", "a.txt", "--mind", own)["documents"]
    assert (report["path"], report["facts"], report["error"]) == ("a.txt", 1, None)


def test_exchange(document: Document, mind: Path, tmp_path: Path) -> None:
    written = document("export", "out.json", "--mind", mind)
    assert written.keys() == {"path", "nodes", "edges", "events", "not_kept"}
    taken = document("import", "out.json", "--mind", tmp_path / "b.mind")
    assert taken.keys() == {
        "path", "questions", "facts", "seen_again", "interpretations", "edges", "ids", "not_kept"
    }  # fmt: skip
    assert taken["edges"] == written["edges"]
    lines = document("export", "out.jsonl", "--mind", mind)
    assert document("import", "out.jsonl", "--mind", tmp_path / "c.mind")["events"] == lines["events"]
    assert document("show", "--mind", tmp_path / "c.mind") == document("show", "--mind", mind)
    assert document("redact", "f1", "--yes", "--mind", mind) == {"redacted": "f1"}


def test_state(run: Callable[..., Any], document: Document, mind: Path) -> None:
    places = document("info", "--mind", mind)
    assert places["mind"] == str(mind)
    assert places["consensus_alarm"] is False
    assert document("info", "--mind", "nowhere.mind")["consensus_alarm"] is None
    findings = document("doctor", "--mind", mind)
    for finding in findings:
        fits(finding, {"what": str, "state": str, "found": str, "remedy": OPTIONAL_TEXT})
    states = {finding["what"]: finding["state"] for finding in findings}
    assert (states["mind"], states["database"], states["anthropic"]) == ("good", "good", "absent")


def test_upkeep_and_memory(document: Document, mind: Path) -> None:
    before = document("memory", "--mind", mind)
    assert before["as_of"] is None
    run = document("upkeep", "--mind", mind, "--now", "2099-01-01")
    assert run.keys() == {"run", "as_of", "started_at", "is_finished", "seconds", "changes", "steps", "is_dry"}
    assert run["is_finished"]
    fits(
        run["steps"][0], {"step": str, "is_due": bool, "seconds": NUMBER, "changes": int, "counts": dict}
    )  # fmt: skip
    dry = document("upkeep", "--mind", mind, "--now", "2099-01-01", "--dry-run")
    assert (dry["is_dry"], dry["changes"]) == (True, 0)
    memory = document("memory", "--mind", mind)
    assert [one["factor"] for one in memory["factors"]] == ["usage", "consistency", "structural", "pattern"]
    assert len(memory["correlations"]) == 6
    assert memory["runs"][0]["as_of"] == "2099-01-01T00:00:00Z"
    claim = document("show", "i1", "--mind", mind)["standing"]
    assert {"prior", "maturity", "factors", "half_life_days", "age_days", "history", "gradient"} <= claim.keys()
    for factor in claim["factors"]:
        fits(factor, {"factor": str, "value": OPTIONAL_NUMBER, "weight": NUMBER, "source": str})
    assert len(claim["history"]) == 1


async def _make_quiet_mind(path: Path) -> None:
    async with open_sqlite(path) as store, Journal.open(store, Clock()) as journal:
        told = [asked("q1"), *(what for n in (1, 2) for what in (boarded(f"b{n}", "q1"), ended(f"b{n}", merged=1)))]
        await journal.append([Draft(what=what, by="reader:support") for what in told])


def test_consensus_that_lasts_is_told_in_one_line(run: Callable[..., Any], document: Document, tmp_path: Path) -> None:
    asyncio.run(_make_quiet_mind(tmp_path / "quiet.mind"))
    (tmp_path / "own.toml").write_text("[run]\ncollapse_after = 2\n", encoding="utf-8")
    given = ("--mind", tmp_path / "quiet.mind", "--config", tmp_path / "own.toml")
    said = "consensus may have collapsed: 2 boardings in a row added no contradiction, the next one attacks"
    for verb in ("info", "contention"):
        assert [line for line in run(verb, *given).stdout.splitlines() if "collapsed" in line] == [said]
        assert document(verb, *given)["consensus_alarm"] is True
    (tmp_path / "own.toml").write_text("[run]\ncollapse_after = 3\n", encoding="utf-8")
    assert "collapsed" not in run("info", *given).stdout


def test_where_scatter_counts_it_stands_beside_contention(
    run: Callable[..., Any], document: Document, mind: Path, tmp_path: Path
) -> None:
    (tmp_path / "own.toml").write_text("[run]\nmemoric_weight = 0.5\n", encoding="utf-8")
    given = ("--mind", mind, "--config", tmp_path / "own.toml")
    [asked] = document("contention", *given)["questions"]
    assert asked["contention"] / 2 < asked["with_scatter"] <= asked["contention"] / 2 + 0.5
    assert document("questions", *given)[0]["with_scatter"] == asked["with_scatter"]
    for verb in ("questions", "contention", "show"):
        said = run(verb, *given).stdout
        assert "with scatter" in said
        assert f"{asked['with_scatter']:.2f}" in said
        assert "with scatter" not in run(verb, "--mind", mind).stdout
