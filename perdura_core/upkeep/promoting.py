"""Which promotions to propose to the operator, and which that wait no longer hold."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from perdura_core.epistemics.promotion import Agreement, Standing, agreements, lasting
from perdura_core.store.tables import read_interpretation_texts
from perdura_core.upkeep.bench import Bench
from perdura_core.upkeep.order import Proposal
from perdura_core.vocabulary import Level

__all__ = ["promotion"]

_MOST_WAITING = 30
"""An operator who has so many to look at needs no more."""
_TOLD = (
    "SELECT kind, what FROM events INDEXED BY events_by_kind"
    " WHERE kind IN ('promotion_proposed', 'promotion_settled') ORDER BY seq"
)


class _Past(NamedTuple):
    """A promotion that was proposed."""

    proposal: str
    level: Level
    members: frozenset[int]
    ending: str | None
    """None: it waits."""


class _Found(NamedTuple):
    """A promotion that could be proposed."""

    level: Level
    rows: list[int]
    members: frozenset[int]
    """Their numbers."""
    confidence: float
    why: str


def promotion(bench: Bench) -> tuple[tuple[Proposal, ...], tuple[tuple[str, str], ...]]:
    """New proposals, the strongest first, and what is withdrawn with its reason.

    What waits is not proposed again, nor what was refused, until it has twice as many members.
    """
    past = _past(bench)
    active = set(bench.table.numbers[bench.table.active].tolist())
    withdrawn = [
        (one.proposal, "a member of it is not active any more")
        for one in past
        if one.ending is None and not one.members <= active
    ]
    gone = {proposal for proposal, _ in withdrawn}
    standing = [one for one in past if one.proposal not in gone]
    by = bench.constants
    found = [_of_agreement(bench, one) for one in agreements(bench.table, bench.edges, bench.confidence, by)]
    found += [_of_standing(bench, one) for one in lasting(bench.table, bench.confidence, bench.now, by)]
    fresh = [each for each in found if _is_new(each, standing)]
    fresh.sort(key=lambda each: (-each.confidence, each.rows))
    room = max(0, _MOST_WAITING - sum(one.ending is None for one in standing))
    return tuple(_proposal(bench, each) for each in fresh[:room]), tuple(withdrawn)


def _is_new(found: _Found, past: Sequence[_Past]) -> bool:
    for one in past:
        if one.level != found.level or not one.members & found.members:
            continue
        if one.ending is None or (one.ending == "refused" and len(found.members) < 2 * len(one.members)):
            return False
    return True


def _past(bench: Bench) -> list[_Past]:
    found: dict[str, _Past] = {}
    for kind, what in bench.connection.execute(_TOLD):
        told = json.loads(what)
        if kind == "promotion_proposed":
            members = frozenset(int(node[1:]) for node in told["members"])
            found[told["proposal"]] = _Past(told["proposal"], told["level"], members, None)
        elif told["proposal"] in found:
            found[told["proposal"]] = found[told["proposal"]]._replace(ending=told["ending"])
    return list(found.values())


def _of_agreement(bench: Bench, one: Agreement) -> _Found:
    why = (
        f"{len(one.rows)} instances by {one.models} authors agree over {one.span_half_lives:.1f} half-lives,"
        f" with a mean confidence of {one.confidence:.2f}"
    )
    return _found(bench, 2, one.rows.tolist(), one.confidence, why)


def _of_standing(bench: Bench, one: Standing) -> _Found:
    why = (
        f"a pattern of {one.age_half_lives:.1f} half-lives with a confidence of {one.confidence:.2f}, cited from"
        f" {one.domains} domain{'s' if one.domains != 1 else ''} by {one.boardings}"
        f" boarding{'s' if one.boardings != 1 else ''}"
    )
    return _found(bench, 3, [one.row], one.confidence, why)


def _found(bench: Bench, level: Level, rows: list[int], confidence: float, why: str) -> _Found:
    return _Found(level, rows, frozenset(bench.table.numbers[rows].tolist()), confidence, why)


def _proposal(bench: Bench, found: _Found) -> Proposal:
    table = bench.table
    best = int(table.numbers[max(found.rows, key=lambda row: (bench.confidence[row], -row))])
    text = read_interpretation_texts(bench.connection, [best])[best]
    domains = dict.fromkeys(
        table.domains[place]
        for row in found.rows
        for place in table.domain.values[table.domain.starts[row] : table.domain.starts[row + 1]]
    )
    return Proposal(
        level=found.level,
        members=tuple(f"i{number}" for number in sorted(found.members)),
        text=f"{len(found.rows)} instances agree: {text}" if found.level == 2 else text,
        domains=tuple(domains),
        confidence=round(found.confidence, 4),
        why=found.why,
    )
