"""What people see: tables, refusals, confirmations, hostile text."""

import asyncio
import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    Draft,
    Edge,
    EdgeAdded,
    Fact,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    Occurrence,
    Question,
    QuestionAsked,
)

Run = Callable[..., "subprocess.CompletedProcess[str]"]

HOSTILE = (
    "[b", "[/]", "arr[i] = b[j]", "[@click=app.quit]x[/]", "[bold red]loud[/bold red]", ":smile:", "{0} %s",
    "日本語のテキスト", "שלום عليكم", "🧠👩‍👩‍👧", "x" * 10_000, "tab\there\nnew line", "a\u202eb\u2066c\u2028d",
)  # fmt: skip
STEERING = "\x1b]0;owned\x07\x1b[2J\x9b31m\x00"


async def fill(path: Path) -> None:
    """A mind whose every text is hostile."""
    async with Mind.open(path) as mind:
        now = mind.clock.now()
        made = {"created_at": now, "domains": ("[/]", "[b"), "created_by": "evil:[@click=app.quit]x[/]"}
        drafts: list[Any] = []
        for number, text in enumerate(HOSTILE, start=1):
            seen = Occurrence(source=f"{text}#L1", recorded_at=now, recorded_by=text)
            drafts += [
                QuestionAsked(question=Question(id=f"q{number}", text=text, **made)),
                FactRecorded(fact=Fact(id=f"f{number}", text=text, occurrences=(seen,), **made)),
                InterpretationAdded(
                    interpretation=Interpretation(id=f"i{number}", kind="claim", text=text, confidence=0.5, **made)
                ),
            ]
        edge = {"created_by": "[/]", "created_at": now}
        drafts += [
            EdgeAdded(edge=Edge(id=f"e{number}", type="contradicts", src=f"i{number}", dst=f"i{number + 1}", **edge))
            for number in range(1, len(HOSTILE))
        ]
        await mind.journal.append([Draft(what=what, by="[b") for what in drafts])


@pytest.mark.parametrize(
    "words",
    [
        ["show"], ["questions"], ["facts"], ["claims"], ["contention"], ["events"], ["facts", "--search", "[b"],
        *(["show", f"{letter}{number}"] for letter in "qfi" for number in range(1, len(HOSTILE) + 1)),
        ["show", "e1"],
    ],
)  # fmt: skip
def test_hostile_text_is_shown_as_it_is(run: Run, words: list[str], hostile_mind: Path) -> None:
    done = run(*words, "--mind", hostile_mind)
    assert (done.returncode, done.stderr) == (0, "")
    assert not any(ord(character) < 32 and character not in "\n\t" for character in done.stdout)
    assert not any(character in done.stdout for character in "\x7f\x9b\u202e\u2066\u2028")
    if words == ["questions"]:
        for text in ("[b", "[/]", "arr[i] = b[j]", "[@click=app.quit]x[/]", "[bold red]loud[/bold red]", ":smile:"):
            assert text in done.stdout


@pytest.fixture(scope="module")
def hostile_mind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "hostile.mind"
    asyncio.run(fill(path))
    return path


def test_errors_cannot_steer_a_terminal(run: Run, tmp_path: Path) -> None:
    done = run("read", f"{STEERING}.md", "--mind", tmp_path / "a.mind")
    assert done.returncode == 1
    assert "\x1b" not in done.stdout + done.stderr
    done = run("show", "--mind", f"{STEERING}.mind")
    assert done.returncode == 1
    assert "\x1b" not in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["show", "run", "events", "track", "export", "redact", "questions", "models"])
