"""From events to rows, for the standing of interpretations: votes, confidences, statuses, levels, promotions."""

from collections.abc import Callable, Mapping
from typing import Any

from perdura_core.store.subjects import number_of
from perdura_core.store.writing import Rows, stamp
from perdura_core.vocabulary import (
    ConfidenceRevised,
    ConfidencesRevised,
    ConfidenceVoted,
    Event,
    LevelChanged,
    NodeId,
    PromotionProposed,
    PromotionSettled,
    StatusChanged,
)

__all__ = ["STANDING_PROJECTIONS", "mark"]

_REVISE = "UPDATE interpretations SET confidence = ? WHERE number = ?"

# By its list of facts, or by an edge.
_MARK = """INSERT INTO revalidations (interpretation, seq)
    SELECT interpretation, ?1 FROM interpretation_facts WHERE fact = ?2
    UNION SELECT CAST(substr(dst, 2) AS INTEGER), ?1 FROM edges
        WHERE src = ?2 AND dst LIKE 'i%' AND retracted_seq IS NULL
    UNION SELECT CAST(substr(src, 2) AS INTEGER), ?1 FROM edges
        WHERE dst = ?2 AND src LIKE 'i%' AND retracted_seq IS NULL
    ON CONFLICT DO UPDATE SET seq = excluded.seq"""


def mark(rows: Rows, seq: int, fact: NodeId) -> None:
    """Have the next upkeep look again at the interpretations that refer to a fact which gave way, or came back."""
    rows.change(_MARK, seq, fact)


def _voted(rows: Rows, event: Event, what: ConfidenceVoted) -> None:
    rows.add(
        "confidence_votes",
        event.seq,
        number_of(what.node),
        what.confidence,
        event.by,
        event.boarding,
        stamp(event.at),
    )


def _revised(rows: Rows, event: Event, what: ConfidenceRevised) -> None:
    rows.change(_REVISE, what.after, number_of(what.node))


def _revised_many(rows: Rows, event: Event, what: ConfidencesRevised) -> None:
    rows.change_many(_REVISE, [(after, number_of(node)) for node, after in what.after.items()])


def _moved(rows: Rows, event: Event, what: StatusChanged) -> None:
    number = number_of(what.node)
    rows.change("UPDATE interpretations SET status = ? WHERE number = ?", what.after, number)
    rows.add(
        "archive_decisions",
        event.seq,
        number,
        what.before,
        what.after,
        what.reason,
        event.by,
        stamp(what.as_of or event.at),
    )


def _raised(rows: Rows, event: Event, what: LevelChanged) -> None:
    rows.change("UPDATE interpretations SET level = ? WHERE number = ?", what.after, number_of(what.node))


def _proposed(rows: Rows, event: Event, what: PromotionProposed) -> None:
    rows.add("proposals", number_of(what.proposal), what.proposal, event.seq)


def _promotion_settled(rows: Rows, event: Event, what: PromotionSettled) -> None:
    rows.change("UPDATE proposals SET settled_seq = ? WHERE number = ?", event.seq, number_of(what.proposal))


STANDING_PROJECTIONS: Mapping[str, Callable[[Rows, Event, Any], None]] = {
    "confidence_voted": _voted,
    "confidence_revised": _revised,
    "confidences_revised": _revised_many,
    "status_changed": _moved,
    "level_changed": _raised,
    "promotion_proposed": _proposed,
    "promotion_settled": _promotion_settled,
}
