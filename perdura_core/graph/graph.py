"""The index of the present in memory: adjacency and the little that decisions need of each node. No texts."""

from collections.abc import Iterable, Mapping, Sequence

from perdura_core.graph.adjacency import Adjacency
from perdura_core.graph.contention import Pair
from perdura_core.graph.present import Present, own_groups
from perdura_core.graph.vertex import Link, LinkRow, Vertex
from perdura_core.graph.work import Stay, Work
from perdura_core.vocabulary import (
    ConfidenceRevised,
    ConfidencesRevised,
    ConfidenceVoted,
    DomainProfiled,
    EdgeAdded,
    EdgeRetracted,
    EdgeType,
    Event,
    FactRecorded,
    Happening,
    InterpretationAdded,
    LevelChanged,
    ModelId,
    NodeId,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    StatusChanged,
    Velocity,
)

__all__ = ["Graph"]


class Graph(Present):
    """Adjacency, liveness, contention and open work, kept by events.

    Contention of a subgraph is the sum over live `contradicts` pairs of the mean confidence of both ends, divided by
    the number of live claims (EPISTEMICS: `edge_signal`); a pair counts once whatever its directions and repeats, and
    what its author said before counts not at all: its disputes are those of the earlier claim (`Restating`). A merge
    updates the questions whose 2-hop neighbourhood it touches and no others.
    """

    @classmethod
    def restore(
        cls,
        head: int,
        vertices: Iterable[Vertex],
        links: Sequence[LinkRow],
        *,
        boarded: Iterable[tuple[NodeId, ModelId]],
        idle: Mapping[NodeId, int],
        aboard: Iterable[Stay],
        velocities: Mapping[str, Velocity] | None = None,
    ) -> "Graph":
        """The graph that applying every event up to `head` would give, from state that was kept beside the journal.

        vertices: every node, superseded and deleted ones too, in order of creation over all layers.
        links: every edge that was not retracted, in order of creation.
        boarded: question and model of every boarding, ended ones too, in order of opening.
        idle: per question, how many of its last ended boardings, in the order they ended, added no node and no edge;
            a question without a boarding may be absent.
        aboard: the boardings that have not ended, in order of opening, with what their elements did so far.
        velocities: of the domains that were profiled.
        """
        graph = cls()
        graph.head = head
        graph._note_all(vertices)
        graph._adjacency = Adjacency(list(graph._vertices), links)
        interpretations = graph._layers["interpretation"]
        graph._restating.load(links)
        own = {domains: own_groups(domains) for domains in {found.domains for found in interpretations.values()}}
        opposed = (
            ends
            for _, type_, src, dst, _, _ in links
            if type_ == "contradicts" and (ends := graph._dispute(type_, src, dst)) is not None
        )
        graph._contention.load(
            {node: own[found.domains] for node, found in interpretations.items()},
            {
                node: (found.kind == "claim", found.confidence if graph._is_counted(found) else None)
                for node, found in interpretations.items()
            },
            opposed,
            graph._layers["question"],
            graph._adjacency.loaded,
        )
        graph._work = Work(boarded, idle, aboard)
        graph._velocities = dict(velocities or {})
        return graph

    def apply(self, events: Iterable[Event]) -> None:
        """Move the index forward. Events at or before `head` are ignored, so that applying twice is harmless."""
        for event in events:
            if event.seq > self.head:
                if isinstance(event.what, ConfidenceVoted):
                    self._vertices[event.what.node].vote(event.by, event.what.confidence)
                self._change(event.what)
                self._work.change(event.what)
                self.head = event.seq

    def become(self, other: "Graph") -> None:
        """Take over another graph's state, so that whoever holds this one sees it. `other` is not to be used again."""
        self.__dict__ = other.__dict__

    def prepare(self, node: NodeId) -> None:
        """Work out now what a changed confidence or status of this interpretation will need.

        In a large mind the first change of a node may take a millisecond. Who is about to change thousands in one
        event prepares them a few at a time, and lets others get the event loop in between.
        """
        self._contention.prepare(node)

    # Changing

    def _change(self, what: Happening) -> None:  # noqa: PLR0912 - one case for each thing that changes a node
        match what:
            case QuestionAsked(question=node) | FactRecorded(fact=node) | InterpretationAdded(interpretation=node):
                self._admit(Vertex.of(node))
            case EdgeAdded(edge=edge):
                self._link(Link.of(edge))
            case EdgeRetracted():
                self._unlink(what.edge)
            case ConfidenceRevised():
                self._vertices[what.node].confidence = what.after
                self._weigh(what.node)
            case ConfidencesRevised():
                for node_id, after in what.after.items():
                    self._vertices[node_id].confidence = after
                    self._weigh(node_id)
            case LevelChanged():
                self._vertices[what.node].level = what.after
            case NodeSuperseded() | NodeRestored():
                self._vertices[what.node].superseded_by = getattr(what, "superseded_by", None)
                self._weigh(what.node)
            case StatusChanged():
                self._vertices[what.node].status = what.after
                self._weigh(what.node)
            case NodeRedacted():
                self._redact(what.node)
            case QuestionResolved() | QuestionReopened():
                resolved = isinstance(what, QuestionResolved)
                self._vertices[what.node].question_status = "resolved" if resolved else "open"
            case DomainProfiled():
                self._velocities[what.domain] = what.velocity
            case QuestionPinned():
                self._vertices[what.node].pinned = what.pinned
            case _:
                pass  # money, models, sessions and sightings do not change the nodes; Work sees to boardings

    def _note_all(self, vertices: Iterable[Vertex]) -> None:
        """What `_note` does, for a whole mind at once."""
        found, layers, texts, citing = self._vertices, self._layers, self._texts, self._citing
        for vertex in vertices:
            node, layer = vertex.id, vertex.layer
            found[node] = layers[layer][node] = vertex
            if vertex.digest:
                key = layer, vertex.digest
                if key in texts:
                    texts[key].append(node)
                else:
                    texts[key] = [node]
            for fact in dict.fromkeys(vertex.facts) if vertex.facts else ():
                citing.setdefault(fact, []).append(node)
        for domains in dict.fromkeys(vertex.domains for vertex in layers["interpretation"].values()):
            self._domains.update(dict.fromkeys(domains))

    def _note(self, vertex: Vertex) -> None:
        node, layer = vertex.id, vertex.layer
        self._vertices[node] = self._layers[layer][node] = vertex
        if vertex.digest:
            self._texts.setdefault((layer, vertex.digest), []).append(node)
        if layer == "interpretation":
            for fact in dict.fromkeys(vertex.facts):
                self._citing.setdefault(fact, []).append(node)
            for domain in vertex.domains:
                self._domains[domain] = None

    def _admit(self, vertex: Vertex) -> None:
        self._note(vertex)
        if vertex.layer == "interpretation":
            node = vertex.id
            self._contention.admit(node, vertex.kind == "claim", vertex.confidence if vertex.is_live else None)
            for group in own_groups(vertex.domains):
                self._contention.join(node, group)

    def _link(self, link: Link) -> None:
        made_neighbours = self._adjacency.add(link)
        if (ends := self._dispute(link.type, link.src, link.dst)) is not None:
            self._contention.oppose(*ends)
        restated = self._restating.note(link)
        if made_neighbours:
            for question, node in self._adjacency.affected(link.src, link.dst):
                if node[0] == "i":
                    self._contention.join(node, question)
        if restated is not None:
            self._speak(restated)

    def _unlink(self, edge_id: str) -> None:
        link = self._adjacency.edge(edge_id)
        if link is None:
            return
        parted = self._adjacency.remove(link)
        if (ends := self._dispute(link.type, link.src, link.dst)) is not None:
            self._contention.reconcile(*ends)
        restated = self._restating.drop(link)
        if restated is not None:
            self._speak(restated)
        if parted:
            for question, node in self._adjacency.affected(link.src, link.dst):
                if node[0] == "i" and not self._adjacency.reaches(question, node):
                    self._contention.leave(node, question)

    def _weigh(self, node: NodeId) -> None:
        """After what it is worth, or whether it stands, has changed: it and what it speaks for."""
        if node[0] == "i":
            self._speak(node)

    def _speak(self, node: NodeId) -> None:
        """Settle who speaks for the node and for what restates it, and what each is worth."""
        restating = self._restating
        for one in restating.affected(node):
            speaker = restating.chosen(one)
            if speaker != restating.speaker(one):
                links = self._adjacency.links(one)
                for ends in self._disputes_of(links):
                    self._contention.reconcile(*ends)
                restating.decide(one, speaker)
                for ends in self._disputes_of(links):
                    self._contention.oppose(*ends)
            vertex = self._vertices[one]
            self._contention.weigh(one, vertex.confidence if self._is_counted(vertex) else None)

    def _is_counted(self, vertex: Vertex) -> bool:
        return vertex.is_live and not self._restating.is_silent(vertex.id)

    def _disputes_of(self, links: Iterable[Link]) -> list[Pair]:
        return [ends for link in links if (ends := self._dispute(link.type, link.src, link.dst)) is not None]

    def _dispute(self, type_: EdgeType, src: NodeId, dst: NodeId) -> Pair | None:
        """Between whom the edge counts as a dispute; None when it is none."""
        if type_ != "contradicts" or not src[0] == dst[0] == "i":
            return None
        ends = self._restating.speaker(src), self._restating.speaker(dst)
        return ends if ends[0] != ends[1] else None

    def _redact(self, node: NodeId) -> None:
        vertex = self._vertices[node]
        if vertex.digest:
            self._texts[vertex.layer, vertex.digest].remove(node)
        vertex.digest = vertex.size = 0
