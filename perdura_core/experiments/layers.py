"""How often a sentence is put in the right layer by its wording alone, on labelled sentences from many fields."""

import csv
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import Wording, read_wording
from perdura_core.epistemics.wording.cues import CUES, OBSERVING, cues_of
from perdura_core.errors import InputError
from perdura_core.experiments.report import Finding, Report, Table, resampled

__all__ = ["Labelled", "experiment_layers", "fitted", "is_tuned", "load_labelled"]

_LAYERS = ("fact", "interpretation")
_RIDGE = 2.0
_STEPS = 8_000
_MOST_WRONG = 40


class Labelled(NamedTuple):
    """One sentence with the layer where it belongs."""

    sentence: str
    is_judgement: bool
    field: str
    is_hard: bool
    use: str
    """`tuning`: the weights were fitted on it; `split`: on one half of these, by sha256; `later`: it is new."""


def load_labelled(path: Path) -> list[Labelled]:
    """Rows of a CSV file with the columns sentence and layer, and if known field, hard and use. Raises InputError."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path.name!r} cannot be read as CSV: {error}") from error
    found: list[Labelled] = []
    for number, row in enumerate(rows, 2):
        sentence, layer = (row.get("sentence") or "").strip(), (row.get("layer") or "").strip()
        if not sentence or layer not in _LAYERS:
            raise InputError(
                f"line {number} of {path.name!r} needs a sentence, and {' or '.join(_LAYERS)} as its layer"
            )
        is_hard = (row.get("hard") or "").strip().lower() in ("yes", "true", "1")
        use = (row.get("use") or "later").strip()
        found.append(Labelled(sentence, layer == "interpretation", row.get("field") or "-", is_hard, use))
    if not found:
        raise InputError(f"{path.name!r} holds no sentence: give it the columns sentence, layer, field, hard")
    return found


def is_tuned(row: Labelled) -> bool:
    """Whether the weights were fitted on it. Of `split` sentences, those whose sha256 is an even number."""
    digest = int(hashlib.sha256(row.sentence.encode()).hexdigest(), 16)
    return row.use == "tuning" or (row.use == "split" and digest % 2 == 0)


def fitted(rows: Sequence[Labelled], ridge: float = _RIDGE, steps: int = _STEPS) -> dict[str, float]:
    """Weights of a logistic model over the cues, and the `bias`, to two decimals.

    The sign of each weight is held to what its cue means; accelerated projected gradient (Nesterov 1983).
    """
    cues = np.array([(*cues_of(row.sentence), 1.0) for row in rows])
    judged = np.array([row.is_judgement for row in rows], dtype=np.float64)
    least = np.array([*(-np.inf if name in OBSERVING else 0.0 for name in CUES), -np.inf])
    most = np.array([*(0.0 if name in OBSERVING else np.inf for name in CUES), np.inf])
    penalty = np.array([*(ridge for _ in CUES), 0.01])
    step = 1.0 / (np.linalg.norm(cues, 2) ** 2 / 4 + ridge)
    weights = ahead = np.zeros(cues.shape[1])
    pace = 1.0
    for _ in range(steps):
        slope = cues.T @ (1.0 / (1.0 + np.exp(-cues @ ahead)) - judged) + penalty * ahead
        new = np.clip(ahead - step * slope, least, most)
        faster = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0
        ahead = new + (pace - 1.0) / faster * (new - weights)
        weights, pace = new, faster
    return dict(zip((*CUES, "bias"), (round(float(weight), 2) + 0.0 for weight in weights), strict=True))


def experiment_layers(path: Path, seed: int = 0) -> Report:
    """Accuracy with 95 % bootstrap intervals: on what was tuned on, on what was not, on the hard kind, by field."""
    rows = load_labelled(path)
    read = [read_wording(row.sentence) for row in rows]
    parts = {
        "tuned on": [is_tuned(row) for row in rows],
        "the other half": [row.use == "split" and not is_tuned(row) for row in rows],
        "written later": [row.use not in ("split", "tuning") for row in rows],
    }
    new = np.array([not is_tuned(row) for row in rows])
    table = [row for name, chosen in parts.items() for row in _accuracies(name, rows, read, np.array(chosen), seed)]
    fields = sorted({row.field for row in rows})
    by_field = [
        row
        for field in fields
        for row in _accuracies(field, rows, read, new & np.array([one.field == field for one in rows]), seed)[:1]
    ]
    wrong = [
        (row.field, f"{found.judgement:.2f}", row.sentence)
        for row, found, is_new in zip(rows, read, new, strict=True)
        if is_new and found.is_judgement != row.is_judgement
    ]
    figures: dict[str, object] = {name: {"accuracy": finding, "sentences": count} for name, count, finding in table}
    figures["by field"] = {name: finding for name, _count, finding in by_field}
    figures["confusion"] = _confusion(rows, read, new)
    tuning = [row for row in rows if is_tuned(row)]
    if tuning:
        figures["weights"] = fitted(tuning)
    return Report(
        experiment="layers",
        data=path.name,
        seed=seed,
        tables=(
            Table("Accuracy", ("sentences", "count", "accuracy"), tuple(table)),
            Table(
                "What became of sentences that were not tuned on",
                ("is", "read as a fact", "read as an interpretation"),
                tuple((layer, *counts.values()) for layer, counts in _confusion(rows, read, new).items()),
            ),
            Table("By field, not tuned on", ("field", "count", "accuracy"), tuple(by_field)),
            Table("Wrong, not tuned on", ("field", "judgement", "sentence"), tuple(wrong[:_MOST_WRONG])),
        ),
        chart=None,
        figures=figures,
        notes=(
            "By wording alone: what a contribution rests on and where it comes from decide first, and a model may be "
            "asked about what is unsure.",
        ),
    )


def _accuracies(
    name: str, rows: Sequence[Labelled], read: Sequence[Wording], chosen: NDArray[np.bool_], seed: int
) -> list[tuple[str, int, Finding]]:
    """Of all chosen ones, of the hard ones among them, and of those where the wording is sure."""
    kinds = {
        name: chosen,
        f"{name}, hard": chosen & np.array([row.is_hard for row in rows]),
        f"{name}, sure": chosen & np.array([found.is_sure for found in read]),
    }
    return [
        (kind, int(which.sum()), resampled(list(_right(rows, read, which)), seed))
        for kind, which in kinds.items()
        if which.any()
    ]


def _right(rows: Sequence[Labelled], read: Sequence[Wording], which: NDArray[np.bool_]) -> Iterable[float]:
    for row, found, is_chosen in zip(rows, read, which, strict=True):
        if is_chosen:
            yield float(found.is_judgement == row.is_judgement)


def _confusion(
    rows: Sequence[Labelled], read: Sequence[Wording], which: NDArray[np.bool_]
) -> dict[str, dict[str, int]]:
    counts = {layer: dict.fromkeys(_LAYERS, 0) for layer in _LAYERS}
    for row, found, is_chosen in zip(rows, read, which, strict=True):
        if is_chosen:
            counts[_LAYERS[row.is_judgement]][_LAYERS[found.is_judgement]] += 1
    return counts
