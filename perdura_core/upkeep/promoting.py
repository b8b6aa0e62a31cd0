"""Which promotions to propose to the operator, and which that wait no longer hold."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

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
    found = [
        *((2, rows_of.rows.tolist(), rows_of) for rows_of in agreements(bench.table, bench.edges, bench.confidence, bench.constants)),
        *((3, [one.row], one) for one in lasting(bench.table, bench.confidence, bench.now, bench.constants)),
    ]
    fresh = [each for each in found if _is_new(frozenset(bench.table.numbers[each[1]].tolist()), each[0], standing)]
    fresh.sort(key=lambda each: (-each[2].confidence, each[1]))
    room = max(0, _MOST_WAITING - sum(one.ending is None for one in standing))
    return tuple(_proposal(bench, *each) for each in fresh[:room]), tuple(withdrawn)


def _is_new(members: frozenset[int], level: int, past: Sequence[_Past]) -> bool:
    for one in past:
        if one.level != level or not one.members & members:
            continue
        if one.ending is None or (one.ending == "refused" and len(members) < 2 * len(one.members)):
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


def _proposal(bench: Bench, level: Level, rows: Sequence[int], why: Agreement | Standing) -> Proposal:
    table = bench.table
    best = max(rows, key=lambda row: (bench.confidence[row], -row))
    texts = read_interpretation_texts(bench.connection, [int(table.numbers[best])])
    text = texts[int(table.numbers[best])]
    domains = dict.fromkeys(
        table.domains[place]
        for row in rows
        for place in table.domain.values[table.domain.starts[row] : table.domain.starts[row + 1]]
    )
    return Proposal(
        level=level,
        members=tuple(f"i{number}" for number in np.sort(table.numbers[list(rows)]).tolist()),
        text=f"{len(rows)} instances agree: {text}" if level == 2 else text,
        domains=tuple(domains),
        confidence=round(why.confidence, 4),
        why=_reason(why),
    )


def _reason(why: Agreement | Standing) -> str:
    if isinstance(why, Agreement):
        return (
            f"{len(why.rows)} instances by {why.models} authors agree over {why.span_half_lives:.1f} half-lives,"
            f" with a mean confidence of {why.confidence:.2f}"
        )
    return (
        f"a pattern of {why.age_half_lives:.1f} half-lives with a confidence of {why.confidence:.2f}, cited from"
        f" {why.domains} domain{'s' if why.domains != 1 else ''} by {why.boardings}"
        f" boarding{'s' if why.boardings != 1 else ''}"
    )
