"""What the mind holds today, on one page: in two columns where there is room."""

from collections.abc import Mapping
from itertools import zip_longest

from perdura_core.vocabulary import MemoryReport, NodeId, PromotionWaiting
from perdura_tui.feed import Feed
from perdura_tui.ink import Line, Role, Run, bar, cell, cells_of, heat_role, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.scroll import ScrollFrame
from perdura_tui.panes.upkeep import concerns, figures, paragraph, progress_line, title
from perdura_tui.phrases import dollars, seconds
from perdura_tui.states.detail_line import DetailLine
from perdura_tui.states.memory import BINS, Counted, Memoir, SessionRow

__all__ = ["MemoryPane", "most_seen"]

_WIDE = 96
_LEVELS = {1: "instances", 2: "patterns", 3: "principles"}
_STATES = {"active": "active", "shadow": "shadow", "deleted": "let go", "superseded": "gave way"}
_DOMAINS = 10
MOST_SEEN = 8


def most_seen(memoir: Memoir) -> list[tuple[NodeId, int]]:
    """The facts seen most often, with how often they were seen in all."""
    ranked = sorted(memoir.seen_again.items(), key=lambda item: (-item[1], int(item[0][1:])))
    return [(node, again + 1) for node, again in ranked[:MOST_SEEN]]


