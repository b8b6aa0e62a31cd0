"""Which of several answers the documents of a question support: misinformation among them should come last."""

import gzip
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from perdura_core.epistemics import normalised
from perdura_core.errors import InputError
from perdura_core.experiments.report import Table, resampled
from perdura_core.experiments.retrieval import is_tuned_on
from perdura_core.retrieval.disputing.wordvectors import WordVectors

__all__ = ["measure_support"]

_MARKS = re.compile(r"\W+")
_FIT, _ABOUT, _COPIED = 0.5, 2.0, 2.0
"""What an answer's fit to the rest of its documents, their nearness to the question and their likeness to documents
with another answer add and take, in documents; chosen on the questions with even sha256(id)."""

Row = Mapping[str, Any]


def measure_support(path: Path, seed: int) -> tuple[Table, dict[str, Any]]:
    """How often every wrong answer has less support than every right one, on questions nothing was tuned on.

    Only questions with a wrong answer among their documents count. Raises InputError for another kind of file.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row["wrong_answers"] and not is_tuned_on(row["id"])]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} holds no questions with documents ({error!r})") from None
    vectors = WordVectors.load()
    ways = {
        "documents counted": [_is_ordered(row, _counted(row)) for row in rows],
        "documents weighed": [_is_ordered(row, _weighed(row, vectors)) for row in rows],
    }
    found = {name: resampled([float(one) for one in values], seed) for name, values in ways.items()}
    title = f"ramdocs, {len(rows)} questions with a wrong answer, nothing tuned on them"
    columns = ("way", "every wrong answer below every right one")
    return Table(title, columns, tuple(found.items())), dict(found)


def _is_ordered(row: Row, support: Mapping[str, float]) -> bool:
    right = [value for answer, value in support.items() if answer in _plain_all(row["gold_answers"])]
    wrong = [value for answer, value in support.items() if answer not in _plain_all(row["gold_answers"])]
    return bool(right) and max(wrong, default=-np.inf) < min(right)


def _by_answer(row: Row) -> dict[str, list[str]]:
    """The documents of each answer that some document gives."""
    found: dict[str, list[str]] = {}
    for document in row["documents"]:
        if document["type"] in {"correct", "misinfo"}:
            found.setdefault(_plain(document["answer"]), []).append(document["text"])
    return found


def _counted(row: Row) -> dict[str, float]:
    return {answer: float(len(texts)) for answer, texts in _by_answer(row).items()}


def _weighed(row: Row, vectors: WordVectors) -> dict[str, float]:
    """Documents, weighed by whether the answer fits what else they say, and less where they copy others but for it.

    Who swaps a name in a text leaves all its other words, which still speak of the old one.
    """
    question = vectors.whole(row["question"])
    by_answer = _by_answer(row)
    everything = [(document["text"], _plain(document["answer"])) for document in row["documents"]]
    whole = {text: vectors.whole(text) for text, _ in everything}
    found: dict[str, float] = {}
    for answer, texts in by_answer.items():
        said = vectors.whole(answer)
        fit = np.mean([said @ vectors.whole(_plain(text).replace(answer, " ")) for text in texts])
        about = max(float(question @ whole[text]) for text in texts)
        others = [text for text, given in everything if given != answer]
        copied = np.mean([max((float(whole[text] @ whole[other]) for other in others), default=0.0) for text in texts])
        found[answer] = len(texts) + _FIT * float(fit) + _ABOUT * about - _COPIED * float(copied)
    return found


def _plain(text: str) -> str:
    return _MARKS.sub(" ", normalised(text)).strip()


def _plain_all(texts: Sequence[str]) -> set[str]:
    return {_plain(text) for text in texts}
