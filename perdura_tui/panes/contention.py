"""Pane 4: how contention went, boarding by boarding, per domain or per question."""

from typing import ClassVar, Literal

from textual.binding import BindingType

from perdura_tui.actions import bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Run, cell, heat_role, join, run, spark
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.states.contention import SCALE_AT_LEAST, HeatRow, domains_are_few, heat_rows

__all__ = ["ContentionPane"]


class ContentionPane(ListFrame):
    """One block per boarding, its height and colour by contention, and the present as a number with its trend."""

    NUMBER = 4
    TITLE = "contention"
    KEEPS_CURSOR = False
    LISTENS: frozenset[Topic] = frozenset({"contention"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list", "contention")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="contention")
        self.feed = feed
        self._by: Literal["domain", "question"] | None = None
        self._found: dict[str, HeatRow] = {}
        self._tallest = SCALE_AT_LEAST

    @property
    def by(self) -> Literal["domain", "question"]:
        """What a row stands for: the operator's choice, or whichever tells more."""
        if self._by is not None:
            return self._by
        return "question" if domains_are_few(self.feed.contention) else "domain"

    def action_heat_by(self) -> None:
        """The other kind of rows."""
        self._by = "domain" if self.by == "question" else "question"
        self.paint()

    def keys(self) -> list[str]:
        rows = heat_rows(self.feed.contention, self.by, max(self.size.width, 1))
        self._found = {row.key: row for row in rows}
        columns = self._columns(self.size.width - 4)  # labels are as wide as what is found needs
        rows = [row._replace(values=row.values[-columns:]) for row in rows]
        self._found = {row.key: row for row in rows}
        self._tallest = max([value or 0.0 for row in rows for value in row.values] + [SCALE_AT_LEAST])
        return list(self._found)

    def remark(self) -> Line:
        shown = min(len(self.feed.contention.samples), self._columns(self.size.width - 4))
        if not shown:
            return ()
        if self.tabs:  # they leave little room
            return (run(f"by {self.by}", "dim"),)
        plural = "" if shown == 1 else "s"
        # A heatmap that is calm because nobody contradicts anybody is no good news.
        alarm = Run("≡ " if self.feed.is_alarmed else "", "waiting")
        return (alarm, run(f"by {self.by} · last {shown} boarding{plural}", "dim"))

    def entry_height(self, height: int, count: int) -> int:
        """With room to spare the blocks grow, with a free line between rows."""
        return min(height // count, 4) if height >= count * 3 else 1

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        row = self._found[key]
        label = self._label_width(width)
        blank = self._columns(width) - len(row.values)
        role = heat_role(row.present) if row.present > 0 else "faint"
        tall = max(height - 1, 1)
        lines: list[Line] = [()] if height > 1 else []
        for level in range(tall - 1, -1, -1):
            is_base = level == 0
            lines.append(
                join(
                    cell(key if is_base else "", label, "text"),
                    Run(" "),
                    Run(("·" if is_base else " ") * blank, "faint"),
                    self._blocks(row.values, level, tall),
                    cell(f"{row.present:.2f}" if is_base else "", 6, role, right=True),
                    Run(f" {row.trend}" if is_base else "", "disputed" if row.trend == "▲" else "settled"),
                )
            )
        return lines

    def _blocks(self, values: tuple[float | None, ...], level: int, tall: int) -> list[Run]:
        """One level of the blocks, counted from the bottom, each block drawn over `tall` lines."""
        step = self._tallest / tall
        runs: list[Run] = []
        for value in values:
            part = Run(" ")
            if value is None:
                part = Run("·" if level == 0 else " ", "faint")
            elif value > level * step or level == 0:
                part = Run(spark((value - level * step,), step), heat_role(value) if value > 0 else "faint")
            if runs and runs[-1].role == part.role:
                runs[-1] = Run(runs[-1].text + part.text, part.role)
            else:
                runs.append(part)
        return runs

    def _label_width(self, width: int) -> int:
        longest = max((len(key) for key in self._found), default=6)
        return min(max(longest, 4), max(width // 4, 6))

    def _columns(self, width: int) -> int:
        return max(width - self._label_width(width) - 1 - 8 - 1, 1)

    def empty(self, width: int) -> list[Line]:
        return notes(width, "No boarding has ended yet.", ("", "Each one adds a column; rows that grow are disputes."))
