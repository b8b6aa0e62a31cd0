"""Writes the drafts of a checked group: nodes first, then for each element its edges, its changes and its end."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from perdura_core.clock import Ids
from perdura_core.delta.check import check, sole_answer
from perdura_core.delta.piece import Aboard, End, Piece, kind_of_end, layer_of_end
from perdura_core.delta.validate import Refusal
from perdura_core.delta.votes import UNASSERTED, after_vote
from perdura_core.epistemics import entities_of
from perdura_core.graph import Graph, Vertex
from perdura_core.vocabulary import (
    ConfidenceRevised,
    ConfidenceVoted,
    Draft,
    Edge,
    EdgeAdded,
    EdgeType,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Fact,
    FactObserved,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    Link,
    NodeId,
    NodeSuperseded,
    Occurrence,
    Question,
    QuestionAsked,
    QuestionResolved,
    StatusChanged,
)

__all__ = ["Merge"]

_ORDER = {"fact": 0, "question": 1}
_PREFIX = {"fact": "f", "question": "q", "interpretation": "i"}


class Merge:
    """One group under plan. `made` is given when the operator accepted it: see `check`."""

    def __init__(
        self, graph: Graph, ids: Ids, aboard: Aboard, now: datetime, made: Mapping[str, NodeId] | None = None
    ) -> None:
        self._graph = graph
        self._ids = ids
        self._aboard = aboard
        self._now = now
        self._made = made
        self._drawn: set[tuple[EdgeType, NodeId, NodeId]] = set()
        self._revived: set[NodeId] = set()

    def drafts(self, pieces: list[Piece]) -> list[Draft]:
        """What becomes of the pieces, each in exactly one of merged, refused and held."""
        check(pieces, self._graph, self._aboard, self._made)
        for piece in self._left(pieces):
            if piece.standing is not None and not (self._new_links(piece) or self._renewals(piece)):
                words = (piece.said.text or "")[:60]
                piece.refuse(Refusal("repeated_node", f"{words!r} says what {piece.standing!r} says and adds nothing"))
        why = {piece: self._why_held(piece) for piece in self._left(pieces)}
        for piece, reason in why.items():
            piece.proposal = self._ids.next("p") if reason is not None else None
        happenings = list(self._nodes(pieces))
        for piece in pieces:
            happenings += self._ending(piece, why.get(piece))
        return [self._draft(what) for what in happenings]

    def _draft(self, what: Happening) -> Draft:
        aboard = self._aboard
        return Draft(what=what, by=aboard.model, boarding=aboard.boarding, session=aboard.session)

    def _left(self, pieces: Sequence[Piece]) -> list[Piece]:
        return [piece for piece in pieces if piece.refusal is None]

    # Review

    def _why_held(self, piece: Piece) -> str | None:
        """Why the operator has to see it first; None when nobody has to."""
        if self._made is not None:
            return None
        if piece.follows is not None:
            return f"it refers to {piece.follows}, which waits"
        if self._aboard.review == "all":
            return "every element waits for the operator"
        kind = piece.said.kind
        if kind not in ("supersede", "resolve"):
            return None
        if self._aboard.review == "changes":
            return f"every {kind} waits for the operator"
        if self._aboard.is_language_model and self._touches_decision(piece):
            return f"a {kind} with a decision waits for the operator"
        return None

    def _touches_decision(self, piece: Piece) -> bool:
        ends = list(piece.ends.values())
        if piece.said.kind == "resolve" and not piece.said.links:
            answer = sole_answer(self._id(piece.ends[piece.said.origin or ""]), self._graph)
            ends += [answer] if answer is not None else []
        return any(kind_of_end(end, self._graph) == "decision" for end in ends)

    def _held(self, piece: Piece, why: str) -> ElementHeld:
        """The proposal, with ids in place of refs: it is settled when the boarding is over."""
        element = piece.said.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        for link in element.get("links", ()):
            link["to"] = self._name(piece.ends[link["to"]])
        if "facts" in element:
            element["facts"] = [self._name(piece.ends[name]) for name in element["facts"]]
        if "from" in element:
            element["from"] = self._name(piece.ends[element["from"]])
        if piece.said.kind == "resolve" and not piece.said.links and piece.follows is None:
            element["links"] = [{"type": "resolved_by", "to": sole_answer(element["from"], self._graph)}]
        return ElementHeld(
            proposal=piece.proposal or "",
            boarding=self._aboard.boarding,
            index=piece.index,
            fingerprint=piece.fingerprint,
            element=element,
            why=why,
        )

    def _name(self, end: End) -> str:
        return end if isinstance(end, str) else end.proposal or self._id(end)

    # Nodes

    def _nodes(self, pieces: list[Piece]) -> Iterator[Happening]:
        coming: list[Piece] = []
        for piece in self._left(pieces):
            if piece.proposal is None and piece.is_node:
                piece.node = piece.standing or self._ids.next(_PREFIX[layer_of_end(piece)])
                coming += [piece] if piece.standing is None else []
        for piece in sorted(coming, key=lambda piece: _ORDER.get(piece.said.kind, 2)):
            yield self._node(piece)

    def _node(self, piece: Piece) -> Happening:
        said, aboard, now = piece.said, self._aboard, self._now
        base: dict[str, object] = {
            "id": piece.node,
            "text": said.text,
            "domains": said.domains or aboard.domains,
            "created_by": aboard.model,
            "boarding": aboard.boarding,
            "created_at": now,
        }
        if said.kind == "question":
            return QuestionAsked(question=Question.model_validate(base))
        if said.kind == "fact":
            base |= {
                "entities": said.entities or entities_of(said.text or ""),
                "occurrences": (self._occurrence(piece),),
            }
            return FactRecorded(fact=Fact.model_validate(base), placed=piece.placement)
        base |= {
            "kind": said.kind,
            "level": said.level,
            "velocity": self._graph.velocity_of(said.domains or aboard.domains),
            "facts": tuple(dict.fromkeys(self._id(piece.ends[name]) for name in said.facts)),
            "asserted_confidence": said.confidence,
            "confidence": UNASSERTED if said.confidence is None else said.confidence,
        }
        return InterpretationAdded(interpretation=Interpretation.model_validate(base), placed=piece.placement)

    def _occurrence(self, piece: Piece) -> Occurrence:
        return Occurrence(
            source=piece.said.source,
            recorded_at=self._now,
            recorded_by=self._aboard.model,
            boarding=self._aboard.boarding,
        )

    def _id(self, end: End) -> NodeId:
        if isinstance(end, str):
            return end
        assert end.node is not None  # nodes of a group have their ids before anything refers to them
        return end.node

    # What a repeated node brings

    def _renewals(self, piece: Piece) -> list[Happening]:
        """What saying a standing node's words again changes, other than edges."""
        vertex = self._graph.get(piece.standing or "")
        if vertex is None or vertex.layer == "question":
            return []
        if vertex.layer == "fact":
            if vertex.id in self._aboard.shown and piece.said.source is None:
                return []  # read from the briefing, not seen again
            return [FactObserved(node=vertex.id, occurrence=self._occurrence(piece))]
        found: list[Happening] = []
        found += self._revival(vertex, "said again")
        voters = {vertex.created_by, *(by for by, _total, _count in vertex.votes)}
        if piece.said.confidence is not None and self._aboard.model not in voters:
            found += self._vote(vertex, piece.said.confidence, "said again")
        return found

    def _revival(self, vertex: Vertex, how: str) -> list[Happening]:
        """What is used comes back from shadow."""
        if vertex.status != "shadow" or vertex.superseded_by is not None:
            return []
        reason = f"{how} by {self._aboard.model}"
        return [StatusChanged(node=vertex.id, before="shadow", after="active", reason=reason)]

    def _cited(self, edges: Sequence[Edge]) -> list[Happening]:
        """What the edges bring back from shadow."""
        ends = [self._graph.get(end) for edge in edges for end in (edge.src, edge.dst)]
        return [what for vertex in ends if vertex is not None for what in self._revival(vertex, "cited")]

    def _once(self, changes: Iterable[Happening]) -> Iterator[Happening]:
        """The changes without those that bring back what the group has brought back already."""
        for what in changes:
            if isinstance(what, StatusChanged):
                if what.node in self._revived:
                    continue
                self._revived.add(what.node)
            yield what

    def _vote(self, vertex: Vertex, confidence: float, reason: str | None) -> list[Happening]:
        after = after_vote(vertex, self._aboard.model, confidence)
        found: list[Happening] = [ConfidenceVoted(node=vertex.id, confidence=confidence, reason=reason)]
        if after != vertex.confidence:
            found.append(
                ConfidenceRevised(node=vertex.id, before=vertex.confidence, after=after, reason="a vote on it")
            )
        return found

    # Edges

    def _new_links(self, piece: Piece) -> list[Link]:
        """Links of a node, or of a link element, that the graph does not hold yet."""
        src: End = piece.ends[piece.said.origin] if piece.said.origin is not None else piece.standing or piece
        return [link for link in piece.said.links if not self._is_drawn(link, src, piece.ends[link.to])]

    def _is_drawn(self, link: Link, src: End, dst: End) -> bool:
        if not (isinstance(src, str) and isinstance(dst, str)):
            return False
        return self._graph.edge_between(link.type, src, dst) is not None  # type: ignore[arg-type]

    def _edges(self, piece: Piece, src: NodeId) -> Iterator[Edge]:
        for link in self._new_links(piece):
            type_: EdgeType = link.type  # type: ignore[assignment]  # validation left only edges
            dst = self._id(piece.ends[link.to])
            pair = (min(src, dst), max(src, dst)) if type_ == "contradicts" else (src, dst)
            if (type_, *pair) in self._drawn:
                continue  # two elements of the group contradict each other: said once
            self._drawn.add((type_, *pair))
            yield Edge(
                id=self._ids.next("e"),
                type=type_,
                src=src,
                dst=dst,
                created_by=self._aboard.model,
                boarding=self._aboard.boarding,
                created_at=self._now,
            )

    # Endings

    def _ending(self, piece: Piece, why_held: str | None) -> list[Happening]:
        if piece.refusal is not None:
            return [self._rejected(piece, piece.refusal)]
        if why_held is not None:
            return [self._held(piece, why_held)]
        changes: list[Happening] = []
        edges: list[Edge] = []
        said = piece.said
        if piece.is_node or said.kind == "link":
            node = self._id(piece if piece.is_node else piece.ends[said.origin or ""])
            edges = list(self._edges(piece, node))
            changes = [*(EdgeAdded(edge=edge) for edge in edges), *self._cited(edges)]
            changes += self._renewals(piece) if piece.standing is not None else []
        else:
            node = self._id(piece.ends[said.origin or ""])
            changes = self._change(piece, node)
        return [*self._once(changes), self._merged(piece, node, edges, _note(piece))]

    def _change(self, piece: Piece, node: NodeId) -> list[Happening]:
        said = piece.said
        other = self._id(piece.ends[said.links[0].to]) if said.links else None
        if said.kind == "supersede":
            assert other is not None  # validation asks for it
            return [NodeSuperseded(node=node, superseded_by=other, reason=said.text)]
        if said.kind == "resolve":
            return [QuestionResolved(node=node, resolved_by=other or sole_answer(node, self._graph))]
        vertex = self._graph.get(node)
        assert vertex is not None  # only standing nodes have no element of their own in the group
        assert said.confidence is not None  # validation asks for it
        return self._vote(vertex, said.confidence, said.text)

    def _merged(self, piece: Piece, node: NodeId, edges: list[Edge], note: str | None) -> ElementMerged:
        return ElementMerged(
            boarding=self._aboard.boarding,
            index=piece.index,
            fingerprint=piece.fingerprint,
            element=piece.sent_kind or piece.said.kind,
            ref=piece.said.ref,
            node=node,
            edges=tuple(edge.id for edge in edges),
            note=note,
        )

    def _rejected(self, piece: Piece, refusal: Refusal) -> ElementRejected:
        repeats = refusal.reason == "repeated_node" and piece.standing is not None
        return ElementRejected(
            boarding=self._aboard.boarding,
            index=piece.index,
            fingerprint=piece.fingerprint,
            reason=refusal.reason,
            detail=refusal.detail,
            sent=piece.sent,
            ref=piece.said.ref if repeats else None,
            node=piece.standing if repeats else None,
        )


def _note(piece: Piece) -> str | None:
    """What a reader of the journal should know about a merged element; None when it went as it was sent."""
    notes = [f"restates {piece.standing}"] if piece.standing is not None else []
    if piece.sent_kind is not None:
        notes.append(f"put in the layer of {layer_of_end(piece)}s: {piece.placement.reason if piece.placement else ''}")
    notes += [f"without {link}" for link in piece.left_out]
    return "; ".join(notes) or None
