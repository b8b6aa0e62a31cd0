"""Why an interpretation is worth what it is worth, for people."""

from perdura_core.vocabulary import Standing
from perdura_tui.command.output import Column, heading, line, moment, print_table

__all__ = ["print_standing", "sparkline"]

_BARS = "▁▂▃▄▅▆▇█"


def print_standing(standing: Standing) -> None:
    """Prior, maturity, factors with their sources, decay, and the history as a line of bars."""
    heading(f"Confidence, as of {moment(standing.as_of)}")
    mean = "no factor is known" if standing.factors_mean is None else f"factors {standing.factors_mean:.2f}"
    held = " x 0.85, held down as an echo" if standing.is_damped else ""
    line(
        f"{standing.confidence:.2f} = {1 - standing.maturity:.2f} x prior {standing.prior:.2f}"
        f" + {standing.maturity:.2f} x {mean}{held}"
    )
    rows = [
        (one.factor, None if one.value is None else f"{one.value:.2f}", f"{one.weight:.2f}", one.source)
        for one in standing.factors
    ]
    columns = [Column("factor", style="cyan"), Column("value", is_number=True), Column("weight", is_number=True)]
    print_table([*columns, Column("read from", is_text=True)], rows, empty="none")
    line(
        f"half-life {standing.half_life_days:.1f} days ({standing.decay_per_day:.3f} a day); "
        f"age {standing.age_days:.1f} days, so maturity {standing.maturity:.2f}",
        style="dim",
    )
    for name, value in _rest(standing):
        line(f"{name:<12} {value}", style="dim")
    if standing.history:
        first, last = standing.history[0], standing.history[-1]
        line(
            f"{'history':<12} {sparkline([one.confidence for one in standing.history])}"
            f"  {moment(first.at)[:10]} to {moment(last.at)[:10]}{_moved(standing)}",
            style="dim",
        )


def _moved(standing: Standing) -> str:
    return "" if standing.change is None else f", {standing.change:+.2f} in the last four weeks"


def _rest(standing: Standing) -> list[tuple[str, str]]:
    found = []
    if standing.gradient is not None:
        found.append(("gradient", f"{standing.gradient:.2f}"))
    if standing.echo is not None:
        found.append(("echo", f"{standing.echo:.2f}"))
    if standing.is_bridge:
        found.append(("bridge", "it alone links its domain to another"))
    if standing.decision is not None:
        found.append(("kept", f"for {standing.decision.replace('_', ' ')}"))
    if standing.is_marked:
        found.append(("marked", "a fact of it gave way: the next upkeep looks again"))
    return found


def sparkline(values: list[float]) -> str:
    """Values of 0..1 as bars."""
    return "".join(_BARS[min(int(value * len(_BARS)), len(_BARS) - 1)] for value in values)
