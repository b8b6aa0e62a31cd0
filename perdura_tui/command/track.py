"""`track` and `grade`: what became of each model's contributions, and the operator's own word on an answer."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, get_args

from rich.text import Text

from perdura_core.epistemics import Verdict
from perdura_core.mind import Mind
from perdura_core.routing import Comparison, PastRecords
from perdura_core.vocabulary import Grade, ModelId, NodeId, TrackRecord
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.documents import stamp, track_document
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, line, moment, print_json, print_table
from perdura_tui.drawn import span, sparkline
from perdura_tui.phrases import dollars, percent
from perdura_tui.states.models import FEW_OUTCOMES, SORTED_BY, rejections, survival, usd_per_surviving

__all__ = ["VERBS"]

_CELLS = 24
_MOMENTS = 24
_MODEL = Column("model", style="cyan")


async def _track(given: Namespace) -> int:
    asked = [name for name in ("history", "compare", "outcomes") if getattr(given, name)]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} answer different questions: give one of them")
    async with opened(given, readonly=True) as mind:
        if given.compare:
            one, other = given.compare
            return _print_comparison(given, await mind.compare(one, other, given.domain))
        if given.history:
            return _print_history(given, await mind.past_tracks(given.domain, _MOMENTS))
        if given.outcomes:
            return await _print_outcomes(given, mind)
        records = await mind.tracks(given.domain)
    return _print_records(given, records)


def _print_records(given: Namespace, records: Sequence[TrackRecord]) -> int:
    ranked = _sorted(records, given.sort)
    if wants_json(given):
        print_json([track_document(record) for record in ranked])
        return 0
    columns = [_MODEL, Column("0 reliability 1".center(_CELLS)), *_figures("mean", "90 %"), Column("outcomes")]
    columns += [*_figures("merged", "surviving", "net", "rejected", "Brier", "seconds", "spent", "$/node")]
    print_table(columns, map(_row, ranked), empty="No model has boarded yet.")
    if any(record.outcomes < FEW_OUTCOMES for record in ranked):
        line(f"few: below {FEW_OUTCOMES} outcomes a record says little; its interval says how little", style="dim")
    reasons = sum((Counter(record.refusals) for record in ranked), Counter[str]())
    if reasons:
        told = ", ".join(f"{reason.replace('_', ' ')} {count}" for reason, count in reasons.most_common())
        line(f"refused by reason: {told}", style="dim")
    return 0


def _sorted(records: Sequence[TrackRecord], key: str) -> list[TrackRecord]:
    """Best first; what is not known stands last."""
    read, sign = SORTED_BY[key]

    def place(record: TrackRecord) -> tuple[bool, float, str]:
        value = read(record)
        return value is None, 0.0 if value is None else sign * value, record.model

    return sorted(records, key=place)


def _row(record: TrackRecord) -> tuple[object, ...]:
    few = " few" if record.outcomes < FEW_OUTCOMES else ""
    cost = usd_per_surviving(record)
    return (
        record.model, Text(_drawn(record)), f"{record.reliability:.2f}", f"{record.low:.2f}-{record.high:.2f}",
        f"{record.outcomes}{few}", record.merged, percent(survival(record)), record.net, percent(rejections(record)),
        None if record.brier is None else f"{record.brier:.3f}",
        None if record.seconds is None else f"{record.seconds:.1f}",
        dollars(record.cost_micro_usd), None if cost is None else dollars(round(cost * 1e6)),
    )  # fmt: skip


def _drawn(record: TrackRecord) -> str:
    is_vague = record.outcomes < FEW_OUTCOMES
    return "".join(span(record.low, record.reliability, record.high, _CELLS, is_vague=is_vague))


def _print_comparison(given: Namespace, found: Comparison) -> int:
    one, other = given.compare
    sides = (found.one, found.other)
    if wants_json(given):
        print_json({
            "domain": given.domain,
            "records": [None if record is None else track_document(record) for record in sides],
            "chance_first_is_better": found.chance_one_is_better,
            "outcomes": [_outcome_document(model, node, verdict) for model, node, verdict in found.outcomes],
        })  # fmt: skip
        return 0
    rows = (_row(record) if record is not None else (name,) + ("",) * 12 for name, record in zip(
        (one, other), sides, strict=True))  # fmt: skip
    columns = [_MODEL, Column("0 reliability 1".center(_CELLS)), *_figures("mean", "90 %"), Column("outcomes")]
    columns += [*_figures("merged", "surviving", "net", "rejected", "Brier", "seconds", "spent", "$/node")]
    print_table(columns, rows, empty="")
    line(f"{one} is the more reliable one with a chance of {found.chance_one_is_better:.2f}")
    told = ((model, node, verdict.kind.replace("_", " "), verdict.source) for model, node, verdict in found.outcomes)
    print_table([_MODEL, Column("node"), Column("outcome"), Column("by")], told, empty="No outcome of either yet.")
    return 0


async def _print_outcomes(given: Namespace, mind: Mind) -> int:
    found = await mind.outcomes(given.outcomes, given.domain)
    if wants_json(given):
        print_json([_outcome_document(given.outcomes, node, verdict) for node, verdict in found])
        return 0
    texts = {node: value.text for node, value in (await mind.store.nodes({node for node, _ in found})).items()}
    kinds = Counter(verdict.kind for _, verdict in found)
    ranked = sorted(found, key=lambda each: (each[1].kind, int(each[0][1:])))
    rows = ((verdict.kind.replace("_", " "), node, verdict.source, texts.get(node, "")) for node, verdict in ranked)
    columns = [Column("outcome"), Column("node", style="cyan"), Column("by"), Column("text", is_text=True)]
    print_table(columns, rows, empty=f"Nobody has judged {given.outcomes} yet.")
    if kinds:
        line(", ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in kinds.most_common()), style="bold")
    return 0


def _outcome_document(model: ModelId, node: NodeId, verdict: Verdict) -> dict[str, Any]:
    return {"model": model, "node": node, "outcome": verdict.kind, "by": verdict.source}


def _print_history(given: Namespace, moments: Sequence[PastRecords]) -> int:
    if wants_json(given):
        print_json([
            {"seq": one.seq, "at": stamp(one.at), "records": [track_document(record) for record in one.records]}
            for one in moments
        ])  # fmt: skip
        return 0
    if not moments:
        line("Nothing happened yet.")
        return 0
    past: dict[ModelId, dict[int, TrackRecord]] = {}
    for place, one in enumerate(moments):
        for record in one.records:
            past.setdefault(record.model, {})[place] = record
    rows = []
    for record in moments[-1].records:
        known = past[record.model]
        first = min(known)
        drawn = " " * first + sparkline([known[place].reliability for place in sorted(known)])
        change = record.reliability - known[first].reliability
        rows.append((record.model, Text(drawn), f"{record.reliability:.2f}", f"{change:+.2f}", record.outcomes))
    columns = [_MODEL, Column("reliability over time"), *_figures("now", "since its first", "outcomes")]
    print_table(columns, rows, empty="No model has boarded yet.")
    line(f"from {moment(moments[0].at)} to {moment(moments[-1].at)}, blocks from 0 to 1", style="dim")
    return 0


def _figures(*titles: str) -> list[Column]:
    return [Column(title, is_number=True) for title in titles]


async def _grade(given: Namespace) -> int:
    grade: Grade | None = None if given.grade == "none" else given.grade
    async with opened(given) as mind:
        await mind.grade(given.id, grade)
    if wants_json(given):
        print_json({"id": given.id, "grade": grade})
    else:
        line(f"{given.id} is graded {grade}" if grade else f"the grade of {given.id} is taken back")
    return 0


def _track_arguments(parser: ArgumentParser) -> None:
    add: Callable[..., object] = parser.add_argument
    add("--domain", metavar="D", help="the records of one domain (default: overall)")
    add("--sort", choices=tuple(SORTED_BY), default="reliability", help="best first (default: reliability)")
    add("--compare", metavar=("A", "B"), nargs=2, help="two models side by side, outcome by outcome")
    add("--outcomes", metavar="ID", help="every outcome of one model by kind, with the node and who said it")
    add("--history", action="store_true", help="records over time")


def _grade_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="a claim or a decision, such as i7")
    parser.add_argument("grade", choices=(*get_args(Grade), "none"), help="none takes the grade back")


VERBS = {"track": Verb(_track_arguments, _track), "grade": Verb(_grade_arguments, _grade)}
