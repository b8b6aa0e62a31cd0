"""Track records: what became of a model's contributions, as a Beta posterior with its 90 % interval. Pure.

A verdict is what one source said of one interpretation. Weights and rounds are those of the design's page on
epistemics; where it leaves a choice, the docstring says which one was taken.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import exp, log
from typing import Literal, NamedTuple

from perdura_core.epistemics.beta import quantile

__all__ = [
    "DOMAIN_WORTH",
    "ROUNDS",
    "WEIGHTS",
    "OutcomeKind",
    "Posterior",
    "Tally",
    "Verdict",
    "ease_of",
    "independent",
    "posterior",
    "reliabilities",
    "shrunk",
    "squared_error",
    "tally",
    "weighed",
]

OutcomeKind = Literal[
    "promoted",
    "corroborated",
    "challenged",
    "superseded",
    "rejected",
    "settled_for",
    "settled_against",
    "graded_right",
    "graded_wrong",
]

WEIGHTS: Mapping[OutcomeKind, float] = {
    "promoted": 1.0,  # another's decision rests on it
    "corroborated": 0.5,  # another supports or refines it
    "challenged": -0.5,  # another contradicts it
    "superseded": -1.0,  # another replaced it
    "rejected": -1.0,  # another's decision or rejection contradicts it
    "settled_for": 2.0,  # the operator's word
    "settled_against": -2.0,
    "graded_right": 2.0,  # the operator's grade
    "graded_wrong": -2.0,
}
"""Multiples of one half, so that sums of them are exact in whatever order they are taken."""

ROUNDS = 2
"""How often outcomes are weighed anew by the reliability of their sources."""

DOMAIN_WORTH = 20.0
"""How many outcomes a model's record elsewhere is worth at most as the start of its record in one domain.

