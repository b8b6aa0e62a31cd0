"""Observation or judgement: the second of three tiers, which reads the wording alone.

A logistic model over the cues of `wording.cues`. Its weights were fitted on labelled sentences of the tests, with the
sign of each held to what the cue means; `perdura experiment layers` fits them again and reports on the others.
"""

import math
from typing import NamedTuple

from perdura_core.epistemics.wording import forms
from perdura_core.epistemics.wording.cues import CUES, cues_of

__all__ = ["BIAS", "SURE", "WEIGHTS", "Wording", "may_be_analysis", "read_wording"]

SURE = 0.85
"""From here on the wording alone decides, against what the contributor called it."""

BIAS = 0.1
WEIGHTS: dict[str, float] = {
    "hedge": 0.13,
    "prescription": 0.68,
    "prediction": 0.89,
    "evaluation": 0.42,
    "verdict": 0.26,
    "cause": 0.18,
    "agent of a cause": 0.25,
    "pointing": 0.05,
    "reading": 0.29,
    "stance": 0.13,
    "generality": 0.13,
    "inference": 0.0,
    "condition": 0.44,
    "opinion": 0.01,
    "judging verb": 0.97,
    "figure of speech": 0.19,
    "abstraction": 0.98,
    "simile": 0.28,
    "comparison": 0.51,
    "measured comparison": 0.29,
    "superlative": 0.03,
    "degree": 0.42,
    "impossibility": 0.14,
    "predicate": 0.83,
    "characterisation": 0.86,
    "identification": 0.82,
    "prefixed": 0.0,
    "perfect": 0.45,
    "denial": 0.37,
    "contrast": 0.09,
    "shift": 0.14,
    "refusal": 0.19,
    "counterfactual": 0.56,
    "number judged": 0.06,
    "measure read": 0.68,
    "general subject": 0.64,
    "bare": 0.51,
    "bare and judged": 1.5,
    "judged": 2.03,
    "plain action": -1.74,
    "plain measurement": -1.09,
    "plain count": -1.54,
    "plain event": -0.6,
    "kind": -0.24,
    "numbers": -0.11,
    "unit": -0.55,
    "statistic": -0.34,
    "graph measure": -0.36,
    "analysis result": -0.41,
    "moment": -0.62,
    "attribution": -1.49,
    "passive record": -0.77,
    "past": -0.32,
    "definition": 0.0,
    "structure": -1.26,
    "name": -0.84,
    "identifier": 0.0,
    "provision": -0.02,
}
"""In favour of a judgement, by cue. Negative: in favour of an observation."""
_MOST_REASONS = 3
_OF_ANALYSIS = frozenset({"statistic", "graph measure", "analysis result"})


class Wording(NamedTuple):
    """What the wording of a statement says of its layer."""

    judgement: float
    """Probability that it is a judgement, 0..1."""
    cues: tuple[str, ...]
    """The cues that spoke most for the side that won, strongest first."""
    is_analysis: bool
    """Whether it gives a value of a statistic or of a measure of a graph."""

    @property
    def is_judgement(self) -> bool:
        """Whether it is rather a judgement than an observation."""
        return self.judgement > 0.5

    @property
    def certainty(self) -> float:
        """Probability of the side that won, 0.5..1."""
        return max(self.judgement, 1.0 - self.judgement)

    @property
    def is_sure(self) -> bool:
        """Whether the wording alone may decide."""
        return self.certainty >= SURE


def may_be_analysis(text: str) -> bool:
    """Whether it has a term of statistics or of graphs: cheaper than reading the whole wording."""
    return any(form.search(text) for form in (forms.STATISTIC, forms.GRAPH_MEASURE, forms.GRAPH_RESULT))


def read_wording(text: str) -> Wording:
    """Judge a statement by its wording. The same text always gives the same answer.

    By hand: a text without any cue has the bias alone, 1 / (1 + exp(-bias)).
    """
    worth = {name: cue * WEIGHTS[name] for name, cue in zip(CUES, cues_of(text), strict=True) if cue}
    judgement = 1.0 / (1.0 + math.exp(-BIAS - sum(worth.values())))
    sign = 1.0 if judgement > 0.5 else -1.0
    is_analysis = not _OF_ANALYSIS.isdisjoint(worth)
    telling = sorted((name for name in worth if worth[name] * sign > 0), key=lambda name: -abs(worth[name]))
    return Wording(judgement, tuple(telling[:_MOST_REASONS]), is_analysis)
