"""The list of opposites and paraphrases beside this file."""

from pathlib import Path
from typing import NamedTuple

__all__ = ["PAIRS", "Pair"]


class Pair(NamedTuple):
    is_same: bool
    kind: str
    one: str
    other: str


def _read() -> list[Pair]:
    found: list[Pair] = []
    is_same, kind = False, ""
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith(("! ", "= ")):
            is_same, kind = line[0] == "=", line[2:]
        else:
            one, other = line.split(" | ")
            found.append(Pair(is_same, kind, one, other))
    return found


PAIRS = _read()
