"""One node with everything that is known of it, as lines of which some lead to other nodes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from perdura_core.graph import Link
from perdura_core.vocabulary import AnswerGraded, Event, Fact, Interpretation, Node, NodeId, Question, Standing
from perdura_tui.content import wrap
from perdura_tui.ink import Line, Role, Run, cell, join, run
from perdura_tui.phrases import ago, clock_time, sentence, unit
from perdura_tui.placements import placed_by, placement_words
from perdura_tui.states.detail_line import DetailLine
from perdura_tui.states.standing import standing_lines

__all__ = ["Detail", "DetailLine", "detail_lines"]

_LEVELS = {1: "instance", 2: "pattern", 3: "principle"}
_MOST_SIGHTINGS = 20
_MOST_NEAR = 8


@dataclass(frozen=True, slots=True)
class Detail:
    """What was read of a node."""

    node: Node
    links: Sequence[Link] = ()
    cited_by: Sequence[NodeId] = ()
    """Interpretations that refer to it, when it is a fact."""
    texts: Mapping[NodeId, str] = field(default_factory=dict)
    """Texts of the nodes around it."""
    history: Sequence[Event] = ()
    """Oldest first."""
    is_disputed: bool = False
    contention: float | None = None
    """Of a question."""
    given_way: Sequence[tuple[NodeId, NodeId]] = ()
    """Facts that it rests on and that gave way, each with its heir."""
    standing: Standing | None = None
    """Why it is worth what it is, once an upkeep has seen it."""
    code: str | None = None
    """The memoric code of a claim as hexadecimal digits; None while it is not known."""
    near: Sequence[tuple[NodeId, int]] = ()
    """Its near duplicates, each with how many bits of 48 differ."""


def detail_lines(detail: Detail, width: int, now: datetime) -> list[DetailLine]:
    """The page about a node, laid out for a width in cells."""
    node = detail.node
    lines = [DetailLine(_headline(detail)), DetailLine()]
    lines.extend(DetailLine(join(Run(" "), run(text, "strong"))) for text in wrap(node.text, max(width - 2, 1)))
    lines.append(DetailLine())
    lines.extend(_about(detail, width, now))
    if detail.standing is not None:
        lines.extend(standing_lines(detail.standing, width))
    lines.extend(_edges(detail, width))
    lines.extend(_references(detail, width))
    lines.extend(_wording(detail, width))
    lines.extend(_history(detail.history, width))
    return lines


def _headline(detail: Detail) -> Line:
    node = detail.node
    match node:
        case Question():
            state = "open" if node.status == "open" else "resolved ✓"
            words = [f"question · {state} · stake {node.stake}", *(["pinned ★"] if node.pinned else [])]
            if detail.contention is not None:
                words.append(f"contention {detail.contention:.2f}")
        case Fact():
            words = ["fact"]
        case Interpretation():
            words = [f"{node.kind} · {_LEVELS[node.level]} · {node.status}", f"confidence {unit(node.confidence)}"]
            if node.asserted_confidence is not None:
                words.append(f"its author said {unit(node.asserted_confidence)}")
    disputed = [Run("  ✗ disputed", "disputed")] if detail.is_disputed else []
    superseded = [run(f"  superseded by {node.superseded_by}", "waiting")] if node.superseded_by else []
    return join(Run(" "), run(node.id, "accent"), Run("  "), run(" · ".join(words), "dim"), disputed, superseded)


def _about(detail: Detail, width: int, now: datetime) -> Iterable[DetailLine]:
    node = detail.node
    if node.domains:
        yield _field("domains", ", ".join(node.domains), width)
    where = f" · boarding {node.boarding}" if node.boarding else ""
    yield _field(
        "author", f"{node.created_by}{where} · {clock_time(node.created_at)}, {ago(node.created_at, now)} ago", width
    )
    grades = [event.what.grade for event in detail.history if isinstance(event.what, AnswerGraded)]
    if grades and grades[-1] is not None:
        yield _field("grade", f"{grades[-1]}, by the operator", width)
    if isinstance(node, Question) and node.resolved_by:
        yield _leads("answer", node.resolved_by, detail, width)
    if node.superseded_by:
        yield _leads("now", node.superseded_by, detail, width)
    placed = placed_by(node, detail.history)
    if placed is not None:
        yield _field("layer", placement_words(placed), width)
    for fact, heir in detail.given_way:
        yield _leads("look again", heir, detail, width, f"{fact}, on which it rests, gave way")
    if isinstance(node, Fact):
        if node.entities:
            yield _field("about", ", ".join(node.entities), width)
        for index, sighting in enumerate(node.occurrences[:_MOST_SIGHTINGS]):
            when = "" if sighting.observed_at is None else f" · observed {sighting.observed_at:%Y-%m-%d %H:%M}"
            source = sighting.source or "no source named"
            yield _field("source" if index == 0 else "", f"{source}{when} · {sighting.recorded_by}", width)
        if len(node.occurrences) > _MOST_SIGHTINGS:
            yield _field("", f"seen {len(node.occurrences)} times in all", width)


def _field(name: str, text: str, width: int) -> DetailLine:
    return DetailLine(join(Run(" "), cell(name, 10, "faint"), cell(text, max(width - 12, 0))))


def _leads(name: str, node: NodeId, detail: Detail, width: int, words: str | None = None) -> DetailLine:
    line = join(
        Run(" "), cell(name, 10, "faint"), cell(node, 7, "accent"),
        cell(words or detail.texts.get(node, ""), max(width - 19, 0)),
    )  # fmt: skip
    return DetailLine(line, node)


def _title(text: str, count: int) -> list[DetailLine]:
    return [DetailLine(), DetailLine(join(Run(" "), Run(text, "title"), Run(f"  {count}", "faint")))]


def _edges(detail: Detail, width: int) -> list[DetailLine]:
    if not detail.links:
        return []
    lines = _title("edges", len(detail.links))
    ranked = sorted(detail.links, key=lambda link: (link.type != "contradicts", link.type, link.src, link.dst))
    for link in ranked:
        is_out = link.src == detail.node.id
        other = link.dst if is_out else link.src
        role: Role = "disputed" if link.type == "contradicts" else "dim"
        arrow = "✗" if link.type == "contradicts" else ("→" if is_out else "←")
        word = link.type.replace("_", " ")
        lines.append(
            DetailLine(
                join(
                    Run(" "), cell(word, 12, role), Run(f"{arrow} ", role), cell(other, 7, "accent"),
                    cell(detail.texts.get(other, ""), max(width - 24, 0)),
                ),
                other,
            )
        )  # fmt: skip
    return lines


def _references(detail: Detail, width: int) -> list[DetailLine]:
    node = detail.node
    found = node.facts if isinstance(node, Interpretation) else tuple(detail.cited_by)
    if not found:
        return []
    lines = _title("facts it refers to" if isinstance(node, Interpretation) else "referred to by", len(found))
    return lines + [
        DetailLine(
            join(Run(" "), cell(other, 7, "accent"), cell(detail.texts.get(other, ""), max(width - 9, 0))), other
        )
        for other in found
    ]


def _wording(detail: Detail, width: int) -> list[DetailLine]:
    """The memoric code, and the claims that are worded alike."""
    if detail.code is None:
        return []
    lines = [DetailLine(), DetailLine(join(Run(" "), Run("memoric code", "title")))]
    lines.append(DetailLine(join(Run(" "), cell(detail.code, max(width - 2, 0), "dim"))))
    for other, bits in detail.near[:_MOST_NEAR]:
        line = join(
            Run(" "), cell("worded like", 12, "dim"), Run("≈ ", "dim"), cell(other, 7, "accent"),
            cell(f"{bits} bits", 8, "faint"), cell(detail.texts.get(other, ""), max(width - 32, 0)),
        )  # fmt: skip
        lines.append(DetailLine(line, other))
    if len(detail.near) > _MOST_NEAR:
        lines.append(_field("", f"{len(detail.near)} are worded alike in all", width))
    return lines


def _history(history: Sequence[Event], width: int) -> list[DetailLine]:
    told = [event for event in history if not event.kind.startswith("cost_")]
    if not told:
        return []
    lines = _title("history", len(told))
    for event in reversed(told):
        at = f"{event.at.astimezone():%Y-%m-%d %H:%M:%S}"
        line = join(Run(" "), cell(at, 21, "faint"), cell(sentence(event), max(width - 23, 0), "dim"))
        lines.append(DetailLine(line))
    return lines
