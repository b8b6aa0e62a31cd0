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

BIAS = -0.05
WEIGHTS: dict[str, float] = {
    "hedge": 0.19,
    "prescription": 0.68,
    "prediction": 0.8,
    "evaluation": 0.53,
    "verdict": 0.3,
    "cause": 0.17,
    "agent of a cause": 0.25,
    "pointing": 0.04,
    "reading": 0.33,
    "stance": 0.05,
    "generality": 0.08,
    "inference": 0.0,
    "condition": 0.33,
    "opinion": 0.01,
    "judging verb": 0.9,
    "figure of speech": 0.18,
    "abstraction": 0.78,
    "simile": 0.24,
    "comparison": 0.5,
    "measured comparison": 0.22,
    "superlative": 0.03,
    "degree": 0.25,
    "impossibility": 0.08,
    "predicate": 0.7,
    "characterisation": 1.08,
    "identification": 0.71,
    "prefixed": 0.0,
    "perfect": 0.44,
    "denial": 0.42,
    "refusal": 0.19,
    "counterfactual": 0.47,
    "number judged": 0.31,
    "measure read": 0.61,
    "general subject": 0.65,
    "bare": 0.61,
    "bare and judged": 1.71,
    "judged": 1.94,
    "plain action": -1.69,
    "plain measurement": -1.21,
    "plain count": -1.55,
    "plain event": -0.6,
    "kind": -0.25,
    "numbers": 0.0,
    "unit": -0.28,
    "statistic": -0.29,
    "graph measure": -0.28,
    "analysis result": -0.46,
    "moment": -0.58,
    "attribution": -1.54,
    "passive record": -0.63,
    "past": -0.41,
    "definition": 0.0,
    "structure": -1.31,
    "name": -0.71,
    "identifier": 0.0,
    "provision": -0.01,
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
