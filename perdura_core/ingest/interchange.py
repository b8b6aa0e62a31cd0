"""Minds in other formats: the author's JSON in and out, and the journal itself as JSON lines."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from perdura_core.clock import Ids
from perdura_core.delta.ontology import edge_fault
from perdura_core.epistemics import entities_of
from perdura_core.errors import InputError
from perdura_core.graph import Graph, digest_of
from perdura_core.ingest.files import read_text
from perdura_core.ingest.foreign import UNSAID_CONFIDENCE, ForeignEdge, ForeignMind, ForeignNode, Remarks, parse_foreign
from perdura_core.ingest.outgoing import export_mind
from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    INGEST,
    OPERATOR,
    Draft,
    Edge,
    EdgeAdded,
    Fact,
    FactObserved,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    MindImported,
    Mode,
    NodeId,
    NodeSuperseded,
    Occurrence,
    Placement,
    Question,
    QuestionAsked,
    QuestionResolved,
    Value,
    layer_of,
)

__all__ = ["ImportReport", "export_mind", "import_mind"]

_AUTHORS = {"user": OPERATOR}
"""Names of the author's program for whom this mind has a word of its own."""


class ImportReport(Value):
    """What an import added."""

    path: str
    questions: int
    facts: int
    seen_again: int
    """Evidence whose words the mind held already: a further sighting, not a further fact."""
    interpretations: int
    edges: int
    ids: dict[str, str]
    """The file's id -> the id here, of nodes and edges."""
    not_kept: tuple[str, ...]
    """What the file said and this mind has no place for, one sentence a kind."""


async def import_mind(mind: Mind, path: Path) -> ImportReport:
    """Add what a file in the author's JSON format holds, all of it or nothing.

    Evidence becomes facts. Ids are given anew; the journal keeps the old ones, so that an export can give them back.
    Raises InputError for a file that is no such file or was imported before, StoreError when it cannot be written.
    """
    text = await asyncio.to_thread(read_text, path)
    digest = hashlib.sha256(text.encode()).hexdigest()
    for event in await mind.store.events(kinds=["mind_imported"]):
        if isinstance(event.what, MindImported) and event.what.sha256 == digest:
            raise InputError(f"{str(path)!r} was imported before (event {event.seq}): a second time would double it")
    remarks = Remarks()
    foreign = await asyncio.to_thread(parse_foreign, text, str(path), mind.clock.now(), remarks)
    known_remarks = remarks.sentences()

    def plan(graph: Graph, ids: Ids) -> Sequence[Draft]:
        return _Arrival(foreign, graph, ids).drafts(str(path), digest, known_remarks)

    events = await mind.journal.write(plan)
    happenings = [event.what for event in events]
    note = next(what for what in happenings if isinstance(what, MindImported))
    return ImportReport(
        path=str(path),
        questions=sum(isinstance(what, QuestionAsked) for what in happenings),
        facts=sum(isinstance(what, FactRecorded) for what in happenings),
        seen_again=sum(isinstance(what, FactObserved) for what in happenings),
        interpretations=sum(isinstance(what, InterpretationAdded) for what in happenings),
        edges=sum(isinstance(what, EdgeAdded) for what in happenings),
        ids=note.nodes | note.edges,
        not_kept=note.not_kept,
    )


