"""Taking something away from the desk: to the system's clipboard, or into a file."""

import asyncio
import os
import re
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

__all__ = ["clipboard_program", "save", "to_clipboard", "without_fonts"]

_PATIENCE_S = 2.0
_FONT_FACE = re.compile(r"@font-face\s*\{[^}]*\}\s*")
_PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--input", "--clipboard")),
    (None, ("pbcopy",)),
    (None, ("clip.exe",)),
)
"""What takes text for the clipboard, and the variable without which it cannot."""


def clipboard_program(environ: Mapping[str, str]) -> tuple[str, ...] | None:
    """The command of this system that takes text for the clipboard on its standard input; None when there is none."""
    for variable, command in _PROGRAMS:
        if (variable is None or environ.get(variable)) and shutil.which(command[0], path=environ.get("PATH")):
            return command
    return None


async def to_clipboard(text: str) -> bool:
    """Hand text to the system's clipboard. Returns whether some program took it."""
    command = clipboard_program(os.environ)
    if command is None:
        return False
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return False
    try:
        async with asyncio.timeout(_PATIENCE_S):
            await process.communicate(text.encode("utf-8", "replace"))
    except TimeoutError:
        process.kill()
        await process.wait()
        return False
    return process.returncode == 0


def save(folder: Path, stem: str, suffix: str, text: str, now: datetime) -> Path:
    """Write a new file that only its owner can read, named after the moment. Never over another. Raises OSError."""
    name = f"perdura-{stem}-{now.astimezone():%Y%m%d-%H%M%S}"
    for number in range(100):
        path = folder / f"{name}{f'-{number}' if number else ''}{suffix}"
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            continue
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        return path
    raise FileExistsError(f"{folder} holds a hundred files of this second already")


def without_fonts(svg: str) -> str:
    """The picture without the fonts that it would fetch from elsewhere: any monospaced one of the reader's will do."""
    return _FONT_FACE.sub("", svg)
