"""Pane 5: the leaderboard, with how sure it is."""

from typing import ClassVar

from textual.binding import BindingType

from perdura_core.vocabulary import TrackRecord
from perdura_tui.actions import bindings
from perdura_tui.drawn import span
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.phrases import percent, short_model
from perdura_tui.states.models import FEW_OUTCOMES, rejections, survival, usd_per_surviving

__all__ = ["ModelsPane", "interval"]


class ModelsPane(ListFrame):
    """Reliability with its 90 % interval, outcomes, survival, dollars per surviving node, rejections."""

    NUMBER = 5
    TITLE = "models"
    KEEPS_CURSOR = False
    LISTENS: frozenset[Topic] = frozenset({"models"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list", "models")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="models")
        self.feed = feed
        self._found: dict[str, TrackRecord] = {}

    def action_next_domain(self) -> None:
        """Overall, then each domain in turn."""
        self.feed.judge_next()

    def keys(self) -> list[str]:
        self._found = {record.model: record for record in self.feed.board.records}
        return list(self._found)

    def remark(self) -> Line:
        domain = self.feed.board.domain
        return (run("overall" if domain is None else f"domain: {domain}", "dim"),)

    def head(self, width: int) -> Line:
        model, bar, tail = _columns(width, self._found)
        names = {"out": "out", "surv": "surv", "cost": "$/node", "rej": "rej", "s": "secs"}
        return join(
            cell("model", model + 1, "faint"),
            cell("reliability, 90 % sure" if bar >= 20 else "reliability", bar + 5, "faint"),
            *(cell(names[name], size, "faint", right=True) for name, size in tail),
        )

    def entry(self, key: str, width: int, height: int) -> list[Line]:
        record = self._found[key]
        model, bar, tail = _columns(width, self._found)
        few = record.outcomes < FEW_OUTCOMES
        cost = usd_per_surviving(record)
        refused = rejections(record)
        outcomes = f"{record.outcomes} few" if few else str(record.outcomes)
        secs = "–" if record.seconds is None else f"{record.seconds:.1f}"
        parts: dict[str, tuple[str, Role]] = {
            "out": (outcomes, "waiting" if few else "text"),
            "surv": (percent(survival(record)), "text"),
            "cost": ("–" if cost is None else ("0" if cost == 0 else f"{cost:.4f}"), "text"),
            "rej": (percent(refused), "disputed" if refused is not None and refused >= 0.2 else "text"),
            "s": (secs, "dim"),
        }
        return [
            join(
                cell(short_model(key), model, "text"),
                Run(" "),
                interval(record, bar, few),
                cell(f"{record.reliability:.2f}", 5, "dim" if few else "strong", right=True),
                *(cell(parts[name][0], size, parts[name][1], right=True) for name, size in tail),
            )
        ]

    def empty(self, width: int) -> list[Line]:
        return notes(
            width,
            "No model has a record here yet.",
            ("", "A record grows when others build on what a model said, or dispute it."),
        )


def interval(record: TrackRecord, cells: int, few: bool) -> Line:
    """The interval on a line from 0 to 1, the mean as a dot; dashed and dim when outcomes are few."""
    if cells < 4:
        return (Run(" " * cells),)
    drawn = span(record.low, record.reliability, record.high, cells, is_vague=few)
    role: Role = "faint" if few else "dim"
    return join(
        Run(drawn.before), Run(drawn.left, role), Run(drawn.mean, "dim" if few else "accent"), Run(drawn.right, role),
        Run(drawn.after),
    )  # fmt: skip


def _columns(width: int, rows: dict[str, TrackRecord]) -> tuple[int, int, list[tuple[str, int]]]:
    """Widths of the model and the bar, and the columns after them with theirs."""
    tail = [("out", 7), ("surv", 6), ("cost", 8), ("rej", 6)]
    if width < 56:
        tail = [("out", 7), ("surv", 6)] if width < 44 else [("out", 7), ("surv", 6), ("rej", 6)]
    if width >= 86:
        tail.append(("s", 7))
    longest = max((len(short_model(key)) for key in rows), default=8)
    rest = width - sum(size for _, size in tail) - 5 - 1
    model = min(longest, max(rest - 12, 8))
    return model, max(min(rest - model, 60), 0), tail