class _Arrival:
    """One run of the import's plan: turns the file's nodes and edges into drafts under the write lock."""

    def __init__(self, foreign: ForeignMind, graph: Graph, ids: Ids) -> None:
        self._foreign = foreign
        self._graph = graph
        self._ids = ids
        self._remarks = Remarks()
        self._nodes: dict[str, NodeId] = {}
        self._edges: dict[str, str] = {}
        self._modes: dict[str, Mode] = {}
        self._facts: dict[int, NodeId] = {}
        self._ends: set[tuple[str, NodeId, NodeId]] = set()
        self._drafts: list[Draft] = []
        named = {node.created_by for node in foreign.nodes} | {edge.created_by for edge in foreign.edges}
        self._authors = {there: here for there, here in _AUTHORS.items() if there in named and here not in named}

    def drafts(self, path: str, digest: str, known_remarks: Sequence[str]) -> list[Draft]:
        """Nodes first, then edges, then what changed of nodes, and last the note of the import itself."""
        for node in self._foreign.nodes:
            self._add_node(node)
        for edge in self._foreign.edges:
            self._add_edge(edge)
        for node in self._foreign.nodes:
            if node.is_resolved:
                self._add(QuestionResolved(node=self._nodes[node.id]))
        self._supersede()
        self._add(
            MindImported(
                path=path,
                sha256=digest,
                nodes=self._nodes,
                edges=self._edges,
                authors={here: there for there, here in self._authors.items()},
                modes=self._modes,
                times=self._foreign.times,
                log=self._foreign.log,
                not_kept=(*known_remarks, *self._remarks.sentences()),
            )
        )
        return self._drafts

    def _add(self, what: Happening) -> None:
        self._drafts.append(Draft(what=what, by=INGEST))

    def _add_node(self, node: ForeignNode) -> None:
        match node.type:
            case "evidence":
                here = self._add_fact(node)
            case "question":
                here = self._ids.next("q")
                self._unkept_confidence(node, "questions")
                question = Question(
                    id=here,
                    text=node.text,
                    domains=node.domains,
                    created_by=self._author(node.created_by),
                    created_at=node.created_at,
                )
                self._add(QuestionAsked(question=question))
            case kind:
                here = self._ids.next("i")
                judged = Interpretation(
                    id=here,
                    kind=kind,
                    text=node.text,
                    domains=node.domains,
                    asserted_confidence=node.confidence,
                    confidence=UNSAID_CONFIDENCE if node.confidence is None else node.confidence,
                    status=node.status,
                    velocity=self._graph.velocity_of(node.domains),
                    created_by=self._author(node.created_by),
                    created_at=node.created_at,
                )
                self._add(InterpretationAdded(interpretation=judged, placed=_placed(judged.kind)))
        self._nodes[node.id] = here
        if node.mode != "organic":
            self._modes[here] = node.mode

    def _add_fact(self, node: ForeignNode) -> NodeId:
        self._unkept_confidence(node, "evidence")
        digest = digest_of(node.text)
        author = self._author(node.created_by)
        sighting = Occurrence(recorded_at=node.created_at, recorded_by=author)
        known = self._facts.get(digest) or self._graph.known_fact(digest)
        if known is not None:
            self._remarks.add("evidence in the words of a fact is a further sighting of that fact", node.id)
            self._add(FactObserved(node=known, occurrence=sighting))
            return known
        here = self._facts[digest] = self._ids.next("f")
        fact = Fact(
            id=here,
            text=node.text,
            domains=node.domains,
            entities=entities_of(node.text),
            occurrences=(sighting,),
            created_by=author,
            created_at=node.created_at,
        )
        self._add(FactRecorded(fact=fact, placed=_placed("evidence")))
        return here

    def _unkept_confidence(self, node: ForeignNode, what: str) -> None:
        if node.confidence not in (None, UNSAID_CONFIDENCE):
            self._remarks.add(f"confidences of {what} have no place here", f"{node.id}: {node.confidence}")

    def _add_edge(self, edge: ForeignEdge) -> None:
        src, dst = self._nodes.get(edge.src), self._nodes.get(edge.dst)
        if src is None or dst is None:
            self._remarks.add("edges to a node that the file does not hold were left out", edge.id)
            return
        fault = "an edge needs two ends" if src == dst else edge_fault(edge.type, layer_of(src), layer_of(dst))
        if fault is not None:
            self._remarks.add(f"edges that have no place here were left out: {fault}", edge.id)
            return
        ends = (edge.type, *(sorted((src, dst)) if edge.type == "contradicts" else (src, dst)))
        if ends in self._ends or self._graph.edge_between(edge.type, src, dst):
            self._remarks.add("edges that repeat another were left out", edge.id)
            return
        self._ends.add(ends)
        here = self._edges[edge.id] = self._ids.next("e")
        added = Edge(
            id=here,
            type=edge.type,
            src=src,
            dst=dst,
            created_by=self._author(edge.created_by),
            created_at=edge.created_at,
        )
        self._add(EdgeAdded(edge=added))
        if edge.mode != "organic":
            self._modes[here] = edge.mode

    def _author(self, name: str) -> str:
        return self._authors.get(name, name)

    def _supersede(self) -> None:
        heirs: dict[NodeId, NodeId] = {}
        for node in self._foreign.nodes:
            if node.superseded_by is None:
                continue
            here, heir = self._nodes[node.id], self._nodes.get(node.superseded_by)
            if heir is None or layer_of(heir) != layer_of(here) or here in heirs or _leads_to(heir, here, heirs):
                self._remarks.add(
                    "superseded_by that names no other node of its layer, or itself, was not kept", node.id
                )
                continue
            heirs[here] = heir
            self._add(NodeSuperseded(node=here, superseded_by=heir))


def _leads_to(start: NodeId, goal: NodeId, heirs: dict[NodeId, NodeId]) -> bool:
    at: NodeId | None = start
    while at is not None:
        if at == goal:
            return True
        at = heirs.get(at)
    return False


def _placed(kind: str) -> Placement:
    return Placement(tier="source", reason=f"the file calls it {kind}")
