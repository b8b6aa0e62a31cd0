"""The experiments by name: what each needs and what runs it."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from perdura_core.experiments.anchoring import experiment_anchoring
from perdura_core.experiments.briefing import briefing_by, experiment_briefing
from perdura_core.experiments.calibration import experiment_calibration
from perdura_core.experiments.collision import experiment_collision
from perdura_core.experiments.compaction import experiment_compaction
from perdura_core.experiments.contradictions import experiment_contradictions, shipped_weights
from perdura_core.experiments.contribution import contribution_of, experiment_contribution
from perdura_core.experiments.crowd import experiment_crowd
from perdura_core.experiments.escalation import experiment_escalation
from perdura_core.experiments.independence import experiment_independence
from perdura_core.experiments.layers import experiment_layers
from perdura_core.experiments.layers import shipped_weights as shipped_layers
from perdura_core.experiments.memoric import experiment_memoric
from perdura_core.experiments.report import Report
from perdura_core.experiments.retrieval import experiment_retrieval
from perdura_core.experiments.routellm import experiment_routellm
from perdura_core.experiments.routing import experiment_routing
from perdura_core.vocabulary import ModelId

__all__ = ["EXPERIMENTS", "Experiment"]


class Experiment(NamedTuple):
    """One experiment. `run` is given the data file and the seed, and may take minutes of computing."""

    question: str
    """What it answers, for the overview."""
    data: str
    """The file it reads when nobody names another, within the data folder; empty: the folder itself."""
    run: Callable[[Path, int], Report | Awaitable[Report]]
    live: Callable[[Path, int, ModelId, int], Awaitable[Report]] | None = None
    """The same for a model that runs now, on so many questions; None: recorded answers only."""
    fit: Callable[[Path], Mapping[str, object]] | None = None
    """Fits again the weights that the program comes with, as they stand in their file; None: it comes with none."""


EXPERIMENTS: Mapping[str, Experiment] = {
    "anchoring": Experiment(
        "are claims shown with a high confidence challenged less, and does masking end it?",
        "",
        experiment_anchoring,
    ),
    "calibration": Experiment(
        "how well is reliability known from n graded answers a model and domain?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_calibration,
    ),
    "collision": Experiment(
        "are contradicting texts closer to each other than random ones?",
        "contradictions-fever-symmetric.jsonl.gz",
        experiment_collision,
    ),
    "contradictions": Experiment(
        "are contradictions found between claims and evidence, better than by words alone?",
        "contradictions-fever-symmetric.jsonl.gz",
        experiment_contradictions,
        fit=shipped_weights,
    ),
    "escalation": Experiment(
        "does contention tell where a frontier model's call pays, at equal cost?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_escalation,
    ),
    "memoric": Experiment(
        "does the scatter of claims foretell what edges do not say yet?",
        "model-reasoning-mmlu-pro-sample.jsonl.gz",
        experiment_memoric,
    ),
    "retrieval": Experiment(
        "does search by words and meaning find more than either alone?",
        "contradictions-ramdocs.jsonl.gz",
        experiment_retrieval,
    ),
    "routing": Experiment(
        "what does routing by record and by the worth of another answer buy?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_routing,
    ),
    "routellm": Experiment(
        "which questions need the strong model of a pair?",
        "model-answers-routellm.jsonl.gz",
        experiment_routellm,
    ),
    "crowd": Experiment(
        "what is true and who is reliable, without a single graded answer?",
        "",
        experiment_crowd,
    ),
    "independence": Experiment(
        "do the four factors of confidence measure four things, on texts people wrote?",
        "",
        experiment_independence,
    ),
    "layers": Experiment(
        "does the wording of a sentence tell an observation from a judgement?",
        "layers.csv",
        experiment_layers,
        fit=shipped_layers,
    ),
    "compaction": Experiment(
        "who should let stale claims give way: a rule, the departing worker or a dedicated model?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_compaction,
    ),
    "contribution": Experiment(
        "is a small model worth its place in a crew?",
        "model-answers-mmlu-pro.jsonl.gz",
        experiment_contribution,
        contribution_of,
    ),
    "briefing": Experiment(
        "does a briefing do as well as reading everything that was said, and from which size of a mind on?",
        "model-reasoning-mmlu-pro-sample.jsonl.gz",
        experiment_briefing,
        briefing_by,
    ),
}