def test_a_mind_that_is_not_there_is_said_so(run: Run, tmp_path: Path, verb: str) -> None:
    more = {"run": ["--boardings", "1"], "export": ["a.json"], "redact": ["q1"]}.get(verb, [])
    done = run(verb, *more, "--mind", tmp_path / "none.mind")
    assert done.returncode == 1
    assert "no mind at" in done.stderr
    assert "perdura ask" in done.stderr
    assert list(tmp_path.glob("*.mind*")) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "q99"], "no node 'q99'"),
        (["show", "e99999"], "no edge 'e99999'"),
        (["show", "b99"], "no boarding 'b99'"),
        (["redact", "q99", "--yes"], "no node 'q99'"),
        (["run", "--boardings", "1", "--models", "openai:nobody"], "no model 'openai:nobody'"),
        (["models", "--enable", "who:knows"], "no model 'who:knows'"),
        (["export", "nowhere/a.json"], "cannot be written"),
        (["import", "missing.json"], "cannot be read"),
        (["read", "missing.md"], ""),
    ],
)
def test_what_fails_is_one_sentence_and_exit_code_1(run: Run, mind: Path, words: list[str], says: str) -> None:
    done = run(*words, "--mind", mind)
    assert done.returncode == 1
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["run", "--boardings", "1", "--seats", "65"], "--seats 65"),
        (["run", "--boardings", "1", "--models", ","], "--models is empty"),
        (["run", "--boardings", "1", "--route", "pinned"], "--models"),
        (["run", "--boardings", "1", "--plain", "--json"], "--plain and --json"),
        (["redact", "e1"], "'e1' is no node"),
        (["redact", "q1"], "--yes"),
        (["events", "--follow", "--limit", "1"], "--follow"),
        (["desk"], "needs a terminal"),
        (["demo"], "needs a terminal"),
        (["desk", "--json"], "no JSON"),
    ],
)
def test_what_makes_no_sense_is_exit_code_2(
    run: Run, mind: Path, words: list[str], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    done = run(*words, "--mind", mind)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_wrong_setting_names_file_and_key(run: Run, mind: Path, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text("[run]\nseatz = 3\n", encoding="utf-8")
    done = run("show", "--mind", mind, "--config", tmp_path / "c.toml")
    assert done.returncode == 1
    assert "c.toml" in done.stderr
    assert "'run.seatz'" in done.stderr
    done = run("doctor", "--mind", mind, "--config", tmp_path / "c.toml")
    assert done.returncode == 1
    assert "run.seatz" in done.stdout


def test_a_file_that_is_no_mind_is_left_alone(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "notes.mind"
    other.write_text("not a database, but long enough to look at twice\n" * 30, encoding="utf-8")
    for verb in ("show", "ask"):
        done = run(verb, *(["Why?"] if verb == "ask" else []), "--mind", other)
        assert done.returncode == 1
        assert "not a mind" in done.stderr
    assert other.read_text(encoding="utf-8").startswith("not a database")
    assert run("doctor", "--mind", other).returncode == 1


def test_common_options_stand_on_either_side_of_the_verb(run: Run, mind: Path) -> None:
    before, after = run("--mind", mind, "--json", "show"), run("show", "--json", "--mind", mind)
    assert before.stdout == after.stdout
    assert before.returncode == 0


def test_a_bare_name_is_a_mind_in_the_data_directory(run: Run, tmp_path: Path) -> None:
    assert run("ask", "Why?", "--mind", "outage").returncode == 0
    (found,) = tmp_path.rglob("outage.mind")
    assert found.parent.name == "perdura"
    assert found.stat().st_mode & 0o077 == 0
    assert run("ask", "Why not?").returncode == 0
    assert (found.parent / "default.mind").exists()
    assert "q1" in run("questions", "--mind", "outage").stdout


def test_reading_verbs_write_nothing(run: Run, mind: Path) -> None:
    before = mind.read_bytes()
    for words in (["show"], ["show", "f1"], ["facts"], ["contention"], ["track"], ["spend"], ["sessions"], ["events"]):
        assert run(*words, "--mind", mind).returncode == 0
    assert mind.read_bytes() == before


def test_tables_show_what_matters(run: Run, mind: Path) -> None:
    assert "chat.md#L3" in run("facts", "--mind", mind).stdout
    assert "reader:doubt" in run("track", "--mind", mind).stdout
    assert "finished" in run("sessions", "--mind", mind).stdout
    assert "ready" in run("models", "--mind", mind).stdout
    assert "set ANTHROPIC_API_KEY" in run("models", "--all", "--mind", mind).stdout
    assert "$0 in all" in run("spend", "--mind", mind).stdout
    shown = run("show", "q1", "--mind", mind).stdout
    assert "<- answers" in shown
    assert all(line == line.rstrip() for line in run("claims", "--mind", mind).stdout.splitlines())


def test_a_model_can_be_taken_out_and_put_back(run: Run, mind: Path) -> None:
    assert "disabled: by the operator" in run("models", "--disable", "reader:doubt", "--mind", mind).stdout
    assert "disabled" not in run("models", "--enable", "reader:doubt", "--mind", mind).stdout


def test_documents_are_reported_one_by_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("The cache restarted at 09:58 on Tuesday.\n", encoding="utf-8")
    done = run("read", "good.txt", "missing.txt", "--mind", tmp_path / "a.mind")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[1].startswith("good.txt")
    assert lines[2].startswith("missing.txt")
    assert "cannot be read" in lines[2]


def typed(words: list[str], answer: str) -> tuple[int, str]:
    """The program in a pseudo-terminal, with one line typed into it."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "perdura_tui", *words]
    process = subprocess.Popen(command, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    os.close(follower)
    os.write(leader, f"{answer}\n".encode())
    said, _ = process.communicate(timeout=60)
    os.close(leader)
    return process.returncode, said


def test_redacting_needs_the_id_typed_again(
    run: Run, mind: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent.parent))
    code, said = typed(["redact", "f1", "--mind", str(mind)], "yes")
    assert code == 1
    assert "nothing was changed" in said
    assert b"900 ms until 10:20" in mind.read_bytes()
    code, said = typed(["redact", "f1", "--mind", str(mind)], "f1")
    assert code == 0, said
    assert "900 ms until 10:20" not in run("show", "--json", "--mind", mind).stdout
    for file in tmp_path.glob("own.mind*"):
        assert b"900 ms until 10:20" not in file.read_bytes()


def test_colours_only_for_terminals(run: Run, mind: Path) -> None:
    for words in (["show"], ["track"], ["doctor"]):
        assert "\x1b" not in run(*words, "--mind", mind).stdout
