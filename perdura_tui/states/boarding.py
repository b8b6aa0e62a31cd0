"""One boarding as a page: how it came about, what it sent with what became of each element, what it was shown."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from perdura_core.vocabulary import (
    BoardingOpened,
    BoardingRecord,
    Briefing,
    BriefingNode,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Event,
    Interpretation,
    Node,
    NodeId,
    ProposalSettled,
)
from perdura_tui.content import width_of, wrap
from perdura_tui.ink import Role, Run, cell, join, run
from perdura_tui.phrases import clock_time, dollars, instead, seconds
from perdura_tui.states.detail import DetailLine

__all__ = ["Stay", "boarding_lines", "drawn"]

_MOST_STREAM_LINES = 40


@dataclass(frozen=True, slots=True)
class Stay:
    """What was read of a boarding."""

    record: BoardingRecord
    told: Sequence[Event] = ()
    """What it did, oldest first."""
    briefing: Briefing | None = None
    """None: it cannot be rebuilt."""
    nodes: Mapping[NodeId, Node] = field(default_factory=dict)
    """What was shown or made, as it is now."""
    stream: str = ""
    """The end of what streams, while it is aboard."""


def drawn(told: Iterable[Event]) -> NodeId | None:
    """The interpretation that got a slot of the briefing by lot, if one did."""
    return next((event.what.breaking for event in told if isinstance(event.what, BoardingOpened)), None)


def boarding_lines(stay: Stay, width: int) -> list[DetailLine]:
    """The page about a boarding, laid out for a width in cells."""
    return [*_about(stay, width), *_stream(stay, width), *_elements(stay, width), *_shown(stay, width)]


def _title(text: str, remark: str, width: int) -> Iterable[DetailLine]:
    yield DetailLine()
    said = cell(remark, max(width - len(text) - 5, 0), "faint")
    yield DetailLine(join(Run(" "), Run(text, "title"), Run("  "), said))


def _field(name: str, text: str, width: int, target: NodeId | None = None) -> Iterable[DetailLine]:
    for number, line in enumerate(wrap(text, max(width - 13, 1)) or [""]):
        yield DetailLine(
            join(Run(" "), cell(name if number == 0 else "", 11, "faint"), run(line)), target if number == 0 else None
        )


def _about(stay: Stay, width: int) -> Iterable[DetailLine]:
    record = stay.record
    boarding = record.boarding
    ending: tuple[str, Role] = ("aboard", "accent") if record.ending is None else (record.ending, "dim")
    if record.ending in ("failed", "refused", "interrupted"):
        ending = (record.ending, "waiting")
    yield DetailLine(
        join(
            Run(" "), run(boarding.id, "accent"), Run("  "),
            cell(boarding.model, min(width_of(boarding.model), max(width - 44, 12)), "strong"),
            run(f"  seat {boarding.seat} · {boarding.mode}", "dim"), Run("  "), run(*ending),
        )
    )  # fmt: skip
    yield DetailLine()
    question = stay.nodes.get(boarding.question)
    asked = f"{boarding.question}  {question.text if question is not None else ''}"
    yield from _field("question", asked, width, boarding.question)
    yield from _field("chosen by", f"{boarding.route.policy}: {boarding.route.reason}", width)
    for event in stay.told:
        if isinstance(event.what, BoardingOpened):
            yield from _field("instead", instead(event.what.alternatives), width)
    spent = [clock_time(boarding.opened_at)]
    if record.seconds is not None:
        spent.append(seconds(record.seconds))
    usage = record.usage
    if usage is not None:
        counts = ((usage.input_tokens, "tokens in"), (usage.output_tokens, "tokens out"))
        spent.extend(f"{count:,} {what}" for count, what in counts if count is not None)
    yield from _field("spent", " · ".join([*spent, dollars(record.cost_micro_usd)]), width)
    if record.reason:
        yield from _field("ended", record.reason, width)


def _stream(stay: Stay, width: int) -> Iterable[DetailLine]:
    if not stay.stream:
        return
    yield from _title("stream", "the end of what it is sending", width)
    for line in wrap(stay.stream, max(width - 4, 1))[-_MOST_STREAM_LINES:]:
        yield DetailLine(join(Run("   "), run(line, "dim")))


def _elements(stay: Stay, width: int) -> Iterable[DetailLine]:
    ends = [event for event in stay.told if isinstance(event.what, ElementMerged | ElementRejected | ElementHeld)]
    merged = sum(isinstance(event.what, ElementMerged) for event in ends)
    refused = sum(isinstance(event.what, ElementRejected) for event in ends)
    settled = {event.what.proposal: event.what for event in stay.told if isinstance(event.what, ProposalSettled)}
    wait = sum(isinstance(event.what, ElementHeld) and event.what.proposal not in settled for event in ends)
    tally = f"{merged} merged, {refused} refused" + (f", {wait} waiting" if wait else "")
    yield from _title("elements", tally if ends else "none yet", width)
    for event in ends:
        match event.what:
            case ElementMerged() as one:
                node = stay.nodes.get(one.node or "")
                said = node.text if node is not None else f"{len(one.edges)} edges" if one.edges else ""
                note = f"{one.note}  " if one.note else ""
                yield from _element("✓", "settled", f"{one.element} {one.node or ''}", note + said, width, one.node)
            case ElementRejected() as one:
                why = f"{one.reason.replace('_', ' ')}: {one.detail}"
                yield from _element("✗", "disputed", _kind(one.sent), why, width, one.node)
                for line in wrap(one.sent, max(width - 24, 1))[:2]:
                    yield DetailLine(join(Run(" " * 22), run(line, "faint")))
            case ElementHeld() as one:
                word = settled.get(one.proposal)
                state = "waits for your word" if word is None else "accepted" if word.accepted else "refused by you"
                said = f"{state} ({one.why})  {one.element.get('text') or ''}"
                yield from _element("◇", "waiting", f"{one.element.get('kind')} {one.proposal}", said, width, None)
            case _:
                pass


def _element(mark: str, role: Role, name: str, said: str, width: int, target: NodeId | None) -> Iterable[DetailLine]:
    for number, line in enumerate((wrap(said, max(width - 24, 1)) or [""])[:4]):
        head = (Run(f"{mark} ", role), cell(name, 18, "text")) if number == 0 else (Run(" " * 20),)
        yield DetailLine(join(Run(" "), *head, Run(" "), run(line, role if mark == "✗" else "dim")),
                         target if number == 0 else None)  # fmt: skip


def _kind(sent: str) -> str:
    """The kind of an element as it was sent, if that can be read."""
    try:
        value: Any = json.loads(sent)
    except ValueError:
        return "element"
    return str(value.get("kind", "element")) if isinstance(value, dict) else "element"


def _shown(stay: Stay, width: int) -> Iterable[DetailLine]:
    briefing = stay.briefing
    if briefing is None:
        yield from _title("briefing", "its question is not in this mind any more", width)
        return
    masked = " · confidences were hidden" if briefing.masked else ""
    size = f"{len(briefing.nodes)} nodes, {len(briefing.edges)} edges, {briefing.tokens:,} tokens"
    yield from _title("briefing as sent", f"{size}{masked}", width)
    for line in wrap("Rebuilt from the journal: order, confidences and edges as they were sent, texts as they are now.",
                     max(width - 4, 1)):  # fmt: skip
        yield DetailLine(join(Run("   "), run(line, "faint")))
    by_lot = drawn(stay.told)
    if by_lot is not None:
        words = f"{by_lot} has a slot by lot: few paths lead to it, and nobody would see it otherwise."
        for line in wrap(words, max(width - 4, 1)):
            yield DetailLine(join(Run("   "), run(line, "waiting")), by_lot)
    for shown in briefing.nodes:
        yield from _node(shown, stay.nodes.get(shown.id), width)
    for edge in briefing.edges:
        role: Role = "disputed" if edge.type == "contradicts" else "dim"
        yield DetailLine(join(Run("   "), run(f"{edge.src} {edge.type.replace('_', ' ')} {edge.dst}", role)))


def _node(shown: BriefingNode, now: Node | None, width: int) -> Iterable[DetailLine]:
    change = ""
    if isinstance(now, Interpretation):
        if shown.confidence is not None and round(shown.confidence, 2) != round(now.confidence, 2):
            change = f"now {now.confidence:.2f}  "
        if now.superseded_by is not None:
            change += f"gave way to {now.superseded_by}  "
        elif now.status != "active":
            change += f"now {now.status}  "
    printed = "" if shown.confidence is None else f"{shown.confidence:.2f}"
    for number, line in enumerate(wrap(change + shown.text, max(width - 18, 1))[:3]):
        head = (cell(shown.id, 7, "accent"), cell(printed, 6, "dim")) if number == 0 else (Run(" " * 13),)
        changed = len(change.rstrip()) if number == 0 else 0
        yield DetailLine(
            join(Run("   "), *head, run(line[:changed], "waiting"), run(line[changed:], "text")),
            shown.id if number == 0 else None,
        )
