"""What every store can do. The journal is the only caller of `begin`, `commit` and `rollback`."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from perdura_core.graph import Graph
from perdura_core.store.kept import HistoryBlock, Kept, KeptLayer, Side
from perdura_core.vocabulary import (
    BoardingRecord,
    Edge,
    Event,
    Fact,
    Interpretation,
    Layer,
    MicroUsd,
    ModelId,
    Node,
    NodeId,
    Question,
    RunReport,
)

__all__ = ["Hit", "SpendRow", "StatusFlow", "Store", "StoredVectors"]


class Hit(NamedTuple):
    """One result of a text search. `score` is positive, higher is better, comparable only within one answer."""

    node: NodeId
    score: float


class SpendRow(NamedTuple):
    """Settled money of one boarding's calls."""

    at: datetime
    session: str | None
    boarding: str
    model: str
    question: NodeId
    domains: tuple[str, ...]
    cost_micro_usd: MicroUsd


class StatusFlow(NamedTuple):
    """Statuses, and their changes in some time."""

    active: int
    shadow: int
    deleted: int
    """Interpretations that were not superseded, as they stand."""

    archived: int
    """From active to shadow."""
    revived: int
    """Back to active."""
    let_go: int


class StoredVectors(NamedTuple):
    """Vectors of one model, a row per node."""

    nodes: tuple[NodeId, ...]
    digests: tuple[int, ...]
    """`digest_of` the texts they were made of."""
    matrix: NDArray[np.float16]
    """(nodes, dimension)"""


class Store(Protocol):
    """One mind's database: an append-only journal and the state projected from it, always in one transaction.

    State is never written directly. An event goes in, and its projection (a row in `facts`, a changed status, a
    search index entry) happens in the same transaction, so that journal and state cannot drift apart. There is no
    way to update or delete a fact. Every method raises StoreError when the database cannot do what was asked.
    """

    @property
    def name(self) -> str:
        """The mind's name for people: the file name, or the database's."""
        ...

    @property
    def is_readonly(self) -> bool:
        """Whether `begin` would be refused."""
        ...

    async def close(self) -> None:
        """Let go of every connection. Idempotent."""
        ...

    # Writing

    async def begin(self, known_seq: int) -> list[Event]:
        """Take the write lock and return the events that others wrote after `known_seq`.

        Raises StoreLockedError after the store's patience, StoreReadOnlyError when opened read-only.
        """
        ...

    async def commit(self, events: Sequence[Event], kept: Sequence[Kept] = ()) -> None:
        """Write the events with their projections and what is kept beside them, durably, and release the write lock.

        `events` continue the journal without a gap. All of them are on disk when this returns, or none is and the
        lock is released.
        """
        ...

    async def rollback(self) -> None:
        """Release the write lock without a change."""
        ...

    async def purge(self) -> None:
        """Make texts that were redacted unrecoverable from the files: free pages, search index and log."""
        ...

    async def keep_vectors(self, model: str, made: StoredVectors) -> None:
        """Keep vectors that a model made, in place of any other vector of these nodes. No event tells of it.

        A vector whose text is not in the mind any more is passed over, so that none outlives a redaction.
        """
        ...

    async def attend(self, session: str) -> None:
        """Say that this process works for `session`, again at least every 30 s."""
        ...

    async def attended(self) -> frozenset[str]:
        """Sessions whose process is alive: on this host by its process id and start, elsewhere by a fresh heartbeat."""
        ...

    # Reading; each answer is one consistent snapshot

    async def head(self) -> int:
        """The number of the last event; 0 in an empty journal."""
        ...

    async def has_news(self) -> bool:
        """Whether another process may have committed since the last call. Cheap enough to ask four times a second."""
        ...

    async def events(
        self,
        after: int = 0,
        *,
        until: int | None = None,
        limit: int | None = None,
        kinds: Collection[str] | None = None,
        boarding: str | None = None,
        node: NodeId | None = None,
        newest: bool = False,
    ) -> list[Event]:
        """Events with `after < seq <= until` in order of seq; with `newest`, the last `limit` of them, still ascending.

        `node` keeps those that name that node, `boarding` those that came from or are about that boarding. A briefing
        does not name the nodes it showed (see `shown_counts`), nor an import those it brought.
        """
        ...

    async def counters(self) -> dict[str, int]:
        """The last number given out per id prefix."""
        ...

    async def load_graph(self) -> Graph:
        """The index of the present, at the journal's head."""
        ...

    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        """The nodes of these ids; unknown ids are absent from the answer."""
        ...

    async def questions(self) -> list[Question]:
        """All questions, by number."""
        ...

    async def facts(self, limit: int | None = None, newest: bool = False) -> list[Fact]:
        """Facts by number, or the newest first."""
        ...

    async def interpretations(self, limit: int | None = None, newest: bool = False) -> list[Interpretation]:
        """Interpretations by number, or the newest first."""
        ...

    async def edges(self) -> list[Edge]:
        """All edges that were not retracted, by number."""
        ...

    async def search_text(
        self, query: str, layers: Collection[Layer], limit: int, *, with_gone: bool = False
    ) -> list[Hit]:
        """BM25 over the texts of these layers, best first. `query` is words of a person, never a query language.

        Nodes that hold any of the words are found. A query of nothing but very frequent words finds the newest.

        Live and shadow nodes only, unless superseded and deleted ones are asked for with `with_gone`. An empty or
        all-stop-word query finds nothing.
        """
        ...

    async def vectors(self, model: str) -> StoredVectors:
        """All vectors that are kept of this model; none of any other."""
        ...

    async def texts(self, ids: Collection[NodeId]) -> dict[NodeId, str]:
        """The texts of these nodes; unknown ids are absent from the answer."""
        ...

    async def boardings(
        self,
        session: str | None = None,
        question: NodeId | None = None,
        ids: Collection[str] | None = None,
        limit: int | None = None,
        only_open: bool = False,
    ) -> list[BoardingRecord]:
        """Boardings, newest first."""
        ...

    async def spend(self, since: datetime | None = None) -> list[SpendRow]:
        """What was settled, oldest first."""
        ...

    async def shown_counts(self, question: NodeId) -> dict[NodeId, int]:
        """How often each node was shown in briefings of this question."""
        ...

    async def shown_to(self, model: ModelId) -> dict[NodeId, int]:
        """How often each interpretation was shown to this model. Facts are not counted: they carry no traces."""
        ...

    async def paces(self, now: datetime) -> dict[str, float]:
        """Median days between news of one entity, of each domain where the facts tell: see `coldstart.paces`."""
        ...

    # What upkeep keeps

    async def layers(self, side: Side, names: Sequence[str]) -> dict[str, KeptLayer]:
        """The kept layers of these names that are there; see `KeptLayer`."""
        ...

    async def history(self, block: int) -> list[HistoryBlock]:
        """The days that are kept of a stretch of interpretations, oldest first."""
        ...

    async def runs(self, limit: int) -> list[RunReport]:
        """The last runs of the upkeep, newest first. One without its last step was cut short."""
        ...

    async def marked(self) -> list[int]:
        """Numbers of the interpretations of which a fact gave way since the last run."""
        ...

    async def status_flow(self, since: datetime) -> StatusFlow:
        """How many interpretations have which status, and how many changed it since then."""
        ...

    async def claim(self, name: str) -> bool:
        """Take a lease for this process, unless a living one holds it. Returns whether it was taken."""
        ...

    async def release(self, name: str) -> None:
        """Let go of a lease."""
        ...

    @property
    def place(self) -> str:
        """Where another process finds the same mind."""
        ...
