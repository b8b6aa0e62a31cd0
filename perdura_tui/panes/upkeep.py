"""What upkeep knows of a mind's memory, as sections of the memory page."""

from collections.abc import Sequence

from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import Correlation, MemoryReport
from perdura_tui.content import wrap
from perdura_tui.ink import Line, Role, Run, bar, cell, heat_role, join, run, spark
from perdura_tui.phrases import percent, seconds, unit
from perdura_tui.states.detail_line import DetailLine

__all__ = ["concerns", "figures", "paragraph", "progress_line", "title"]

_VERDICTS: dict[str, tuple[str, Role]] = {
    "independent": ("✓ independent", "settled"),
    "linked": ("~ linked", "waiting"),
    "alarm": ("✗ the same story twice", "disputed"),
    "expected": ("· expected", "dim"),
    "unknown": ("– too few", "faint"),
}
_MOST = 6
"""Rows of a list of things to act on."""
_RUNS = 5


def figures(report: MemoryReport, width: int) -> list[DetailLine]:
    """Factors, correlations, forgetting, gradient and wisdom."""
    lines = [*_factors(report, width), *_correlations(report), *_forgetting(report, width)]
    if any(report.gradient):
        lines.extend(title("wisdom gradient of active interpretations"))
        lines.append(_spread("gradient", report.gradient, None))
    return [*lines, *_wisdom(report, width)]


def concerns(report: MemoryReport, width: int) -> list[DetailLine]:
    """What waits for the operator: promotions, echo chambers, undervalued interpretations; and the last runs."""
    lines = title("promotions that wait for your word", "+ accepts, - refuses")
    for proposed in report.promotions[:_MOST]:
        said = f"{len(proposed.members)} → level {proposed.level}  {proposed.text}"
        lines.append(_thing(proposed.proposal, unit(proposed.confidence), said, width))
        lines.extend(paragraph(f"{proposed.why}: {', '.join(proposed.members[:6])}", width, 9))
    lines.extend(_none(report.promotions, len(report.promotions) - _MOST, width))
    lines.extend(title("echo chambers", "d holds down, a audits"))
    for echo in report.echoes[:_MOST]:
        lines.append(_thing(echo.node, f"{'▾' if echo.damped else ' '}{echo.score:.2f}", echo.text, width))
    lines.extend(_none(report.echoes, len(report.echoes) - _MOST, width))
    lines.extend(title("undervalued", "p pins their question, a audits"))
    for worth in report.undervalued[:_MOST]:
        lines.append(_thing(worth.node, f"{worth.structural:.2f}", worth.text, width))
    lines.extend(_none(report.undervalued, len(report.undervalued) - _MOST, width))
    return [*lines, *_runs(report, width)]


def progress_line(progress: UpkeepProgress | None, width: int) -> list[DetailLine]:
    """How far the run under way has come; nothing when none is."""
    if progress is None or progress.state == "done":
        return []
    cells = max(min(width - 40, 30), 6)
    part = bar((progress.position + 1) / max(progress.steps, 1), cells, "accent")
    said = f" {progress.position + 1} of {progress.steps}  {progress.step}, {progress.changes:,} changes"
    return [DetailLine(), DetailLine(join(Run(" "), Run("upkeep ", "title"), part, run(said, "dim")))]


def title(text: str, hint: str = "") -> list[DetailLine]:
    """A blank line and the name of a section."""
    return [DetailLine(), DetailLine(join(Run(" "), Run(text, "title"), Run(f"  {hint}" if hint else "", "faint")))]


def paragraph(text: str, width: int, indent: int = 1) -> list[DetailLine]:
    """Quiet words, wrapped."""
    return [DetailLine(join(Run(" " * indent), run(line, "faint"))) for line in wrap(text, max(width - indent - 1, 8))]


def _factors(report: MemoryReport, width: int) -> list[DetailLine]:
    as_of = "" if report.as_of is None else f"as of {report.as_of:%Y-%m-%d %H:%M} UTC"
    lines = title("the four factors of confidence", as_of)
    if not report.factors:
        return [*lines, *paragraph("not worked out yet: U does the upkeep now", width)]
    for factor in report.factors:
        lines.append(_spread(factor.factor, factor.bins, factor.mean, factor.missing))
    return lines


