"""Two models side by side, and records over time, as lines of which some lead to nodes."""

from collections import Counter
from collections.abc import Mapping, Sequence

from perdura_core.routing import Comparison, PastRecords
from perdura_core.vocabulary import ModelId, NodeId, TrackRecord
from perdura_tui.drawn import span, sparkline
from perdura_tui.ink import Role, Run, cell, join, run
from perdura_tui.phrases import dollars, percent, short_model
from perdura_tui.states.detail import DetailLine
from perdura_tui.states.models import FEW_OUTCOMES, rejections, survival, usd_per_surviving

__all__ = ["comparison_lines", "history_lines"]

_GOOD = frozenset({"promoted", "corroborated", "settled_for", "graded_right"})


def comparison_lines(
    names: tuple[ModelId, ModelId], found: Comparison, texts: Mapping[NodeId, str], width: int
) -> list[DetailLine]:
    """Both records, who is the more reliable one, and every outcome of either; each leads to its node."""
    lines = [DetailLine()]
    for name, record in zip(names, (found.one, found.other), strict=True):
        lines.extend(_record(name, record, width))
    chance = found.chance_one_is_better
    said = f" {short_model(names[0])} is the more reliable one with a chance of {chance:.2f}"
    lines += [DetailLine((run(said, "strong"),)), DetailLine()]
    counts = Counter((model, verdict.kind) for model, _, verdict in found.outcomes)
    for (model, kind), count in sorted(counts.items()):
        role: Role = "settled" if kind in _GOOD else "disputed"
        lines.append(
            DetailLine(
                join(
                    Run(" "), cell(short_model(model), 30, "dim"), cell(kind.replace("_", " "), 16, role),
                    run(str(count), "text"),
                )
            )
        )  # fmt: skip
    lines.append(DetailLine())
    for model, node, verdict in found.outcomes:
        role = "settled" if verdict.kind in _GOOD else "disputed"
        by = f"{verdict.kind.replace('_', ' ')} by {short_model(verdict.source)}"
        line = join(
            Run(" "), cell(node, 7, "accent"), cell(short_model(model), 26, "dim"), cell(by, 38, role),
            cell(texts.get(node, ""), max(width - 74, 0), "text"),
        )  # fmt: skip
        lines.append(DetailLine(line, node))
    if not found.outcomes:
        lines.append(DetailLine((run(" No outcome of either yet.", "dim"),)))
    return lines


def _record(name: ModelId, record: TrackRecord | None, width: int) -> list[DetailLine]:
    head = cell(f" {name}", min(max(width - 4, 1), 40), "title")
    if record is None:
        return [DetailLine((head, run("no record here", "dim")))]
    is_few = record.outcomes < FEW_OUTCOMES
    drawn = span(record.low, record.reliability, record.high, 30, is_vague=is_few)
    cost = usd_per_surviving(record)
    parts = [
        f"{record.reliability:.2f} ({record.low:.2f} to {record.high:.2f})",
        f"{record.outcomes} outcomes{', few' if is_few else ''}",
        f"{percent(survival(record))} survive",
        f"{percent(rejections(record))} refused",
        f"net {record.net:+d}",
        f"{'?' if cost is None else dollars(round(cost * 1e6))} a node",
    ]
    return [
        DetailLine(join(head, Run("".join(drawn), "dim" if is_few else "accent"))),
        DetailLine((cell(f"   {' · '.join(parts)}", width, "dim"),)),
    ]


def history_lines(moments: Sequence[PastRecords], width: int) -> list[DetailLine]:
    """Each model's reliability at each moment, from 0 to 1; blank before its first boarding."""
    if not moments:
        return [DetailLine(), DetailLine((run(" Nothing happened yet.", "dim"),))]
    first, last = moments[0].at, moments[-1].at
    lines = [DetailLine(), DetailLine((run(f" from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}", "faint"),))]
    for record in moments[-1].records:
        values = [_reliability(moment, record.model) for moment in moments]
        drawn = "".join(" " if value is None else sparkline([value]) for value in values)
        known = [value for value in values if value is not None]
        change = f"{known[-1] - known[0]:+.2f}" if known else ""
        line = join(
            Run(" "), cell(short_model(record.model), 30, "text"), Run(drawn, "accent"), Run("  "),
            cell(f"{record.reliability:.2f}", 6, "strong"), cell(change, 7, "dim"),
            cell(f"{record.outcomes} outcomes", max(width - 46 - len(drawn), 0), "dim"),
        )  # fmt: skip
        lines.append(DetailLine(line))
    if not moments[-1].records:
        lines.append(DetailLine((run(" No model has boarded yet.", "dim"),)))
    return lines


def _reliability(moment: PastRecords, model: ModelId) -> float | None:
    return next((record.reliability for record in moment.records if record.model == model), None)
