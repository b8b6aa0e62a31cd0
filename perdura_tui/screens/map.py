"""Screen 2: the graph. From the whole of it down to one node and its neighbours, and along the edges."""

import asyncio
from collections.abc import Set as AbstractSet
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from perdura_core.errors import PerduraError
from perdura_core.vocabulary import NodeId
from perdura_tui.actions import Keymap, Place, bindings
from perdura_tui.feed import Feed, Topic
from perdura_tui.palette import Palette
from perdura_tui.panes.lines import Keys
from perdura_tui.panes.map import MapPane, Picture
from perdura_tui.screens.arrangement import arrange
from perdura_tui.screens.inspect import InspectDialog
from perdura_tui.screens.mode import ModeScreen
from perdura_tui.states.atlas import REST, Atlas, Survey, View
from perdura_tui.states.nearby import Nearby, Tie, everything, hints_of, nearby

__all__ = ["MapScreen"]

_LISTENS: frozenset[Topic] = frozenset({"disputes", "questions"})
_SLICE_S = 0.01
_REST_S = 1.0
"""A map that moves more often cannot be read."""
_RESTS_PER_WORK = 5
"""A survey that took long is repeated less often."""


class MapScreen(ModeScreen):
    """Reads a picture whenever the graph or the operator's wish changed, never two at once."""

    CSS_PATH = "desk.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("map",)
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("map", "screen")]

    def __init__(self, feed: Feed, palette: Palette, keymap: Keymap) -> None:
        super().__init__(feed, palette, keymap)
        self._map = MapPane(feed, palette)
        self._house = Vertical(self._status, self._map, self._events, Keys(keymap, palette, "map", "everywhere"))
        self._view = View()
        self._hops = 2
        self._way: list[NodeId] = []
        """The nodes in the middle so far; none: the overview."""
        self._anchor: str | None = None
        self._is_stale = True
        self._is_reading = False
        self._hinted = 0
        """Of which version of what is alike the picture is."""
        self._not_before_s = float("-inf")

    def compose(self) -> ComposeResult:
        """The map between the lines."""
        yield self._small
        yield self._house

    def on_mount(self) -> None:
        """The keys go to the map."""
        self._map.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Say so where the terminal is too small; lay out for the new size."""
        is_small = arrange(*event.size, 0).shape == "too_small"
        self._small.display, self._house.display = is_small, not is_small
        self._wish()

    def show_news(self, dirty: AbstractSet[Topic]) -> None:
        """Paint the lines, and read the map again when the graph moved."""
        if not self.is_mounted:
            return
        for line in (self._status, self._events):
            if line.LISTENS & dirty:
                line.paint()
        version = self.feed.source.likeness_version
        self._is_stale = self._is_stale or bool(dirty & _LISTENS) or version != self._hinted
        self._hinted = version
        if self._is_stale and self.feed.wall_s >= self._not_before_s:
            self._read_soon()

    # Reading

    def _wish(self) -> None:
        """What the operator wants to see changed: read at once."""
        self._is_stale, self._not_before_s = True, float("-inf")
        self._read_soon()

    def _read_soon(self) -> None:
        if self._is_reading or not self.is_mounted:
            return
        self._is_reading = True
        self.run_worker(self._read(), name="survey")

    async def _read(self) -> None:
        try:
            while self._is_stale:
                self._is_stale = False
                started_s = self.feed.wall_s
                await self._read_once()
                work_s = self.feed.wall_s - started_s
                self._not_before_s = self.feed.wall_s + max(_REST_S, _RESTS_PER_WORK * work_s)
                if self._is_stale and self.feed.wall_s < self._not_before_s:
                    break
        finally:
            self._is_reading = False

    async def _read_once(self) -> None:
        view, centre = self._view, self._way[-1] if self._way else None
        around, atlas = self._around(centre), None
        if around is None:
            atlas = await self._survey(view)
        try:
            texts = await self.feed.source.nodes(_named(around, atlas))
            ids, ties = _figure(around, atlas, self._anchor)
            before = self._map.picture.places
            places = await self.feed.surveyor.place(ids, ties, self._map.aspect, before)
        except PerduraError as error:
            self.feed.tell(str(error), is_error=True)
            return
        except OSError as error:
            self.feed.tell(f"the map could not be laid out ({error}): leave the screen and come back", is_error=True)
            return
        if atlas is not None and (self._anchor not in ids):
            self._anchor = ids[0] if ids else None
        if (view, centre) != (self._view, self._way[-1] if self._way else None):
            self._is_stale, self._not_before_s = True, float("-inf")
            return  # the operator looks elsewhere by now
        words = {node: value.text for node, value in texts.items()}
        found = around or Nearby()
        alike = self.feed.source.alike_among({dot.id for dot in found.dots})
        self._map.show(Picture(view, atlas, found, {**before, **places}, words, hints_of(found, *alike)))

    def _around(self, centre: NodeId | None) -> Nearby | None:
        graph, room = self.feed.source.graph, self._map.room
        wanted = {"only_disputes": self._view.only_disputes, "with_history": self._view.with_history}
        if centre is None:
            return everything(graph, min(room, _NAMED_AT_ONCE), **wanted)
        return nearby(graph, centre, room, self._hops, **wanted)

    async def _survey(self, view: View) -> Atlas:
        survey, clock = Survey(self.feed.source.graph, view), self.feed.live.clock.monotonic_s
        while not survey.work(clock() + _SLICE_S, clock):  # noqa: ASYNC110 - a slice at a time, so that keys get the loop
            await asyncio.sleep(0)
        assert survey.atlas is not None
        return survey.atlas

    # What the operator does

    def _go(self) -> None:
        self._map.is_reading = True
        self._map.paint()
        self._wish()

    def action_map_into(self) -> None:
        """Put what is under the cursor in the middle."""
        key, atlas = self._map.selected, self._map.picture.atlas
        if key is None or key == REST or (self._way and self._way[-1] == key):
            return
        if atlas is not None and atlas.view.by == "domain":
            node = self._hottest_of(key)
            if node is None:
                self.feed.tell(f"no open question belongs to {key!r}")
                return
            key = node
        self._way.append(key)
        self._go()

    def _hottest_of(self, domain: str) -> NodeId | None:
        graph = self.feed.source.graph
        found = [vertex.id for vertex in graph.open_questions() if domain in vertex.domains]
        return max(found, key=graph.contention, default=None)

    def look_at(self, node: NodeId) -> None:
        """Put a node in the middle."""
        if not self._way or self._way[-1] != node:
            self._way.append(node)
        if self.is_mounted:
            self._go()

    def action_map_out(self) -> None:
        """Back along the way, at last to the overview."""
        if self._way:
            self._way.pop()
            self._go()

    async def action_close(self) -> None:
        """To the overview at once; from there, back from the past."""
        if self._way:
            self._way.clear()
            self._go()
        else:
            await super().action_close()

    def action_map_inspect(self) -> None:
        """Open the node under the cursor."""
        if self._map.selected is not None and self.feed.source.graph.get(self._map.selected) is not None:
            self.app.push_screen(InspectDialog(self.feed.source, self.palette, self.keymap, self._map.selected))
        else:
            self.action_map_into()

    def action_map_hops(self) -> None:
        """One hop or two."""
        self._hops = 3 - self._hops
        self._go()

    def action_map_disputes(self) -> None:
        """Only contradictions, or everything."""
        self._view = self._view._replace(only_disputes=not self._view.only_disputes)
        self._go()

    def action_map_history(self) -> None:
        """Also what gave way, or only what lives."""
        self._view = self._view._replace(with_history=not self._view.with_history)
        self._go()

    def action_map_by(self) -> None:
        """Clusters by domain or by question."""
        self._view = self._view._replace(by="domain" if self._view.by == "question" else "question")
        self._way.clear()
        self._go()


_NAMED_AT_ONCE = 60
"""A whole mind of at most so many nodes is shown node by node."""


def _named(around: Nearby | None, atlas: Atlas | None) -> set[NodeId]:
    if around is not None:
        return {dot.id for dot in around.dots}
    if atlas is None or atlas.view.by == "domain":
        return set()
    return {cluster.key for cluster in atlas.clusters if cluster.key != REST}


def _figure(around: Nearby | None, atlas: Atlas | None, anchor: str | None) -> tuple[list[str], list[tuple[str, str]]]:
    """What is to be placed, what is in the middle first; and what joins it."""
    if around is not None:
        return [dot.id for dot in around.dots], [_ends(tie) for tie in around.ties]
    if atlas is None:
        return [], []
    ids = [cluster.key for cluster in atlas.clusters]
    if anchor in ids:
        ids.sort(key=lambda key: key != anchor)
    return ids, [(bond.a, bond.b) for bond in atlas.bonds[: 3 * len(ids)]]


def _ends(tie: Tie) -> tuple[str, str]:
    return tie.src, tie.dst
