"""Sums of small decision trees: what a fitted scorer is made of."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Trees"]


class Trees(NamedTuple):
    """Complete binary trees of one depth, in heap order: the children of place p are 2p+1 and 2p+2."""

    feature: NDArray[np.intp]
    """(trees, splits): which column each split asks about."""
    threshold: NDArray[np.float64]
    """(trees, splits): a larger value goes right."""
    leaf: NDArray[np.float64]
    """(trees, splits + 1): what each leaf adds."""
    start: float
    """What they are added to."""

    def margins(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Log odds of each row. rows: (n, columns)."""
        trees, splits = self.feature.shape
        everyone, each = np.arange(len(rows))[:, np.newaxis], np.arange(trees)
        place = np.zeros((len(rows), trees), dtype=np.intp)
        for _ in range((splits + 1).bit_length() - 1):
            asked = rows[everyone, self.feature[each, place]]
            place = 2 * place + 1 + (asked > self.threshold[each, place])
        total: NDArray[np.float64] = self.start + self.leaf[each, place - splits].sum(axis=1)
        return total

    def document(self) -> dict[str, object]:
        """For JSON."""
        return {
            "start": round(self.start, 5),
            "feature": self.feature.tolist(),
            "threshold": np.round(self.threshold, 5).tolist(),
            "leaf": np.round(self.leaf, 5).tolist(),
        }

    @staticmethod
    def of(document: dict[str, object]) -> "Trees":
        """Back from `document`."""
        return Trees(
            feature=np.array(document["feature"], dtype=np.intp),
            threshold=np.array(document["threshold"], dtype=np.float64),
            leaf=np.array(document["leaf"], dtype=np.float64),
            start=float(str(document["start"])),
        )
