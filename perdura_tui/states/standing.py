"""Why an interpretation is worth what it is worth, as lines of the inspector."""

from perdura_core.vocabulary import Standing
from perdura_tui.ink import Role, Run, bar, cell, join, run, spark
from perdura_tui.states.detail_line import DetailLine

__all__ = ["standing_lines"]

_CURVE = 24
"""Points of the curve of decay."""
_HALF_LIVES = 3
_MOST_OF_A_HISTORY = 40


def standing_lines(standing: Standing, width: int) -> list[DetailLine]:
    """Prior and maturity, the four factors with their sources, decay with its half-life, and the history."""
    lines = [DetailLine(), DetailLine(join(Run(" "), Run("why this confidence", "title")))]
    lines.append(_said("in all", _sum(standing), width))
    bars = 10 if width >= 60 else 6
    for factor in standing.factors:
        value = factor.value
        drawn = bar(value, bars, "accent") if value is not None else (Run(" " * bars),)
        figure = cell("–" if value is None else f"{value:.2f}", 5, "text" if value is not None else "faint", right=True)
        weight = cell(f"× {factor.weight:.2f}" if factor.weight else "", 8, "faint", right=True)
        head = join(Run(" "), cell(factor.factor, 12, "dim"), drawn, figure, weight, Run("  "))
        lines.append(DetailLine(join(head, cell(factor.source, max(width - 29 - bars, 0), "faint"))))
    lines.append(_decay(standing, width))
    if len(standing.history) > 1:
        past = standing.history[-_MOST_OF_A_HISTORY:]
        drawn_past = spark([moment.confidence for moment in past], 1.0)
        span = f"{past[0].at:%Y-%m-%d} to {past[-1].at:%Y-%m-%d}"
        if standing.change is not None:
            span += f", {standing.change:+.2f} in four weeks"
        lines.append(
            DetailLine(join(Run(" "), cell("history", 12, "dim"), run(drawn_past, "accent"), Run(f"  {span}", "faint")))
        )
    lines.extend(_said(name, words, width, role) for name, words, role in _rest(standing))
    return lines


def _sum(standing: Standing) -> str:
    factors = "no factor known" if standing.factors_mean is None else f"factors {standing.factors_mean:.2f}"
    return (
        f"{standing.confidence:.2f} = {1 - standing.maturity:.2f} × prior {standing.prior:.2f}"
        f" + {standing.maturity:.2f} × {factors}" + (" × 0.85" if standing.is_damped else "")
    )


def _decay(standing: Standing, width: int) -> DetailLine:
    points = _CURVE if width >= 60 else _CURVE // 2
    curve = spark([0.5 ** (_HALF_LIVES * point / (points - 1)) for point in range(points)], 1.0)
    gone = standing.age_days / standing.half_life_days / _HALF_LIVES if standing.half_life_days else 0.0
    here = min(round(gone * (points - 1)), points - 1)
    words = f"half-life {standing.half_life_days:.0f} days · {standing.age_days:.0f} days old"
    return DetailLine(
        join(
            Run(" "), cell("decay", 12, "dim"), Run(curve[:here], "faint"), Run(curve[here], "accent"),
            Run(curve[here + 1 :], "faint"), Run("  "), cell(words, max(width - 15 - points, 0), "faint"),
        )
    )  # fmt: skip


def _rest(standing: Standing) -> list[tuple[str, str, Role]]:
    found: list[tuple[str, str, Role]] = []
    if standing.gradient is not None:
        found.append(("gradient", f"{standing.gradient:.2f}", "text"))
    if standing.echo is not None:
        held = ", held down for it" if standing.is_damped else ""
        found.append(("echo", f"{standing.echo:.2f}{held}", "waiting" if standing.is_damped else "text"))
    if standing.is_bridge:
        found.append(("bridge", "it alone links its domain to another", "text"))
    if standing.decision is not None:
        found.append(("kept", f"for {standing.decision.replace('_', ' ')}", "text"))
    if standing.is_marked:
        found.append(("marked", "a fact of it gave way: the next upkeep looks again", "waiting"))
    found.append(("as of", f"{standing.as_of:%Y-%m-%d %H:%M} UTC", "faint"))
    return found


def _said(name: str, words: str, width: int, role: Role = "text") -> DetailLine:
    return DetailLine(join(Run(" "), cell(name, 12, "dim"), cell(words, max(width - 14, 0), role)))
