"""Whom to ask next, and when to stop: beliefs over answers from reliabilities, and what one more answer is worth.

Errors go together in two ways, so that agreement proves less than it seems to. Questions differ in difficulty: a
hard one makes everybody fail (Rasch 1960, difficulty normal on the logit scale). And a model that is wrong gives, with
probability `copying`, a wrong answer that somebody gave before, else any other at random. Pure arrays over questions;
the rule of asking is the value of information (Howard 1966; Raiffa and Schlaifer 1961).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Asked", "Crew", "ask", "copied_belief", "copying_of", "unevenness_of"]

_Array = NDArray[np.floating[Any]]
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(5)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_PRIOR_PAIRS = 20.0
"""How many pairs of wrong answers the usual rate of copying is worth."""
_USUAL_COPYING = 0.3


class Asked(NamedTuple):
    """What came of asking."""

    answer: NDArray[np.intp]
    """(questions,): code of the most believed answer; -1 when nobody gave one."""
    confidence: _Array
    """(questions,): belief in it."""
    asked: NDArray[np.bool_]
    """(questions, models)."""


def copying_of(wrong: NDArray[np.bool_], answer: NDArray[np.intp], choices: int) -> float:
    """How often two wrong models give the same answer beyond chance, in 0..1, from graded answers.

    wrong and answer: (questions, models). Of pairs that are both wrong, the share that agrees, less what chance gives
    among choices - 1 wrong answers, over what is left of 1; shrunk to what is usual.
    """
    same = both = 0.0
    for one in range(wrong.shape[1]):
        for other in range(one):
            pair = wrong[:, one] & wrong[:, other] & (answer[:, one] >= 0) & (answer[:, other] >= 0)
            both += float(pair.sum())
            same += float((pair & (answer[:, one] == answer[:, other])).sum())
    chance = 1 / (choices - 1)
    share = (same + _PRIOR_PAIRS * (chance + _USUAL_COPYING * (1 - chance))) / (both + _PRIOR_PAIRS)
    return float(np.clip((share - chance) / (1 - chance), 0, 0.95))


def unevenness_of(right: NDArray[np.bool_], expected: _Array) -> float:
    """Standard deviation of the questions' difficulty on the logit scale, from graded answers, in 0..4.

    right, expected: (questions, models), what was graded and what the reliabilities say. Chosen so that two models are
    right on the same question as often as was seen (method of moments).
    """
    models = right.shape[1]
    pairs = [(one, other) for one in range(models) for other in range(one)]
    seen = sum(float((right[:, a] & right[:, b]).mean()) for a, b in pairs)
    grid = np.linspace(0.0, 4.0, 41)
    told = []
    for spread in grid:
        at = _spread(expected, spread)
        told.append(sum(float(((at[:, a] * at[:, b]) @ _WEIGHTS).mean()) for a, b in pairs))
    return float(grid[np.abs(np.array(told) - seen).argmin()])


def _spread(right: _Array, unevenness: float) -> _Array:
    """(..., difficulties): reliability at each difficulty whose mean over difficulties is about `right`.

    The logit is stretched by sqrt(1 + pi s^2 / 8), which undoes what averaging does (MacKay 1992).
    """
    clipped = np.clip(right, 1e-4, 1 - 1e-4)
    logit = np.log(clipped / (1 - clipped)) * np.sqrt(1 + np.pi * unevenness**2 / 8)
    return np.asarray(0.5 + 0.5 * np.tanh((logit[..., None] + unevenness * _NODES) / 2))


class Crew(NamedTuple):
    """What is known before anybody is asked, by kind of question (a domain) and model; arrays (kinds, models)."""

    right: _Array
    """How often an answer is right when there is one."""
    answers: _Array
    """How often a readable answer comes."""
    usd: _Array
    """What asking costs."""
    copying: float
    """See `copying_of`."""
    unevenness: float
    """See `unevenness_of`."""
    choices: int
    """How many answers a question has."""


def _by_difficulty(crew: Crew) -> _Array:
    return np.clip(_spread(crew.right, crew.unevenness), 0.2 / crew.choices, 1 - 1e-4)


class _States(NamedTuple):
    """Distinct situations: answers are numbered in the order in which they first came."""

    right: _Array
    """(states, models, difficulties)."""
    answers: _Array
    """(states, models), as is `price`, which is what an answer must gain to pay."""
    price: _Array
    belief: _Array
    """(states, difficulties, choices)."""
    counts: _Array
    """(states, choices): how many gave each answer."""
    asked: NDArray[np.bool_]
    """(states, models)."""


def _likelihood(counts: _Array, said: int, right: _Array, copying: float) -> _Array:
    """(states, difficulties, choices): how likely each truth makes it that a model says `said`.

    right: (states, difficulties).
    """
    choices = counts.shape[1]
    wrong_before = counts.sum(axis=1, keepdims=True) - counts
    share = np.divide(counts[:, [said]], wrong_before, out=np.zeros_like(counts), where=wrong_before > 0)
    copied = np.where(wrong_before > 0, copying, 0.0)
    likelihood = (1 - right)[:, :, None] * ((1 - copied) / (choices - 1) + copied * share)[:, None, :]
    likelihood[:, :, said] = right
    return np.asarray(likelihood)


def _outcomes(states: _States, model: int, copying: float) -> list[tuple[_Array, int, _Array]]:
    """Probability, number and resulting joint belief (unnormalised) of each answer that `model` may give.

    Answers that nobody gave yet are alike: the next new number stands for all of them.
    """
    choices = states.counts.shape[1]
    seen = (states.counts > 0).sum(axis=1)
    found: list[tuple[_Array, int, _Array]] = []
    for said in range(min(choices, int(seen.max(initial=0)) + 1)):
        alike = np.where(said < seen, 1.0, np.where(said == seen, choices - seen, 0.0))
        joint = states.belief * _likelihood(states.counts, said, states.right[:, model], copying)
        found.append((alike, said, joint))
    return found


def _worth(states: _States, copying: float, ahead: int) -> _Array:
    """(states, models): the rise of the best answer's belief that asking each model promises, less its price.

    ahead: how many further answers are weighed after it; without any, a second opinion that cannot win alone seems
    worthless. Models that were asked are worth -inf.
    """
    now = states.belief.sum(axis=1).max(axis=1)
    worth = np.full(states.price.shape, -np.inf)
    for model in range(states.price.shape[1]):
        free = ~states.asked[:, model]
        if not free.any():
            continue
        part = _States(
            states.right[free],
            states.answers[free],
            states.price[free],
            states.belief[free],
            states.counts[free],
            states.asked[free],
        )
        gained = np.zeros(len(part.belief))
        for alike, said, joint in _outcomes(part, model, copying):
            chance = joint.sum(axis=(1, 2))
            best = joint.sum(axis=1).max(axis=1)
            if ahead:
                counts, asked = part.counts.copy(), part.asked.copy()
                counts[:, said] += 1
                asked[:, model] = True
                after = part._replace(belief=joint / chance[:, None, None], counts=counts, asked=asked)
                best = best + chance * np.maximum(_worth(after, copying, ahead - 1).max(axis=1), 0)
            gained += alike * best
        answers = part.answers[:, model]
        worth[free, model] = answers * (gained - now[free]) - part.price[:, model]
    return worth


def ask(kind: NDArray[np.intp], answers: NDArray[np.intp], crew: Crew, usd_worth: float, ahead: int = 1) -> Asked:
    """Ask models one after the other while an answer is worth more than it costs.

    kind: (questions,), row of the crew's arrays; answers: (questions, models), what each would say, -1 for nothing
    readable, looked at only when it is asked; usd_worth: how much belief a dollar must buy. Questions in the same
    situation are decided once.
    """
    size, models = answers.shape
    right = _by_difficulty(crew)
    belief = np.broadcast_to(_WEIGHTS[:, None] / crew.choices, (size, len(_WEIGHTS), crew.choices)).copy()
    counts = np.zeros((size, crew.choices))
    code = np.full((size, crew.choices), -1, dtype=np.intp)
    asked = np.zeros((size, models), dtype=bool)
    path = np.full((size, 1 + 2 * models), -3, dtype=np.intp)
    path[:, 0] = kind
    rows = np.arange(size)
    for turn in range(models):
        _, first, back = np.unique(path[rows], axis=0, return_index=True, return_inverse=True)
        at = rows[first]
        of = kind[at]
        states = _States(right[of], crew.answers[of], usd_worth * crew.usd[of], belief[at], counts[at], asked[at])
        worth = _worth(states, crew.copying, min(ahead, models - turn - 1))
        choice, pays = worth.argmax(axis=1)[back.ravel()], (worth.max(axis=1) > 0)[back.ravel()]
        if turn == 0:
            pays[:] = True  # somebody has to answer
        rows, who = rows[pays], choice[pays]
        if not rows.size:
            break
        said = _numbered(code, rows, answers[rows, who])
        asked[rows, who] = True
        path[rows, 1 + 2 * turn], path[rows, 2 + 2 * turn] = who, said
        _hear(belief, counts, rows, said, right[kind[rows], who], crew.copying)
    belief = belief.sum(axis=1)
    top = belief.argmax(axis=1)
    answer = np.where(counts.sum(axis=1) > 0, code[np.arange(size), top], -1)
    return Asked(answer, belief.max(axis=1), asked)


def _numbered(code: NDArray[np.intp], rows: NDArray[np.intp], said: NDArray[np.intp]) -> NDArray[np.intp]:
    """The numbers of these answers in the order of their first coming, noted in `code`; -1 stays."""
    known = code[rows] == said[:, None]
    fresh = (code[rows] == -1).argmax(axis=1)
    number = np.where(said < 0, -1, np.where(known.any(axis=1), known.argmax(axis=1), fresh))
    heard = said >= 0
    code[rows[heard], number[heard]] = said[heard]
    return np.asarray(number)


def _hear(
    belief: _Array, counts: _Array, rows: NDArray[np.intp], said: NDArray[np.intp], right: _Array, copying: float
) -> None:
    """Bayes' rule in place; no answer says nothing."""
    for number in range(int(said.max(initial=-1)) + 1):
        where = said == number
        hit = rows[where]
        if hit.size:
            belief[hit] *= _likelihood(counts[hit], number, right[where], copying)
            belief[hit] /= belief[hit].sum(axis=(1, 2), keepdims=True)
            counts[hit, number] += 1


def copied_belief(answers: NDArray[np.intp], right: _Array, choices: int, copying: float, unevenness: float) -> _Array:
    """Belief over answers (questions, choices) once everybody spoke, the most reliable first.

    answers: (questions, models), codes below `choices`, -1 for none; right: (models,), reliabilities. The work is done
    in logarithms, for any number of models.
    """
    size, models = answers.shape
    at = np.clip(_spread(right, unevenness), 1e-6, 1 - 1e-6)
    logs = np.broadcast_to(np.log(_WEIGHTS)[:, None], (size, len(_WEIGHTS), choices)).copy()
    counts = np.zeros((size, choices))
    for model in sorted(range(models), key=lambda one: -right[one]):
        for said in range(choices):
            rows = np.flatnonzero(answers[:, model] == said)
            if rows.size:
                rate = np.broadcast_to(at[model], (rows.size, len(_WEIGHTS)))
                logs[rows] += np.log(np.maximum(_likelihood(counts[rows], said, rate, copying), 1e-12))
                counts[rows, said] += 1
    whole = np.exp(logs - logs.max(axis=(1, 2), keepdims=True)).sum(axis=1)
    return np.asarray(whole / whole.sum(axis=1, keepdims=True))
