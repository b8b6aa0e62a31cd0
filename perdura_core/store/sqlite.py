"""The store in one SQLite file: one connection that writes, several that read."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from perdura_core.clock import Clock
from perdura_core.config import StoreSettings
from perdura_core.errors import StoreFullError, StoreLockedError, StoreReadOnlyError
from perdura_core.graph import Graph
from perdura_core.store import queries
from perdura_core.store.indexing import OPTIMIZE
from perdura_core.store.keeping import keep, load_history, load_layers, load_runs, marked
from perdura_core.store.kept import HistoryBlock, Kept, KeptLayer, Side
from perdura_core.store.line import Line, translated
from perdura_core.store.loading import load_graph
from perdura_core.store.opening import check_place, connector, create, is_same_file, prepare_reader, prepare_writer
from perdura_core.store.patience import close_all, patiently, roll_back, unbroken
from perdura_core.store.presence import attend, attended, claim, release
from perdura_core.store.projection import project
from perdura_core.store.protocol import Hit, SpendRow, StatusFlow, StoredVectors
from perdura_core.store.searching import Frequencies, search
from perdura_core.store.tables import read_paces
from perdura_core.store.turnstile import Turnstile
from perdura_core.store.vectors import keep_vectors, load_vectors, texts
from perdura_core.vocabulary import (
    BoardingRecord,
    Edge,
    Event,
    Fact,
    Interpretation,
    Layer,
    ModelId,
    Node,
    NodeId,
    Question,
    RunReport,
)

__all__ = ["SqliteStore", "open_sqlite"]

T = TypeVar("T")


@asynccontextmanager
async def open_sqlite(
    path: Path, settings: StoreSettings | None = None, *, clock: Clock | None = None, readonly: bool = False
) -> AsyncIterator["SqliteStore"]:
    """Open the mind in this file, creating it when it is missing or empty unless `readonly`, and close it at the end.

    Raises StoreError, of the class that says what can be done, when that is not possible.
    """
    store = await SqliteStore.open(path, settings or StoreSettings(), clock or Clock(), readonly)
    try:
        yield store
    finally:
        await store.close()


class SqliteStore:
    """A mind in one file; see `open_sqlite`."""

    def __init__(
        self, path: Path, settings: StoreSettings, clock: Clock, writer: Line | None, readers: list[Line]
    ) -> None:
        self._path = path
        self._place = str(path)
        self._settings = settings
        self._clock = clock
        self._writer = writer
        self._readers = readers
        found = path.stat()
        self._file = (found.st_dev, found.st_ino)
        self._turn = asyncio.Lock()
        self._turnstile = Turnstile(path)
        self._head = 0
        self._frequencies = Frequencies()
        self._data_version: int | None = None

    @classmethod
    async def open(cls, path: Path, settings: StoreSettings, clock: Clock, readonly: bool) -> "SqliteStore":
        """Connect, create or migrate. Whoever calls this must call `close`."""
        await asyncio.to_thread(check_place, path, readonly)
        lines: list[Line] = []

        async def connect(for_reading: bool, prepare: Callable[[sqlite3.Connection], None]) -> Line:
            line = Line(connector(path, for_reading), str(path))
            with translated(str(path)):
                await line
            lines.append(line)
            await patiently(line, prepare, settings.patience_s)
            return line

        try:
            writer = None
            if not readonly:
                await asyncio.to_thread(create, path)
                writer = await connect(False, prepare_writer(path))
            readers = [await connect(True, prepare_reader(path)) for _ in range(settings.readers)]
        except BaseException:
            await close_all(lines)
            raise
        return cls(path, settings, clock, writer, readers)

    @property
    def name(self) -> str:
        """The file's name."""
        return self._path.name

    @property
    def is_readonly(self) -> bool:
        """Whether it was opened only to read."""
        return self._writer is None

    async def close(self) -> None:
        """Let go of every connection; the writer last, so that it can put the log away. Idempotent."""
        await unbroken(close_all([*self._readers, *([self._writer] if self._writer else [])]))
        if self._writer is not None:
            self._turnstile.remove()

    # Writing

    async def begin(self, known_seq: int) -> list[Event]:
        """Take the write lock and return the events that others wrote after `known_seq`."""

        def take(connection: sqlite3.Connection) -> tuple[int, list[Event]]:
            self._check_file()
            connection.execute("BEGIN IMMEDIATE")
            try:
                return queries.head(connection), queries.events_after(connection, known_seq)
            except BaseException:
                roll_back(connection)
                raise

        writer = self._writing()
        await self._turn.acquire()
        try:
            async with self._turnstile.standing():
                self._head, news = await patiently(writer, take, self._settings.patience_s)
        except BaseException:
            # If this await was cancelled, the attempt still runs on its thread and may yet get the lock.
            await self._end(writer, roll_back)
            raise
        return news

    async def commit(self, events: Sequence[Event], kept: Sequence[Kept] = ()) -> None:
        """Write the events with their projections and what is kept, and release the write lock."""
        head = self._head

        def write(connection: sqlite3.Connection) -> None:
            try:
                if [event.seq for event in events] != list(range(head + 1, head + 1 + len(events))):
                    raise ValueError(f"events must continue the journal after {head}")
                project(events).write(connection)
                for each in kept:
                    keep(connection, each)
                connection.execute("COMMIT")
            except BaseException:
                roll_back(connection)
                raise

        await self._end(self._writing(), write)

    async def rollback(self) -> None:
        """Release the write lock without a change."""
        await self._end(self._writing(), roll_back)

    async def _end(self, writer: Line, work: Callable[[sqlite3.Connection], None]) -> None:
        """Do the last work of a transaction, whole even when cancelled, and give the turn to the next."""
        try:
            await unbroken(writer.run(work))
        finally:
            self._turn.release()

    async def purge(self) -> None:
        """Rewrite the search indexes and the file without what was deleted, and empty the log."""

        def rewrite(connection: sqlite3.Connection) -> None:
            for statement in OPTIMIZE:
                connection.execute(statement)
            connection.execute("VACUUM")

        def empty_log(connection: sqlite3.Connection) -> None:
            (is_busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if is_busy:
                raise StoreLockedError(
                    f"{self._place!r} is being read by another process: redact again when it is done"
                )

        writer = self._writing()
        async with self._turn, self._turnstile.standing():
            await unbroken(patiently(writer, rewrite, self._settings.patience_s))
            await unbroken(patiently(writer, empty_log, self._settings.patience_s))

    async def keep_vectors(self, model: str, made: StoredVectors) -> None:
        """Keep vectors that a model made; see Store."""
        await self._note(lambda connection: keep_vectors(connection, model, made))

    async def attend(self, session: str) -> None:
        """Say that this process works for `session`."""
        await self._note(lambda connection: attend(connection, session, self._clock.now()))

    async def attended(self) -> frozenset[str]:
        """Sessions whose process is alive."""
        return await self._read(lambda connection: attended(connection, self._clock.now()))

    async def claim(self, name: str) -> bool:
        """Take a lease for this process, unless a living one holds it."""
        return await self._note(lambda connection: claim(connection, name, self._clock.now()))

    async def release(self, name: str) -> None:
        """Let go of a lease."""
        await self._note(lambda connection: release(connection, name, self._clock.now()))

    async def _note(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Write what no event tells of."""
        writer = self._writing()
        async with self._turn, self._turnstile.standing():
            return await unbroken(patiently(writer, work, self._settings.patience_s))

    # Reading

    async def head(self) -> int:
        """The number of the last event."""
        return await self._read(queries.head)

    async def has_news(self) -> bool:
        """Whether another connection than the writer has committed since the last call; True at the first."""

        def version(connection: sqlite3.Connection) -> int:
            return int(connection.execute("PRAGMA data_version").fetchone()[0])

        before = self._data_version
        line = self._writer or self._readers[0]
        self._data_version = await patiently(line, version, self._settings.patience_s)
        return self._data_version != before

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
        """Events of the journal; see Store."""
        return await self._read(
            lambda connection: queries.events(connection, after, until, limit, kinds, boarding, node, newest)
        )

    async def counters(self) -> dict[str, int]:
        """The last number given out per id prefix."""
        return await self._read(queries.counters)

    async def load_graph(self) -> Graph:
        """The index of the present, at the journal's head."""
        return await self._read(load_graph)

    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        """The nodes of these ids."""
        wanted = frozenset(ids)
        return await self._read(lambda connection: queries.nodes(connection, wanted))

    async def questions(self) -> list[Question]:
        """All questions, by number."""
        return await self._read(queries.questions)

    async def facts(self, limit: int | None = None, newest: bool = False) -> list[Fact]:
        """Facts by number, or the newest first."""
        return await self._read(lambda connection: queries.facts(connection, limit, newest))

    async def interpretations(self, limit: int | None = None, newest: bool = False) -> list[Interpretation]:
        """Interpretations by number, or the newest first."""
        return await self._read(lambda connection: queries.interpretations(connection, limit, newest))

    async def edges(self) -> list[Edge]:
        """All edges that were not retracted, by number."""
        return await self._read(queries.edges)

    async def search_text(
        self, query: str, layers: Collection[Layer], limit: int, *, with_gone: bool = False
    ) -> list[Hit]:
        """BM25 over the texts of these layers, best first; see Store."""
        return await self._read(
            lambda connection: search(connection, self._frequencies, query, layers, limit, with_gone)
        )

    async def vectors(self, model: str) -> StoredVectors:
        """All vectors that are kept of this model."""
        return await self._read(lambda connection: load_vectors(connection, model))

    async def texts(self, ids: Collection[NodeId]) -> dict[NodeId, str]:
        """The texts of these nodes."""
        wanted = tuple(ids)
        return await self._read(lambda connection: texts(connection, wanted))

    async def boardings(
        self,
        session: str | None = None,
        question: NodeId | None = None,
        ids: Collection[str] | None = None,
        limit: int | None = None,
        only_open: bool = False,
    ) -> list[BoardingRecord]:
        """Boardings, newest first."""
        return await self._read(
            lambda connection: queries.boardings(connection, session, question, ids, limit, only_open)
        )

    async def spend(self, since: datetime | None = None) -> list[SpendRow]:
        """What was settled, oldest first."""
        return await self._read(lambda connection: queries.spend(connection, since))

    async def shown_counts(self, question: NodeId) -> dict[NodeId, int]:
        """How often each node was shown in briefings of this question."""
        return await self._read(lambda connection: queries.shown_counts(connection, question))

    async def shown_to(self, model: ModelId) -> dict[NodeId, int]:
        """How often each interpretation was shown to this model."""
        return await self._read(lambda connection: queries.shown_to(connection, model))

    async def paces(self, now: datetime) -> dict[str, float]:
        """The pace of each domain's facts, where they tell."""
        return await self._read(lambda connection: read_paces(connection, now))

    # What upkeep keeps

    @property
    def place(self) -> str:
        """The file's path."""
        return self._place

    async def layers(self, side: Side, names: Sequence[str]) -> dict[str, KeptLayer]:
        """The kept layers of these names that are there."""
        return await self._read(lambda connection: load_layers(connection, side, names))

    async def history(self, block: int) -> list[HistoryBlock]:
        """The days that are kept of a stretch of interpretations, oldest first."""
        return await self._read(lambda connection: load_history(connection, block))

    async def runs(self, limit: int) -> list[RunReport]:
        """The last runs of the upkeep, newest first."""
        return await self._read(lambda connection: load_runs(connection, limit))

    async def marked(self) -> list[int]:
        """Interpretations of which a fact gave way since the last run."""
        return await self._read(marked)

    async def status_flow(self, since: datetime) -> StatusFlow:
        """How many interpretations have which status, and how many changed it since then."""
        return await self._read(lambda connection: queries.status_flow(connection, since))

    # Inside

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await min(self._readers, key=lambda reader: reader.waiting).read(work)

    def _writing(self) -> Line:
        if self._writer is None:
            raise StoreReadOnlyError(f"{self._place!r} was opened read-only: open it for writing to change it")
        return self._writer

    def _check_file(self) -> None:
        if not is_same_file(self._path, self._file):
            raise StoreFullError(
                f"{self._place!r} was moved or deleted while it was open: put it back and open it again"
            )
