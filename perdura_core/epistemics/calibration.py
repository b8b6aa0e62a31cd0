"""How reliable each model is in each domain, from graded answers: a hierarchical model on the logit scale. Pure.

    right[m, d] ~ Binomial(asked[m, d], _logistic(theta[m, d]))
    theta       = mu + a[m] + b[d] + u[m, d]
    a ~ N(0, va),  b ~ N(0, vb),  u ~ N(0, vu * M (x) D)

A model is good or bad everywhere (a), a domain easy or hard for everybody (b), and what is left (u) goes together
between models that are alike (M) and domains that are alike (D). The three variances and both correlations are
learned from the graded answers, each with a prior because a few answers say little of them: variances usual for
language models, and independence. Sources: Rasmussen and Williams 2006, section 3.4 (Laplace's approximation);
Bonilla, Chai and Williams 2007 (covariance between tasks as a Kronecker product, learned by EM); MacKay 1992
(variances by fixed point).
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Calibration", "calibrate"]

_ROUNDS = 20
"""Of learning variances and correlations; after these, nothing moves in the third decimal."""
_INDEPENDENCE = 20.0
"""How many fully known rows the assumption of independence is worth, against one for each model (or domain)."""
_USUAL = (0.6, 0.2, 0.06)
"""Variances of models, of domains and of what is left, on the logit scale, where nothing else is known."""
_VARIANCES_WORTH = 20.0
"""How many groups (models, domains) that prior is worth: a dozen domains alone say little of their variance."""
_NORMAL_95 = 1.6448536269514722
"""The 95 % quantile of the normal distribution: 90 % lie between it and its negative."""

_Array = NDArray[np.floating[Any]]
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(20)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


class Calibration(NamedTuple):
    """Reliabilities (models, domains): posterior mean and 90 % interval, in 0..1."""

    mean: _Array
    low: _Array
    high: _Array
    sd: _Array
    """Posterior standard deviation of the reliability."""

    def share_between(self, answers: _Array) -> tuple[_Array, _Array]:
        """90 % interval of the share of right ones among so many further answers a cell, chance included."""
        spread = np.sqrt(self.sd**2 + self.mean * (1 - self.mean) / np.maximum(answers, 1))
        return np.clip(self.mean - _NORMAL_95 * spread, 0, 1), np.clip(self.mean + _NORMAL_95 * spread, 0, 1)


class _Likelihood(NamedTuple):
    """The cells as independent observations of their logits: `seen` with the given precision, and what they explain."""

    mu: float
    theta: _Array
    inverse: _Array
    """Of K + W^-1, (cells, cells)."""
    pull: _Array
    """(K + W^-1)^-1 (seen - mu), (cells,)."""
    precision: _Array
    """The diagonal of W: what the answers of each cell say of its logit."""


def calibrate(right: NDArray[np.generic], asked: NDArray[np.generic]) -> Calibration:
    """Reliabilities from counts of right and of graded answers, both (models, domains), asked >= right >= 0.

    A cell without a graded answer gets what its model, its domain and their likes say. With none at all every mean
    is 0.5. Raises ValueError when the shapes differ or more answers are right than were asked.
    """
    good, all_ = np.asarray(right, dtype=np.float64), np.asarray(asked, dtype=np.float64)
    if good.shape != all_.shape or good.ndim != 2 or np.any(good > all_) or np.any(good < 0):
        raise ValueError(f"right {good.shape} and asked {all_.shape} must be counts of the same cells, right <= asked")
    models, domains = good.shape
    of_model = np.kron(np.eye(models), np.ones((domains, domains)))
    of_domain = np.kron(np.ones((models, models)), np.eye(domains))
    alike_m: _Array = np.eye(models)
    alike_d: _Array = np.eye(domains)
    variances: Sequence[float] = _USUAL
    theta = np.zeros(good.size)
    prior = _weighed(variances, (of_model, of_domain, np.eye(good.size)))
    fit = _Likelihood(0.0, theta, prior, theta, theta)
    for turn in range(_ROUNDS + 1):
        kernels = (of_model, of_domain, np.kron(alike_m, alike_d))
        prior = _weighed(variances, kernels)
        fit = _laplace(prior, good.ravel(), all_.ravel(), fit.theta, 20 if turn in {0, _ROUNDS} else 2)
        if turn < _ROUNDS:
            alike_m, alike_d = _likeness(fit, alike_m, alike_d, variances[2])
            variances = _learned(fit, variances, kernels)
    return _posterior(fit, prior, good.shape)


def _laplace(prior: _Array, right: _Array, asked: _Array, theta: _Array, steps: int) -> _Likelihood:
    """Newton's steps to the mode of the posterior, with mu by generalised least squares (R&W eqs 3.18, 2.43)."""
    mu, inverse, pull, weight = 0.0, prior, theta, theta
    for _ in range(steps):
        p = _logistic(theta)
        weight = asked * p * (1 - p) + 1e-6
        seen = theta + (right - asked * p) / weight
        inverse = np.linalg.inv(prior + np.diag(1 / weight))
        rows = inverse.sum(axis=1)
        mu = float(rows @ seen / rows.sum())
        pull = inverse @ (seen - mu)
        moved = mu + prior @ pull
        step = float(np.abs(moved - theta).max())
        theta = moved
        if step < 1e-4:
            break
    return _Likelihood(mu, theta, inverse, pull, weight)


