"""Tables of a mind as arrays: rows of different lengths, and columns that must agree."""

import doctest

import numpy as np
import pytest

from perdura_core.epistemics import snapshot
from perdura_core.epistemics.snapshot import EdgeTable, owners, primary_of, ragged


def test_the_worked_example_holds() -> None:
    assert doctest.testmod(snapshot).failed == 0


def test_rows_know_their_values_and_their_first() -> None:
    rows = ragged([[3, 1], [], [2]], np.int32)
    assert len(rows) == 3
    assert rows.lengths.tolist() == [2, 0, 1]
    assert owners(rows).tolist() == [0, 0, 2]
    assert primary_of(rows).tolist() == [3, -1, 2]
    assert primary_of(ragged([], np.int32)).tolist() == []


def test_a_column_of_another_length_is_refused() -> None:
    one, two = np.zeros(1, np.int32), np.zeros(2, np.int32)
    with pytest.raises(ValueError, match="a column of 1 rows in a table of 2"):
        EdgeTable(two.astype(np.int64), two, one, two.astype(np.int8), two, two.astype(np.float64))
