"""The work of a run, wherever it is done: in a process of its own, so that nothing else waits for it."""

from collections.abc import Iterator
from pathlib import Path

from perdura_core.store.opening import connector, prepare_reader
from perdura_core.upkeep.bench import Bench
from perdura_core.upkeep.order import Order, Outcome
from perdura_core.upkeep.steps import outcome_of
from perdura_core.vocabulary import StepName

__all__ = ["outcomes"]


def outcomes(order: Order) -> Iterator[StepName | Outcome]:
    """The name of each step when it begins, and what came of it. All of them read one snapshot of the mind.

    Loads scipy: import this module only where the work is done.
    """
    path = Path(order.place)
    connection = connector(path, readonly=True)()
    try:
        prepare_reader(path)(connection)
        connection.execute("BEGIN")
        bench: Bench | None = None
        for step in order.steps:
            yield step
            bench = bench or Bench(connection, order)
            yield outcome_of(bench, step)
    finally:
        connection.close()
