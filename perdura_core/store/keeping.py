"""Writing and reading what upkeep keeps: plain functions of a connection."""

import io
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import numpy as np

from perdura_core.store.kept import Columns, HistoryBlock, Kept, KeptLayer, Side
from perdura_core.store.writing import stamp
from perdura_core.vocabulary import RunReport, StepReport

__all__ = ["keep", "load_days", "load_history", "load_layers", "load_runs", "marked", "pack", "unpack"]

_KEEP_LAYER: Mapping[Side, str] = {
    "facts": "INSERT INTO layer_facts (layer, version, as_of, inputs, columns) VALUES (?1, ?2, ?3, ?4, ?5)"
    " ON CONFLICT DO UPDATE SET version = ?2, as_of = ?3, inputs = ?4, columns = ?5",
    "interpretations": "INSERT INTO layer_interpretations (layer, version, as_of, inputs, columns)"
    " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO UPDATE SET version = ?2, as_of = ?3, inputs = ?4, columns = ?5",
}
_LOAD_LAYERS: Mapping[Side, str] = {
    "facts": "SELECT layer, version, as_of, inputs, columns FROM layer_facts"
    " WHERE layer IN (SELECT value FROM json_each(?))",
    "interpretations": "SELECT layer, version, as_of, inputs, columns FROM layer_interpretations"
    " WHERE layer IN (SELECT value FROM json_each(?))",
}


def pack(columns: Columns) -> bytes:
    """Arrays as bytes."""
    packed = io.BytesIO()
    np.savez(packed, **cast("Any", dict(columns)))
    return packed.getvalue()


def unpack(packed: bytes) -> Columns:
    """Arrays of bytes."""
    with np.load(io.BytesIO(packed), allow_pickle=False) as held:
        return {name: held[name] for name in held.files}


def keep(connection: sqlite3.Connection, kept: Kept) -> None:
    """Write it, inside the transaction that is under way."""
    for layer in kept.layers:
        connection.execute(
            _KEEP_LAYER[layer.side], (layer.name, layer.version, stamp(layer.as_of), layer.inputs, layer.packed)
        )
    connection.executemany(
        "INSERT INTO factor_history (block, day, as_of, rows) VALUES (?1, ?2, ?3, ?4)"
        " ON CONFLICT DO UPDATE SET as_of = ?3, rows = ?4",
        [(block.block, block.day, stamp(block.as_of), block.rows) for block in kept.history],
    )
    connection.executemany("DELETE FROM factor_history WHERE day = ?", [(day,) for day in kept.forgotten_days])
    if kept.revalidated is not None:
        connection.execute("DELETE FROM revalidations WHERE seq <= ?", (kept.revalidated,))
    if kept.runs_until is not None:
        connection.execute("DELETE FROM pipeline_runs WHERE run <= ?", (kept.runs_until,))
    if kept.step is not None:
        row = kept.step
        connection.execute(
            "INSERT INTO pipeline_runs (run, position, step, as_of, started_at, is_due, seconds, changes, counts,"
            " is_last) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row.run, row.position, row.step, stamp(row.as_of), stamp(row.started_at), row.is_due, row.seconds,
                row.changes, json.dumps(row.counts), row.is_last,
            ),
        )  # fmt: skip


def load_layers(connection: sqlite3.Connection, side: Side, names: Sequence[str]) -> dict[str, KeptLayer]:
    """The layers of these names that are there."""
    return {
        name: KeptLayer(name, version, datetime.fromisoformat(as_of), inputs, unpack(columns))
        for name, version, as_of, inputs, columns in connection.execute(_LOAD_LAYERS[side], (json.dumps(list(names)),))
    }


def load_history(connection: sqlite3.Connection, block: int) -> list[HistoryBlock]:
    """The days that are kept of a stretch, oldest first."""
    rows = connection.execute(
        "SELECT block, day, as_of, rows FROM factor_history WHERE block = ? ORDER BY day", (block,)
    )
    return [HistoryBlock(number, day, datetime.fromisoformat(as_of), held) for number, day, as_of, held in rows]


def load_days(connection: sqlite3.Connection, days: Iterable[int]) -> list[HistoryBlock]:
    """Everything that is kept of these days, in no order."""
    rows = connection.execute(
        "SELECT block, day, as_of, rows FROM factor_history WHERE day IN (SELECT value FROM json_each(?))",
        (json.dumps(list(days)),),
    )
    return [HistoryBlock(number, day, datetime.fromisoformat(as_of), held) for number, day, as_of, held in rows]


def load_runs(connection: sqlite3.Connection, limit: int) -> list[RunReport]:
    """The last runs, newest first."""
    rows = connection.execute(
        "SELECT run, step, as_of, started_at, is_due, seconds, changes, counts, is_last FROM pipeline_runs"
        " WHERE run IN (SELECT DISTINCT run FROM pipeline_runs ORDER BY run DESC LIMIT ?) ORDER BY run DESC, position",
        (limit,),
    ).fetchall()
    runs: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        runs.setdefault(row[0], []).append(row)
    return [_run_of(number, steps) for number, steps in runs.items()]


def _run_of(number: int, rows: Sequence[tuple[Any, ...]]) -> RunReport:
    steps = tuple(
        StepReport(
            step=step, is_due=bool(is_due), seconds=seconds, changes=changes, counts=json.loads(counts)
        )
        for _, step, _, _, is_due, seconds, changes, counts, _ in rows
    )  # fmt: skip
    _, _, as_of, started_at, *_, is_last = rows[-1]
    return RunReport(
        run=number,
        as_of=datetime.fromisoformat(as_of),
        started_at=datetime.fromisoformat(started_at),
        is_finished=bool(is_last),
        seconds=sum(step.seconds for step in steps),
        changes=sum(step.changes for step in steps),
        steps=steps,
    )


def marked(connection: sqlite3.Connection) -> list[int]:
    """Numbers of the interpretations of which a fact gave way since the last run."""
    return [number for (number,) in connection.execute("SELECT interpretation FROM revalidations ORDER BY 1")]
