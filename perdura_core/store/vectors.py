"""Vectors of texts: a cache beside the journal, which no event writes and which can be made again from the texts."""

import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np

from perdura_core.store.protocol import StoredVectors
from perdura_core.store.subjects import number_of
from perdura_core.vocabulary import NodeId, layer_of

__all__ = ["forget_vectors", "keep_vectors", "load_vectors", "texts"]

# A vector is kept only while its text is the one it was made of: the digests must agree.
_KEEP = {
    "question": "INSERT INTO vectors (node, digest, space, vector) SELECT ?1, ?2, ?3, ?4"
    " FROM questions WHERE number = ?5 AND digest = ?2"
    " ON CONFLICT DO UPDATE SET digest = ?2, space = ?3, vector = ?4",
    "fact": "INSERT INTO vectors (node, digest, space, vector) SELECT ?1, ?2, ?3, ?4"
    " FROM facts WHERE number = ?5 AND digest = ?2"
    " ON CONFLICT DO UPDATE SET digest = ?2, space = ?3, vector = ?4",
    "interpretation": "INSERT INTO vectors (node, digest, space, vector) SELECT ?1, ?2, ?3, ?4"
    " FROM interpretations WHERE number = ?5 AND digest = ?2"
    " ON CONFLICT DO UPDATE SET digest = ?2, space = ?3, vector = ?4",
}
_TEXTS = {
    "question": "SELECT text FROM questions WHERE number = ?",
    "fact": "SELECT text FROM facts WHERE number = ?",
    "interpretation": "SELECT text FROM interpretations WHERE number = ?",
}


def load_vectors(connection: sqlite3.Connection, model: str) -> StoredVectors:
    """All vectors of one model. Those of other models are left alone until theirs take their place."""
    space = connection.execute("SELECT number, dimension FROM vector_spaces WHERE model = ?", (model,)).fetchone()
    if space is None:
        return StoredVectors((), (), np.zeros((0, 0), dtype=np.float16))
    number, dimension = space
    rows = connection.execute(
        "SELECT node, digest, vector FROM vectors WHERE space = ? AND length(vector) = ?", (number, dimension * 2)
    ).fetchall()
    matrix = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f2").reshape(len(rows), dimension)
    return StoredVectors(tuple(row[0] for row in rows), tuple(row[1] for row in rows), matrix)


def keep_vectors(connection: sqlite3.Connection, model: str, made: StoredVectors) -> None:
    """Write vectors in place of what these nodes had. A model whose dimension changed starts anew."""
    dimension = made.matrix.shape[1]
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.execute(
            "DELETE FROM vectors WHERE space IN (SELECT number FROM vector_spaces WHERE model = ? AND dimension <> ?)",
            (model, dimension),
        )
        connection.execute(
            "INSERT INTO vector_spaces (model, dimension) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET dimension = ?2",
            (model, dimension),
        )
        (space,) = connection.execute("SELECT number FROM vector_spaces WHERE model = ?", (model,)).fetchone()
        rows = made.matrix.astype("<f2")
        for layer, statement in _KEEP.items():
            connection.executemany(
                statement,
                (
                    (node, digest, space, row.tobytes(), number_of(node))
                    for node, digest, row in zip(made.nodes, made.digests, rows, strict=True)
                    if layer_of(node) == layer
                ),
            )
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def forget_vectors(connection: sqlite3.Connection, nodes: Iterable[NodeId]) -> None:
    """Delete what could tell of texts that are being destroyed."""
    connection.executemany("DELETE FROM vectors WHERE node = ?", [(node,) for node in nodes])


def texts(connection: sqlite3.Connection, nodes: Sequence[NodeId]) -> dict[NodeId, str]:
    """The texts of these nodes; unknown ids are absent from the answer."""
    found: dict[NodeId, str] = {}
    for node in nodes:
        row = connection.execute(_TEXTS[layer_of(node)], (number_of(node),)).fetchone()
        if row is not None:
            found[node] = row[0]
    return found