def _weighed(variances: Sequence[float], kernels: Sequence[_Array]) -> _Array:
    return np.asarray(sum(variance * kernel for variance, kernel in zip(variances, kernels, strict=True)))


def _learned(fit: _Likelihood, variances: Sequence[float], kernels: Sequence[_Array]) -> tuple[float, ...]:
    return tuple(_variance(fit, *each) for each in zip(_USUAL, variances, kernels, strict=True))


def _variance(fit: _Likelihood, usual: float, variance: float, kernel: _Array) -> float:
    """MacKay's fixed point, damped by a square root, where evidence times prior is greatest.

    The evidence alone is greatest at r'Cr = tr(S^-1 C). A scaled inverse chi-square prior with nu groups at s adds
    nu s / v^2 on the left and nu / v on the right.
    """
    explained = float(fit.pull @ kernel @ fit.pull) + _VARIANCES_WORTH * usual / variance**2
    expected = float(np.sum(fit.inverse * kernel)) + _VARIANCES_WORTH / variance
    return variance * sqrt(explained / expected)


def _likeness(fit: _Likelihood, alike_m: _Array, alike_d: _Array, variance: float) -> tuple[_Array, _Array]:
    """One EM step for both correlations of u, each scaled to a mean variance of 1.

    For domains, E[U' M^-1 U] / vu = D (R' M R - T) D * vu + models * D with R the pull and T = sum_ab M_ab S^-1_ab;
    rows of an identity are added before the mean is taken, the more the less the answers say of u: with few answers
    the greatest evidence fits their noise. Likewise for models.
    """
    known = float(np.mean(variance * fit.precision / (1 + variance * fit.precision)))
    worth = _INDEPENDENCE / max(known, 1e-3)
    models, domains = len(alike_m), len(alike_d)
    pull = fit.pull.reshape(models, domains)
    cells = fit.inverse.reshape(models, domains, models, domains)
    over_m = np.tensordot(alike_m, cells, axes=([0, 1], [0, 2]))
    over_d = np.tensordot(alike_d, cells, axes=([0, 1], [1, 3]))
    of_d = variance * alike_d @ (pull.T @ alike_m @ pull - over_m) @ alike_d + models * alike_d
    of_m = variance * alike_m @ (pull @ alike_d @ pull.T - over_d) @ alike_m + domains * alike_m
    return _scaled(of_m + worth * np.eye(models)), _scaled(of_d + worth * np.eye(domains))


def _scaled(covariance: _Array) -> _Array:
    return covariance * (len(covariance) / float(np.trace(covariance)))


def _posterior(fit: _Likelihood, prior: _Array, shape: tuple[int, ...]) -> Calibration:
    """Means and intervals of _logistic(theta); the variance includes that of mu (R&W eq. 2.42)."""
    rows = fit.inverse.sum(axis=1)
    variance = np.diag(prior) - np.einsum("ij,ij->i", prior @ fit.inverse, prior)
    variance = np.maximum(variance + (1 - prior @ rows) ** 2 / rows.sum(), 1e-12)
    spread = np.sqrt(variance)
    at_nodes = _logistic(fit.theta[:, None] + spread[:, None] * _NODES)
    mean = at_nodes @ _WEIGHTS
    sd = np.sqrt(np.maximum((at_nodes**2) @ _WEIGHTS - mean**2, 0))
    low, high = _logistic(fit.theta - _NORMAL_95 * spread), _logistic(fit.theta + _NORMAL_95 * spread)
    return Calibration(*(np.asarray(part).reshape(shape) for part in (mean, low, high, sd)))


def _logistic(logit: _Array) -> _Array:
    """The probability of a logit, for any size of it."""
    return 0.5 + 0.5 * np.tanh(logit / 2)
