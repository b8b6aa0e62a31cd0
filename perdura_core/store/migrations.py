"""The schema, as numbered steps. Step n takes a file from version n-1 to version n, in one transaction with the rest.

A step is never changed once a file may have been written with it; what must differ becomes a new step. The journal
holds everything that happened, so a step that adds a table can also fill it.

Facts and interpretations live apart. Facts have no confidence and no status, and no step may give them one.
"""

import sqlite3
from collections.abc import Callable, Sequence

from perdura_core.store.indexing import TOKENIZER, index_all

__all__ = ["APPLICATION_ID", "MIGRATIONS", "SCHEMA_VERSION", "migrate"]

APPLICATION_ID = int.from_bytes(b"perd", "big")
"""Stands in the file's header and tells a mind from any other SQLite file."""


def migrate(
    connection: sqlite3.Connection, steps: Sequence[Callable[[sqlite3.Connection], None]] | None = None
) -> None:
    """Bring the file to the newest version, or to that after the last of `steps`. Does nothing when it is there.

    Takes the write lock, so that of two processes that open an old file at once one does the work.
    """
    steps = MIGRATIONS if steps is None else steps
    connection.execute("BEGIN IMMEDIATE")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        for step in steps[version:]:
            step(connection)
        if version < len(steps):
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _1_journal_and_state(connection: sqlite3.Connection) -> None:
    """The journal, and the state that its events are projected to."""
    for table in (*_JOURNAL, *_NODES, *_LAYER_OF_FACTS, *_LAYER_OF_INTERPRETATIONS, *_WORK):
        connection.execute(table)


def _2_search(connection: sqlite3.Connection) -> None:
    """Full-text indexes, one per layer, without a second copy of the texts."""
    for layer in ("question", "fact", "interpretation"):
        connection.execute(
            f"CREATE VIRTUAL TABLE {layer}_words USING fts5 (words, content='', tokenize=\"{TOKENIZER}\")"
        )
        connection.execute(f"CREATE VIRTUAL TABLE {layer}_terms USING fts5vocab({layer}_words, row)")
    index_all(connection)


def _3_vectors(connection: sqlite3.Connection) -> None:
    """Vectors of texts, at most one a node, each in the space of the model that made it. No event writes them."""
    connection.execute(
        """CREATE TABLE vector_spaces (
            number INTEGER PRIMARY KEY,
            model TEXT NOT NULL UNIQUE,
            dimension INTEGER NOT NULL
        )"""
    )
    connection.execute(
        """CREATE TABLE vectors (
            node TEXT PRIMARY KEY REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
            digest INTEGER NOT NULL,
            space INTEGER NOT NULL REFERENCES vector_spaces (number),
            vector BLOB NOT NULL
        )"""
    )


def _4_upkeep(connection: sqlite3.Connection) -> None:
    """What the daily upkeep keeps: its runs, its caches, and the decisions of forgetting."""
    for table in _UPKEEP:
        connection.execute(table)
    connection.execute(
        """INSERT INTO archive_decisions (seq, interpretation, before, after, reason, by, at)
            SELECT seq, CAST(substr(json_extract(what, '$.node'), 2) AS INTEGER), json_extract(what, '$.before'),
                json_extract(what, '$.after'), json_extract(what, '$.reason'), by,
                coalesce(json_extract(what, '$.as_of'), at)
            FROM events WHERE kind = 'status_changed'"""
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_1_journal_and_state, _2_search, _3_vectors, _4_upkeep)
SCHEMA_VERSION = len(MIGRATIONS)

# Foreign keys are checked at the commit, so that the rows of a transaction can be written table by table. Times are
# ISO 8601 in UTC, which sorts as text.

_JOURNAL = (
    """CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        by TEXT NOT NULL,
        boarding TEXT,
        session TEXT,
        what TEXT NOT NULL
    )""",
    "CREATE INDEX events_by_kind ON events (kind)",
    # Which events name a node or belong to a boarding. A briefing that merely showed a node does not name it.
    """CREATE TABLE event_subjects (
        subject TEXT NOT NULL,
        seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (subject, seq)
    ) WITHOUT ROWID""",
    # Who works for which session right now. The one table that no event writes: it is about processes, not the mind.
    """CREATE TABLE attendance (
        session TEXT PRIMARY KEY,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        started TEXT,
        beat_at TEXT NOT NULL
    ) WITHOUT ROWID""",
)

