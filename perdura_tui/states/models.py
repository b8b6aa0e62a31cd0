"""The leaderboard: what became of each model's contributions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from perdura_core.vocabulary import TrackRecord

__all__ = ["FEW_OUTCOMES", "SORTED_BY", "Leaderboard", "leaderboard", "survival", "usd_per_surviving"]

FEW_OUTCOMES = 20
"""Below about so many outcomes an own record is noise (EPISTEMICS: track records)."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Records of one domain, or overall, best first."""

    domain: str | None = None
    records: tuple[TrackRecord, ...] = ()


def leaderboard(records: Iterable[TrackRecord], domain: str | None) -> Leaderboard:
    """The records by reliability; of equals the one with more outcomes first."""
    ranked = sorted(records, key=lambda record: (-round(record.reliability, 3), -record.outcomes, record.model))
    return Leaderboard(domain, tuple(ranked))


def survival(record: TrackRecord) -> float | None:
    """Share of its merged elements whose nodes still live; None before the first."""
    return min(record.surviving / record.merged, 1.0) if record.merged else None


def rejections(record: TrackRecord) -> float | None:
    """Share of its elements that were refused; None before the first."""
    sent = record.merged + record.rejected
    return record.rejected / sent if sent else None


def usd_per_surviving(record: TrackRecord) -> float | None:
    """US dollars for each node that still lives; None when the cost is unknown or nothing lives."""
    if record.cost_micro_usd is None or not record.surviving:
        return None
    return record.cost_micro_usd / 1e6 / record.surviving


SORTED_BY: Mapping[str, tuple[Callable[[TrackRecord], float | None], int]] = {
    "reliability": (lambda record: record.reliability, -1),
    "outcomes": (lambda record: record.outcomes, -1),
    "survival": (survival, -1),
    "net": (lambda record: record.net, -1),
    "rejections": (rejections, 1),
    "usd": (usd_per_surviving, 1),
    "seconds": (lambda record: record.seconds, 1),
    "brier": (lambda record: record.brier, 1),
}
"""Figures that records are ordered by, and the sign that puts the best first."""
