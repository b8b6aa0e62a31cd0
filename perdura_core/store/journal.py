"""The one writer of a mind in this process: plans under the write lock, commits in groups, keeps the graph."""

from collections.abc import Callable, Sequence

from perdura_core.clock import Clock, Ids
from perdura_core.graph import Graph
from perdura_core.store.protocol import Store
from perdura_core.vocabulary import Draft, Event

__all__ = ["Journal", "Plan"]

Plan = Callable[[Graph, Ids], Sequence[Draft]]
"""A pure decision: what to write, given the present. May run again if the group it was in could not be written."""


class Journal:
    """Writes plans to the store and moves the graph along. `open` it once a process, `close` it once.

    Plans that arrive while a transaction is under way share the next one (group commit): the lock is taken, events of
    other processes are applied to the graph, each plan sees the graph as the plans before it left it, and all are
    committed at once. A write that was accepted is never half done and never undone by the caller's cancellation:
    `write` shields it. If the commit fails, every plan of the group fails with the StoreError and the graph is
    reloaded.
    """

    graph: Graph
    store: Store
    clock: Clock

    async def write(self, plan: Plan) -> tuple[Event, ...]:
        """Run the plan and return the events it became, after they are on disk and in the graph.

        A plan that raises fails alone: others of its group are written. Raises what the plan raised, or StoreError.
        """
        raise NotImplementedError

    async def sync(self) -> bool:
        """Apply what other processes wrote. Returns whether there was anything. Works on a read-only store too."""
        raise NotImplementedError

    def on_commit(self, wake: Callable[[int], None]) -> None:
        """Have `wake(head)` called on the event loop after each commit and each sync that brought news."""
        raise NotImplementedError
