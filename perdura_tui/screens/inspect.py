"""The inspector: one node, its history, and its edges to follow."""

from contextlib import suppress
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.acts import move
from perdura_core.errors import PerduraError, UnknownNodeError
from perdura_core.vocabulary import Grade, Interpretation, JudgedLayer, Near, NodeId, Question
from perdura_tui.actions import Keymap, bindings
from perdura_tui.ink import Line, Run, join, run
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import keys_line
from perdura_tui.panes.scroll import ScrollFrame
from perdura_tui.placements import given_way
from perdura_tui.screens.dialog import Dialog
from perdura_tui.screens.grading import grade
from perdura_tui.source import Source
from perdura_tui.states.detail import Detail, detail_lines
from perdura_tui.states.detail_line import DetailLine

__all__ = ["InspectDialog"]

_MOST_EVENTS = 200
_MOST_NEIGHBOURS = 400
_LOOK_EVERY_S = 0.5
"""For the memoric code, while the claims of the mind are still being read."""


class InspectDialog(Dialog[None]):
    """`enter` follows an edge, `esc` goes back along the way, and closes at its start."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("node")]

    def __init__(self, source: Source, palette: Palette, keymap: Keymap, node: NodeId) -> None:
        super().__init__(palette, keymap)
        self._source = source
        self._way = [node]
        self._page = PageFrame(source, palette, keymap)

    def compose(self) -> ComposeResult:
        """The page."""
        with Vertical(classes="box page"):
            yield self._page

    async def on_mount(self) -> None:
        """Read the node."""
        await self._show()
        self.set_interval(_LOOK_EVERY_S, self._look_again)

    async def _look_again(self) -> None:
        """Read the node again once its memoric code is known, without leaving the place on the page."""
        node = self._way[-1]
        if not self._page.lacks_code or self._source.code(node) is None:
            return
        with suppress(PerduraError):
            detail = await read_detail(self._source, node)
            if node == self._way[-1]:
                self._page.renew(detail)

    async def _show(self) -> None:
        node = self._way[-1]
        try:
            detail = await read_detail(self._source, node)
        except PerduraError as error:
            self._page.fail(str(error))
        else:
            self._page.show(detail, [*self._way[:-1]])
        self._page.focus()

    async def action_follow(self) -> None:
        """Open the node at the other end of the line under the cursor."""
        target = self._page.target
        if target is not None and target != self._way[-1]:
            self._way.append(target)
            await self._show()

    async def action_node_fact(self) -> None:
        """What it says is a fact."""
        await self._move("fact")

    async def action_node_judgement(self) -> None:
        """What it says is somebody's judgement."""
        await self._move("interpretation")

    async def _move(self, layer: JudgedLayer) -> None:
        node = self._way[-1]
        try:
            found = (await self._source.nodes([node])).get(node)
            if found is None:
                raise UnknownNodeError(node)
            await self._source.act(move(found, layer, self._source.clock.now()))
            heir = (await self._source.nodes([node]))[node].superseded_by
        except PerduraError as error:
            self._page.say(str(error))
            return
        if heir is not None:
            self._way.append(heir)
        await self._show()
        self._page.say(f"moved; {self.keymap.label('undo')} on a screen takes it back")

    async def action_grade_right(self) -> None:
        """Grade this answer right, or take that back."""
        await self._grade("right")

    async def action_grade_wrong(self) -> None:
        """Grade this answer wrong, or take that back."""
        await self._grade("wrong")

    async def _grade(self, wanted: Grade) -> None:
        said = await grade(self._source, self._way[-1], wanted)
        await self._show()
        self._page.say(said)

    async def action_close(self) -> None:  # type: ignore[override]
        """One node back, or out."""
        if len(self._way) > 1:
            self._way.pop()
            await self._show()
        else:
            self.dismiss(None)


async def read_detail(source: Source, node: NodeId) -> Detail:
    """Everything about a node. Raises UnknownNodeError, StoreError."""
    found = (await source.nodes([node])).get(node)
    if found is None:
        raise UnknownNodeError(node)
    graph = source.graph
    links = list(graph.links(node))[:_MOST_NEIGHBOURS]
    cited_by = list(graph.cited_by(node))[:_MOST_NEIGHBOURS]
    disputed = bool(graph.rivals(node))
    contention = graph.contention(node) if isinstance(found, Question) else None
    around = {link.src for link in links} | {link.dst for link in links} | set(cited_by)
    if isinstance(found, Interpretation):
        around.update(found.facts)
    code = source.code(node) if isinstance(found, Interpretation) else None
    near = [] if code is None else [_other(one, node) for one in source.near(node)]
    around.update(other for other, _ in near)
    around.update(other for other in (found.superseded_by, getattr(found, "resolved_by", None)) if other)
    texts = {other: value.text for other, value in (await source.nodes(around - {node})).items()}
    history = await source.history_of(node, _MOST_EVENTS)
    standing = await source.standing(node) if isinstance(found, Interpretation) else None
    gone = given_way(found, graph)
    return Detail(found, links, cited_by, texts, history, disputed, contention, gone, standing, code, near)


def _other(near: Near, node: NodeId) -> tuple[NodeId, int]:
    return near.right if near.left == node else near.left, near.bits


class PageFrame(ScrollFrame):
    """The page about one node."""

    def __init__(self, source: Source, palette: Palette, keymap: Keymap) -> None:
        super().__init__(palette, id="page")
        self._keymap = keymap
        self._source = source
        self._detail: Detail | None = None
        self._way: list[NodeId] = []
        self._failed = ""

    def show(self, detail: Detail, way: list[NodeId]) -> None:
        """Show a node, from the top. `way`: the nodes through which it was reached."""
        self._detail, self._way, self._failed = detail, way, ""
        self.rewind()

    @property
    def lacks_code(self) -> bool:
        """Whether the memoric code of the claim that is shown is not known yet."""
        detail = self._detail
        return (
            detail is not None
            and detail.code is None
            and isinstance(detail.node, Interpretation)
            and detail.node.kind == "claim"
        )

    def renew(self, detail: Detail) -> None:
        """Show what became known of the same node, where the page stands."""
        self._detail = detail
        self.paint()

    def fail(self, sentence: str) -> None:
        """Say why there is nothing to show."""
        self._detail, self._failed = None, sentence
        self.rewind()

    def title(self) -> str:
        return "inspect" if not self._way else "inspect  " + " › ".join(self._way[-6:]) + " ›"

    def foot(self, width: int) -> Line:
        return keys_line(self._keymap, width, "node", "screen")

    def page(self, width: int) -> list[DetailLine]:
        if self._detail is None:
            return [DetailLine(), DetailLine(join(Run("  "), run(self._failed or "Reading…", "dim")))]
        return detail_lines(self._detail, width, self._source.clock.now())
