"""How likely two texts are to contradict each other, with reasons that a person can check."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.wording.words import Weights, words
from perdura_core.retrieval.disputing.signals import NAMES, both_ways
from perdura_core.retrieval.disputing.trees import Trees
from perdura_core.retrieval.disputing.wordvectors import WordVectors
from perdura_core.retrieval.embedders.wordllama import is_installed
from perdura_core.retrieval.likeness import says_the_same
from perdura_core.workers.reading.agreement import figures_clash
from perdura_core.workers.reading.conflict import Conflict, find_conflict

__all__ = ["Judgement", "Scorer", "Shipped", "shipped"]

_WEIGHTS = "weights.json"
_EVEN = Weights(())
_UNTOLD = frozenset({"a", "an", "the", "is", "are", "was", "were"})
_LEAST_ALIKE = 3
"""So many words at least must be the same for a replaced one to count."""
_REPLACED = 0.5
_TELLING: Mapping[str, str] = {
    "denies_what_is_said": "one denies what the other says",
    "one_denies_shared": "one of them denies",
    "opposite": "opposite words for the same thing",
    "turned_comparison": "the comparison is turned round",
    "quantity_differs": "the figures differ",
    "moment_differs": "the dates differ",
    "figures_clash": "figures or dates have no match",
    "numbers_missing": "a number of one is not in the other",
    "names_differ": "each names what the other does not",
    "replaced": "a word stands in another's place",
    "excludes_shared": "one leaves no exception",
}
"""Signals that speak for a contradiction where they are set, and how to say so."""


class Judgement(NamedTuple):
    """What is thought of a pair."""

    contradiction: float
    """0..1: that they contradict each other, were they about the same thing."""
    relatedness: float
    """0..1: that one bears on the other at all."""
    reasons: tuple[str, ...]
    """The most telling first; empty when nothing speaks for a contradiction but the sum of small things."""

    @property
    def suspicion(self) -> float:
        """0..1: how much it is worth to have somebody look."""
        return self.contradiction * self.relatedness


class Shipped(NamedTuple):
    """Fitted trees, as `perdura experiment contradictions` made them."""

    contradiction: Trees
    relatedness: Trees

    @staticmethod
    def of(document: Mapping[str, Any]) -> "Shipped":
        """Read from JSON. The columns must be those that signals have today."""
        if tuple(document["signals"]) != NAMES:
            raise ValueError("the weights are of other signals: fit them again")
        return Shipped(Trees.of(document["contradiction"]), Trees.of(document["relatedness"]))

    def document(self) -> dict[str, object]:
        """For JSON."""
        return {
            "signals": list(NAMES),
            "contradiction": self.contradiction.document(),
            "relatedness": self.relatedness.document(),
        }


@lru_cache(maxsize=1)
def shipped() -> Shipped:
    """The weights that come with the program."""
    text = resources.files("perdura_core.retrieval.disputing").joinpath(_WEIGHTS).read_text("utf-8")
    return Shipped.of(json.loads(text))


class Scorer:
    """Judges pairs by polarity, figures, dates, opposites, names and static word vectors. Some 3 ms a pair.

    Without the word vectors it goes by the rules that the reader `doubt` has, which find less and are seldom wrong.
    """

    def __init__(self, weights: Shipped | None = None) -> None:
        self._weights = weights or shipped()
        self._vectors = WordVectors.load() if is_installed() else None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement]:
        """A judgement of each pair, whichever comes first in it."""
        conflicts = [find_conflict(a, b, _EVEN) for a, b in pairs]
        ruled = [_by_rules(a, b, conflict) for (a, b), conflict in zip(pairs, conflicts, strict=True)]
        if self._vectors is None or not pairs:
            return ruled
        vectors = self._vectors
        rows = np.concatenate(
            [both_ways(a, b, vectors, conflict) for (a, b), conflict in zip(pairs, conflicts, strict=True)]
        )
        contradiction = _chance(self._weights.contradiction.margins(rows)).reshape(-1, 2).mean(axis=1)
        relatedness = _chance(self._weights.relatedness.margins(rows)).reshape(-1, 2).max(axis=1)
        return [
            _with_rules(by_rule, Judgement(float(opposed), float(related), _reasons(row)))
            for by_rule, opposed, related, row in zip(
                ruled, contradiction, relatedness, np.maximum(rows[::2], rows[1::2]), strict=True
            )
        ]


def _with_rules(ruled: Judgement, judgement: Judgement) -> Judgement:
    """A conflict that a rule spells out weighs as much as the rule is sure, and is the first reason."""
    if not ruled.reasons:
        return judgement
    return Judgement(
        max(judgement.contradiction, ruled.contradiction),
        max(judgement.relatedness, ruled.relatedness),
        tuple(dict.fromkeys((*ruled.reasons, *judgement.reasons))),
    )


def _by_rules(a: str, b: str, conflict: Conflict | None) -> Judgement:
    if conflict is not None:
        return Judgement(conflict.strength, 1.0, (conflict.reason,))
    replaced = _replaced(a, b)
    if replaced is not None and not says_the_same(a, b):
        return Judgement(_REPLACED, 1.0, (f"otherwise alike: {replaced[0]} against {replaced[1]}",))
    return Judgement(0.5 if figures_clash(a, b) else 0.0, 0.5, ())


def _replaced(a: str, b: str) -> tuple[str, str] | None:
    """The one word of each that the other lacks, where everything else is alike and in the same order."""
    one, other = ([word for word in words(text) if word.text.lower() not in _UNTOLD] for text in (a, b))
    if len(one) != len(other) or len(one) <= _LEAST_ALIKE:
        return None
    differ = [(x.text, y.text) for x, y in zip(one, other, strict=True) if x.stem != y.stem]
    return differ[0] if len(differ) == 1 else None


def _reasons(row: NDArray[np.float64]) -> tuple[str, ...]:
    found = dict(zip(NAMES, row, strict=True))
    told = [name for name in _TELLING if found[name] >= _LEAST.get(name, 1.0)]
    return tuple(_TELLING[name] for name in told)


_LEAST: Mapping[str, float] = {
    "one_denies_shared": 0.6,
    "numbers_missing": 0.5,
    "replaced": 0.15,
    "excludes_shared": 0.6,
}
"""From where on a graded signal is a reason; the others are there or not."""


def _chance(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))))
