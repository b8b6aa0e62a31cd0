"""What stands around the selected question: what the desk's graph is drawn from."""

from perdura_core.vocabulary import NodeId
from perdura_tui.source import Source
from perdura_tui.states.nearby import Nearby, Tie, hints_of, nearby

__all__ = ["Vicinity"]

_EVERY_S = 0.5
"""A map that moves more often cannot be read."""


class Vicinity:
    """Read from the graph when that moved and the last reading is a while ago, and at once when the centre did."""

    def __init__(self) -> None:
        self.question: NodeId | None = None
        """The selected question: what the graph is centred on."""
        self.nearby = Nearby()
        self.hints: tuple[Tie, ...] = ()
        """Pairs on the map that nobody drew: near duplicates and suspected contradictions."""
        self.texts: dict[NodeId, str] = {}
        """Texts of the nodes on the map."""
        self._room = 40
        self._is_stale = False
        self._read_at_s = float("-inf")
        self._hinted: int | None = None

    def look_at(self, question: NodeId | None) -> None:
        """Centre it on a question. It is read with the next tick: who walks down a list pays for the last one alone."""
        if question != self.question:
            self.question = question
            self._is_stale, self._read_at_s = True, float("-inf")

    def make_room(self, dots: int) -> None:
        """Let it have so many nodes at most."""
        if dots != self._room:
            self._room = dots
            self._is_stale, self._read_at_s = True, float("-inf")

    def doubt(self) -> None:
        """The graph moved."""
        self._is_stale = True

    def forget(self, node: NodeId) -> None:
        """A text was destroyed."""
        self.texts = {other: text for other, text in self.texts.items() if other != node}

    def look(self, source: Source, now_s: float) -> bool:
        """Read it again if it is time to. Returns whether anything on the map changed."""
        version = source.likeness_version
        if not (self._is_stale or version != self._hinted) or now_s - self._read_at_s < _EVERY_S:
            return False
        before = self.nearby, self.hints
        if self._is_stale:
            centre, graph = self.question, source.graph
            self.nearby = nearby(graph, centre, self._room) if centre is not None else Nearby()
        self.hints = hints_of(self.nearby, *source.alike_among({dot.id for dot in self.nearby.dots}))
        self._is_stale, self._read_at_s, self._hinted = False, now_s, version
        return (self.nearby, self.hints) != before

    async def read_texts(self, source: Source) -> bool:
        """Read the texts that are missing. Returns whether there were any. Raises StoreError."""
        shown = {dot.id for dot in self.nearby.dots}
        missing = shown - self.texts.keys()
        if not missing:
            return False
        found = await source.nodes(missing)
        kept = {node: text for node, text in self.texts.items() if node in shown}
        self.texts = kept | {node: value.text for node, value in found.items()}
        return True
