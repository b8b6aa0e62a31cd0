"""A mind on which readers have worked, and the command line run as a person or a program would."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perdura_tui.cli import main

NOTES = {
    "chat.md": "# Chat\n\nThe cache restarted at 09:58 and reads took 900 ms until 10:20.\n\n"
    "The deploy of the storage service began at 10:05 on Tuesday.\n",
    "report.md": "# Report\n\nThe deploy of the storage service began at 09:41 on Tuesday.\n\n"
    "The cache did not restart before 10:30, and reads took 40 ms until then.\n",
}
QUESTION = "When did the deploy of the storage service begin, and did the cache restart?"

TOP = Path(__file__).parent.parent.parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes what belongs to the user."""
    for name in [name for name in os.environ if name.startswith("PERDURA_") or name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def worked_mind(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mind with documents, questions, boardings and a dispute. Read it, or copy it."""
    folder = tmp_path_factory.mktemp("worked")
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    mind = folder / "worked.mind"
    for words in (
        ["read", *(str(folder / name) for name in NOTES), "--domain", "storage"],
        ["ask", QUESTION, "--domain", "storage", "--stake", "high"],
        ["run", "--boardings", "9", "--seats", "2", "--models", "reader:support,reader:doubt,reader:gather"],
    ):
        done = program(*words, "--mind", str(mind))
        assert done.returncode == 0, done.stderr
    return mind


@pytest.fixture
def mind(worked_mind: Path, tmp_path: Path) -> Path:
    """A copy of it to do anything with."""
    return Path(shutil.copy(worked_mind, tmp_path / "own.mind"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command line in this process: standard output, standard error and exit code."""

    def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        said = capsys.readouterr()
        return subprocess.CompletedProcess(words, code, said.out, said.err)

    return call


@pytest.fixture
def document(run: Run) -> Callable[..., Any]:
    """The JSON document that a verb prints."""

    def call(*words: str | Path) -> Any:
        done = run(*words, "--json")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.isascii()
        assert done.stdout.count("\n") == 1
        return json.loads(done.stdout)

    return call


def program(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """The command line as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "perdura_tui", *words],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        env=os.environ | options.pop("env", {}),
        cwd=TOP,
        **options,
    )
