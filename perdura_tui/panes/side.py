"""One side of a dispute: what it says, what it rests on, who said it, and where it came from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from perdura_core.graph import Link
from perdura_core.vocabulary import BoardingRecord, Fact, Interpretation, NodeId, TrackRecord
from perdura_tui.content import wrap
from perdura_tui.feed import Feed
from perdura_tui.ink import Line, Role, Run, bar, cell, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.models import interval
from perdura_tui.panes.scroll import ScrollFrame
from perdura_tui.phrases import ago, clock_time
from perdura_tui.states.detail import DetailLine
from perdura_tui.states.models import FEW_OUTCOMES

__all__ = ["Side", "SidePane", "side_lines"]

_LEVELS = {1: "", 2: " · pattern", 3: " · principle"}
_MOST_FACTS = 12
_MOST_LINKS = 12
_OUT = {"supports": "supports", "refines": "refines", "answers": "answers", "depends_on": "depends on",
        "contradicts": "contradicts"}  # fmt: skip
_IN = {"supports": "backed by", "refines": "refined by", "answers": "answered by", "depends_on": "needed by",
       "contradicts": "contradicts"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """What was read of one side."""

    node: Interpretation
    facts: Sequence[Fact] = ()
    """Those it refers to and those that support it."""
    links: Sequence[Link] = ()
    texts: Mapping[NodeId, str] = field(default_factory=dict)
    """Texts of the nodes at the other ends of the links."""
    record: TrackRecord | None = None
    boarding: BoardingRecord | None = None


def side_lines(side: Side, rival: NodeId | None, width: int, now: datetime) -> list[DetailLine]:
    """The page about one side, laid out for a width in cells. `rival`: the other side, which is shown there already."""
    node = side.node
    said = "" if node.asserted_confidence is None else f"  its author said {node.asserted_confidence:.2f}"
    if width < 50:
        said = said.replace("its author said", "said")
    lines = [
        DetailLine(
            join(
                Run(" "), run(node.id, "accent"), run(f"  {node.kind}{_LEVELS[node.level]}", "dim"), Run("   "),
                bar(node.confidence, min(10, max(width - 44, 0)), "accent"), run(f" {node.confidence:.2f}", "strong"),
                run(said, "faint"),
            ),
            node.id,
        ),
        DetailLine(),
    ]  # fmt: skip
    lines.extend(DetailLine(join(Run(" "), run(text, "strong"))) for text in wrap(node.text, max(width - 2, 1)))
    lines.append(DetailLine())
    lines.extend(_facts(side, width))
    lines.extend(_author(side, width, now))
    lines.extend(_lineage(side, rival, width))
    return lines


def _title(text: str, count: int | None = None) -> DetailLine:
    return DetailLine(join(Run(" "), Run(text, "title"), run("" if count is None else f"  {count}", "faint")))


def _facts(side: Side, width: int) -> Iterable[DetailLine]:
    if not side.facts:
        yield DetailLine(join(Run(" "), Run("○ ", "waiting"), Run("no fact behind it", "waiting")))
        yield DetailLine()
        return
    yield _title("facts", len(side.facts))
    for fact in side.facts[:_MOST_FACTS]:
        for number, text in enumerate(wrap(fact.text, max(width - 10, 1))[:3]):
            yield DetailLine(
                join(Run(" "), cell(fact.id if number == 0 else "", 7, "accent"), run(text, "text")),
                fact.id if number == 0 else None,
            )
        sighting = fact.occurrences[0]
        when = "" if sighting.observed_at is None else f" · {sighting.observed_at:%Y-%m-%d %H:%M}"
        again = "" if len(fact.occurrences) == 1 else f" · seen {len(fact.occurrences)} times"
        where = sighting.source or "no source named"
        yield DetailLine(join(Run(" " * 8), cell(f"{where}{when}{again}", max(width - 9, 0), "dim")))
    if len(side.facts) > _MOST_FACTS:
        yield DetailLine(join(Run(" " * 8), run(f"{len(side.facts) - _MOST_FACTS} more", "faint")))
    yield DetailLine()


def _author(side: Side, width: int, now: datetime) -> Iterable[DetailLine]:
    node, record = side.node, side.record
    yield DetailLine(join(Run(" "), Run("author ", "title"), cell(node.created_by, max(width - 9, 0), "text")))
    if record is None or record.outcomes == 0:
        yield DetailLine(join(Run("   "), run("no outcomes yet: nothing speaks for or against it", "dim")))
    else:
        few = record.outcomes < FEW_OUTCOMES
        where = "overall" if record.domain is None else f"in {record.domain}"
        said = f" {record.reliability:.2f}  {record.low:.2f} to {record.high:.2f}"
        noun = "outcome" if record.outcomes == 1 else "outcomes"
        yield DetailLine(
            join(Run("   "), interval(record, min(24, max(width - 26, 0)), few), run(said, "dim" if few else "text"))
        )
        caution = ": few, so take it lightly" if few else ""
        yield DetailLine(join(Run("   "), cell(f"{record.outcomes} {noun} {where}{caution}", width - 4, "dim")))
    sent = ""
    if side.boarding is not None:
        boarding = side.boarding.boarding
        mode = "" if boarding.mode == "organic" else f" · {boarding.mode}"
        sent = f"{boarding.id} on {boarding.question}{mode} · "
    age = f"{clock_time(node.created_at)}, {ago(node.created_at, now)} ago"
    yield DetailLine(join(Run("   "), cell(f"{sent}{age}", max(width - 4, 0), "dim")))
    yield DetailLine()


def _lineage(side: Side, rival: NodeId | None, width: int) -> Iterable[DetailLine]:
    node = side.node.id
    facts = {fact.id for fact in side.facts}
    links = [link for link in side.links if not {link.src, link.dst} & facts and rival not in (link.src, link.dst)]
    if not links:
        return
    yield _title("lineage", len(links))
    ranked = sorted(links, key=lambda link: (link.type != "answers", link.type != "contradicts", link.type))
    for link in ranked[:_MOST_LINKS]:
        is_out = link.src == node
        other = link.dst if is_out else link.src
        role: Role = "disputed" if link.type == "contradicts" else "dim"
        mark = "✗ " if link.type == "contradicts" else ("→ " if is_out else "← ")
        word = (_OUT if is_out else _IN)[link.type]
        line: Line = join(
            Run(" "), Run(mark, role), cell(word, 12, role), cell(other, 6, "accent"),
            cell(side.texts.get(other, ""), max(width - 22, 0), "text"),
        )  # fmt: skip
        yield DetailLine(line, other)
    if len(links) > _MOST_LINKS:
        yield DetailLine(join(Run("   "), run(f"{len(links) - _MOST_LINKS} more: enter on {node} shows all", "faint")))


class SidePane(ScrollFrame):
    """The left or the right side of the selected dispute."""

    GROUND = "ground"

    def __init__(self, feed: Feed, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self.feed = feed
        self._side: Side | None = None
        self._rival: Side | None = None

    def show(self, side: Side | None, rival: Side | None) -> None:
        """Show a side; from the top when it is another node than before."""
        is_other = side is None or self._side is None or side.node.id != self._side.node.id
        self._side, self._rival = side, rival
        if is_other:
            self.rewind()
        else:
            self.paint()

    def title(self) -> str:
        return f"{self.id}" if self._side is None else f"{self.id} · {self._side.node.id}"

    def remark(self) -> Line:
        scrolled = super().remark()
        if self._side is None or self._rival is None:
            return scrolled
        mine, other = self._side.node.confidence, self._rival.node.confidence
        if round(mine, 2) <= round(other, 2):
            return scrolled
        return join(Run("▲ more confident", "dim"), Run("  " if scrolled else ""), scrolled)

    def page(self, width: int) -> list[DetailLine]:
        if self._side is None:
            return []
        rival = None if self._rival is None else self._rival.node.id
        return side_lines(self._side, rival, width, self.feed.source.clock.now())
