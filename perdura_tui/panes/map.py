"""The graph as a whole pane: an overview of clusters, and the surroundings of one node with names."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perdura_core.vocabulary import NodeId
from perdura_tui.canvas import Canvas
from perdura_tui.content import fit, width_of
from perdura_tui.feed import Feed
from perdura_tui.ink import Line, Role, Run, cell, cells_of, heat_role, join, run
from perdura_tui.layout import Place
from perdura_tui.palette import Palette
from perdura_tui.panes.frame import notes
from perdura_tui.panes.graph import GLYPHS, GraphPane
from perdura_tui.states.atlas import REST, Atlas, Cluster, Member, View
from perdura_tui.states.nearby import Nearby, Tie

__all__ = ["MapPane", "Picture"]

_BOND: tuple[tuple[Role, int], tuple[Role, int]] = (("rule", 2), ("disputed", 3))
_ROLES: tuple[Role, ...] = ("rule", "faint", "dim", "cool", "warm", "hot", "disputed")
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_FILLED = 0.3
"""The part of the area that discs cover together."""
_DOTS_OF_A_DISC = 600
_PUSHES = 40
_CLUSTERS_IN_WORDS = 12
"""With more of them, only the name of the selected one carries the question's text."""
_CELLS_PER_GLYPH = 14
"""With so much room each node is drawn as what it is, else as a dot."""
_BONDS_PER_CLUSTER = 3
_CELLS_PER_DOT = 24
_MOST_DOTS = 140


class Picture(NamedTuple):
    """What is on the map: an atlas, or what stands around a node, each with its places."""

    view: View = View()
    atlas: Atlas | None = None
    nearby: Nearby = Nearby()
    places: Mapping[str, Place] = {}
    texts: Mapping[NodeId, str] = {}
    hints: tuple[Tie, ...] = ()


