"""Whole columns of a query as arrays, a portion of rows at a time."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.snapshot import Ragged
from perdura_core.store.reading import names_of

__all__ = ["Names", "columns", "fill", "grouped"]

_PORTION = 50_000


class Names:
    """Gives each name a number, in order of appearance; None has -1."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._lists: dict[str, tuple[int, ...]] = {}

    def number(self, name: str | None) -> int:
        """The name's number."""
        return -1 if name is None else self._numbers.setdefault(name, len(self._numbers))

    def numbers(self, column: Sequence[str | None]) -> NDArray[np.int32]:
        """The numbers of a column of names."""
        return np.fromiter(map(self.number, column), np.int32, len(column))

    def listed(self, column: str) -> tuple[int, ...]:
        """The numbers of a column that holds a list of names."""
        found = self._lists.get(column)
        if found is None:
            found = self._lists[column] = tuple(dict.fromkeys(map(self.number, names_of(column))))
        return found

    def lists(self, column: Sequence[str]) -> Ragged[np.int32]:
        """The numbers of lists of names, a row each."""
        rows = list(map(self.listed, column))
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=starts[1:])
        values = np.fromiter((number for row in rows for number in row), np.int32, int(starts[-1]))
        return Ragged(starts, values)

    @property
    def names(self) -> tuple[str, ...]:
        """By number."""
        return tuple(self._numbers)


def columns(connection: sqlite3.Connection, statement: str, kinds: str) -> list[Any]:
    """The columns of a statement. `kinds` has a letter for each: i integers, f floats (NULL is NaN), s texts as a list.

    An integer column must not hold NULL.
    """
    cursor = connection.execute(statement)
    parts: list[list[Any]] = [[] for _ in kinds]
    while rows := cursor.fetchmany(_PORTION):
        for part, kind, column in zip(parts, kinds, zip(*rows, strict=True), strict=True):
            part.append(_column(kind, column))
    return [_joined(kind, part) for kind, part in zip(kinds, parts, strict=True)]


def _column(kind: str, column: Sequence[Any]) -> Any:
    if kind == "i":
        return np.array(column, dtype=np.int64)
    if kind == "f":
        return np.array(column, dtype=np.float64)  # None becomes NaN
    return column


def _joined(kind: str, parts: Sequence[Any]) -> Any:
    if kind == "s":
        return [text for part in parts for text in part]
    return np.concatenate([np.zeros(0, np.int64 if kind == "i" else np.float64), *parts])


def grouped(row: NDArray[np.int64], values: NDArray[Any], rows: int) -> Ragged[Any]:
    """Values by their row, each row ascending and without repetition."""
    order = np.lexsort((values, row))
    row, values = row[order], values[order]
    is_new = np.ones(len(row), dtype=bool)
    is_new[1:] = (row[1:] != row[:-1]) | (values[1:] != values[:-1])
    row, values = row[is_new], values[is_new]
    return Ragged(np.searchsorted(row, np.arange(rows + 1)).astype(np.int64), values)


def fill(wanted: NDArray[np.int64], numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Rows of these numbers in an ascending column, and whether each is there."""
    at = np.searchsorted(numbers, wanted)
    is_there = at < len(numbers)
    is_there[is_there] = numbers[at[is_there]] == wanted[is_there]
    return np.where(is_there, at, 0), is_there