Measured on recorded answers (`perdura experiment calibration`): with 4, records of 5 answers a domain miss by a third
more.
"""

_EASE_WORTH = 8.0
"""How many outcomes of others in a domain it takes until their share there counts half."""

_LOW, _HIGH = 0.05, 0.95


class Verdict(NamedTuple):
    """What one source said of one interpretation."""

    source: str
    """The model that judged, or the operator; never the author itself."""
    kind: OutcomeKind


class Tally(NamedTuple):
    """Weighted sums of good and bad outcomes, both >= 0."""

    good: float = 0.0
    bad: float = 0.0

    def plus(self, other: "Tally", times: float = 1.0) -> "Tally":
        """The sum of this and `times` the other."""
        return Tally(self.good + times * other.good, self.bad + times * other.bad)


class Posterior(NamedTuple):
    """Mean and 90 % interval, each in 0..1, with low < mean < high but for extreme tallies that round together."""

    mean: float
    low: float
    high: float


@lru_cache(maxsize=4096)
def posterior(own: Tally) -> Posterior:
    """Beta(1 + good, 1 + bad): its mean, 5 % and 95 % quantiles.

    By hand, 2 good and 0 bad: Beta(3, 1) has mean 3/4 and distribution function x^3, so the interval goes from
    0.05^(1/3) = 0.3684 to 0.95^(1/3) = 0.9830. Nothing known: mean 0.5, from 0.05 to 0.95.
    """
    alpha, beta = 1.0 + own.good, 1.0 + own.bad
    low, high = (quantile(alpha, beta, level) for level in (_LOW, _HIGH))
    return Posterior(alpha / (alpha + beta), low, high)


def independent(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """One verdict per source on one interpretation: its weightiest. Sorted by source, whatever the order they came in.

    A source whose weightiest verdicts point both ways has said nothing. By hand: m2 supports (+0.5) and decides for
    it (+1), m3 supports (+0.5) and contradicts (-0.5): one verdict is left, m2's promotion.
    """
    distinct = sorted(set(verdicts))
    if len({verdict.source for verdict in distinct}) == len(distinct):
        return distinct
    by_source: dict[str, list[Verdict]] = {}
    for verdict in distinct:
        by_source.setdefault(verdict.source, []).append(verdict)
    left: list[Verdict] = []
    for own in by_source.values():
        most = max(abs(WEIGHTS[verdict.kind]) for verdict in own)
        weightiest = [verdict for verdict in own if abs(WEIGHTS[verdict.kind]) == most]
        if len({WEIGHTS[verdict.kind] for verdict in weightiest}) == 1:
            left.append(weightiest[0])
    return left


def tally(verdicts: Iterable[Verdict]) -> Tally:
    """Unweighted sums. By hand: promoted and challenged by two sources: good 1, bad 0.5."""
    weights = [WEIGHTS[verdict.kind] for verdict in verdicts]
    return Tally(sum(weight for weight in weights if weight > 0), -sum(weight for weight in weights if weight < 0))


def reliabilities(
    given: Mapping[str, Mapping[str, Tally]], certain: Iterable[str] = (), rounds: int = ROUNDS
) -> dict[str, float]:
    """How far each source can be believed, in 0..1: the weights of the last round, which is the records themselves.

    `given[model][source]` sums what the source said of the model's interpretations. At first every source counts in
    full; each round but the last takes the posterior means of the one before. Sources that nobody judged count 0.5,
    `certain` ones (the operator) always 1.

    By hand, two rounds: a is promoted twice by b, b is challenged twice by a. In full, a has Beta(3, 1), 0.75, and b
    Beta(1, 2), 1/3. Weighed by those, a has 2 * 1/3 good: (1 + 2/3) / (2 + 2/3) = 0.625; b has 1 * 0.75 bad:
    1 / 2.75 = 0.3636.
    """
    known = set(certain)
    names = sorted({*given, *(source for sources in given.values() for source in sources)})
    weights = dict.fromkeys(names, 1.0)
    for _ in range(rounds):
        means = {name: _mean(weighed(given.get(name, {}), weights)) for name in names}
        weights = {name: 1.0 if name in known else means[name] for name in names}
    return weights


def weighed(given: Mapping[str, Tally], reliability: Mapping[str, float]) -> Tally:
    """The sum of what all sources said, each weighed by its reliability (0.5 when unknown)."""
    good = bad = 0.0
    for source in sorted(given):
        weight, said = reliability.get(source, 0.5), given[source]
        good += weight * said.good
        bad += weight * said.bad
    return Tally(good, bad)


def shrunk(own: Tally, overall: Tally, ease: float = 0.0) -> Tally:
    """A domain's tally, started from the model's record elsewhere, worth at most `DOMAIN_WORTH` outcomes.

    Elsewhere is `overall` less `own`, so that no outcome counts twice and a model that worked in one domain only has
    the same record there as overall. Its share is moved by the `ease` of the domain (log odds, see `ease_of`). By
    hand: 30 good and 10 bad elsewhere count as 15 and 5; with 1 good and 2 bad here the tally is 16 and 7. With an
    ease of ln 3, odds of 3 become 9: 18 and 2, and the tally 19 and 4.
    """
    good, bad = max(0.0, overall.good - own.good), max(0.0, overall.bad - own.bad)
    evidence = good + bad
    if evidence <= 0:
        return own
    if ease:
        odds = (good / bad if good and bad else (good + 1) / (bad + 1)) * exp(ease)
        good, bad = evidence * odds / (1 + odds), evidence / (1 + odds)
    return own.plus(Tally(good, bad), min(1.0, DOMAIN_WORTH / evidence))


def ease_of(here: Tally, everywhere: Tally) -> float:
    """How much better others do in a domain than everywhere, in log odds; 0 when nothing is known of it.

    Both tallies are of the other models. The share here is shrunk to that of everywhere. By hand: 8 good and 0 bad
    here, 10 and 10 everywhere: (8 + 4) / 16 = 0.75 against 0.5, so ln 3.
    """
    whole = (everywhere.good + 1) / (everywhere.good + everywhere.bad + 2)
    share = (here.good + _EASE_WORTH * whole) / (here.good + here.bad + _EASE_WORTH)
    return log(share / (1 - share)) - log(whole / (1 - whole))


def squared_error(asserted: float, outcome: Tally) -> float | None:
    """One interpretation's part of the Brier score, in 0..1; None without an outcome.

    The outcome is the good share of its weight. By hand: asserted 0.9, once promoted (+1), once challenged (-0.5):
    share 2/3, error (0.9 - 2/3)^2 = 0.0544.
    """
    weight = outcome.good + outcome.bad
    return None if weight == 0 else (asserted - outcome.good / weight) ** 2


def _mean(own: Tally) -> float:
    return (1.0 + own.good) / (2.0 + own.good + own.bad)
