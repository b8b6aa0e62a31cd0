"""Recorded answers of real models as arrays: who answered what, right or wrong, and what it would have cost."""

import gzip
import json
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.errors import InputError

__all__ = ["NO_ANSWER", "Recorded", "Tariff", "halves", "instructed", "load_recorded", "load_tariffs", "rows_of"]

NO_ANSWER = -1
"""The code of an answer that nobody could read; it counts as wrong."""

_CHARACTERS_PER_TOKEN = 4
"""What the data's own costs assume."""


class Tariff(NamedTuple):
    """What a recorded model is taken to cost: US dollars per million tokens, which are micro-dollars per token."""

    tier: str
    """Price class: small, mid, large or frontier."""
    usd_per_mtok_in: float
    usd_per_mtok_out: float


class Recorded(NamedTuple):
    """Answers of models (columns) to questions (rows)."""

    ids: tuple[str, ...]
    domains: tuple[str, ...]
    models: tuple[str, ...]
    domain: NDArray[np.intp]
    """(questions,): index into `domains`."""
    right: NDArray[np.bool_]
    """(questions, models): the answer is the gold one."""
    answer: NDArray[np.intp]
    """(questions, models): the same code within a row means the same answer; NO_ANSWER: none could be read."""
    known: NDArray[np.bool_]
    """(questions, models): the model was asked; where it was not, it is neither right nor wrong."""
    length: NDArray[np.intp]
    """(questions,): characters of question and choices."""
    cost: NDArray[np.float64]
    """(questions, models): US dollars of one answer by the tariffs; NaN where a price is unknown."""

    def of_models(self, wanted: Sequence[str]) -> "Recorded":
        """The columns of these models, in this order. Raises InputError for one that is not recorded."""
        missing = [model for model in wanted if model not in self.models]
        if missing:
            raise InputError(f"no answers of {missing[0]!r} are recorded here: it has {', '.join(self.models[:6])}, …")
        columns = [self.models.index(model) for model in wanted]
        return self._replace(
            models=tuple(wanted),
            right=self.right[:, columns],
            answer=self.answer[:, columns],
            known=self.known[:, columns],
            cost=self.cost[:, columns],
        )

    def of_rows(self, rows: NDArray[Any]) -> "Recorded":
        """These questions only (a mask or indices)."""
        kept = np.arange(len(self.ids))[rows]
        return self._replace(
            ids=tuple(self.ids[row] for row in kept),
            domain=self.domain[kept],
            right=self.right[kept],
            answer=self.answer[kept],
            known=self.known[kept],
            length=self.length[kept],
            cost=self.cost[kept],
        )


def instructed(models: Collection[str]) -> list[str]:
    """The models that were tuned to follow instructions: those whose name does not end in `-base`."""
    return [model for model in models if not model.endswith("-base")]


def halves(ids: Sequence[str], seed: int, draw: int) -> NDArray[np.bool_]:
    """(questions,): whether each is on the side that may be learned from, by sha256 of draw and id; about half are."""
    return np.array([sha256(f"{seed}:{draw}:{each}".encode()).digest()[0] & 1 == 0 for each in ids], dtype=bool)


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a (gzipped) JSONL file, one a line. Raises InputError when a line is not one."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
            except ValueError as error:
                raise InputError(f"{path} line {number} is not JSON ({error}): give a JSONL file of answers") from None
            if not isinstance(row, dict):
                raise InputError(f"{path} line {number} is no JSON object: give a JSONL file of answers")
            yield row


def load_tariffs(path: Path) -> dict[str, Tariff]:
    """Model -> tariff, from a `model-prices.json`. An absent file knows no price."""
    if not path.is_file():
        return {}
    models = json.loads(path.read_text(encoding="utf-8"))["models"]
    return {
        name: Tariff(entry["tier"], entry["in_per_mtok"], entry["out_per_mtok"])
        for name, entry in models.items()
        if entry.get("in_per_mtok") is not None and entry.get("out_per_mtok") is not None
    }


def load_recorded(path: Path, tariffs: dict[str, Tariff] | None = None) -> Recorded:
    """Read a file of answers (`answers` with `gold`) or of bare verdicts (`correct`), priced by the tariffs.

    Tariffs default to the `model-prices.json` beside the file. Raises InputError when the file holds no answers.
    """
    rows = [row for row in rows_of(path) if "domain" in row and ("answers" in row or "correct" in row)]
    if not rows:
        raise InputError(f"{path} holds no recorded answers: rows need `id`, `domain`, and `answers` or `correct`")
    prices = load_tariffs(path.with_name("model-prices.json")) if tariffs is None else tariffs
    models = tuple(sorted({model for row in rows for model in row.get("correct", row.get("answers", {}))}))
    domains = tuple(sorted({row["domain"] for row in rows}))
    shape = (len(rows), len(models))
    right, known = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    answer = np.full(shape, NO_ANSWER, dtype=np.intp)
    length, cost = np.zeros(len(rows), dtype=np.intp), np.full(shape, np.nan)
    column = {model: at for at, model in enumerate(models)}
    for at, row in enumerate(rows):
        length[at] = len(row.get("question", "")) + sum(map(len, row.get("choices") or ()))
        if "correct" in row:
            for model, verdict in row["correct"].items():
                place = column[model]
                known[at, place], right[at, place], answer[at, place] = True, verdict, int(verdict)
            continue
        codes: dict[str, int] = {}
        for model, given in row["answers"].items():
            said, place = given["answer"], column[model]
            known[at, place] = True
            if said is not None:
                answer[at, place] = codes.setdefault(said, len(codes))
                right[at, place] = said == row["gold"]
            if model in prices:
                cost[at, place] = _usd(prices[model], int(length[at]), given.get("chars") or 0)
    of_domain = {name: at for at, name in enumerate(domains)}
    return Recorded(
        ids=tuple(row["id"] for row in rows),
        domains=domains,
        models=models,
        domain=np.array([of_domain[row["domain"]] for row in rows], dtype=np.intp),
        right=right,
        answer=answer,
        known=known,
        length=length,
        cost=cost,
    )


def _usd(tariff: Tariff, characters_in: int, characters_out: int) -> float:
    tokens_in, tokens_out = characters_in / _CHARACTERS_PER_TOKEN, characters_out / _CHARACTERS_PER_TOKEN
    return (tokens_in * tariff.usd_per_mtok_in + tokens_out * tariff.usd_per_mtok_out) / 1e6
