from datetime import UTC, datetime
from pathlib import Path

import pytest

from perdura_tui.taking import clipboard_program, save, to_clipboard

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def _program(folder: Path, name: str, body: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_file_is_never_written_over_another(tmp_path: Path) -> None:
    first = save(tmp_path, "graph", ".txt", "one", NOW)
    second = save(tmp_path, "graph", ".txt", "two", NOW)
    assert first.name == "perdura-graph-20260314-090000.txt"
    assert second.name == "perdura-graph-20260314-090000-1.txt"
    assert (first.read_text(), second.read_text()) == ("one", "two")


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        save(tmp_path / "absent", "graph", ".txt", "one", NOW)


def test_the_program_for_the_clipboard_fits_the_display(tmp_path: Path) -> None:
    _program(tmp_path, "wl-copy", "cat")
    _program(tmp_path, "xclip", "cat")
    path = {"PATH": str(tmp_path)}
    assert clipboard_program(path) is None
    assert clipboard_program(path | {"DISPLAY": ":0"}) == ("xclip", "-selection", "clipboard")
    assert clipboard_program(path | {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}) == ("wl-copy",)


async def test_the_program_gets_the_text_and_its_failure_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    _program(tmp_path, "wl-copy", f"cat > {tmp_path}/taken")
    assert await to_clipboard("höchst ✓ \x1b]0;x\x07")
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "höchst ✓ \x1b]0;x\x07"
    _program(tmp_path, "wl-copy", "exit 3")
    assert not await to_clipboard("x")