class MemoryPane(ScrollFrame):
    """What can be opened or settled on the left, where the cursor stops; on the right what is measured."""

    GROUND = "ground"
    TITLE = "memory"

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="memory")
        self.feed = feed
        self._counted: Counted | None = None
        self._memoir = Memoir()
        self._texts: Mapping[NodeId, str] = {}
        self._report: MemoryReport | None = None

    def show(self, counted: Counted, memoir: Memoir, texts: Mapping[NodeId, str], report: MemoryReport | None) -> None:
        """Show other counts; the page stays where it is scrolled to."""
        self._counted, self._memoir, self._texts, self._report = counted, memoir, texts, report
        self.paint()

    @property
    def proposed(self) -> PromotionWaiting | None:
        """The promotion under the cursor."""
        waiting = () if self._report is None else self._report.promotions
        return next((proposed for proposed in waiting if proposed.proposal == self.target), None)

    @property
    def node(self) -> NodeId | None:
        """The node under the cursor; of a promotion, its first member."""
        return self.target if self.proposed is None else self.proposed.members[0]

    def page(self, width: int) -> list[DetailLine]:
        counted = self._counted
        if counted is None:
            return [DetailLine(), DetailLine(join(Run("  "), Run("Counting…", "dim")))]
        each = width // 2 - 1 if width >= _WIDE else width
        left, right = self._known(counted, each), self._confidence(counted, each)
        report = self._report
        if report is None:
            left.extend((*title("upkeep"), *paragraph("What it knows is known of the present alone.", each)))
        else:
            left.extend((*progress_line(self.feed.source.upkeep, each), *concerns(report, each)))
            right.extend(figures(report, each))
        left.extend((*self._seen_again(each), *self._sessions(each)))
        right.extend(self._contention(each))
        if width < _WIDE:
            return [*left, *right]
        return [
            DetailLine(join(_padded(a.line, each + 2), b.line), a.target)
            for a, b in zip_longest(left, right, fillvalue=DetailLine())
        ]

    def _known(self, counted: Counted, width: int) -> list[DetailLine]:
        lines = title("what is known")
        lines.append(_row("questions", f"{counted.open_questions:,} open", f"{counted.settled_questions:,} settled"))
        facts = [f"{counted.facts:,} live", f"{counted.facts_alone:,} not used yet"]
        lines.append(_row("facts", *facts, *([f"{counted.facts_past:,} gave way"] if counted.facts_past else [])))
        head = join(Run(" "), cell("", 13), *(cell(name, 10, "faint", right=True) for name in _STATES.values()))
        lines.extend((DetailLine(), DetailLine(head)))
        for level, name in _LEVELS.items():
            figures = [counted.levels[level, state] for state in _STATES]
            cells = [cell(f"{count:,}", 10, "text" if count else "faint", right=True) for count in figures]
            lines.append(DetailLine(join(Run(" "), cell(name, 13, "dim"), *cells)))
        kinds = " · ".join(
            f"{count:,} {kind}{'s' if count != 1 and kind != 'rejected' else ''}"
            for kind, count in counted.kinds.most_common()
        )
        lines.extend(paragraph(f"active: {kinds}" if kinds else "nobody has interpreted anything yet", width))
        return lines

    def _confidence(self, counted: Counted, width: int) -> list[DetailLine]:
        lines = title("confidence of active interpretations")
        top = max(counted.confidence)
        if not top:
            return [*lines, *paragraph("none yet: the first claim brings one", width)]
        for number in reversed(range(BINS)):
            count = counted.confidence[number]
            label = f"{number / BINS:.1f}–{(number + 1) / BINS:.1f}"
            cells = max(width - 20, 8)
            drawn = bar(count / top, cells, "accent") if count else (Run(" " * cells),)
            figure = cell(f"{count:,}", 8, "text" if count else "faint", right=True)
            lines.append(DetailLine(join(Run(" "), cell(label, 9, "dim"), drawn, figure)))
        return lines

    def _contention(self, width: int) -> list[DetailLine]:
        graph = self.feed.source.graph
        disputes = self._counted.disputes if self._counted is not None else 0
        lines = title("contention")
        overall = graph.contention_all()
        lines.append(_row("the mind", f"{overall:.2f}", f"{disputes:,} live contradictions"))
        ranked = sorted(graph.contention_of_domains().items(), key=lambda item: (-item[1], item[0]))
        for domain, value in ranked[:_DOMAINS]:
            role: Role = heat_role(value) if value else "faint"
            drawn = bar(min(value, 1.0), max(width - 26, 8), role)
            lines.append(
                DetailLine(join(Run(" "), cell(domain, 15, "dim"), drawn, cell(f"{value:.2f}", 7, role, right=True)))
            )
        if len(ranked) > _DOMAINS:
            lines.extend(paragraph(f"and {len(ranked) - _DOMAINS} domains with less", width))
        return lines

    def _seen_again(self, width: int) -> list[DetailLine]:
        seen = most_seen(self._memoir)
        lines = title("facts seen again")
        if not seen:
            return [*lines, *paragraph("none: no source has repeated a fact so far", width)]
        for node, times in seen:
            text = self._texts.get(node, "")
            line = join(
                Run(" "),
                cell(f"{times}×", 5, "strong", right=True),
                Run("  "),
                cell(node, 7, "accent"),
                cell(text, max(width - 17, 0)),
            )
            lines.append(DetailLine(line, node))
        more = len(self._memoir.seen_again) - len(seen)
        return [*lines, *(paragraph(f"and {more:,} more", width) if more > 0 else [])]

    def _sessions(self, width: int) -> list[DetailLine]:
        lines = title("last sessions")
        if not self._memoir.sessions:
            return [*lines, *paragraph("none yet: space on the desk starts one", width)]
        return [*lines, *(DetailLine(_session(row, width)) for row in reversed(self._memoir.sessions))]


def _session(row: SessionRow, width: int) -> Line:
    state: Run = {
        None: Run("▶ running", "accent"), "finished": Run("✓ finished", "settled"), "stopped": Run("■ stopped", "dim"),
    }.get(row.ending, run(f"! {row.ending}", "waiting"))  # fmt: skip
    lasted = "" if row.ended_at is None else seconds((row.ended_at - row.started_at).total_seconds())
    figures = "" if row.boardings is None else f"{row.boardings:,} brd"
    return join(
        Run(" "), cell(row.id, 5, "accent"), cell(f"{row.started_at.astimezone():%y-%m-%d %H:%M}", 15, "dim"),
        cell(state.text, 12, state.role), cell(lasted, 8, "dim", right=True), cell(figures, 8, right=True),
        cell(dollars(row.cost_micro_usd) if row.ending is not None else "", 8, right=True),
    )  # fmt: skip


def _row(name: str, *figures: str) -> DetailLine:
    return DetailLine(join(Run(" "), cell(name, 13, "dim"), run("  ·  ".join(figures))))


def _padded(line: Line, width: int) -> Line:
    return join(line, Run(" " * max(width - cells_of(line), 0)))
