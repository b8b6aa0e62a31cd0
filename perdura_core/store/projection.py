"""From events to rows: one small function for each thing that can happen.

Each function puts what its event means for the state into a `Rows`, which writes it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from perdura_core.graph import digest_of
from perdura_core.store.indexing import spaced
from perdura_core.store.standing import STANDING_PROJECTIONS, mark
from perdura_core.store.subjects import number_of, subjects_of
from perdura_core.store.writing import Rows, stamp
from perdura_core.vocabulary import (
    BoardingEnded,
    BoardingOpened,
    CostSettled,
    EdgeAdded,
    EdgeRetracted,
    ElementHeld,
    ElementRejected,
    Event,
    FactObserved,
    FactRecorded,
    InterpretationAdded,
    NodeId,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    Occurrence,
    ProposalSettled,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    SessionEnded,
    SessionStarted,
    layer_of,
)

__all__ = ["PROJECTIONS", "UNPROJECTED", "project"]


def project(events: Iterable[Event]) -> Rows:
    """The rows of these events: their entries in the journal and what they do to the state."""
    rows = Rows()
    for event in events:
        rows.add(
            "events",
            event.seq,
            stamp(event.at),
            event.what.kind,
            event.by,
            event.boarding,
            event.session,
            event.what.model_dump_json(),
        )
        for subject in subjects_of(event):
            rows.add("event_subjects", subject, event.seq)
        projection = PROJECTIONS.get(event.what.kind)
        if projection is not None:
            projection(rows, event, event.what)
    return rows


def _stamp_or_none(at: datetime | None) -> str | None:
    return None if at is None else stamp(at)


def _list(values: Sequence[str]) -> str:
    return json.dumps(values, ensure_ascii=False) if values else "[]"


def _node(rows: Rows, node: NodeId, text: str) -> int:
    """Identity and search entry of a new node. Returns its number."""
    layer, number = layer_of(node), number_of(node)
    rows.add("node_ids", node, layer)
    rows.add(f"{layer}_words", number, spaced(text))
    return number


# Questions


def _asked(rows: Rows, event: Event, what: QuestionAsked) -> None:
    new = what.question
    rows.add(
        "questions",
        _node(rows, new.id, new.text),
        new.id,
        event.seq,
        new.text,
        digest_of(new.text),
        _list(new.domains),
        new.stake,
        new.status,
        new.pinned,
        new.created_by,
        new.boarding,
        stamp(new.created_at),
        new.superseded_by,
        new.resolved_by,
    )


def _resolved(rows: Rows, event: Event, what: QuestionResolved) -> None:
    rows.change(
        "UPDATE questions SET status = 'resolved', resolved_by = ? WHERE number = ?",
        what.resolved_by,
        number_of(what.node),
    )


def _reopened(rows: Rows, event: Event, what: QuestionReopened) -> None:
    rows.change(
        "UPDATE questions SET status = 'open', resolved_by = NULL WHERE number = ?",
        number_of(what.node),
    )


def _pinned(rows: Rows, event: Event, what: QuestionPinned) -> None:
    rows.change("UPDATE questions SET pinned = ? WHERE number = ?", what.pinned, number_of(what.node))


# Facts


def _recorded(rows: Rows, event: Event, what: FactRecorded) -> None:
    new = what.fact
    number = _node(rows, new.id, new.text)
    rows.add(
        "facts",
        number,
        new.id,
        event.seq,
        new.text,
        digest_of(new.text),
        _list(new.domains),
        new.created_by,
        new.boarding,
        stamp(new.created_at),
        new.superseded_by,
    )
    for position, occurrence in enumerate(new.occurrences):
        _occurrence(rows, number, event.seq, position, occurrence)
    for position, entity in enumerate(new.entities):
        rows.add("entities", entity)
        rows.add("fact_entities", number, position, entity)


def _observed(rows: Rows, event: Event, what: FactObserved) -> None:
    _occurrence(rows, number_of(what.node), event.seq, 0, what.occurrence)


def _occurrence(rows: Rows, fact: int, seq: int, position: int, seen: Occurrence) -> None:
    rows.add(
        "fact_occurrences",
        fact,
        seq,
        position,
        seen.source,
        _stamp_or_none(seen.observed_at),
        stamp(seen.recorded_at),
        seen.recorded_by,
        seen.boarding,
    )


# Interpretations and edges


def _interpreted(rows: Rows, event: Event, what: InterpretationAdded) -> None:
    new = what.interpretation
    number = _node(rows, new.id, new.text)
    rows.add(
        "interpretations",
        number,
        new.id,
        event.seq,
        new.kind,
        new.text,
        digest_of(new.text),
        new.level,
        _list(new.domains),
        new.asserted_confidence,
        new.confidence,
        new.status,
        new.velocity,
        new.created_by,
        new.boarding,
        stamp(new.created_at),
        new.superseded_by,
    )
    for position, fact in enumerate(new.facts):
        rows.add("interpretation_facts", number, position, fact)


def _linked(rows: Rows, event: Event, what: EdgeAdded) -> None:
    new = what.edge
    rows.add(
        "edges",
        number_of(new.id),
        new.id,
        new.type,
        new.src,
        new.dst,
        new.created_by,
        new.boarding,
        stamp(new.created_at),
    )


_NAME_ENDS = """INSERT OR IGNORE INTO event_subjects (subject, seq)
    SELECT src, ?1 FROM edges WHERE number = ?2 UNION SELECT dst, ?1 FROM edges WHERE number = ?2"""


def _retracted(rows: Rows, event: Event, what: EdgeRetracted) -> None:
    number = number_of(what.edge)
    rows.change("UPDATE edges SET retracted_seq = ? WHERE number = ?", event.seq, number)
    rows.change(_NAME_ENDS, event.seq, number)


# Any node

_SUPERSEDE = {
    "question": "UPDATE questions SET superseded_by = ? WHERE number = ?",
    "fact": "UPDATE facts SET superseded_by = ? WHERE number = ?",
    "interpretation": "UPDATE interpretations SET superseded_by = ? WHERE number = ?",
}


def _superseded(rows: Rows, event: Event, what: NodeSuperseded) -> None:
    rows.change(_SUPERSEDE[layer_of(what.node)], what.superseded_by, number_of(what.node))
    if layer_of(what.node) == "fact":
        mark(rows, event.seq, what.node)


def _restored(rows: Rows, event: Event, what: NodeRestored) -> None:
    rows.change(_SUPERSEDE[layer_of(what.node)], None, number_of(what.node))
    if layer_of(what.node) == "fact":
        mark(rows, event.seq, what.node)


def _redacted(rows: Rows, event: Event, what: NodeRedacted) -> None:
    rows.redact(what.node)


# Work


def _session_started(rows: Rows, event: Event, what: SessionStarted) -> None:
    rows.add("sessions", number_of(what.session), what.session, stamp(event.at))


def _session_ended(rows: Rows, event: Event, what: SessionEnded) -> None:
    rows.change(
        "UPDATE sessions SET ended_at = ?, ending = ? WHERE number = ?",
        stamp(event.at),
        what.ending,
        number_of(what.session),
    )
    rows.change("DELETE FROM attendance WHERE session = ?", what.session)


def _opened(rows: Rows, event: Event, what: BoardingOpened) -> None:
    new = what.boarding
    number = number_of(new.id)
    rows.add(
        "boardings",
        number,
        new.id,
        event.seq,
        new.session,
        new.seat,
        new.question,
        new.model,
        new.mode,
        new.route.model,
        new.route.policy,
        new.route.reason,
        new.masked,
        new.briefing_tokens,
        stamp(new.opened_at),
    )
    for position, shown in enumerate(new.shown):
        rows.add("usage_events", number, position, shown.node, shown.confidence)


_END = """UPDATE boardings SET ended_seq = ?1, ending = ?2, reason = ?3, usage = ?4, cost_micro_usd = ?5, seconds = ?6,
    merged = ?7, rejected = ?8, has_added = EXISTS (
        SELECT 1 FROM event_subjects JOIN events USING (seq) WHERE subject = ?9
        AND kind IN ('question_asked', 'fact_recorded', 'interpretation_added', 'edge_added') AND seq < ?1
        AND ?9 = coalesce(json_extract(what, '$.interpretation.boarding'), json_extract(what, '$.edge.boarding'),
            json_extract(what, '$.fact.boarding'), json_extract(what, '$.question.boarding'))
    ) WHERE number = ?10"""


def _ended(rows: Rows, event: Event, what: BoardingEnded) -> None:
    rows.change(
        _END,
        event.seq,
        what.ending,
        what.reason,
        what.usage.model_dump_json() if what.usage else None,
        what.cost_micro_usd,
        what.seconds,
        what.merged,
        what.rejected,
        what.boarding,
        number_of(what.boarding),
    )


def _rejected(rows: Rows, event: Event, what: ElementRejected) -> None:
    rows.add("rejections", event.seq, what.boarding, what.index, what.reason)


def _held(rows: Rows, event: Event, what: ElementHeld) -> None:
    rows.add("proposals", number_of(what.proposal), what.proposal, event.seq)


def _settled(rows: Rows, event: Event, what: ProposalSettled) -> None:
    rows.change("UPDATE proposals SET settled_seq = ? WHERE number = ?", event.seq, number_of(what.proposal))


def _paid(rows: Rows, event: Event, what: CostSettled) -> None:
    rows.add(
        "spend",
        event.seq,
        stamp(event.at),
        event.session,
        what.boarding,
        what.model,
        what.question,
        _list(what.domains),
        what.cost_micro_usd,
    )


PROJECTIONS: Mapping[str, Callable[[Rows, Event, Any], None]] = {
    **STANDING_PROJECTIONS,
    "session_started": _session_started,
    "session_ended": _session_ended,
    "question_asked": _asked,
    "question_resolved": _resolved,
    "question_reopened": _reopened,
    "question_pinned": _pinned,
    "fact_recorded": _recorded,
    "fact_observed": _observed,
    "interpretation_added": _interpreted,
    "edge_added": _linked,
    "edge_retracted": _retracted,
    "node_superseded": _superseded,
    "node_restored": _restored,
    "node_redacted": _redacted,
    "boarding_opened": _opened,
    "boarding_ended": _ended,
    "element_rejected": _rejected,
    "element_held": _held,
    "proposal_settled": _settled,
    "cost_settled": _paid,
}

UNPROJECTED: Mapping[str, str] = {
    "mind_created": "says who made the file",
    "session_changed": "the purse folds it from the journal",
    "domain_profiled": "profiles are folded from the journal, and each interpretation carries its velocity",
    "suspicion_dismissed": "the search for disagreement folds it from the journal",
    "layer_settled": "who asks what is unsure folds it from the journal",
    "document_read": "its facts stand in events of their own",
    "mind_imported": "its nodes and edges stand in events of their own",
    "element_merged": "its node and edges stand in the events right before it",
    "cost_reserved": "what is reserved is what was not settled: a fold over the journal",
    "answer_graded": "the track records fold it from the journal",
    "operator_acted": "what came of it stands in the events right after it",
    "act_undone": "what takes the act back stands in the events right after it",
    "model_disabled": "the registry folds it from the journal",
    "model_enabled": "the registry folds it from the journal",
    "model_cooled": "the registry folds it from the journal",
    "card_changed": "the registry folds it from the journal",
}
"""Happenings that the journal alone keeps, and why."""
