"""Truth without gold: what many workers' answers say together, how sure that is, and how reliable each worker is. Pure.

Agreement is a trap: errors are shared, so that an estimator which takes workers to be independent is sure of too much.
Three structures of error are tried, since no answer key says which one holds, and what they disagree on stays open:

- confusion: each worker has a habit of taking one label for another (Dawid and Skene 1979, by variational Bayes as in
  Kim and Ghahramani 2012);
- decoys: questions come in classes of difficulty, and each has one wrong answer that draws those who err;
- togetherness: difficulty varies continuously and who errs repeats earlier errors, as much as errors of models have
  been seen to go together where answers were graded (see `asking`).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, digamma, logsumexp

from perdura_core.epistemics.asking import copied_belief

__all__ = ["CrowdTruth", "crowd_truth"]

_Array = NDArray[np.floating[Any]]
_ROUNDS = 60
_CLASSES = 3
_FEW_LABELS = 3
"""With so few labels wrong answers coincide by necessity: habits tell more than decoys."""
_COPYING = 0.4
_UNEVENNESS = 2.2
"""How errors of models go together, as graded answers showed: see `copying_of` and `unevenness_of`."""
_LEAST, _MOST = 0.05, 0.97


class CrowdTruth(NamedTuple):
    """What the answers say together."""

    answer: NDArray[np.intp]
    """(tasks,): the most believed label."""
    confidence: _Array
    """(tasks,): how far to believe it, shared errors counted."""
    reliability: _Array
    """(workers,): share of right answers, as far as agreement tells."""
    low: _Array
    high: _Array
    """(workers,): 90 % bounds. They are as wide apart as the truth is open, for a shared error looks like a truth."""


def crowd_truth(labels: NDArray[np.intp], choices: int) -> CrowdTruth:
    """Estimate truths and reliabilities. labels: (tasks, workers), codes below `choices`, -1 where there is none.

    Raises ValueError when there are fewer than two labels to choose from, or no answer at all.
    """
    if choices < 2 or not (labels >= 0).any():
        raise ValueError(f"{choices} choices and {int((labels >= 0).sum())} answers: give at least 2 and 1")
    said = np.zeros((*labels.shape, choices), dtype=np.float32)
    tasks, workers = np.nonzero(labels >= 0)
    said[tasks, workers, labels[tasks, workers]] = 1
    if choices <= _FEW_LABELS:
        first = _confusion(said)
        others = [_by_agreement(said), _decoys(said, 2), _together(labels, choices, first)]
        belief = first + others[0]
    else:
        first = _decoys(said, _CLASSES)
        once = _together(labels, choices, first)
        others = [_together(labels, choices, once)]
        belief = first + others[0]
    answer = belief.argmax(axis=1)
    row = np.arange(len(labels))
    confidence = np.minimum.reduce([one[row, answer] for one in (first, others[-1])])
    doubt = 1 - np.minimum.reduce([one[row, answer] for one in (first, *others)])
    return CrowdTruth(answer, confidence, *_reliabilities(labels, answer, confidence, doubt))


def _reliabilities(
    labels: NDArray[np.intp], answer: NDArray[np.intp], confidence: _Array, doubt: _Array
) -> tuple[_Array, _Array, _Array]:
    """Mean and bounds for each worker.

    Whoever agrees with the answers in a share A of tasks, of which a share e is wrong, is right in A - e to A + e of
    them: nothing in the answers says on which side their errors lie (Manski 2003, partial identification). The bounds
    add that to the 5 % and 95 % quantiles of Beta(1 + agreed, 1 + differed); all or none agreed may mean 1 or 0.
    """
    there = labels >= 0
    number = there.sum(axis=0)
    agreed = ((labels == answer[:, None]) & there).sum(axis=0)
    open_ = (doubt @ there) / np.maximum(number, 1)
    sure = (there * np.where(labels == answer[:, None], confidence[:, None], 0)).sum(axis=0)
    low = np.where(agreed > 0, betaincinv(1 + agreed, 1 + number - agreed, 0.05), 0) - open_
    high = np.where(agreed < number, betaincinv(1 + agreed, 1 + number - agreed, 0.95), 1) + open_
    mean = (1 + sure) / (2 + number)
    return mean, np.clip(np.minimum(low, mean), 0, 1), np.clip(np.maximum(high, mean), 0, 1)


def _shares(said: _Array) -> _Array:
    votes = said.sum(axis=1) + 1e-2
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def _by_agreement(said: _Array) -> _Array:
    """Votes weighed by the log odds of agreeing with the majority."""
    majority = _shares(said).argmax(axis=1)
    agreed = said[np.arange(len(said)), :, majority].sum(axis=0) + 1
    share = agreed / (said.sum(axis=(0, 2)) + 2)
    return _normal(np.einsum("twc,w->tc", said, np.log(share / (1 - share))))


def _confusion(said: _Array) -> _Array:
    """Variational Dawid-Skene, a Dirichlet prior of 2 on the right label and 1 on every other."""
    choices = said.shape[2]
    prior = np.ones((choices, choices)) + np.eye(choices)
    belief = _shares(said)
    for _ in range(_ROUNDS):
        counts = np.einsum("twc,tz->wzc", said, belief, optimize=True) + prior
        habit = digamma(counts) - digamma(counts.sum(axis=2, keepdims=True))
        common = digamma(belief.sum(axis=0) + 1)
        moved = _normal(np.einsum("twc,wzc->tz", said, habit, optimize=True) + common)
        step = float(np.abs(moved - belief).max())
        belief = moved
        if step < 1e-5:
            break
    return belief


def _decoys(said: _Array, classes: int) -> _Array:
    """EM over truth, decoy and class of difficulty. In each class a worker has one rate of being right, and whoever
    errs takes the decoy at one rate. It starts from agreement with the majority, spread over the classes."""
    tasks, _, choices = said.shape
    there = said.sum(axis=2)
    majority = said.sum(axis=1).argmax(axis=1)
    agreed = (said[np.arange(tasks), :, majority].sum(axis=0) + 1) / (there.sum(axis=0) + 2)
    logit = np.log(agreed / (1 - agreed))[:, None] + np.linspace(2.0, -1.5, classes)
    right = np.clip(1 / (1 + np.exp(-logit)), 0.03, 0.98)
    decoy, share = np.full(classes, 0.35), np.full(classes, 1 / classes)
    belief = np.zeros((tasks, choices))
    for _ in range(_ROUNDS):
        joint, decoyed = _decoy_step(said, there, right, decoy, share)
        belief = joint.sum(axis=1)
        of_class = joint.sum(axis=2)
        share = (of_class.sum(axis=0) + 1) / (tasks + classes)
        hits = np.einsum("twc,tkc->wk", said, joint, optimize=True)
        number = there.T @ of_class
        usual = hits.sum(axis=0) / number.sum(axis=0)
        moved = np.clip((hits + 2 * usual) / (number + 2), 0.005, 0.995)
        drawn = np.einsum("twc,tkc->k", said, decoyed, optimize=True)
        decoy = np.clip(drawn / np.maximum((number - hits).sum(axis=0), 1e-9), 1e-3, 0.99)
        step = float(np.abs(moved - right).max())
        right = moved
        if step < 1e-3:
            break
    return belief


def _decoy_step(said: _Array, there: _Array, right: _Array, decoy: _Array, share: _Array) -> tuple[_Array, _Array]:
    """(tasks, classes, choices) each: belief in class and truth, and in class and decoy."""
    choices = said.shape[2]
    wrong = np.log(1 - right)
    drawn = wrong + (np.log(decoy) if choices > 2 else 0.0)
    other = wrong + np.log((1 - decoy) / (choices - 2)) if choices > 2 else np.zeros_like(wrong)
    base = there @ other + np.log(share)
    hit = np.einsum("twc,wk->tkc", said, np.log(right) - other, optimize=True)
    lure = np.einsum("twc,wk->tkc", said, drawn - other, optimize=True)
    whole = base[:, :, None, None] + hit[:, :, :, None] + lure[:, :, None, :]
    whole[:, :, range(choices), range(choices)] = -np.inf
    belief = np.exp(whole - logsumexp(whole, axis=(1, 2, 3), keepdims=True))
    return belief.sum(axis=3), belief.sum(axis=2)


def _together(labels: NDArray[np.intp], choices: int, belief: _Array) -> _Array:
    """Belief with shared errors, given the reliabilities that another belief implies."""
    there = labels >= 0
    trust = np.take_along_axis(belief, np.where(there, labels, 0), axis=1) * there
    right = np.clip((trust.sum(axis=0) + 1) / (there.sum(axis=0) + 2), _LEAST, _MOST)
    return copied_belief(labels, right, choices, _COPYING, _UNEVENNESS)


def _normal(logs: _Array) -> _Array:
    return np.asarray(np.exp(logs - logsumexp(logs, axis=1, keepdims=True)))
