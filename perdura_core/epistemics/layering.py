"""Observation or judgement: the second of three tiers, which reads the wording alone.

A logistic model over the traits of `wording.traits`. Its weights, beside this file, come from the labelled sentences
of the tests; `perdura experiment layers` fits them again, and tells how it does on writers that it never read.
"""

import json
import math
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from perdura_core.epistemics.wording.analyses import gives_analysis
from perdura_core.epistemics.wording.traits import tokens, traits_of

__all__ = ["SURE", "Wording", "WordingModel", "read_wording", "shipped_model"]

SURE = 0.9
"""From here on the wording alone decides, against what the contributor called it."""

_WEIGHTS = "layering.json"
_UNIT = 100
"""Weights are written in hundredths."""
_MOST_REASONS = 3


class Wording(NamedTuple):
    """What the wording of a statement says of its layer."""

    judgement: float
    """Probability that it is a judgement, 0..1."""
    cues: tuple[str, ...]
    """The words that spoke most for the side that won, strongest first."""
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


class WordingModel(NamedTuple):
    """What each trait is worth."""

    bias: float
    weights: Mapping[str, float]
    """In favour of a judgement, by trait. Negative: in favour of an observation."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "WordingModel":
        """From what its file holds."""
        return cls(document["bias"] / _UNIT, {name: worth / _UNIT for name, worth in document["weights"].items()})

    def document(self) -> dict[str, object]:
        """For its file: in whole hundredths, by name."""
        whole = {name: round(worth * _UNIT) for name, worth in sorted(self.weights.items())}
        return {"bias": round(self.bias * _UNIT), "weights": whole}

    def read(self, text: str) -> Wording:
        """Judge a statement. By hand: a text without a known trait has the bias alone, 1 / (1 + exp(-bias)).

        The traits of a long text weigh less each: their sum is divided by the root of how many are known.
        """
        written = tokens(text)
        known = [trait for trait in traits_of(written) if trait.name in self.weights]
        distinct = {trait.name for trait in known}
        scale = 1.0 / math.sqrt(len(distinct) or 1)
        margin = self.bias + scale * math.fsum(self.weights[name] for name in distinct)
        sign = 1.0 if margin > 0 else -1.0
        spoke: defaultdict[str, float] = defaultdict(float)
        for name, first, end in known:
            for word in written[first:end]:
                spoke[word.lower()] += sign * self.weights[name] / (end - first)
        telling = sorted((word for word in spoke if word.isalpha() and spoke[word] > 0), key=lambda word: -spoke[word])
        return Wording(_logistic(margin), tuple(telling[:_MOST_REASONS]), gives_analysis(text))


def _logistic(margin: float) -> float:
    return 1.0 / (1.0 + math.exp(-margin)) if margin > 0 else 1.0 - 1.0 / (1.0 + math.exp(margin))


@lru_cache(maxsize=1)
def shipped_model() -> WordingModel:
    """The weights that come with the program."""
    return WordingModel.of(json.loads(resources.files("perdura_core.epistemics").joinpath(_WEIGHTS).read_text("utf-8")))


@lru_cache(maxsize=4_096)
def read_wording(text: str) -> Wording:
    """Judge a statement by its wording. The same text always gives the same answer."""
    return shipped_model().read(text)
