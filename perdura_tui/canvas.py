"""A braille canvas: lines in dots of 2 x 4 a cell, with text on top."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from perdura_tui.content import fit, width_of
from perdura_tui.ink import Line, Role, Run

__all__ = ["Canvas"]

Cell = tuple[int, int]
"""Column and row."""

# Bit of each dot of a braille cell, by row and column: Unicode, chapter 21.1.
_BITS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]], dtype=np.uint8)


class Canvas:
    """`roles`: what lines may be drawn in, weakest first; a cell crossed by several lines takes the strongest."""

    def __init__(self, width: int, height: int, roles: Sequence[Role]) -> None:
        self.width, self.height = width, height
        self._roles = tuple(roles)
        self._dots = np.zeros((height, width), dtype=np.uint8)
        self._tint = np.zeros((height, width), dtype=np.int8)
        self._marks: dict[tuple[int, int], Run] = {}
        self._taken = [bytearray(width) for _ in range(height)]
        self._lined: list[bytes] | None = None
        """Which cells have lines, row by row; None after a line was drawn."""

    def line(self, start: Cell, end: Cell, role: Role, gap: int = 0) -> None:
        """A straight line between two cells' middles. With `gap`, as many dots are left out as are drawn."""
        self.lines_between([(start, end)], role, gap)

    def lines_between(
        self, ends: Sequence[tuple[Cell, Cell]], role: Role, gap: int = 0, *, is_dotted: bool = False
    ) -> None:
        """Many lines in one role: all their dots at once. `is_dotted`: single dots, `gap` apart."""
        if not ends:
            return
        spots = np.array(ends, dtype=np.int64).reshape(-1, 4) * [2, 4, 2, 4] + [1, 2, 1, 2]
        x1, y1, x2, y2 = spots.T
        count = np.maximum(np.abs(x2 - x1), np.abs(y2 - y1)) + 1
        line = np.repeat(np.arange(len(ends)), count)
        steps = np.arange(len(line)) - np.repeat(np.cumsum(count) - count, count)
        if gap:
            drawn = steps % (gap + 1) == 0 if is_dotted else (steps // gap) % 2 == 0
            line, steps = line[drawn], steps[drawn]
        part = steps / np.maximum(count - 1, 1)[line]
        self.dots(x1[line] + (x2 - x1)[line] * part, y1[line] + (y2 - y1)[line] * part, role)

    def dots(self, across: NDArray[np.float64], down: NDArray[np.float64], role: Role) -> None:
        """Single dots, at places counted in dots: 2 across and 4 down to a cell."""
        columns, rows = np.rint(across).astype(np.intp), np.rint(down).astype(np.intp)
        inside = (columns >= 0) & (rows >= 0) & (columns < self.width * 2) & (rows < self.height * 4)
        columns, rows = columns[inside], rows[inside]
        np.bitwise_or.at(self._dots, (rows // 4, columns // 2), _BITS[rows % 4, columns % 2])
        self._lined = None
        strength = self._roles.index(role) + 1
        np.maximum.at(self._tint, (rows // 4, columns // 2), np.int8(strength))

    def is_free(self, x: int, y: int, cells: int) -> bool:
        """Whether text of so many cells fits here without covering other text."""
        if y < 0 or y >= self.height or x < 0 or x + cells > self.width:
            return False
        return self._taken[y].find(1, x, x + cells) < 0

    def crossings(self, x: int, y: int, cells: int) -> int:
        """How many cells with lines text would cover here."""
        if self._lined is None:
            self._lined = [row.tobytes() for row in (self._dots != 0)]
        return self._lined[y].count(1, max(x, 0), x + cells)

    def mark(self, x: int, y: int, text: str, role: Role) -> None:
        """Text on top of the lines. Cut at the edge."""
        cells = min(width_of(text), self.width - x)
        if cells <= 0 or not 0 <= y < self.height or x < 0:
            return
        self._marks[x, y] = Run(fit(text, cells), role)
        self._taken[y][x : x + cells] = b"\1" * cells

    def lines(self) -> list[Line]:
        """The picture, one line of runs per row."""
        dots, tints = self._dots.tolist(), self._tint.tolist()
        return [self._row(y, dots[y], tints[y]) for y in range(self.height)]

    def _row(self, y: int, row: list[int], tints: list[int]) -> Line:
        runs: list[Run] = []
        text, role = "", self._roles[0]
        x = 0
        while x < self.width:
            mark = self._marks.get((x, y))
            if mark is not None:
                runs.extend((Run(text, role), mark))
                text = ""
                x += max(width_of(mark.text), 1)
                continue
            dots, tint = row[x], tints[x]
            here = self._roles[tint - 1] if tint else role
            if here != role:
                runs.append(Run(text, role))
                text, role = "", here
            text += chr(0x2800 + dots) if dots else " "
            x += 1
        runs.append(Run(text, role))
        return tuple(part for part in runs if part.text)
