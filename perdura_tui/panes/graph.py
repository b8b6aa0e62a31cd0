"""Pane 2: the graph around the selected question, drawn in braille."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import BindingType

from perdura_core.vocabulary import NodeId
from perdura_tui.actions import bindings
from perdura_tui.canvas import Canvas
from perdura_tui.content import fit, flat, width_of
from perdura_tui.feed import Feed, Topic
from perdura_tui.ink import Line, Role, Run, cell, cells_of, join, run
from perdura_tui.layout import Place
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import ListFrame, notes
from perdura_tui.panes.sheet import Row
from perdura_tui.states.nearby import Dot, Nearby, Tie, TieType

__all__ = ["GLYPHS", "GraphPane"]

GLYPHS: dict[str, str] = {"question": "◆", "fact": "○", "claim": "●", "decision": "■", "rejected": "⊘"}
_ROLES: tuple[Role, ...] = ("rule", "faint", "dim", "waiting", "disputed")
_LINES: dict[TieType, tuple[Role, int]] = {
    "cites": ("rule", 2), "supports": ("faint", 0), "depends_on": ("faint", 0), "refines": ("faint", 0),
    "answers": ("dim", 0), "contradicts": ("disputed", 3),
}  # fmt: skip
_HINTS: dict[TieType, tuple[Run, str]] = {
    "suspected": (Run("?", "waiting"), "suspected"), "worded_like": (Run("≈", "dim"), "alike"),
}  # fmt: skip
"""What nobody drew is dotted, with a sign in the middle."""
_SIGNS: dict[TieType, Run] = {
    "contradicts": Run("✗", "disputed"), **{kind: sign for kind, (sign, _) in _HINTS.items()},
}  # fmt: skip
_DOTS_APART = 3
_CELLS_PER_DOT = 30
_MOST_DOTS = 80
_LABELLED_IN_WORDS = 16
"""With at most so many nodes, labels carry the beginning of the text."""


class GraphPane(ListFrame):
    """One or two hops around the question; the cursor walks from the centre outwards, disputes first."""

    NUMBER = 2
    TITLE = "graph"
    LISTENS: frozenset[Topic] = frozenset({"graph"})
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("list")]

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(palette, id="graph")
        self.feed = feed
        self._places: dict[NodeId, Place] = {}
        self._map_height = 1
        self._placed = self._wanted = Nearby(), 0.0
        self._is_surveying = False
        self._picture: tuple[tuple[object, ...], list[Line]] = (), []
        """The map as it was drawn last, and what it was drawn from."""

    @property
    def shown(self) -> Nearby:
        """The part of the graph on the map: what the feed found last, as soon as it has places."""
        return self._placed[0]

    @property
    def texts(self) -> Mapping[NodeId, str]:
        """Texts of the nodes on the map, as far as they were read."""
        return self.feed.around.texts

    @property
    def hints(self) -> Sequence[Tie]:
        """Pairs that nobody drew."""
        return self.feed.around.hints

    def keys(self) -> list[str]:
        return [dot.id for dot in self.shown.dots]

    def remark(self) -> Line:
        nearby = self.shown
        if nearby.centre is None:
            return ()
        hops = f" · {nearby.hops} hop{'s' if nearby.hops > 1 else ''}"
        more = f" · {nearby.left_out} more" if nearby.left_out else ""
        return (run(nearby.centre, "accent"), run(hops + more, "dim"))

    def body(self, width: int, height: int) -> list[Row]:
        """The map, and under it the node at the cursor in its own words."""
        self.make_room(min(max(width * height // _CELLS_PER_DOT, 8), _MOST_DOTS))
        self.lay_out(width * 2 / max((height - (2 if height >= 9 else 1)) * 4, 1))
        keys = self.keys()
        self._count, self._shown = len(keys), max(len(keys), 1)
        self._follow(keys)
        if not keys:
            return [Row()] * max((height - 4) // 3, 0) + [Row(line) for line in self.empty(width)]
        caption = 2 if height >= 9 else 1
        self._map_height = height - caption
        lines = self._drawn_map(width, self._map_height)
        lines.extend(self._caption(width)[-caption:] if caption == 2 else self._caption(width)[1:])
        return [Row(line) for line in lines]

    def make_room(self, dots: int) -> None:
        """Have so many nodes on the map at most."""
        self.feed.around.make_room(dots)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the node nearest to the mouse."""
        cells = self._cells(self.size.width - 2, self._map_height)
        if cells:
            x, y = event.x - 1, event.y - 1
            self.select(min(cells, key=lambda node: abs(cells[node][0] - x) + 2 * abs(cells[node][1] - y)))

    def thumb(self, height: int) -> range | None:
        """The map does not scroll."""
        return None

    def empty(self, width: int) -> list[Line]:
        return notes(
            width, "No question is selected.", ("1", "goes to the questions; the graph shows what stands around one.")
        )

    # Drawing

    def drawn_from(self) -> tuple[object, ...]:
        """What the map shows, besides the selection. None of it is ever changed in place."""
        return self.shown, self._places, self.hints, self.texts if self._is_in_words else None

    @property
    def _is_in_words(self) -> bool:
        return len(self.shown.dots) <= _LABELLED_IN_WORDS

    def _drawn_map(self, width: int, height: int) -> list[Line]:
        """The map; drawn anew when it would look different."""
        now = (*self.drawn_from(), self.selected, width, height)
        before, lines = self._picture
        if len(now) != len(before) or any(a is not b and a != b for a, b in zip(now, before, strict=True)):
            lines = self._draw(width, height)
            self._picture = now, lines
        return lines.copy()

    def _draw(self, width: int, height: int) -> list[Line]:
        nearby = self.shown
        canvas = Canvas(width, height, _ROLES)
        cells = self._cells(width, height)
        strokes: dict[tuple[Role, int], list[tuple[tuple[int, int], tuple[int, int]]]] = {}
        for tie in nearby.ties:
            strokes.setdefault(_LINES[tie.type], []).append((cells[tie.src], cells[tie.dst]))
        for (role, gap), ends in strokes.items():
            canvas.lines_between(ends, role, gap)
        hints = [tie for tie in self.hints if tie.src in cells and tie.dst in cells]
        for kind, (sign, _) in _HINTS.items():
            pairs = [(cells[tie.src], cells[tie.dst]) for tie in hints if tie.type == kind]
            canvas.lines_between(pairs, sign.role, _DOTS_APART, is_dotted=True)
        for dot in nearby.dots:
            x, y = cells[dot.id]
            canvas.mark(x, y, GLYPHS[dot.kind or dot.layer], self._role(dot))
        for tie in (*nearby.ties, *hints):
            if tie.type in _SIGNS:
                (x1, y1), (x2, y2) = cells[tie.src], cells[tie.dst]
                if canvas.is_free((x1 + x2) // 2, (y1 + y2) // 2, 1):
                    canvas.mark((x1 + x2) // 2, (y1 + y2) // 2, *_SIGNS[tie.type])
        for dot in sorted(nearby.dots, key=lambda dot: dot.id != self.selected):
            self._label(canvas, dot, *cells[dot.id])
        return canvas.lines()

    def lay_out(self, aspect: float) -> None:
        """Have every node of the map given a place, elsewhere. aspect: width through height of the area in dots."""
        self._wanted = self.feed.around.nearby, aspect
        if self._wanted != self._placed and not self._is_surveying and self.is_mounted:
            self._is_surveying = True
            self.run_worker(self._survey(), name="layout")

    async def _survey(self) -> None:
        try:
            while (wanted := self._wanted) != self._placed:
                nearby, aspect = wanted
                ids, ties = [dot.id for dot in nearby.dots], [(tie.src, tie.dst) for tie in nearby.ties]
                self._places = await self.feed.surveyor.place(ids, ties, aspect, self._places)
                self._placed = wanted
                self.paint()
        except OSError as error:
            self.feed.tell(f"the graph could not be laid out ({error}): select another question", is_error=True)
        finally:
            self._is_surveying = False

    def _cells(self, width: int, height: int) -> dict[NodeId, tuple[int, int]]:
        """The cell of each node, no two the same, with room for a label at the sides."""
        side = min(7, width // 6)
        half_x, half_y = (width - 1 - 2 * side) / 2, (height - 1) / 2
        taken: set[tuple[int, int]] = set()
        cells: dict[NodeId, tuple[int, int]] = {}
        for dot in self.shown.dots:
            x, y = self._places[dot.id]
            at = _free_cell(round(side + half_x * (1 + x)), round(half_y * (1 + y)), width, height, taken)
            taken.update((at[0] + step, at[1]) for step in range(-2, 3))
            cells[dot.id] = at
        return cells

    def _role(self, dot: Dot) -> Role:
        if dot.id == self.selected:
            return "accent"
        if not dot.is_live:
            return "faint"
        if dot.is_disputed:
            return "disputed"
        if dot.layer == "fact":
            return "dim"
        return "settled" if dot.kind == "decision" else "strong"

    def _label(self, canvas: Canvas, dot: Dot, x: int, y: int) -> None:
        is_selected = dot.id == self.selected
        name = f"‹{dot.id}›" if is_selected else dot.id
        role: Role = "accent" if is_selected else ("text" if dot.is_live and dot.layer != "fact" else "dim")
        words = ""
        if self._is_in_words and dot.layer != "question":
            words = flat(self.texts.get(dot.id, "")[:80])
        for size in (24, 16, 10, 0) if words else (0,):
            label = f"{name} {fit(words, min(size, width_of(words))).rstrip()}" if size else name
            cells = width_of(label)
            spots = [(x + 2, y), (x - cells - 1, y), (x - cells // 2, y + 1), (x - cells // 2, y - 1)]
            free = [spot for spot in spots if canvas.is_free(spot[0], spot[1], cells)]
            if free:
                best = min(free, key=lambda spot: canvas.crossings(spot[0], spot[1], cells))
                if size and canvas.crossings(best[0], best[1], cells) > cells // 4:
                    continue
                canvas.mark(best[0], best[1], name, role)
                if size:
                    canvas.mark(best[0] + width_of(name), best[1], label[len(name) :], "faint")
                return

    def _caption(self, width: int) -> list[Line]:
        dot = next((dot for dot in self.shown.dots if dot.id == self.selected), None)
        legend = join(
            *(part for kind in ("question", "claim", "decision", "fact")
              for part in (Run(f" {GLYPHS[kind]} ", "dim"), Run(kind, "faint"))),
            Run("  ╌✗╌ ", "disputed"), Run("contradicts", "faint"),
        )  # fmt: skip
        for kind in dict.fromkeys(tie.type for tie in self.hints):
            sign, words = _HINTS[kind]
            more = (Run(f" ·{sign.text}· ", sign.role), Run(words, "faint"))
            if cells_of(legend) + cells_of(more) <= width:
                legend = join(legend, more)
        if dot is None:
            return [legend, ()]
        about = f" {dot.kind or dot.layer}" + (f" {dot.confidence:.2f}" if dot.confidence is not None else "") + " "
        about += "" if dot.is_live else "· no longer live "
        text = self.texts.get(dot.id, "")
        size = width - 2 - width_of(dot.id) - len(about)
        return [legend, join(Run(" "), run(dot.id, "accent"), Run(about, "dim"), cell(text, max(size, 0), "text"))]


def _free_cell(x: int, y: int, width: int, height: int, taken: set[tuple[int, int]]) -> tuple[int, int]:
    """The nearest cell that no other node stands in."""
    x, y = min(max(x, 0), width - 1), min(max(y, 0), height - 1)
    for reach in range(max(width, height)):
        for down in range(-reach, reach + 1):
            for across in {-(reach - abs(down)) * 2, (reach - abs(down)) * 2}:
                at = (x + across, y + down)
                if 0 <= at[0] < width and 0 <= at[1] < height and at not in taken:
                    return at
    return x, y
