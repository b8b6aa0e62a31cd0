"""Events made by hand, and the definition of contention counted out the slow way."""

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from perdura_core.graph import Graph, Stay, Vertex
from perdura_core.vocabulary import (
    Boarding,
    BoardingEnded,
    BoardingOpened,
    Edge,
    EdgeAdded,
    EdgeType,
    Event,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    InterpretationKind,
    NodeId,
    Occurrence,
    Question,
    QuestionAsked,
    Route,
)

START = datetime(2026, 3, 1, tzinfo=UTC)


def numbered(happenings: Iterable[Happening], first: int = 1) -> list[Event]:
    """The happenings as a journal, one a minute."""
    return [
        Event(seq=seq, at=START + timedelta(minutes=seq), by="reader:support", what=what)
        for seq, what in enumerate(happenings, first)
    ]


def graph_of(*happenings: Happening) -> Graph:
    graph = Graph()
    graph.apply(numbered(happenings))
    return graph


def asked(node: NodeId, text: str = "Why?", domains: Sequence[str] = ()) -> QuestionAsked:
    return QuestionAsked(
        question=Question(id=node, text=text, domains=tuple(domains), created_by="operator", created_at=START)
    )


def recorded(node: NodeId, text: str = "It is so.", boarding: str | None = None) -> FactRecorded:
    sighting = Occurrence(source="a.md#L1", recorded_at=START, recorded_by="ingest")
    return FactRecorded(
        fact=Fact(id=node, text=text, occurrences=(sighting,), created_by="ingest", boarding=boarding, created_at=START)
    )


def judged(
    node: NodeId,
    confidence: float = 0.5,
    kind: InterpretationKind = "claim",
    text: str = "It seems so.",
    domains: Sequence[str] = (),
    facts: Sequence[NodeId] = (),
    boarding: str | None = None,
) -> InterpretationAdded:
    return InterpretationAdded(
        interpretation=Interpretation(
            id=node,
            kind=kind,
            text=text,
            domains=tuple(domains),
            facts=tuple(facts),
            asserted_confidence=confidence,
            confidence=confidence,
            created_by="reader:support",
            boarding=boarding,
            created_at=START,
        )
    )


def linked(
    edge: str,
    type_: EdgeType,
    src: NodeId,
    dst: NodeId,
    boarding: str | None = None,
    created_by: str = "reader:support",
) -> EdgeAdded:
    return EdgeAdded(
        edge=Edge(id=edge, type=type_, src=src, dst=dst, created_by=created_by, boarding=boarding, created_at=START)
    )


def boarded(
    boarding: str, question: NodeId, model: str = "reader:support", session: str | None = None
) -> BoardingOpened:
    return BoardingOpened(
        boarding=Boarding(
            id=boarding,
            session=session,
            seat=1,
            question=question,
            model=model,
            route=Route(model=model, policy="cheap", reason="the cheapest able"),
            opened_at=START,
        )
    )


def ended(boarding: str, merged: int = 0) -> BoardingEnded:
    return BoardingEnded(boarding=boarding, ending="merged", seconds=1.0, merged=merged, rejected=0)


def contention_by_hand(graph: Graph, inside: set[NodeId]) -> float:
    """edge_signal of a set of nodes, from its definition over all edges."""
    speaks = {vertex.id: speaker_by_hand(graph, vertex.id) for vertex in graph.vertices("interpretation")}
    live = {
        vertex.id: vertex
        for vertex in graph.vertices("interpretation")
        if vertex.is_live and vertex.id in inside and speaks[vertex.id] == vertex.id
    }
    claims = sum(vertex.kind == "claim" for vertex in live.values())
    disputes = {
        frozenset((speaks[link.src], speaks[link.dst]))
        for node in speaks
        for link in graph.links(node)
        if link.type == "contradicts" and link.src in speaks and link.dst in speaks
    }
    pairs = {pair for pair in disputes if len(pair) == 2 and pair <= live.keys()}
    heat = math.fsum((live[a].confidence + live[b].confidence) / 2 for a, b in map(tuple, pairs))
    return heat / claims if claims else 0.0