_NODES = (
    # Identity and layer only, so that edges and supersessions have real foreign keys across the layers.
    """CREATE TABLE node_ids (
        id TEXT PRIMARY KEY,
        layer TEXT NOT NULL CHECK (layer IN ('question', 'fact', 'interpretation'))
    ) WITHOUT ROWID""",
    """CREATE TABLE questions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED CHECK (id = 'q' || number),
        seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        text TEXT NOT NULL,
        digest INTEGER NOT NULL,
        domains TEXT NOT NULL,
        stake TEXT NOT NULL,
        status TEXT NOT NULL,
        pinned INTEGER NOT NULL,
        created_by TEXT NOT NULL,
        boarding TEXT,
        created_at TEXT NOT NULL,
        superseded_by TEXT REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
        resolved_by TEXT REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED
    )""",
    """CREATE TABLE edges (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL CHECK (id = 'e' || number),
        type TEXT NOT NULL,
        src TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
        dst TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
        created_by TEXT NOT NULL,
        boarding TEXT,
        created_at TEXT NOT NULL,
        retracted_seq INTEGER REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED
    )""",
)

_LAYER_OF_FACTS = (
    """CREATE TABLE facts (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED CHECK (id = 'f' || number),
        seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        text TEXT NOT NULL,
        digest INTEGER NOT NULL,
        domains TEXT NOT NULL,
        created_by TEXT NOT NULL,
        boarding TEXT,
        created_at TEXT NOT NULL,
        superseded_by TEXT REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED
    )""",
    """CREATE TABLE fact_occurrences (
        fact INTEGER NOT NULL REFERENCES facts (number) DEFERRABLE INITIALLY DEFERRED,
        seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        position INTEGER NOT NULL,
        source TEXT,
        observed_at TEXT,
        recorded_at TEXT NOT NULL,
        recorded_by TEXT NOT NULL,
        boarding TEXT,
        PRIMARY KEY (fact, seq, position)
    ) WITHOUT ROWID""",
    "CREATE TABLE entities (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    """CREATE TABLE fact_entities (
        fact INTEGER NOT NULL REFERENCES facts (number) DEFERRABLE INITIALLY DEFERRED,
        position INTEGER NOT NULL,
        entity INTEGER NOT NULL REFERENCES entities (number) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (fact, position)
    ) WITHOUT ROWID""",
)

_LAYER_OF_INTERPRETATIONS = (
    """CREATE TABLE interpretations (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED CHECK (id = 'i' || number),
        seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        digest INTEGER NOT NULL,
        level INTEGER NOT NULL,
        domains TEXT NOT NULL,
        asserted_confidence REAL,
        confidence REAL NOT NULL,
        status TEXT NOT NULL,
        velocity TEXT NOT NULL,
        created_by TEXT NOT NULL,
        boarding TEXT,
        created_at TEXT NOT NULL,
        superseded_by TEXT REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED
    )""",
    "CREATE INDEX interpretations_active ON interpretations (level) WHERE status = 'active'",
    "CREATE INDEX interpretations_shadow ON interpretations (level) WHERE status = 'shadow'",
    "CREATE INDEX interpretations_deleted ON interpretations (level) WHERE status = 'deleted'",
    """CREATE TABLE interpretation_facts (
        interpretation INTEGER NOT NULL REFERENCES interpretations (number) DEFERRABLE INITIALLY DEFERRED,
        position INTEGER NOT NULL,
        fact TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
        PRIMARY KEY (interpretation, position)
    ) WITHOUT ROWID""",
    """CREATE TABLE confidence_votes (
        seq INTEGER PRIMARY KEY REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        interpretation INTEGER NOT NULL REFERENCES interpretations (number) DEFERRABLE INITIALLY DEFERRED,
        confidence REAL NOT NULL,
        by TEXT NOT NULL,
        boarding TEXT,
        at TEXT NOT NULL
    )""",
)

_WORK = (
    """CREATE TABLE sessions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL CHECK (id = 's' || number),
        started_at TEXT NOT NULL,
        ended_at TEXT,
        ending TEXT
    )""",
    """CREATE TABLE boardings (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL CHECK (id = 'b' || number),
        opened_seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        session TEXT,
        seat INTEGER NOT NULL,
        question TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
        model TEXT NOT NULL,
        mode TEXT NOT NULL,
        route_model TEXT NOT NULL,
        route_policy TEXT NOT NULL,
        route_reason TEXT NOT NULL,
        masked INTEGER NOT NULL,
        briefing_tokens INTEGER NOT NULL,
        opened_at TEXT NOT NULL,
        ended_seq INTEGER REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        ending TEXT,
        reason TEXT,
        usage TEXT,
        cost_micro_usd INTEGER NOT NULL DEFAULT 0,
        seconds REAL,
        merged INTEGER NOT NULL DEFAULT 0,
        rejected INTEGER NOT NULL DEFAULT 0,
        has_added INTEGER
    )""",
    "CREATE INDEX boardings_by_question ON boardings (question)",
    "CREATE INDEX boardings_by_session ON boardings (session)",
    "CREATE INDEX boardings_open ON boardings (number) WHERE ending IS NULL",
    # What each briefing showed, in its order. When and to which model stands in `boardings`; citations are edges.
    """CREATE TABLE usage_events (
        boarding INTEGER NOT NULL REFERENCES boardings (number) DEFERRABLE INITIALLY DEFERRED,
        position INTEGER NOT NULL,
        node TEXT NOT NULL REFERENCES node_ids (id) DEFERRABLE INITIALLY DEFERRED,
        confidence REAL,
        PRIMARY KEY (boarding, position)
    ) WITHOUT ROWID""",
    # What was refused, to count it by model and reason. The element as sent stands in its event alone.
    """CREATE TABLE rejections (
        seq INTEGER PRIMARY KEY REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        boarding TEXT NOT NULL,
        position INTEGER NOT NULL,
        reason TEXT NOT NULL
    )""",
    """CREATE TABLE proposals (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL CHECK (id = 'p' || number),
        held_seq INTEGER NOT NULL REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        settled_seq INTEGER REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED
    )""",
    """CREATE TABLE spend (
        seq INTEGER PRIMARY KEY REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        at TEXT NOT NULL,
        session TEXT,
        boarding TEXT NOT NULL,
        model TEXT NOT NULL,
        question TEXT NOT NULL,
        domains TEXT NOT NULL,
        cost_micro_usd INTEGER NOT NULL
    )""",
)

_UPKEEP = (
    # One row a step of each run. A run whose last step is missing was cut short.
    """CREATE TABLE pipeline_runs (
        run INTEGER NOT NULL,
        position INTEGER NOT NULL,
        step TEXT NOT NULL,
        as_of TEXT NOT NULL,
        started_at TEXT NOT NULL,
        is_due INTEGER NOT NULL,
        seconds REAL NOT NULL,
        changes INTEGER NOT NULL,
        counts TEXT NOT NULL,
        is_last INTEGER NOT NULL,
        PRIMARY KEY (run, position)
    ) WITHOUT ROWID""",
    # Every change of a status, with its reason, whoever made it.
    """CREATE TABLE archive_decisions (
        seq INTEGER PRIMARY KEY REFERENCES events (seq) DEFERRABLE INITIALLY DEFERRED,
        interpretation INTEGER NOT NULL REFERENCES interpretations (number) DEFERRABLE INITIALLY DEFERRED,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        reason TEXT NOT NULL,
        by TEXT NOT NULL,
        at TEXT NOT NULL
    )""",
    "CREATE INDEX archive_decisions_by_interpretation ON archive_decisions (interpretation, seq)",
    "CREATE INDEX archive_decisions_by_time ON archive_decisions (at)",
    # Interpretations of which a fact gave way since the last run.
    """CREATE TABLE revalidations (
        interpretation INTEGER PRIMARY KEY REFERENCES interpretations (number) DEFERRABLE INITIALLY DEFERRED,
        seq INTEGER NOT NULL
    )""",
    # Caches of arrays. They can be worked out again from the rest; no event writes them. What is worked out of facts
    # lies apart from what is worked out of interpretations.
    """CREATE TABLE layer_facts (
        layer TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        as_of TEXT NOT NULL,
        inputs BLOB NOT NULL,
        columns BLOB NOT NULL
    )""",
    """CREATE TABLE layer_interpretations (
        layer TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        as_of TEXT NOT NULL,
        inputs BLOB NOT NULL,
        columns BLOB NOT NULL
    )""",
    # Factors and confidences of the past, a block of neighbouring interpretations and a day a row, thinned with age.
    """CREATE TABLE factor_history (
        block INTEGER NOT NULL,
        day INTEGER NOT NULL,
        as_of TEXT NOT NULL,
        rows BLOB NOT NULL,
        PRIMARY KEY (block, day)
    )""",
    "CREATE INDEX factor_history_by_day ON factor_history (day)",
)
