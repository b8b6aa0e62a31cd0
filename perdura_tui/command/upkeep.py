"""`upkeep` and `memory`: the daily pipeline, and what it knows."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from datetime import UTC, datetime

from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import Correlation, MemoryReport, RunReport, StepReport
from perdura_tui.command import Verb, no_arguments
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, heading, line, moment, print_json, print_table, say
from perdura_tui.phrases import seconds

__all__ = ["VERBS"]

_BARS = " ▁▂▃▄▅▆▇█"


async def _upkeep(given: Namespace) -> int:
    async with opened(given) as mind:
        report = await mind.keep_up(given.now, is_dry=given.dry_run, told=_Told())
    if wants_json(given):
        print_json(report.model_dump(mode="json") | {"is_dry": given.dry_run})
        return 0
    columns = [Column("step", style="cyan"), Column("time", is_number=True), Column("changes", is_number=True)]
    print_table([*columns, Column("counts", is_text=True)], map(_step_row, report.steps), empty="nothing to do")
    line(_summary(report, is_dry=given.dry_run))
    return 0


class _Told:
    """Says each step once, as it begins."""

    def __init__(self) -> None:
        self._step: str | None = None

    def __call__(self, progress: UpkeepProgress) -> None:
        if progress.state == "working" and progress.step != self._step:
            self._step = progress.step
            say(f"{progress.position + 1}/{progress.steps} {progress.step}")


def _step_row(step: StepReport) -> tuple[object, ...]:
    counts = ", ".join(f"{count:,} {name}" for name, count in step.counts.items())
    return step.step, seconds(step.seconds), step.changes or None, counts if step.is_due else f"{counts} (still holds)"


def _summary(report: RunReport, *, is_dry: bool) -> str:
    did = "would make" if is_dry else "made"
    return (
        f"run {report.run} as of {moment(report.as_of)} {did} {report.changes:,} changes in {seconds(report.seconds)}"
    )


async def _memory(given: Namespace) -> int:
    async with opened(given, readonly=True) as mind:
        report = await mind.memory.report()
    if wants_json(given):
        print_json(report.model_dump(mode="json") | {"alarms": [pair.model_dump() for pair in report.alarms]})
        return 0
    line(f"{report.active:,} active, {report.shadow:,} in shadow, {report.let_go:,} let go; as of {_as_of(report)}")
    _print_factors(report)
    _print_forgetting(report)
    _print_lists(report)
    heading("Last runs")
    rows = [
        (run.run, moment(run.as_of), "finished" if run.is_finished else "cut short", run.changes, seconds(run.seconds))
        for run in report.runs
    ]
    columns = [Column("run", is_number=True), Column("as of"), Column("ending"), Column("changes", is_number=True)]
    print_table([*columns, Column("time", is_number=True)], rows, empty="None: `perdura upkeep` starts one.")
    return 0


def _as_of(report: MemoryReport) -> str:
    return "never: `perdura upkeep` works the rest out" if report.as_of is None else moment(report.as_of)


def _print_factors(report: MemoryReport) -> None:
    heading("Factors of confidence, 0 to 1")
    rows: list[tuple[object, ...]] = [
        (one.factor, _bar(one.bins), _figure(one.mean), one.missing) for one in report.factors
    ]
    if report.gradient:
        rows.append(("gradient", _bar(report.gradient), None, 0))
    columns = [Column("factor", style="cyan"), Column("spread"), Column("mean", is_number=True)]
    print_table([*columns, Column("missing", is_number=True)], rows, empty="not worked out yet")
    heading("How far they tell the same story")
    columns = [Column("pair", style="cyan"), Column("r", is_number=True), Column("over", is_number=True)]
    print_table([*columns, Column("verdict")], map(_pair_row, report.correlations), empty="not worked out yet")


def _pair_row(pair: Correlation) -> tuple[object, ...]:
    r = None if pair.r is None else f"{pair.r:+.2f}"
    return f"{pair.first}, {pair.second}", r, pair.interpretations, pair.verdict


def _print_forgetting(report: MemoryReport) -> None:
    heading("Why interpretations stay")
    rows = [
        (one.reason.replace("_", " "), one.interpretations, "protected" if one.protects else None)
        for one in report.keeping
    ]
    columns = [Column("reason", style="cyan"), Column("interpretations", is_number=True), Column("")]
    print_table(columns, rows, empty="not worked out yet")
    flow = report.flow
    line(
        f"in {flow.days} days {flow.archived:,} went to shadow ({_share(flow.archive_rate)} of the active), "
        f"{flow.revived:,} came back ({_share(flow.revival_rate)} of those), {flow.let_go:,} were let go"
    )
    if report.marked:
        line(f"{report.marked:,} are to be revalidated, because a fact of theirs gave way")


def _print_lists(report: MemoryReport) -> None:
    heading("Wisdom")
    rows = [
        (one.domain or "no domain", _figure(one.wisdom), one.interpretations, _share(one.matured), _share(one.survival),
         _share(one.contention), _figure(one.diversity))
        for one in report.wisdom
    ]  # fmt: skip
    titles = ("wisdom", "interpretations", "matured", "survival", "contended", "diversity")
    columns = [Column("domain", style="cyan"), *(Column(title, is_number=True) for title in titles)]
    print_table(columns, rows, empty="not worked out yet")
    node = Column("id", style="cyan")
    heading("Echo chambers")
    echoes = [(one.node, _figure(one.score), one.text) for one in report.echoes]
    print_table([node, Column("echo", is_number=True), Column("text", is_text=True)], echoes, empty="none")
    heading("Undervalued")
    undervalued = [(one.node, _figure(one.structural), _figure(one.usage), one.text) for one in report.undervalued]
    columns = [node, Column("structural", is_number=True), Column("usage", is_number=True)]
    print_table([*columns, Column("text", is_text=True)], undervalued, empty="none")
    heading("Promotions that wait for your word")
    waiting = [(one.proposal, one.level, " ".join(one.members), one.why, one.text) for one in report.promotions]
    columns = [node, Column("level", is_number=True), Column("members", is_text=True), Column("why", is_text=True)]
    print_table([*columns, Column("text", is_text=True)], waiting, empty="none")


def _bar(bins: Sequence[int]) -> str:
    top = max(bins, default=0) or 1
    return "".join(_BARS[-(-count * (len(_BARS) - 1) // top)] for count in bins)


def _figure(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _time(word: str) -> datetime:
    try:
        at = datetime.fromisoformat(word)
    except ValueError:
        raise ArgumentTypeError(f"{word!r} is no time: write it like 2027-03-01T06:00") from None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="say what would change and write nothing")
    parser.add_argument("--now", metavar="TIME", type=_time, help="as if it were this time, UTC (default: now)")


VERBS = {"upkeep": Verb(_arguments, _upkeep), "memory": Verb(no_arguments, _memory)}
