"""The experiments by name: what each needs and what runs it."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from perdura_core.experiments.calibration import experiment_calibration
from perdura_core.experiments.escalation import experiment_escalation
from perdura_core.experiments.report import Report

__all__ = ["EXPERIMENTS", "Experiment"]


class Experiment(NamedTuple):
    """One experiment. `run` is given the data file and the seed, and may take minutes of computing."""

    question: str
    """What it answers, for the overview."""
    data: str
    """The file it reads when nobody names another, within the data folder."""
    run: Callable[[Path, int], Report | Awaitable[Report]]


EXPERIMENTS: Mapping[str, Experiment] = {
    "calibration": Experiment(
        "how well is reliability known from n graded answers a model and domain?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_calibration,
    ),
    "escalation": Experiment(
        "does contention tell where a frontier model's call pays, at equal cost?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_escalation,
    ),
}
