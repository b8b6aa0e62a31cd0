"""Files of interchange: read with a clear refusal, written whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from perdura_core.errors import InputError
from perdura_core.vocabulary import Value

__all__ = ["ExportReport", "read_text", "replacing"]


class ExportReport(Value):
    """What an export wrote."""

    path: str
    nodes: int
    edges: int
    events: int = 0
    """Of the journal; 0 in formats that have none."""
    not_kept: tuple[str, ...] = ()
    """What the mind holds and the format has no place for, one sentence a kind."""


def read_text(path: Path) -> str:
    """The UTF-8 text of a file. Raises InputError with the reason and the remedy."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{str(path)!r} is not UTF-8 text (byte {error.start}): export it again") from error
    except OSError as error:
        raise InputError(f"{str(path)!r} cannot be read ({error.strerror}): check the path and its rights") from error


@contextmanager
def replacing(path: Path) -> Iterator[IO[str]]:
    """A file that takes the place of `path` when everything was written, and leaves it alone otherwise."""
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a folder: name a file in it")
    try:
        file = NamedTemporaryFile(  # noqa: SIM115  closed below, before it is renamed
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        )
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be written ({error.strerror}): check the folder and its rights"
        ) from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, path)
    except BaseException:
        Path(file.name).unlink(missing_ok=True)
        raise
