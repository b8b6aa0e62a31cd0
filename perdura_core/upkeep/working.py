"""The work of a run, wherever it is done: in a process of its own, so that nothing else waits for it."""

from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

from perdura_core.store.opening import connector, prepare_reader
from perdura_core.upkeep.bench import Bench
from perdura_core.upkeep.order import Order, Outcome
from perdura_core.upkeep.steps import outcome_of
from perdura_core.vocabulary import StepName

__all__ = ["outcomes"]


def outcomes(order: Order) -> Iterator[StepName | Outcome]:
    """The name of each step when it begins, and what came of it. All of them work on one snapshot of the mind.

    It is read whole before anything is worked out, and let go then: while somebody holds on to a snapshot, SQLite
    cannot put its log away, and every writer pays for it. Loads scipy: import this module only where the work is done.
    """
    path = Path(order.place)
    connection = connector(path, readonly=True)()
    try:
        prepare_reader(path)(connection)
        bench: Bench | None = None
        for step in order.steps:
            yield step
            bench = bench or _read(connection, order)
            yield outcome_of(bench, step)
    finally:
        connection.close()


def _read(connection: Connection, order: Order) -> Bench:
    connection.execute("BEGIN")
    try:
        return Bench(connection, order)
    finally:
        connection.execute("ROLLBACK")