def _spread(name: str, bins: Sequence[int], mean: float | None, missing: int = 0) -> DetailLine:
    drawn = spark([float(count) for count in bins], float(max([1, *bins])))
    parts: list[Line | Run] = [Run(" "), cell(name, 13, "dim"), Run("0 ", "faint"), run(drawn, "accent"),
                               Run(" 1", "faint")]  # fmt: skip
    if mean is not None:
        parts.append(run(f"   mean {mean:.2f}"))
    if missing:
        parts.append(run(f"   {missing:,} without", "faint"))
    return DetailLine(join(*parts))


def _correlations(report: MemoryReport) -> list[DetailLine]:
    if not report.correlations:
        return []
    lines = title("do they tell the same story?")
    return [*lines, *(DetailLine(_pair(pair)) for pair in report.correlations)]


def _pair(pair: Correlation) -> Line:
    words, role = _VERDICTS[pair.verdict]
    figure = "–" if pair.r is None else f"{pair.r:+.2f}"
    return join(Run(" "), cell(f"{pair.first} · {pair.second}", 26, "dim"), cell(figure, 6, role, right=True),
                Run("  "), run(words, role))  # fmt: skip


def _forgetting(report: MemoryReport, width: int) -> list[DetailLine]:
    flow = report.flow
    lines = title("forgetting", f"in {flow.days} days")
    lines.extend(
        paragraph(
            f"{flow.archived:,} went to shadow ({percent(flow.archive_rate)} of the active), {flow.revived:,} came back"
            f" ({percent(flow.revival_rate)} of those), {flow.let_go:,} let go",
            width,
        )
    )
    top = max((keeping.interpretations for keeping in report.keeping), default=0)
    for keeping in report.keeping:
        if not keeping.interpretations:
            continue
        mark = Run("◆ ", "settled") if keeping.protects else Run("  ")
        lines.append(
            DetailLine(
                join(
                    Run(" "), mark, cell(keeping.reason.replace("_", " "), 24, "dim"),
                    bar(keeping.interpretations / max(top, 1), max(width - 40, 6), "accent"),
                    cell(f"{keeping.interpretations:,}", 8, right=True),
                )
            )
        )  # fmt: skip
    if report.marked:
        lines.extend(paragraph(f"{report.marked:,} to revalidate: a fact of theirs gave way", width))
    return lines


def _wisdom(report: MemoryReport, width: int) -> list[DetailLine]:
    if not report.wisdom:
        return []
    cells = max(width - 45, 6)
    names = join(Run(" "), cell("", 15 + cells), cell("wisdom", 7, "faint", right=True),
                 cell("mature", 8, "faint", right=True), cell("kept", 7, "faint", right=True),
                 cell("cont.", 7, "faint", right=True))  # fmt: skip
    lines = [*title("wisdom per domain"), DetailLine(names)]
    for domain in report.wisdom:
        value = domain.wisdom
        lines.append(
            DetailLine(
                join(
                    Run(" "), cell(domain.domain or "no domain", 15, "dim"), bar(value or 0.0, cells, "accent"),
                    cell(unit(value), 7, right=True), cell(percent(domain.matured), 8, "dim", right=True),
                    cell(percent(domain.survival), 7, "dim", right=True),
                    cell(f"{domain.contention:.2f}", 7, heat_role(domain.contention), right=True),
                )
            )
        )  # fmt: skip
    return lines


def _thing(target: str, figure: str, text: str, width: int) -> DetailLine:
    line = join(Run(" "), cell(target, 7, "accent"), cell(figure, 6, "strong", right=True), Run("  "),
                cell(text, max(width - 17, 0)))  # fmt: skip
    return DetailLine(line, target)


def _none(found: Sequence[object], more: int, width: int) -> list[DetailLine]:
    if not found:
        return paragraph("none", width)
    return paragraph(f"and {more:,} more", width) if more > 0 else []


def _runs(report: MemoryReport, width: int) -> list[DetailLine]:
    lines = title("upkeep", "U does it now")
    if not report.runs:
        return [*lines, *paragraph("It has not run on this mind. It ages confidences, forgets and proposes.", width)]
    for done in report.runs[:_RUNS]:
        ending = Run("✓ finished", "settled") if done.is_finished else Run("! cut short", "waiting")
        lines.append(
            DetailLine(
                join(
                    Run(" "), cell(str(done.run), 5, "accent"), cell(f"{done.as_of:%y-%m-%d %H:%M}", 15, "dim"),
                    cell(ending.text, 12, ending.role), cell(seconds(done.seconds), 8, "dim", right=True),
                    cell(f"{done.changes:,} changes", 15, right=True),
                )
            )
        )  # fmt: skip
    return lines