def speaker_by_hand(graph: Graph, node: NodeId) -> NodeId:
    """Who counts for a claim: the oldest earlier one of its author that the conductor says it restates."""
    one = graph.get(node)
    assert one is not None
    earlier = [
        link.dst
        for link in graph.links(node)
        if link.type == "refines" and link.src == node and link.created_by == "conductor"
        if (other := graph.get(link.dst)) is not None
        if int(link.dst[1:]) < int(node[1:]) and one.kind == other.kind == "claim"
        if one.created_by == other.created_by and other.status == "active" and other.superseded_by != node
    ]
    return speaker_by_hand(graph, min(earlier, key=lambda other: int(other[1:]))) if earlier else node


def within_two_edges(graph: Graph, question: NodeId) -> set[NodeId]:
    found = {question}
    for _ in range(2):
        found |= {end for node in found for link in graph.links(node) for end in (link.src, link.dst)}
    return found


def reading(graph: Graph) -> dict[str, object]:
    """Everything the graph says about itself."""
    questions = [vertex.id for vertex in graph.vertices("question")]
    vertices = list(graph.vertices())
    return {
        "head": graph.head,
        "vertices": vertices,
        "links": {vertex.id: list(graph.links(vertex.id)) for vertex in vertices},
        "citing": {vertex.id: list(graph.cited_by(vertex.id)) for vertex in graph.vertices("fact")},
        "same": {vertex.id: graph.same_text(vertex.layer, vertex.digest) for vertex in vertices},
        "open": graph.open_questions(),
        "contention": [graph.contention(question) for question in questions],
        "claims": [graph.claims_in(question) for question in questions],
        "disputes": [graph.disputes(question) for question in questions],
        "mind": (graph.contention_all(), graph.disputes(), dict(graph.contention_of_domains())),
        "work": [
            (graph.boardings_of(question), graph.idle_boardings(question), graph.last_models(question))
            for question in questions
        ],
        "aboard": {boarding: (at, dict(graph.refs(boarding))) for boarding, at in graph.open_boardings().items()},
        "total": graph.total_boardings(),
    }


def state_of(events: Sequence[Event], graph: Graph) -> Graph:
    """The graph restored from state as a store would keep it, derived from the journal and not from the index."""
    gone = {event.what.edge for event in events if event.kind == "edge_retracted"}
    edges = [event.what.edge for event in events if isinstance(event.what, EdgeAdded)]
    opened = [event.what.boarding for event in events if isinstance(event.what, BoardingOpened)]
    productive = {event.what.interpretation.boarding for event in events if event.kind == "interpretation_added"}
    productive |= {edge.boarding for edge in edges}
    idle: dict[NodeId, int] = {}
    closed = [event.what.boarding for event in events if isinstance(event.what, BoardingEnded)]
    for boarding in closed:
        question = next(one.question for one in opened if one.id == boarding)
        idle[question] = 0 if boarding in productive else idle.get(question, 0) + 1
    stays = [Stay(one.id, one.question, one.session, one.id in productive) for one in opened if one.id not in closed]
    for stay in stays:
        for event in events:
            if event.kind in {"element_merged", "element_rejected"} and event.what.boarding == stay.boarding:
                stay.fingerprints.add(event.what.fingerprint)
                if event.kind == "element_merged" and event.what.ref and event.what.node:
                    stay.refs[event.what.ref] = event.what.node
    vertices = [Vertex(**{name: getattr(vertex, name) for name in Vertex.__slots__}) for vertex in graph.vertices()]
    return Graph.restore(
        events[-1].seq if events else 0,
        vertices,
        [
            (int(edge.id[1:]), edge.type, edge.src, edge.dst, edge.created_by, edge.boarding)
            for edge in edges
            if edge.id not in gone
        ],
        boarded=[(one.question, one.model) for one in opened],
        idle=idle,
        aboard=stays,
    )
