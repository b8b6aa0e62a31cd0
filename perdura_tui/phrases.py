"""Numbers, times and events in the words of the desk."""

import re
from collections.abc import Sequence
from datetime import datetime

from perdura_core.vocabulary import (
    CONDUCTOR,
    ActUndone,
    Alternative,
    AnswerGraded,
    BoardingEnded,
    BoardingOpened,
    CardChanged,
    ConfidenceRevised,
    ConfidencesRevised,
    ConfidenceVoted,
    CostReserved,
    CostSettled,
    DocumentRead,
    DomainProfiled,
    EdgeAdded,
    EdgeRetracted,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Event,
    FactObserved,
    FactRecorded,
    InterpretationAdded,
    LayerSettled,
    LevelChanged,
    MindCreated,
    MindImported,
    ModelCooled,
    ModelDisabled,
    ModelEnabled,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    OperatorActed,
    Price,
    PromotionProposed,
    PromotionSettled,
    ProposalSettled,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    SessionChanged,
    SessionEnded,
    SessionStarted,
    StatusChanged,
    SuspicionDismissed,
    Unit,
)
from perdura_tui.ink import Role

__all__ = [
    "ago", "clock_time", "dollars", "instead", "is_alarm", "is_quiet", "percent", "rates", "seconds", "sentence",
    "short_model", "tone", "unit", "without_folders",
]  # fmt: skip


_LEVELS = {1: "instance", 2: "pattern", 3: "principle"}
_PATH = re.compile(r"'[^'\s]*[/\\]([^'/\\]+)'")


def dollars(micro_usd: int | None) -> str:
    """Money as short as it can be read: `$0`, `$0.0031`, `$0.412`, `$12.40`; `?` when it is not known."""
    if micro_usd is None:
        return "?"
    if micro_usd == 0:
        return "$0"
    usd = micro_usd / 1e6
    if usd >= 1:
        return f"${usd:,.2f}"
    return f"${usd:.3f}" if usd >= 0.1 else f"${usd:.4f}"


def instead(others: Sequence[Alternative]) -> str:
    """Whom other policies would have sent: `claude-opus-5-5 (periodic, contention; $0.0310)`."""
    if not others:
        return "every policy the same"
    return "; ".join(
        f"{short_model(other.model)} ({', '.join(other.policies)}; {dollars(other.cost_micro_usd)})" for other in others
    )


def rates(price: Price | None) -> str:
    """US dollars per million tokens in and out: `2 / 12`; `free`; `unknown` when nobody said."""
    if price is None:
        return "unknown"
    if price.usd_per_mtok_in == 0 and price.usd_per_mtok_out == 0:
        return "free"
    return f"{_rate(price.usd_per_mtok_in)} / {_rate(price.usd_per_mtok_out)}"


def _rate(usd: float) -> str:
    """Whole dollars as they are, others with two decimals or as many as they need."""
    return f"{usd:g}" if usd == int(usd) or round(usd, 2) != usd else f"{usd:.2f}"


def seconds(value: float) -> str:
    """A duration: `3.4 s`, `42 s`, `3m 05s`, `2h 10m`."""
    if value < 10:
        return f"{max(value, 0.0):.1f} s"
    if value < 100:
        return f"{value:.0f} s"
    if value < 6_000:
        return f"{value // 60:.0f}m {value % 60:02.0f}s"
    return f"{value // 3600:.0f}h {value % 3600 // 60:02.0f}m"


def ago(then: datetime, now: datetime) -> str:
    """An age in one unit: `8s`, `14m`, `5h`, `12d`, `3y`."""
    age = max((now - then).total_seconds(), 0.0)
    for limit, size, unit_ in ((60, 1, "s"), (3600, 60, "m"), (172_800, 3600, "h"), (63_072_000, 86_400, "d")):
        if age < limit:
            return f"{age // size:.0f}{unit_}"
    return f"{age // 31_536_000:.0f}y"


def clock_time(moment: datetime) -> str:
    """The local time of day."""
    return moment.astimezone().strftime("%H:%M:%S")


def percent(value: float | None) -> str:
    """A share without decimals; `–` when it is not known."""
    return "–" if value is None else f"{value * 100:.0f} %"


def unit(value: Unit | None) -> str:
    """A number in 0..1 with two decimals; `–` when it is not known."""
    return "–" if value is None else f"{value:.2f}"


def short_model(model: str) -> str:
    """The model's name without its provider, except for readers, whose names say little alone."""
    provider, _, name = model.partition(":")
    return name if name and provider != "reader" else model


def is_quiet(event: Event) -> bool:
    """Whether the event is bookkeeping that its neighbours already tell."""
    return event.kind == "confidences_revised" or (event.kind in {
        "cost_reserved", "cost_settled", "confidence_voted", "fact_recorded", "fact_observed", "interpretation_added",
    } and (event.boarding is not None or event.kind.startswith("cost")))  # fmt: skip


def without_folders(text: str) -> str:
    """The sentence with quoted paths cut to their last part, so that the remedy after them fits on one line."""
    return _PATH.sub(r"'\1'", text)


def is_alarm(event: Event) -> bool:
    """Whether the operator should hear of it at once: a model went out of service by itself, or a worker broke."""
    match event.what:
        case ModelDisabled():
            return event.by == CONDUCTOR
        case BoardingEnded(ending="failed", reason=reason):
            return reason is not None and reason.startswith("unexpected ")
        case _:
            return isinstance(event.what, ModelCooled)


def tone(event: Event) -> Role:
    """The role in which the event's sentence is painted."""
    match event.what:
        case EdgeAdded(edge=edge):
            return "disputed" if edge.type == "contradicts" else "dim"
        case ElementRejected() | ModelDisabled() | NodeRedacted():
            return "disputed"
        case ElementHeld() | ModelCooled():
            return "waiting"
        case QuestionResolved():
            return "settled"
        case BoardingEnded(ending="failed" | "refused" | "interrupted"):
            return "waiting"
        case _:
            return "dim"


