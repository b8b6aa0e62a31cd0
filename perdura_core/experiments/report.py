"""What an experiment found: figures with their intervals, tables of them, and a chart."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Chart", "Finding", "Point", "Report", "Series", "Table", "over_draws", "resampled"]

_Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class Finding(NamedTuple):
    """A figure with its 95 % interval; bounds are None where there is none."""

    value: float
    low: float | None = None
    high: float | None = None

    def document(self) -> dict[str, float | None]:
        """For JSON."""
        return {name: None if part is None else round(part, 5) for name, part in self._asdict().items()}


class Table(NamedTuple):
    """Rows of one table; cells are findings, numbers or words."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


class Point(NamedTuple):
    """One point of a chart, with its interval."""

    x: float
    y: Finding


class Series(NamedTuple):
    """Points that belong together."""

    name: str
    points: tuple[Point, ...]
    is_line: bool = True


class Chart(NamedTuple):
    """What to draw."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    is_log_x: bool = False


class Report(NamedTuple):
    """The whole finding of one experiment."""

    experiment: str
    data: str
    """The file's name; empty when it made its own."""
    seed: int
    tables: tuple[Table, ...]
    chart: Chart | None
    figures: dict[str, Any]
    """Nested names to findings and numbers: what `--json` prints."""
    notes: tuple[str, ...] = ()
    """What a reader must know to take the figures for no more than they are."""


def over_draws(values: ArrayLike) -> Finding:
    """The mean over draws and the range in which 95 % of draws lie (mean +- 1.96 standard deviations).

    Draws share the questions, so that a standard error of their mean would promise too much.
    """
    drawn = np.asarray(values, dtype=np.float64)
    mean = float(drawn.mean())
    if drawn.size < 2:
        return Finding(mean)
    spread = _Z * float(drawn.std(ddof=1))
    return Finding(mean, mean - spread, mean + spread)


def resampled(values: Sequence[float], seed: int, times: int = 2_000) -> Finding:
    """The mean and its 95 % interval by the percentile bootstrap over values (Efron 1979)."""
    drawn = np.asarray(values, dtype=np.float64)
    if drawn.size == 0:
        return Finding(float("nan"))
    dice = np.random.default_rng(seed)
    means = np.array([drawn[dice.integers(0, drawn.size, drawn.size)].mean() for _ in range(times)])
    low, high = np.quantile(means, [0.025, 0.975])
    return Finding(float(drawn.mean()), float(low), float(high))
