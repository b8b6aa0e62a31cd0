"""The Beta distribution in plain Python. SciPy has it too, but takes a second to load that every command would pay."""

from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist

__all__ = ["distribution", "quantile"]

_TINY = 1e-300
_PRECISION = 1e-15
_SETTLED = 1e-11
"""A step of Newton's method this small, relative to x, leaves an error of about its square."""


def distribution(alpha: float, beta: float, x: float) -> float:
    """P(X <= x) of X ~ Beta(alpha, beta), both > 0: the regularised incomplete beta function.

    By hand: Beta(1, 1) is uniform, so x; Beta(3, 1) has x^3. Source: DLMF 8.17.22, evaluated by Lentz's method.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = exp(alpha * log(x) + beta * log1p(-x) + lgamma(alpha + beta) - lgamma(alpha) - lgamma(beta))
    if x < (alpha + 1) / (alpha + beta + 2):
        return front / alpha * _fraction(alpha, beta, x)
    return 1.0 - front / beta * _fraction(beta, alpha, 1.0 - x)


def quantile(alpha: float, beta: float, level: float) -> float:
    """The x in 0..1 with P(X <= x) = level, of X ~ Beta(alpha, beta).

    Newton's method on logarithms of both, in which the lower tail is about a straight line, kept inside a bracket that
    each step narrows; of the upper half the mirror image. By hand: Beta(3, 1) at 0.05 is 0.05^(1/3) = 0.3684.
    """
    if level > 0.5:
        return 1.0 - quantile(beta, alpha, 1.0 - level)
    low, high = 0.0, 1.0
    spread = NormalDist().inv_cdf(level) * sqrt(1 / alpha + 1 / beta) if level > 0 else -700.0
    odds = exp(max(-700.0, min(700.0, log(alpha / beta) + spread)))  # log odds are about normal
    x = odds / (1 + odds)
    scale = lgamma(alpha + beta) - lgamma(alpha) - lgamma(beta)
    for _ in range(100):
        reached = distribution(alpha, beta, x)
        if reached > level:
            high = x
        else:
            low = x
        density = exp((alpha - 1) * log(x) + (beta - 1) * log1p(-x) + scale) if 0 < x < 1 else 0.0
        following = (low + high) / 2
        if reached > 0 and level > 0 and density > _TINY:
            step = x * exp(max(-700.0, min(700.0, (log(level) - log(reached)) * reached / (x * density))))
            following = step if low < step < high else following
        if abs(following - x) <= _SETTLED * x or high - low <= _PRECISION * high:
            return following
        x = following
    return x


def _fraction(alpha: float, beta: float, x: float) -> float:
    """The continued fraction of DLMF 8.17.22, which converges quickly for x below (alpha + 1) / (alpha + beta + 2)."""
    up, down = 1.0, _solid(1.0 - (alpha + beta) * x / (alpha + 1))
    down = 1.0 / down
    value = down
    for m in range(1, 10_000):
        even = m * (beta - m) * x / ((alpha + 2 * m - 1) * (alpha + 2 * m))
        down = 1.0 / _solid(1.0 + even * down)
        up = _solid(1.0 + even / up)
        value *= down * up
        odd = -(alpha + m) * (alpha + beta + m) * x / ((alpha + 2 * m) * (alpha + 2 * m + 1))
        down = 1.0 / _solid(1.0 + odd * down)
        up = _solid(1.0 + odd / up)
        change = down * up
        value *= change
        if abs(change - 1.0) < _PRECISION:
            break
    return value


def _solid(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
