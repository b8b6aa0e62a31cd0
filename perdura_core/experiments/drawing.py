"""Charts as text for a terminal and as SVG for a page."""

from collections.abc import Callable, Sequence
from html import escape
from math import isfinite, log10

from perdura_core.experiments.report import Chart

__all__ = ["as_svg", "as_text"]

_MARKS = "ox+*#@%&abcdefghijklmnpqrstuvwyz"
_COLOURS = ("#2d7dd2", "#e4572e", "#17a398", "#a05195", "#f0a202", "#6c757d", "#8d6a9f", "#3a7d44")
_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 230, 46, 56
_TICKS = 5
_FONT = 'font-family="sans-serif" font-size="12"'


class _Frame:
    """Where the values of a chart lie between its least and greatest."""

    def __init__(self, chart: Chart) -> None:
        points = [point for series in chart.series for point in series.points]
        self._x: Callable[[float], float] = log10 if chart.is_log_x else float
        xs = [self._x(point.x) for point in points]
        ys = [bound for point in points for bound in point.y if bound is not None and isfinite(bound)]
        self.x_range = _padded(xs)
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
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>')
        place = _TOP + 8 + 18 * number
        parts.append(f'<circle cx="{_WIDTH - _RIGHT + 18}" cy="{place - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{_WIDTH - _RIGHT + 28}" y="{place}">{escape(series.name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _axes(chart: Chart, frame: _Frame) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="#444444"/>']
    for value in _between(*frame.y_range):
        y = bottom - frame.y(value) * (bottom - _TOP)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:.3f}</text>')
    for value in _between(*frame.x_range):
        shown = _back(value, chart)
        x = _LEFT + frame.x(shown) * (right - _LEFT)
        parts.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{shown:.3g}</text>')
    middle = (_LEFT + right) / 2
    parts.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 14}" text-anchor="middle">{escape(chart.x)}</text>')
    turned = f'transform="rotate(-90 16 {_HEIGHT / 2:.0f})"'
    parts.append(f'<text x="16" y="{_HEIGHT / 2:.0f}" text-anchor="middle" {turned}>{escape(chart.y)}</text>')
    return parts


def _padded(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) * 0.05 or 0.5
    return low - margin, high + margin


def _between(low: float, high: float) -> list[float]:
    return [low + (high - low) * step / _TICKS for step in range(_TICKS + 1)]


def _back(value: float, chart: Chart) -> float:
    return float(10**value) if chart.is_log_x else value


def _cell(share: float, cells: int) -> int:
    return min(cells - 1, max(0, round(share * (cells - 1))))
