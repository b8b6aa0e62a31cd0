"""Claims that say what an earlier claim of the same author says: they weigh nothing of their own."""

from collections.abc import Iterable, Mapping

from perdura_core.graph.vertex import Link, LinkRow, Vertex
from perdura_core.vocabulary import CONDUCTOR, NodeId

__all__ = ["Restating", "number_of"]


class Restating:
    """Which claim speaks for which. Told by `refines` edges that the conductor drew between claims of one author.

    The older claim speaks for the later one while it stands, and also when it gave way to a third: who is refuted is
    not to come back in other words.
    """

    def __init__(self, vertices: Mapping[NodeId, Vertex]) -> None:
        self._vertices = vertices
        self._originals: dict[NodeId, list[NodeId]] = {}
        self._restatements: dict[NodeId, list[NodeId]] = {}
        self._speakers: dict[NodeId, NodeId] = {}

    def speaker(self, node: NodeId) -> NodeId:
        """Who counts for the node: itself, unless it is a restatement."""
        return self._speakers.get(node, node)

    def is_silent(self, node: NodeId) -> bool:
        """Whether another claim counts for it."""
        return node in self._speakers

    def spoken_for(self, node: NodeId) -> list[NodeId]:
        """The restatements for which the node counts, older first."""
        found = [one for one in self._below(node) if self._speakers.get(one) == node]
        return sorted(found, key=number_of)

    def load(self, links: Iterable[LinkRow]) -> None:
        """Take note of every edge of a mind at once, before anything is counted."""
        drawn = (Link.read(row) for row in links if row[1] == "refines" and row[4] == CONDUCTOR)
        restated = {node for link in drawn if (node := self.note(link)) is not None}
        for node in sorted(restated, key=number_of):
            self.decide(node, self.chosen(node))

    def note(self, link: Link) -> NodeId | None:
        """Take note of a new edge. Returns the claim that it makes a restatement."""
        if not self._is_restatement(link):
            return None
        self._originals.setdefault(link.src, []).append(link.dst)
        self._restatements.setdefault(link.dst, []).append(link.src)
        return link.src

    def drop(self, link: Link) -> NodeId | None:
        """Forget an edge. Returns the claim that it made a restatement."""
        if not self._is_restatement(link):
            return None
        self._originals[link.src].remove(link.dst)
        self._restatements[link.dst].remove(link.src)
        return link.src

    def affected(self, node: NodeId) -> list[NodeId]:
        """The node and everything below it, older first: whose speaker may change with it."""
        return sorted({node, *self._below(node)}, key=number_of)

    def chosen(self, node: NodeId) -> NodeId:
        """Who should speak for the node as things stand; older claims must have been decided before."""
        standing = [one for one in self._originals.get(node, ()) if self._may_speak(one, node)]
        return self.speaker(min(standing, key=number_of)) if standing else node

    def decide(self, node: NodeId, speaker: NodeId) -> None:
        """From now on this one speaks for the node."""
        if speaker == node:
            self._speakers.pop(node, None)
        else:
            self._speakers[node] = speaker

    def _may_speak(self, original: NodeId, node: NodeId) -> bool:
        vertex = self._vertices[original]
        return vertex.status == "active" and vertex.superseded_by != node

    def _below(self, node: NodeId) -> set[NodeId]:
        found, rim = set[NodeId](), [node]
        while rim:
            rim = [one for last in rim for one in self._restatements.get(last, ()) if one not in found]
            found.update(rim)
        return found

    def _is_restatement(self, link: Link) -> bool:
        """Only a later claim can restate: no circle."""
        if link.type != "refines" or link.created_by != CONDUCTOR or number_of(link.dst) >= number_of(link.src):
            return False
        one, other = self._vertices[link.src], self._vertices[link.dst]
        return one.kind == other.kind == "claim" and one.created_by == other.created_by


def number_of(node: NodeId) -> int:
    """`i12` to 12: the smaller, the older within its layer."""
    return int(node[1:])