def sentence(event: Event) -> str:  # noqa: PLR0912 - one line for each thing that can happen
    """What happened, in a few words that name the nodes."""
    by = short_model(event.by)
    match event.what:
        case MindCreated():
            return "the mind was created"
        case SessionStarted(seats=seats, policy=policy):
            return f"session started, {seats} seats, {policy}"
        case SessionChanged(seats=seats, policy=policy, budget_micro_usd=cap):
            return f"session goes on with {seats} seats, {policy}, " + ("no cap" if cap is None else dollars(cap))
        case SessionEnded(ending=ending, boardings=boardings, cost_micro_usd=cost):
            return f"session {ending} after {boardings} boardings, {dollars(cost)}"
        case DocumentRead(path=path, facts=facts):
            return f"read {path}: {facts} facts"
        case QuestionAsked(question=question):
            return f"{question.id} asked: {question.text}"
        case QuestionResolved(node=node, resolved_by=answer):
            return f"{node} resolved" + (f" by {answer}" if answer else "")
        case QuestionReopened(node=node):
            return f"{node} reopened"
        case QuestionPinned(node=node, pinned=pinned):
            return f"{node} pinned" if pinned else f"{node} let go"
        case SuspicionDismissed(left=left, right=right, is_dismissed=is_dismissed):
            return f"{left} and {right} " + ("suspected no longer" if is_dismissed else "suspected again")
        case FactRecorded(fact=fact):
            return f"{fact.id} recorded · {by}"
        case FactObserved(node=node):
            return f"{node} seen again · {by}"
        case InterpretationAdded(interpretation=added):
            return f"{added.id} {added.kind} · {by}"
        case EdgeAdded(edge=edge):
            return f"{edge.src} {edge.type.replace('_', ' ')} {edge.dst} · {by}"
        case EdgeRetracted(edge=edge_id):
            return f"{edge_id} retracted · {by}"
        case ConfidenceRevised(node=node, before=before, after=after):
            return f"{node} {before:.2f} → {after:.2f}"
        case ConfidencesRevised(after=moved, reason=reason):
            return f"{len(moved):,} confidence{'s' if len(moved) != 1 else ''} moved: {reason}"
        case LevelChanged(node=node, after=level):
            return f"{node} now a {_LEVELS[level]}"
        case PromotionProposed(proposal=proposal, level=level, members=members):
            return f"{proposal} proposes a {_LEVELS[level]} of {', '.join(members[:3])}"
        case PromotionSettled(proposal=proposal, ending=settled):
            return f"{proposal} {settled}"
        case LayerSettled(node=node, layer=layer):
            return f"{node} stays {'a fact' if layer == 'fact' else 'an interpretation'} · {by}"
        case DomainProfiled(domain=domain, velocity=velocity):
            return f"the domain {domain} is {velocity} · {by}"
        case NodeSuperseded(node=node, superseded_by=heir) if node[0] != heir[0]:
            return f"{node} moved to {heir} · {by}"
        case NodeSuperseded(node=node, superseded_by=heir):
            return f"{node} superseded by {heir} · {by}"
        case NodeRestored(node=node):
            return f"{node} restored"
        case StatusChanged(node=node, after=after_status):
            return f"{node} now {after_status}"
        case NodeRedacted(node=node):
            return f"{node} redacted"
        case BoardingOpened(boarding=boarding):
            return f"{_seat(boarding.seat)} boarded {boarding.question} · {short_model(boarding.model)}"
        case BoardingEnded(boarding=boarding_id, ending=ending_, merged=merged, reason=reason):
            why = f": {reason}" if reason and ending_ not in ("merged", "swapped") else ""
            return f"{boarding_id} {ending_}, {merged} kept{why}"
        case ElementMerged(note=note) if note is not None and note.startswith("restates "):
            return f"{note.removeprefix('restates ')} restated · {by}"
        case ElementMerged(element=element, node=node, note=note):
            return f"{node or element} merged" + (f", {note}" if note else "") + f" · {by}"
        case ElementRejected(reason=refusal, detail=detail):
            return f"refused ({refusal.replace('_', ' ')}): {detail}"
        case ElementHeld(proposal=proposal):
            return f"{proposal} waits for your word"
        case ProposalSettled(proposal=proposal, accepted=accepted):
            return f"{proposal} {'accepted' if accepted else 'refused'}"
        case OperatorActed(title=title):
            return f"operator: {title}"
        case ActUndone(title=title):
            return f"undone: {title}"
        case AnswerGraded(node=node, grade=grade):
            return f"{node} graded {grade}" if grade else f"the grade of {node} taken back"
        case ModelDisabled(model=model, reason=reason):
            return f"{model} disabled: {reason}"
        case ModelEnabled(model=model):
            return f"{model} enabled"
        case ModelCooled(model=model, reason=reason):
            return f"{model} rests: {reason}"
        case CostReserved(cost_micro_usd=cost, model=model):
            return f"{dollars(cost)} held for {short_model(model)}"
        case CostSettled(cost_micro_usd=cost, model=model):
            return f"{dollars(cost)} paid for {short_model(model)}"
        case ConfidenceVoted(node=node, confidence=said):
            return f"{by} gives {node} {said:.2f}"
        case MindImported(nodes=nodes):
            return f"{len(nodes)} nodes came from another mind"
        case CardChanged(model=model, after=terms):
            return f"{model} is {terms.tier} now, for {', '.join(terms.domains) or 'every domain'}"


def _seat(seat: int) -> str:
    """A seat by its number, which counts from 1."""
    return f"seat {seat}"
