"""A live model put to recorded questions: what it says is read as an answer and graded by the recorded gold."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from perdura_core.errors import InputError
from perdura_core.experiments.recorded import halves, rows_of
from perdura_core.vocabulary import Card

__all__ = ["LETTERS", "Asked", "letter_of", "live_card", "live_questions"]

LETTERS = "ABCDEFGHIJ"
_SAID = re.compile(r"\b(?:answer|option|choice)\b\W{0,4}(?:is|:)?\W{0,4}([A-J])\b", re.IGNORECASE)
_BRACKETS = re.compile(r"\(([A-J])\)")
_MOST_OUTPUT = 200
_BRIEFING = 900
"""Tokens: a question with its choices and a handful of claims; a small model reads slowly."""


class Asked(NamedTuple):
    """One recorded question."""

    id: str
    domain: str
    text: str
    """With its choices, lettered."""
    choices: Mapping[str, str]
    gold: str


def live_questions(path: Path, seed: int, most: int) -> list[Asked]:
    """So many questions of the half that nothing is learned from (by sha256 of the id), drawn by the seed.

    Raises InputError when the file holds no questions with choices.
    """
    rows = [row for row in rows_of(path) if row.get("choices") and str(row.get("gold") or "?") in LETTERS]
    if not rows:
        raise InputError(f"{path} holds no question with choices and gold: give a file of recorded answers with both")
    side = halves([row["id"] for row in rows], seed, 0)
    left = [row for row, is_learned in zip(rows, side, strict=True) if not is_learned]
    chosen = np.random.default_rng(seed).permutation(len(left))[:most]
    return [_asked(left[at]) for at in chosen]


def _asked(row: Mapping[str, Any]) -> Asked:
    choices = dict(zip(LETTERS, row["choices"], strict=False))
    listed = " ".join(f"({letter}) {choice}" for letter, choice in choices.items())
    text = f'{row["question"]} Which is right? {listed} Claim "The answer is (letter)".'
    return Asked(row["id"], row["domain"], text, choices, row["gold"])


def letter_of(text: str, choices: Mapping[str, str]) -> str | None:
    """The choice that a text names, by its letter or in its words; None when it names none, or several."""
    for pattern in (_SAID, _BRACKETS):
        found = {str(match).upper() for match in pattern.findall(text)} & choices.keys()
        if len(found) == 1:
            return min(found)
    low = text.lower()
    named = [letter for letter, choice in choices.items() if len(choice) > 3 and choice.lower() in low]
    return named[0] if len(named) == 1 else None


def live_card(model: str) -> Card:
    """A card that keeps the calls short."""
    return Card(id=model, max_output_tokens=_MOST_OUTPUT, briefing_tokens=_BRIEFING)
