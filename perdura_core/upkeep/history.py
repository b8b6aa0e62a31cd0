"""The past of confidences and factors: a few bytes for an interpretation and a day, fewer days the longer ago."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from math import floor, log2

import numpy as np
from numpy.typing import NDArray

from perdura_core.store.kept import HistoryBlock
from perdura_core.vocabulary import Moment

__all__ = ["BLOCK", "block_of", "blocks", "confidences", "moments", "thinned"]

BLOCK = 1_024
"""Neighbouring interpretations that share a row."""
_RECENT = 16
"""So many last days are all kept; of older ones, about eight for each doubling of the age."""
_UNKNOWN = 255
_SCALE = 200.0
_ROW = np.dtype([("number", "<u4"), ("confidence", "u1"), ("factors", "u1", (4,))])


def block_of(number: int) -> int:
    """The block in which an interpretation lies."""
    return number // BLOCK


def blocks(
    numbers: NDArray[np.int64],
    confidence: NDArray[np.float64],
    factors: Sequence[NDArray[np.float64]],
    day: int,
    as_of: datetime,
) -> tuple[HistoryBlock, ...]:
    """One day of these interpretations, to half a hundredth."""
    rows = np.zeros(len(numbers), _ROW)
    rows["number"] = numbers
    rows["confidence"] = np.rint(confidence * _SCALE)
    scaled = np.rint(np.stack(factors, axis=1) * _SCALE)
    rows["factors"] = np.where(np.isnan(scaled), _UNKNOWN, scaled)
    names, starts = np.unique(numbers // BLOCK, return_index=True)
    ends = [*starts[1:].tolist(), len(rows)]
    return tuple(
        HistoryBlock(name, day, as_of, rows[start:end].tobytes())
        for name, start, end in zip(names.tolist(), starts.tolist(), ends[: len(names)], strict=True)
    )


def moments(number: int, held: Iterable[HistoryBlock]) -> tuple[Moment, ...]:
    """The history of one interpretation, from the days that are kept of its block."""
    found: list[Moment] = []
    for block in held:
        rows = np.frombuffer(block.rows, _ROW)
        at = int(np.searchsorted(rows["number"], number))
        if at < len(rows) and rows["number"][at] == number:
            usage, consistency, structural, pattern = (
                None if code == _UNKNOWN else code / _SCALE for code in rows["factors"][at].tolist()
            )
            found.append(
                Moment(
                    at=block.as_of,
                    confidence=int(rows["confidence"][at]) / _SCALE,
                    usage=usage,
                    consistency=consistency,
                    structural=structural,
                    pattern=pattern,
                )
            )
    return tuple(found)


def confidences(
    held: Iterable[HistoryBlock],
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Number of the interpretation, day and confidence of all that is held."""
    parts = [(np.frombuffer(block.rows, _ROW), float(block.day)) for block in held]
    none = np.zeros(0)
    return (
        np.concatenate([none.astype(np.int64), *(rows["number"] for rows, _ in parts)]),
        np.concatenate([none, *(np.full(len(rows), day) for rows, day in parts)]),
        np.concatenate([none, *(rows["confidence"] / _SCALE for rows, _ in parts)]),
    )


def thinned(days: Iterable[int], today: int) -> tuple[int, ...]:
    """Which of these days need not be kept any more.

    The last 16 stay. Of those between 16 and 32 days old one in two stays, of those up to 64 one in four, and so on:
    the first that is there of each stretch, whenever this is asked. So 40 days are left of a year, and 64 of ten.
    """
    kept: dict[tuple[int, int], int] = {}
    gone: list[int] = []
    for day in sorted(days):
        age = today - day
        if age < _RECENT:
            continue
        doublings = floor(log2(age / _RECENT)) + 1
        stretch = doublings, day >> doublings
        if stretch in kept:
            gone.append(day)
        else:
            kept[stretch] = day
    return tuple(gone)
