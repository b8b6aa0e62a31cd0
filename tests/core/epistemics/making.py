"""Small minds as tables: by hand, and drawn by lot."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.snapshot import (
    KINDS,
    STATUSES,
    USE_KINDS,
    VELOCITIES,
    EdgeTable,
    FactTable,
    InterpretationTable,
    Measures,
    Ragged,
    Snapshot,
    Uses,
    Votes,
    ragged,
)
from perdura_core.vocabulary import EDGE_TYPES


def facts_of(
    entities: Sequence[str],
    days: Sequence[float] | None = None,
    superseded: Mapping[int, float] | None = None,
    seen: Mapping[int, Sequence[float]] | None = None,
    figures: Sequence[tuple[int, int, float, float]] = (),
    domains: Sequence[Sequence[int]] | None = None,
) -> FactTable:
    """One fact for each string, whose letters are its entities. figures: row, key, low, high."""
    names = tuple(sorted(set("".join(entities))))
    count = len(entities)
    recorded = np.array(days if days is not None else range(count), dtype=np.float64)
    gone = np.full(count, np.nan)
    for row, day in (superseded or {}).items():
        gone[row] = day
    row, key, low, high = np.array(figures, dtype=np.float64).reshape(-1, 4).T
    of_domain = domains or [[0]] * count
    return FactTable(
        numbers=np.arange(1, count + 1),
        domains=tuple(f"d{at}" for at in range(1 + max((d for one in of_domain for d in one), default=0))),
        domain=ragged(of_domain, np.int32),
        entities=names,
        entity=ragged([[names.index(letter) for letter in one] for one in entities], np.int32),
        recorded_day=recorded,
        superseded_day=gone,
        occurrence_day=ragged([(seen or {}).get(at, [recorded[at]]) for at in range(count)], np.float64),
        measures=Measures(row.astype(np.int32), key.astype(np.int64), low, high),
    )


def interpretations_of(
    count: int,
    uses: Sequence[tuple[int, float, str, int]] = (),
    votes: Sequence[tuple[int, int, float, float]] = (),
    use_domains: Sequence[int] | None = None,
    facts: Sequence[Sequence[int]] | None = None,
    velocity: str = "medium",
    domains: Sequence[int] | None = None,
    **columns: Sequence[object] | NDArray[np.generic],
) -> InterpretationTable:
    """So many claims by model 0, made on day 0. uses: row, day, kind, model; votes: row, voter, confidence, trust."""
    place = domains or [0] * count
    used, voted = list(uses), list(votes)
    table = InterpretationTable(
        numbers=np.arange(1, count + 1),
        kind=np.full(count, KINDS.index("claim"), np.int8),
        level=np.ones(count, np.int8),
        velocity=np.full(count, VELOCITIES.index(velocity), np.int8),  # type: ignore[arg-type]
        status=np.full(count, STATUSES.index("active"), np.int8),
        superseded=np.zeros(count, bool),
        domains=tuple(f"d{at}" for at in range(1 + max(place, default=0))),
        domain=ragged([[one] if one >= 0 else [] for one in place], np.int32),
        models=("a", "b", "c", "d"),
        author=np.zeros(count, np.int32),
        author_reliability=np.full(count, 0.5),
        asserted=np.full(count, np.nan),
        votes=Votes(
            np.array([one[0] for one in voted], np.int32),
            np.array([one[1] for one in voted], np.int32),
            np.array([one[2] for one in voted], np.float64),
            np.array([one[3] for one in voted], np.float64),
        ),
        created_day=np.zeros(count),
        shadow_day=np.full(count, np.nan),
        fact=ragged(facts or [[]] * count, np.int32),
        uses=Uses(
            np.array([one[0] for one in used], np.int32),
            np.array([one[1] for one in used], np.float64),
            np.array([USE_KINDS.index(one[2]) for one in used], np.int8),
            np.array([one[3] for one in used], np.int32),
            np.arange(len(used)),
            np.array(use_domains if use_domains is not None else [0] * len(used), np.int32),
        ),
    )
    return replace(table, **{name: np.asarray(value, getattr(table, name).dtype) for name, value in columns.items()})


def edges_of(*joined: tuple[int, str, int], questions: int = 0) -> EdgeTable:
    """Edges as (from, type, to); vertices from the number of interpretations on are questions."""
    return EdgeTable(
        questions=np.arange(1, questions + 1),
        src=np.array([one[0] for one in joined], np.int32),
        dst=np.array([one[2] for one in joined], np.int32),
        type=np.array([EDGE_TYPES.index(one[1]) for one in joined], np.int8),  # type: ignore[arg-type]
        author=np.zeros(len(joined), np.int32),
        day=np.zeros(len(joined)),
    )


def reordered(rows: Ragged[np.generic], order: NDArray[np.int64]) -> Ragged[np.generic]:
    """The rows in another order."""
    held = [rows.values[rows.starts[row] : rows.starts[row + 1]] for row in order]
    return ragged(held, rows.values.dtype.type)  # type: ignore[arg-type]


def shuffled(mind: Snapshot, seed: int) -> tuple[Snapshot, NDArray[np.int64], NDArray[np.int64]]:
    """The same mind with all rows in another order, and the orders of facts and interpretations."""
    dice = np.random.default_rng(seed)
    facts, table, edges = mind
    of_facts, of_table = dice.permutation(len(facts)), dice.permutation(len(table))
    new_fact, new_row = np.argsort(of_facts), np.argsort(of_table)
    figures, votes, uses, joined = (
        dice.permutation(size)
        for size in (len(facts.measures.row), len(table.votes.row), len(table.uses.row), len(edges))
    )
    measured = Measures(*(column[figures] for column in facts.measures))
    mixed_facts = replace(
        facts,
        numbers=facts.numbers[of_facts],
        domain=reordered(facts.domain, of_facts),
        entity=reordered(facts.entity, of_facts),
        recorded_day=facts.recorded_day[of_facts],
        superseded_day=facts.superseded_day[of_facts],
        occurrence_day=reordered(facts.occurrence_day, of_facts),
        measures=measured._replace(row=new_fact[measured.row].astype(np.int32)),
    )
    refers = reordered(table.fact, of_table)
    said, used = Votes(*(column[votes] for column in table.votes)), Uses(*(column[uses] for column in table.uses))
    plain = ("numbers", "kind", "level", "velocity", "status", "superseded", "author", "author_reliability")
    plain += ("asserted", "created_day", "shadow_day")
    mixed_table = replace(
        table,
        **{name: getattr(table, name)[of_table] for name in plain},
        domain=reordered(table.domain, of_table),
        fact=Ragged(refers.starts, new_fact[refers.values].astype(np.int32)),
        votes=said._replace(row=new_row[said.row].astype(np.int32)),
        uses=used._replace(row=new_row[used.row].astype(np.int32)),
    )
    vertex = np.concatenate([new_row, len(table) + np.arange(len(edges.questions))]).astype(np.int32)
    mixed_edges = replace(
        edges,
        src=vertex[edges.src[joined]],
        dst=vertex[edges.dst[joined]],
        type=edges.type[joined],
        author=edges.author[joined],
        day=edges.day[joined],
    )
    return Snapshot(mixed_facts, mixed_table, mixed_edges), of_facts, of_table
