"""What `perdura` costs and says before it knows what to do."""

import resource
import subprocess
import sys

import pytest

from perdura_core import __version__
from perdura_tui.cli import VERBS, main
from tests.cli.conftest import TOP, program

_HEAVY = ("textual", "pydantic", "numpy", "rich", "sqlite3", "anthropic", "google.genai", "ollama", "httpx", "shtab")


def test_version_imports_nothing_heavy() -> None:
    loaded = f"[name for name in {_HEAVY!r} if name in sys.modules]"
    probe = f"import sys; from perdura_tui.cli import main; main(['--version']); print({loaded})"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True, cwd=TOP
    )
    assert done.stdout.splitlines() == [f"perdura {__version__}", "[]"]


def test_the_desk_loads_no_reader_of_documents() -> None:
    probe = (
        "import sys; import perdura_tui.command.desk;"
        "print([name for name in ('pypdf', 'docutils', 'perdura_core.ingest') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True, cwd=TOP
    )
    assert done.stdout.splitlines() == ["[]"]


def test_only_the_desk_needs_textual() -> None:
    verbs = [verb for verb, entry in VERBS.items() if entry.module not in ("desk", "doctor")]
    calls = f"[main([verb, '-h']) for verb in {verbs!r}]"
    probe = f"import sys; from perdura_tui.cli import main; {calls}; print('textual' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True, cwd=TOP
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_version_takes_under_a_fifth_of_a_second_of_processor_time() -> None:
    best = 1.0
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        program("--version")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert best < 0.2


def test_the_overview_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-h"]) == 0
    shown = capsys.readouterr().out
    assert all(f"    {verb} " in shown for verb in VERBS)


@pytest.mark.parametrize("verb", list(VERBS))
def test_every_verb_explains_itself(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, "-h"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: perdura {verb}")
    assert "--mind FILE" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_completion_knows_verbs_and_their_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--print-completion", shell]) == 0
    script = capsys.readouterr().out
    assert "contention" in script
    assert "adversarial-every" in script


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["--print-completion", "elvish"], "'elvish'"),
        (["shwo"], "did you mean 'show'"),
        (["run"], "--boardings"),
        (["run", "--boardings", "0"], "'0' is not a whole number from 1"),
        (["run", "--boardings", "1", "--budget", "much"], "'much' is not a sum"),
        (["run", "--boardings", "1", "--budget", "nan"], "'nan' is not a sum"),
        (["ask"], "TEXT"),
        (["ask", " "], "question is empty"),
        (["spend", "--by", "colour"], "colour"),
        (["export", "mind.txt"], "'mind.txt' does not tell its format"),
        (["show", "x7"], "'x7' is no id"),
        (["experiment", "retrieval", "--data", ".", "--fit", "out.json"], "--fit is for contradictions"),
        (["--config", "nowhere.toml", "info"], "'nowhere.toml'"),
        (["--mind", "", "show"], "name of a mind is empty"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    words: list[str], names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert names in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


def test_a_reader_that_leaves_is_no_fault() -> None:
    command = f"{sys.executable} -m perdura_tui -h | head -1 > /dev/null; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True, cwd=TOP)
    assert done.stderr == ""
