"""A briefing as a reader sees it: notes that can be compared, who quotes what, which documents stand behind it."""

from collections.abc import Iterable
from typing import NamedTuple

from perdura_core.epistemics.wording.words import Weights, content, listed
from perdura_core.vocabulary import Briefing, BriefingNode, NodeId
from perdura_core.workers.reading.agreement import agree
from perdura_core.workers.reading.judgement import document_of, is_hedged, is_record, restate, said, stands_alone

__all__ = ["Note", "View"]

# Words of a question that say what kind of answer is wanted, not what it is about.
_ASKING = listed(
    "tru claim kind way best caus happen chang long big larg mean answer differ reason valid right wrong hold"
)


class Note(NamedTuple):
    """A live claim or decision, or a fact that stands alone, in the words a claim about it would have."""

    node: BriefingNode
    text: str
    stems: frozenset[str]
    documents: frozenset[str]
    """The documents of the facts behind it, as far as the briefing shows them."""

    @property
    def id(self) -> NodeId:
        """The node's id."""
        return self.node.id

    @property
    def is_summary(self) -> bool:
        """A decision or a pattern: it speaks of several claims, so that these are compared instead of it."""
        return self.node.kind == "decision" or (self.node.level or 1) > 1

    @property
    def is_fact(self) -> bool:
        """Whether it is a fact, so that a claim has to be written before it can be contradicted."""
        return self.node.layer == "fact"


class View:
    """What a reader takes from a briefing. Nothing in it comes from anywhere else."""

    def __init__(self, briefing: Briefing) -> None:
        self.briefing = briefing
        self.question = briefing.question
        self._sources = {n.id: document_of(n.source) for n in briefing.nodes if n.layer == "fact"}
        self.claims = tuple(
            self._note(n)
            for n in briefing.nodes
            if n.layer == "interpretation" and n.kind != "rejected" and not n.is_context
        )
        self.quoted = frozenset(fact for claim in self.claims for fact in claim.node.facts)
        self.facts = tuple(self._note(n) for n in briefing.nodes if n.layer == "fact" and not n.is_context)
        self.loose = tuple(n for n in self.facts if n.id not in self.quoted and stands_alone(n.text))
        self.weights = Weights(note.text for note in (*self.facts, *self.claims))
        self.contradictions = frozenset(frozenset((e.src, e.dst)) for e in briefing.edges if e.type == "contradicts")
        self.answers = tuple(
            claim
            for claim in self.claims
            if any(e.type == "answers" and e.src == claim.id and e.dst == self.question.id for e in briefing.edges)
        )
        self._edges = frozenset((e.type, e.src, e.dst) for e in briefing.edges)

    def _note(self, node: BriefingNode) -> Note:
        text = restate(node.text, node.source) if node.layer == "fact" else node.text
        behind = (node.id,) if node.layer == "fact" else node.facts
        documents = frozenset(d for fact in behind if (d := self._sources.get(fact)) is not None)
        return Note(node, text, content(text), documents)

    def has_edge(self, type_: str, src: NodeId, dst: NodeId) -> bool:
        """Whether the briefing shows this edge."""
        return (type_, src, dst) in self._edges

    def is_disputed(self, node: NodeId) -> bool:
        """Whether the briefing shows a contradiction at the node."""
        return any(node in pair for pair in self.contradictions)

    def by_id(self, node: NodeId) -> Note | None:
        """The claim or fact of this id."""
        return next((note for note in (*self.claims, *self.facts) if note.id == node), None)

    @property
    def asked(self) -> frozenset[str]:
        """What the question is about."""
        stems = content(self.question.text)
        return (stems - _ASKING) or stems

    @property
    def is_vague(self) -> bool:
        """Whether the question's words tell too little to choose by: there is one of them, or no fact has a third."""
        return len(self.asked) < 2 or max((self.relevance(note) for note in self.facts), default=0.0) < 1 / 3

    def relevance(self, note: Note) -> float:
        """Share of what is asked that the note speaks of, 0..1."""
        return self._telling(self.asked & note.stems) / (self._telling(self.asked) or 1.0)

    def _telling(self, stems: frozenset[str]) -> float:
        """What the documents dwell on tells less in a question, but never less than half."""
        return sum(max(0.5, self.weights.of(stem)) for stem in stems)

    def agreeing(self, note: Note, others: Iterable[Note]) -> list[Note]:
        """Those that say the same from other documents."""
        return [o for o in others if o.id != note.id and o.documents - note.documents and self.agree(note, o)]

    def plainest(self, note: Note) -> Note:
        """Of the facts that say the same as a fact, the one that says it most plainly and briefly."""
        same = [note, *(other for other in self.agreeing(note, self.facts) if stands_alone(other.text))]
        return min(
            same,
            key=lambda n: (
                said(n.text) != n.text or is_record(n.text),
                is_hedged(n.text),
                len(n.text),
                n.id != note.id,
            ),
        )

    def agree(self, a: Note, b: Note) -> bool:
        """Whether two notes say the same: nearly the same words, or the same figure of the same thing."""
        return agree(a.text, b.text, self.weights)

    def confidence(self, note: Note, *, is_contested: bool = False) -> float:
        """How far a quotation may be trusted, from what the briefing shows.

        0.6 for one plain statement, 0.1 more for each further document that says the same (at most two) and 0.05 for
        a machine's record; 0.15 less when the sentence itself hedges, 0.1 less when another statement is against it.
        """
        witnesses = {d for other in self.agreeing(note, self.facts) for d in other.documents - note.documents}
        value = 0.6 + 0.1 * min(len(witnesses), 2)
        value += 0.05 if is_record(note.node.text) else 0.0
        value -= 0.1 if is_contested else 0.0
        value -= 0.15 if is_hedged(note.text) else 0.0
        return round(min(0.85, max(0.3, value)), 2)
