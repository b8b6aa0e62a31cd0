"""Charts as text for a terminal and as SVG for a page."""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from textwrap import wrap

from perdura_core.experiments.report import Chart

__all__ = ["as_svg", "as_text"]

_MARKS = "ox+*#@%&abcdefghijklmnpqrstuvwyz"
_COLOURS = ("#2d7dd2", "#e4572e", "#17a398", "#a05195", "#f0a202", "#6c757d", "#8c564b", "#3a7d44")
"""The ninth series has the first colour again, and squares."""
_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 230, 46, 56
_LEGEND = 29
"""Characters of a line of the legend."""
_TICKS = 8
"""About so many along an axis."""
_FONT = 'font-family="sans-serif" font-size="12"'


class _Frame:
    """Where the values of a chart lie between its least and greatest."""

    def __init__(self, chart: Chart) -> None:
        points = [point for series in chart.series for point in series.points]
        self._x: Callable[[float], float] = log10 if chart.is_log_x else float
        xs = [self._x(point.x) for point in points]
        ys = [bound for point in points for bound in point.y if bound is not None and isfinite(bound)]
        self.x_range = _padded(xs, is_log=chart.is_log_x)
        self.y_range = _padded(ys)

    def x(self, value: float) -> float:
        """0 at the left, 1 at the right."""
        low, high = self.x_range
        return (self._x(value) - low) / (high - low)

    def y(self, value: float) -> float:
        """0 at the bottom, 1 at the top."""
        low, high = self.y_range
        return min(1.0, max(0.0, (value - low) / (high - low)))


def as_text(chart: Chart, width: int = 72, height: int = 18) -> list[str]:
    """The chart in characters, `width` x `height` inside its axes, with its legend below."""
    frame = _Frame(chart)
    grid = [[" "] * width for _ in range(height)]
    for mark, series in zip(_MARKS, chart.series, strict=False):
        for point in series.points:
            column, row = _cell(frame.x(point.x), width), _cell(1 - frame.y(point.y.value), height)
            grid[row][column] = mark
    low, high = frame.y_range
    lines = [f"{chart.title} ({chart.y})"]
    for number, cells in enumerate(grid):
        value = high - (high - low) * number / (height - 1)
        lines.append(f"{f'{value:.3f}' if number % 4 == 0 else '':>9} |{''.join(cells).rstrip()}")
    lines.append(f"          +{'-' * width}")
    left, right = (_back(bound, chart) for bound in frame.x_range)
    ends = f"{left:.3g}", f"{right:.3g}"
    lines.append(f"           {ends[0]}{chart.x.center(width - len(ends[0]) - len(ends[1]))}{ends[1]}")
    lines += [f"           {mark} {series.name}" for mark, series in zip(_MARKS, chart.series, strict=False)]
    return lines


def as_svg(chart: Chart) -> str:
    """The chart as one SVG document, intervals drawn as bars."""
    frame = _Frame(chart)

    def at(x: float, y: float) -> tuple[float, float]:
        return (
            _LEFT + frame.x(x) * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - frame.y(y) * (_HEIGHT - _TOP - _BOTTOM),
        )

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {_FONT}>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-size="16">{escape(chart.title)}</text>',
        *_axes(chart, frame),
    ]
    place = _TOP + 8
    for number, series in enumerate(chart.series):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [at(point.x, point.y.value) for point in series.points]
        if series.is_line and len(places) > 1:
            track = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<polyline points="{track}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for point, (x, y) in zip(series.points, places, strict=True):
            if point.y.low is not None and point.y.high is not None:
                bottom, top = at(point.x, point.y.low)[1], at(point.x, point.y.high)[1]
                parts.append(f'<path d="M{x:.1f} {bottom:.1f}V{top:.1f}" stroke="{colour}" stroke-opacity="0.5"/>')
            parts.append(_dot(x, y, number))
        parts.append(_dot(_WIDTH - _RIGHT + 18, place - 4, number))
        for line in wrap(series.name, _LEGEND):
            parts.append(f'<text x="{_WIDTH - _RIGHT + 28}" y="{place}">{escape(line)}</text>')
            place += 15
        place += 3
    return "\n".join([*parts, "</svg>", ""])


def _dot(x: float, y: float, number: int) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    if number // len(_COLOURS) % 2:
        return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>'


def _axes(chart: Chart, frame: _Frame) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="#444444"/>']
    for value, shown in _ticks(*frame.y_range):
        y = bottom - frame.y(value) * (bottom - _TOP)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
    low, high = frame.x_range
    for value, shown in _decades(low, high) if chart.is_log_x else _numbered(chart) or _ticks(low, high):
        x = _LEFT + (value - low) / (high - low) * (right - _LEFT)
        parts.append(f'<path d="M{x:.1f} {bottom}v4" stroke="#444444"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{shown}</text>')
    middle = (_LEFT + right) / 2
    parts.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(chart.x)}</text>')
    turned = f'transform="rotate(-90 16 {_HEIGHT / 2:.0f})"'
    parts.append(f'<text x="16" y="{_HEIGHT / 2:.0f}" text-anchor="middle" {turned}>{escape(chart.y)}</text>')
    return parts


def _padded(values: Sequence[float], *, is_log: bool = False) -> tuple[float, float]:
    """A little more than the values take, but nothing below 0 where no value is."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) * 0.05 or 0.5
    return (max(0.0, low - margin) if low >= 0 and not is_log else low - margin), high + margin


def _ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round values from low to high, 1, 2 or 5 times a power of ten apart, as they are written."""
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    digits = max(0, -floor(log10(step)))
    numbers = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    return [(number * step, f"{number * step:,.{digits}f}") for number in numbers]


def _numbered(chart: Chart) -> list[tuple[float, str]]:
    """The values of x where they are a few whole numbers, such as those of sets; else none."""
    values = sorted({point.x for series in chart.series for point in series.points})
    is_few = len(values) <= _TICKS and all(float(value).is_integer() for value in values)
    return [(value, f"{value:.0f}") for value in values] if is_few else []


def _decades(low: float, high: float) -> list[tuple[float, str]]:
    """Where 1, 2 and 5 times the powers of ten lie on a logarithmic axis, or the powers alone over many of them."""
    times = (1, 2, 5) if high - low < _TICKS / 2 else (1,)
    values = [each * 10.0**power for power in range(floor(low), ceil(high) + 1) for each in times]
    return [(log10(value), f"{value:,.6g}") for value in values if low <= log10(value) <= high]


def _back(value: float, chart: Chart) -> float:
    return float(10**value) if chart.is_log_x else value


def _cell(share: float, cells: int) -> int:
    return min(cells - 1, max(0, round(share * (cells - 1))))
