"""A graph kept as bytes, to start again from."""

import gc
import io
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from perdura_core.graph import Graph

__all__ = ["frozen", "thawed"]


class _Shreds(io.RawIOBase):
    """Takes in what a pickler writes. Being Python, it lets other threads run between two pieces."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self.pieces.append(bytes(piece))
        return len(piece)


class _Pieces(io.RawIOBase):
    """Gives out what an unpickler reads, likewise."""

    def __init__(self, whole: bytes) -> None:
        self._inside = io.BytesIO(whole)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._inside.read(size)

    def readline(self, size: int | None = -1) -> bytes:
        return self._inside.readline(size)

    def readinto(self, target: Any) -> int:
        return self._inside.readinto(target)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without searches for garbage, which would hold up everybody while they walk a whole graph that is in use."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def frozen(graph: Graph) -> bytes:
    """The graph as bytes, while other threads go on."""
    shreds = _Shreds()
    with _uncollected():
        pickle.Pickler(shreds, protocol=5).dump(graph)
    return b"".join(shreds.pieces)


def thawed(kept: bytes) -> Graph:
    """A graph of its own, as it was when it was frozen."""
    with _uncollected():
        graph = pickle.Unpickler(_Pieces(kept)).load()  # only what `frozen` made in this process ever comes here
    assert isinstance(graph, Graph)
    return graph