class MapPane(GraphPane):
    """Shows the picture that its screen reads; the cursor walks clusters, or nodes from the centre outwards."""

    TITLE = "graph"

    def __init__(self, feed: Feed, palette: Palette) -> None:
        super().__init__(feed, palette)
        self.picture = Picture()
        self.room = _MOST_DOTS
        """Nodes that can be named on the map."""
        self.is_reading = True
        self._spots: dict[str, tuple[int, int]] = {}
        self._arrangement: tuple[Picture, tuple[int, int], dict[str, _Disc]] | None = None

    def show(self, picture: Picture) -> None:
        """Show another picture. The selection stays where it is still there."""
        self.picture = picture
        self.is_reading = False
        self.paint()

    # What GraphPane draws from

    @property
    def shown(self) -> Nearby:
        """What stands around the node; nothing while the atlas is up."""
        return self.picture.nearby

    @property
    def texts(self) -> Mapping[NodeId, str]:
        """Texts of the nodes and questions on the map."""
        return self.picture.texts

    @property
    def hints(self) -> Sequence[Tie]:
        """Pairs that nobody drew; none while the atlas is up."""
        return self.picture.hints

    def make_room(self, dots: int) -> None:
        """The screen asks for as many nodes as the pane can name."""

    def on_resize(self) -> None:
        """Work out how many nodes can be named."""
        self.room = min(max((self.size.width - 2) * (self.size.height - 4) // _CELLS_PER_DOT, 12), _MOST_DOTS)

    @property
    def aspect(self) -> float:
        """Width through height of the map in dots."""
        return max(self.size.width - 2, 1) * 2 / max((self.size.height - 4) * 4, 1)

    def lay_out(self, aspect: float) -> None:
        """The places came with the picture."""
        self._places = dict(self.picture.places)

    def keys(self) -> list[str]:
        atlas = self.picture.atlas
        return super().keys() if atlas is None else [cluster.key for cluster in atlas.clusters]

    def remark(self) -> Line:
        view, atlas = self.picture.view, self.picture.atlas
        words = [f"by {view.by}"] if atlas is not None else []
        words += ["only contradictions"] if view.only_disputes else []
        words += ["with history"] if view.with_history else ["live"]
        said = Run(" · ".join(words), "waiting" if view.only_disputes or view.with_history else "dim")
        if self.is_reading:
            return join(Run("surveying… ", "waiting"), said)
        if atlas is not None:
            return join(Run(f"{atlas.nodes:,} nodes · ", "dim"), said)
        if not self.shown.hops:
            return join(Run(f"{len(self.shown.dots)} nodes · ", "dim"), said)
        return join(super().remark(), Run(" · ", "dim"), said)

    def empty(self, width: int) -> list[Line]:
        view = self.picture.view
        if view.only_disputes:
            return notes(width, "Nothing here is disputed.", ("c", "shows everything again."))
        if self.is_reading:
            return notes(width, "Surveying the graph…")
        return notes(width, "The graph is empty.", ("1", "goes to the desk, where a question can be asked."))

    # Drawing

    def drawn_from(self) -> tuple[object, ...]:
        return (self.picture,)

    def _draw(self, width: int, height: int) -> list[Line]:
        atlas = self.picture.atlas
        if atlas is None:
            return super()._draw(width, height)
        canvas = Canvas(width, height, _ROLES)
        discs = self._arranged(atlas, width, height)
        self._spots = {key: (round(disc.x / 2), round(disc.y / 4)) for key, disc in discs.items()}
        bonds = atlas.bonds[: _BONDS_PER_CLUSTER * len(atlas.clusters)]
        for bond in bonds:
            canvas.line(self._spots[bond.a], self._spots[bond.b], *_BOND[bond.disputes > 0 and not atlas.pairs])
        by_glyph = sum(len(cluster.members) for cluster in atlas.clusters) * _CELLS_PER_GLYPH <= width * height
        at: dict[NodeId, tuple[int, int]] = {}
        for cluster in atlas.clusters:
            across, down = _sunflower(discs[cluster.key], len(cluster.members) or min(cluster.size, _DOTS_OF_A_DISC))
            at.update(
                (member.id, (round(x / 2), round(y / 4)))
                for member, x, y in zip(cluster.members, across.tolist(), down.tolist(), strict=False)
            )
            if not by_glyph:
                _speckle(canvas, cluster, across, down)
        for a, b in atlas.pairs:
            if a in at and b in at:
                canvas.line(at[a], at[b], "disputed", 3)
        if by_glyph:
            for cluster in atlas.clusters:
                for member in cluster.members:
                    canvas.mark(*at[member.id], GLYPHS[member.kind], _member_role(member))
        self._name_clusters(canvas, atlas, discs)
        return canvas.lines()

    def _name_clusters(self, canvas: Canvas, atlas: Atlas, discs: Mapping[str, "_Disc"]) -> None:
        for bond in atlas.bonds[: _BONDS_PER_CLUSTER * len(atlas.clusters)]:
            if bond.disputes and not atlas.pairs:
                (x1, y1), (x2, y2) = self._spots[bond.a], self._spots[bond.b]
                canvas.mark((x1 + x2) // 2, (y1 + y2) // 2, "✗", "disputed")
        for cluster in sorted(atlas.clusters, key=lambda cluster: cluster.key != self.selected):
            has_words = len(atlas.clusters) <= _CLUSTERS_IN_WORDS or cluster.key == self.selected
            self._caption_of(canvas, cluster, discs[cluster.key], self.texts.get(cluster.key, "") if has_words else "")

    def _arranged(self, atlas: Atlas, width: int, height: int) -> dict[str, "_Disc"]:
        """Where each cluster's disc lies; worked out once for a picture and a size."""
        known = self._arrangement
        if known is None or known[0] is not self.picture or known[1] != (width, height):
            discs = _discs(atlas, self.picture.places, width, height)
            known = self._arrangement = (self.picture, (width, height), discs)
        return known[2]

    def _cells(self, width: int, height: int) -> dict[NodeId, tuple[int, int]]:
        return super()._cells(width, height) if self.picture.atlas is None else self._spots

    def _caption_of(self, canvas: Canvas, cluster: Cluster, disc: "_Disc", words: str) -> None:
        is_selected = cluster.key == self.selected
        x, y = self._spots[cluster.key]
        name = "the rest" if cluster.key == REST else fit(cluster.key, min(width_of(cluster.key), 16))
        name = f"‹{name}›" if is_selected else name
        heat = f" {cluster.contention:.2f}" if cluster.contention else ""
        drawn = len(cluster.members) or min(cluster.size, _DOTS_OF_A_DISC)
        reach = math.ceil(disc.radius * math.sqrt((drawn - 1) / drawn) / 4) if drawn else 0  # as `_sunflower` lays out
        below, above = y + reach + 1, y - reach - 1
        for size in (28, 18, 0) if words else (0,):
            tail = f" {fit(words, min(size, width_of(words))).rstrip()}" if size else ""
            cells = width_of(name) + width_of(heat) + width_of(tail)
            for row in (below, above, y, below + 1, above - 1):
                left = min(max(x - cells // 2, 0), max(canvas.width - cells, 0))
                if canvas.is_free(left, row, cells) and (not size or canvas.crossings(left, row, cells) <= cells // 3):
                    canvas.mark(left, row, name, "accent" if is_selected else "strong")
                    canvas.mark(left + width_of(name), row, heat, heat_role(cluster.contention))
                    canvas.mark(left + width_of(name) + width_of(heat), row, tail, "faint")
                    return

    def _caption(self, width: int) -> list[Line]:
        atlas = self.picture.atlas
        if atlas is None:
            return super()._caption(width)
        has_marks = bool(atlas.clusters and atlas.clusters[0].members)
        says = Run(" each mark is a node " if has_marks else " the larger a disc, the more nodes ", "faint")
        legend = join(
            *(Run(f" {GLYPHS[kind]} {kind} ", "faint") for kind in ("question", "claim", "decision", "fact")),
            Run("  ╌╌ ", "disputed"), Run("contradicts", "faint"), Run("  "),
        )  # fmt: skip
        if cells_of(legend) + width_of(says.text) <= width:
            legend = join(says, legend)
        cluster = next((cluster for cluster in atlas.clusters if cluster.key == self.selected), None)
        if cluster is None:
            return [legend, ()]
        name = "the rest" if cluster.key == REST else cluster.key
        figures = f" {cluster.size:,} node{'' if cluster.size == 1 else 's'}"
        role: Role = heat_role(cluster.contention) if cluster.contention else "dim"
        heat = f" · contention {cluster.contention:.2f} · {cluster.disputes} disputed"
        rest = width - 3 - width_of(name) - len(figures) - len(heat)
        text = self.texts.get(cluster.key, "")
        return [
            legend,
            join(
                Run(" "), run(name, "accent"), Run(figures, "dim"), Run(heat, role), Run("  "), cell(text, max(rest, 0))
            ),
        ]


class _Disc(NamedTuple):
    x: float
    """In dots, like `y` and `radius`."""
    y: float
    radius: float


def _discs(atlas: Atlas, places: Mapping[str, Place], width: int, height: int) -> dict[str, _Disc]:
    """Discs that grow with their clusters, spread over the whole area, none over another."""
    clusters = atlas.clusters
    if not clusters:
        return {}
    share = np.array([cluster.size for cluster in clusters], dtype=np.float64) ** 0.6
    reach = np.sqrt(_FILLED * width * 2 * height * 4 * share / share.sum() / math.pi)
    reach = np.minimum(reach, height * 4 / 3)
    points = np.array([places.get(cluster.key, (0.0, 0.0)) for cluster in clusters], dtype=np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    points = (points - low) / np.maximum(high - low, 1e-9) if len(clusters) > 1 else points + 0.5
    least = np.stack((reach + 2, reach + 2), axis=1)
    most = np.maximum(np.array([width * 2.0, height * 4.0]) - np.stack((reach + 2, reach + 6), axis=1), least)
    points = least + points * (most - least)
    for _ in range(_PUSHES):
        points = np.clip(_pushed(points, reach), least, most)
    return {
        cluster.key: _Disc(float(x), float(y), float(radius))
        for cluster, (x, y), radius in zip(clusters, points, reach, strict=True)
    }


def _pushed(points: NDArray[np.float64], reach: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middles, each moved half of what it lies too near to another, with room for a line of text below."""
    apart = points[:, None, :] - points[None, :, :]
    apart[..., 1] += np.where(apart[..., 1] == 0, np.triu(np.ones(apart.shape[:2]), 1) * 1e-3, 0)
    distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-3)
    lacking = np.maximum(reach[:, None] + reach[None, :] + 6 - distance, 0)
    np.fill_diagonal(lacking, 0)
    moved: NDArray[np.float64] = points + (apart / distance[..., None] * lacking[..., None] * 0.35).sum(axis=1)
    return moved


def _sunflower(disc: _Disc, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Evenly spread places in a disc, the first in its middle."""
    number = np.arange(count)
    reach = disc.radius * np.sqrt(number / max(count, 1))
    return disc.x + reach * np.cos(number * _GOLDEN_ANGLE), disc.y + reach * np.sin(number * _GOLDEN_ANGLE)


def _speckle(canvas: Canvas, cluster: Cluster, across: NDArray[np.float64], down: NDArray[np.float64]) -> None:
    """A dot for each node, or for a share of them where the cluster is too large."""
    members = cluster.members
    if not members:
        canvas.dots(across, down, heat_role(cluster.contention) if cluster.contention else "dim")
        return
    hot = np.array([member.is_disputed for member in members], dtype=bool)
    past = np.array([not member.is_live for member in members], dtype=bool)
    canvas.dots(across[past], down[past], "rule")
    canvas.dots(across[~hot & ~past], down[~hot & ~past], "dim")
    canvas.dots(across[hot], down[hot], "disputed")


def _member_role(member: Member) -> Role:
    if not member.is_live:
        return "faint"
    if member.is_disputed:
        return "disputed"
    return "dim" if member.kind == "fact" else "settled" if member.kind == "decision" else "text"
