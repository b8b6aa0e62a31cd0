"""The JSON documents of the command line, as pure functions of values. Programs rely on these keys."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from perdura_core.vocabulary import (
    BoardingRecord,
    Card,
    Edge,
    Event,
    Fact,
    Interpretation,
    MicroUsd,
    Node,
    Question,
    TrackRecord,
)
from perdura_tui.command.output import usd

__all__ = [
    "boarding_document",
    "card_document",
    "edge_document",
    "event_document",
    "node_document",
    "stamp",
    "track_document",
]


def stamp(at: datetime) -> str:
    """A time in UTC as every document writes it: ISO 8601, ending in Z."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def node_document(node: Node) -> dict[str, Any]:
    """A question, fact or interpretation."""
    shared = {
        "id": node.id,
        "text": node.text,
        "domains": list(node.domains),
        "created_by": node.created_by,
        "boarding": node.boarding,
        "created_at": stamp(node.created_at),
        "superseded_by": node.superseded_by,
    }
    match node:
        case Question():
            return shared | {
                "status": node.status,
                "stake": node.stake,
                "pinned": node.pinned,
                "resolved_by": node.resolved_by,
            }
        case Fact():
            occurrences = [occurrence.model_dump(mode="json") for occurrence in node.occurrences]
            return shared | {"source": node.source, "entities": list(node.entities), "occurrences": occurrences}
        case Interpretation():
            return shared | {
                "kind": node.kind,
                "level": node.level,
                "asserted_confidence": node.asserted_confidence,
                "confidence": node.confidence,
                "status": node.status,
                "velocity": node.velocity,
                "facts": list(node.facts),
            }


def edge_document(edge: Edge) -> dict[str, Any]:
    """An edge between two nodes."""
    return {"id": edge.id, "type": edge.type, "from": edge.src, "to": edge.dst, "created_by": edge.created_by}


def boarding_document(record: BoardingRecord) -> dict[str, Any]:
    """One worker's stay; `ending` is null while it is open."""
    boarding = record.boarding
    return {
        "id": boarding.id,
        "question": boarding.question,
        "model": boarding.model,
        "mode": boarding.mode,
        "route": boarding.route.policy,
        "reason": boarding.route.reason,
        "ending": record.ending,
        "ending_reason": record.reason,
        "merged": record.merged,
        "rejected": record.rejected,
        "usd": usd(record.cost_micro_usd),
        "seconds": record.seconds,
    }


def track_document(record: TrackRecord) -> dict[str, Any]:
    """What became of a model's contributions; `usd_per_surviving` is null while nothing survives."""
    return {
        "model": record.model,
        "domain": record.domain,
        "reliability": record.reliability,
        "low": record.low,
        "high": record.high,
        "outcomes": record.outcomes,
        "boardings": record.boardings,
        "merged": record.merged,
        "rejected": record.rejected,
        "rejected_by_reason": dict(record.refusals),
        "surviving": record.surviving,
        "net_contribution": record.net,
        "brier": record.brier,
        "seconds": record.seconds,
        "usd": usd(record.cost_micro_usd),
        "usd_per_surviving": usd_per_surviving(record),
    }


def usd_per_surviving(record: TrackRecord) -> float | None:
    """What one node that still stands has cost; None when none does or the cost is unknown."""
    cost = usd(record.cost_micro_usd)
    return None if cost is None or not record.surviving else cost / record.surviving


def card_document(card: Card, why_not: str | None) -> dict[str, Any]:
    """A model of the registry; `why_not` says why it cannot board now."""
    return card.model_dump(mode="json") | {"available": why_not is None, "why_not": why_not}


def event_document(event: Event) -> dict[str, Any]:
    """One entry of the journal: what happened stands beside its number, money in US dollars."""
    what = event.what.model_dump(mode="json", by_alias=True)
    boarding = what.pop("boarding", None)
    if isinstance(boarding, dict):  # the boarding that was opened: its fields stand beside the event's own
        what |= boarding
        boarding = what.pop("id")
    session = what.pop("session", None)
    return {
        "seq": event.seq,
        "at": stamp(event.at),
        "kind": what.pop("kind"),
        "by": event.by,
        "boarding": event.boarding or boarding,
        "session": event.session or session,
    } | _in_usd(what)


def _in_usd(what: Mapping[str, Any]) -> dict[str, Any]:
    return dict(_dollars(key, value) for key, value in what.items())


def _dollars(key: str, value: MicroUsd | Any) -> tuple[str, Any]:
    name = key.removesuffix("_micro_usd")
    if name == key:
        return key, value
    return ("usd" if name == "cost" else f"{name}_usd"), usd(value)
