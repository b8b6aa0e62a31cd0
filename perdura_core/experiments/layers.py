"""How often a sentence is put in the right layer by its wording alone, on labelled sentences from many fields."""

import csv
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics import Wording, read_wording
from perdura_core.epistemics.layering import SURE, WordingModel
from perdura_core.errors import InputError
from perdura_core.experiments.layer_fitting import fit_wording, traits_in
from perdura_core.experiments.report import Finding, Report, Table, resampled

__all__ = ["Labelled", "experiment_layers", "load_labelled", "shipped_weights"]

_LAYERS = ("fact", "interpretation")
_MOST_WRONG = 40
_CERTAINTIES = (0.5, 0.6, 0.7, SURE, 0.95, 1.01)


class Labelled(NamedTuple):
    """One sentence with the layer where it belongs."""

    sentence: str
    is_judgement: bool
    field: str
    is_hard: bool
    use: str
    """`tuning`: the weights were fitted on it; `unseen`: nothing was."""
    writer: str
    """Who wrote it: each writer has a way of their own, by which alone a sentence must not be known."""

    @property
    def is_tuned(self) -> bool:
        """Whether the weights were fitted on it."""
        return self.use == "tuning"


def load_labelled(path: Path) -> list[Labelled]:
    """Rows of a CSV file: sentence, layer, and if known field, hard, use and writer. Raises InputError."""
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
        use = (row.get("use") or "unseen").strip()
        field, writer = row.get("field") or "-", row.get("writer") or "-"
        found.append(Labelled(sentence, layer == "interpretation", field, is_hard, use, writer))
    if not found:
        raise InputError(f"{path.name!r} holds no sentence: give it the columns sentence, layer, field, hard")
    return found


def shipped_weights(path: Path) -> dict[str, object]:
    """What `layering.json` says, fitted again from what is for tuning among these sentences. Raises InputError."""
    rows = [row for row in load_labelled(path) if row.is_tuned]
    if not rows:
        raise InputError(f"{path.name!r} has no sentence for tuning: its column use says which are")
    return _fitted(rows).document()


def _fitted(rows: Sequence[Labelled]) -> WordingModel:
    return fit_wording([traits_in(row.sentence) for row in rows], np.array([row.is_judgement for row in rows]))


def _by_strangers(rows: Sequence[Labelled]) -> list[Wording]:
    """Each sentence as read by weights that come from the other writers alone."""
    found: dict[int, Wording] = {}
    for writer in sorted({row.writer for row in rows}):
        model = _fitted([row for row in rows if row.writer != writer])
        found |= {at: model.read(row.sentence) for at, row in enumerate(rows) if row.writer == writer}
    return [found[at] for at in range(len(rows))]


def experiment_layers(path: Path, seed: int = 0) -> Report:
    """Accuracy with 95 % bootstrap intervals: of all, of the hard kind, where sure, by writer and by field.

    Sentences for tuning are read by weights fitted on the other writers, the others by the shipped weights.
    """
    rows = load_labelled(path)
    tuned = np.array([row.is_tuned for row in rows])
    tuning = [row for row in rows if row.is_tuned]
    strangers = iter(_by_strangers(tuning) if len({row.writer for row in tuning}) > 1 else ())
    read = [next(strangers, None) if row.is_tuned else read_wording(row.sentence) for row in rows]
    judged = np.array([found is not None for found in read])
    rows, tuned = [row for row, is_read in zip(rows, judged, strict=True) if is_read], tuned[judged]
    known = [found for found in read if found is not None]
    parts = {
        "writer left out": tuned,
        "unseen": ~tuned,
    }
    table = [row for name, chosen in parts.items() for row in _accuracies(name, rows, known, chosen, seed)]
    by_writer = _by("writer", rows, known, tuned, seed)
    by_field = _by("field", rows, known, ~tuned, seed)
    by_unseen = _by("writer", rows, known, ~tuned, seed)
    reliability = _reliability(rows, known, seed)
    wrong = [
        (row.field, f"{found.judgement:.2f}", row.sentence)
        for row, found, was_tuned in zip(rows, known, tuned, strict=True)
        if not was_tuned and found.is_judgement != row.is_judgement
    ]
    figures: dict[str, object] = {name: {"accuracy": finding, "sentences": count} for name, count, finding in table}
    figures["by writer left out"] = {name: finding for name, _count, finding in by_writer}
    figures["by unseen writer"] = {name: finding for name, _count, finding in by_unseen}
    figures["by field"] = {name: finding for name, _count, finding in by_field}
    figures["by certainty"] = {name: finding for name, _count, finding in reliability}
    figures["confusion"] = _confusion(rows, known, ~tuned)
    return Report(
        experiment="layers",
        data=path.name,
        seed=seed,
        tables=(
            Table("Accuracy", ("sentences", "count", "accuracy"), tuple(table)),
            Table("By writer, each read by weights from the others", ("writer", "count", "accuracy"), tuple(by_writer)),
            Table("By writer, of sentences not tuned on", ("writer", "count", "accuracy"), tuple(by_unseen)),
            Table("By certainty", ("certainty", "count", "accuracy"), tuple(reliability)),
            Table(
                "What became of sentences that were not tuned on",
                ("is", "read as a fact", "read as an interpretation"),
                tuple((layer, *counts.values()) for layer, counts in _confusion(rows, known, ~tuned).items()),
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


def _by(
    column: str, rows: Sequence[Labelled], read: Sequence[Wording], chosen: NDArray[np.bool_], seed: int
) -> list[tuple[str, int, Finding]]:
    values = [str(getattr(row, column)) for row in rows]
    return [
        row
        for name in sorted(set(values))
        for row in _accuracies(name, rows, read, chosen & np.array([value == name for value in values]), seed)[:1]
    ]


def _reliability(rows: Sequence[Labelled], read: Sequence[Wording], seed: int) -> list[tuple[str, int, Finding]]:
    """How often readings of about the same certainty are right."""
    certainty = np.array([found.certainty for found in read])
    return [
        row
        for least, most in pairwise(_CERTAINTIES)
        for row in _accuracies(
            f"{least:.2f} to {min(most, 1.0):.2f}", rows, read, (certainty >= least) & (certainty < most), seed
        )[:1]
    ]


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
