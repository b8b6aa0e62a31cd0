"""Random histories of a mind that could have happened."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from hypothesis import strategies as st

from perdura_core.clock import Ids
from perdura_core.vocabulary import (
    EDGE_TYPES,
    ActUndone,
    AnswerGraded,
    Boarding,
    BoardingEnded,
    BoardingOpened,
    CardChanged,
    ConfidenceRevised,
    ConfidencesRevised,
    ConfidenceVoted,
    CostReserved,
    CostSettled,
    DocumentRead,
    DomainProfiled,
    Draft,
    Edge,
    EdgeAdded,
    EdgeRetracted,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Event,
    Fact,
    FactObserved,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    JudgedLayer,
    LayerSettled,
    LevelChanged,
    MindCreated,
    MindImported,
    ModelCooled,
    ModelDisabled,
    ModelEnabled,
    NodeRedacted,
    NodeRestored,
    NodeSuperseded,
    Occurrence,
    OperatorActed,
    Placement,
    PromotionProposed,
    PromotionSettled,
    ProposalSettled,
    Question,
    QuestionAsked,
    QuestionPinned,
    QuestionReopened,
    QuestionResolved,
    Route,
    SessionChanged,
    SessionEnded,
    SessionStarted,
    Shown,
    StatusChanged,
    SuspicionDismissed,
    Terms,
    Usage,
)

NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
MODEL = "reader:doubt"

_PIECES = (
    "must", "must not", "scale", " ", "\t", "\n", "\r\n", "\x00", "\ud800", "é", "e\u0301", "複製は安全か", "🎉", '"',
    "'); DROP --", "{", "\\", "%", "1.5", "-5",
)  # fmt: skip
_NAMES = ("storage", "deploy", "日本", "a b", 'q"uote')


@dataclass
class History:
    """What was said so far, as far as the next happening must fit to it."""

    dice: Random
    ids: Ids = field(default_factory=Ids)
    nodes: list[str] = field(default_factory=list)
    edges: list[str] = field(default_factory=list)
    aboard: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    proposals: list[str] = field(default_factory=list)
    promotions: list[str] = field(default_factory=list)

    def heads(self) -> bool:
        return self.dice.random() < 0.5

    def maybe(self, value: Any) -> Any:
        return value if self.heads() else None

    def some(self, values: Sequence[str], most: int) -> tuple[str, ...]:
        """Different ones."""
        return tuple(self.dice.sample(values, self.dice.randint(0, min(most, len(values)))))

    def unit(self) -> float:
        return self.dice.choice((0.0, 1.0, self.dice.random()))

    def text(self) -> str:
        return "".join(self.dice.choices(_PIECES, k=self.dice.randint(0, 5)))

    def one(self, prefix: str) -> str | None:
        """A node of the layer."""
        fitting = [node for node in self.nodes if node[0] == prefix]
        return self.dice.choice(fitting) if fitting else None

    def boarding(self) -> str | None:
        """A boarding, or none."""
        return self.dice.choice([None, *self.aboard])

    def next(self) -> Draft:
        """Something that may happen now."""
        makers = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("do_")]
        what: Happening | None = None
        while what is None:
            what = self.dice.choice(makers)()
        boarding = getattr(what, "boarding", None)
        return Draft(what=what, by=MODEL, boarding=boarding if isinstance(boarding, str) else self.boarding())

    def do_mind(self) -> Happening:
        return self.dice.choice(
            [
                MindCreated(version="1"),
                SessionChanged(session="s1", seats=2, policy="cheap", budget_micro_usd=None),
                DocumentRead(path="a.md", sha256="0", facts=1, seen_again=0),
                DomainProfiled(domain="ops", velocity="fast", before="medium", pace_days=3.5),
                MindImported(path="m", sha256="0", nodes={"n1": "q1"}, edges={}, authors={}, modes={}, times="iso"),
                OperatorActed(title="prefer i3 to i9", events=2),
                ActUndone(act=1, title="prefer i3 to i9", events=2),
                OperatorActed(title="prefer i1 to i2", events=2),
                ActUndone(act=1, title="prefer i1 to i2", events=2),
                ModelDisabled(model=MODEL, reason="402"),
                ModelEnabled(model=MODEL),
                ModelCooled(model=MODEL, until=NOW, reason="429"),
                AnswerGraded(node="i1", grade="right"),
                CardChanged(model=MODEL, before=Terms(tier="local"), after=Terms(tier="frontier", domains=("a b",))),
            ]
        )  # fmt: skip

    def do_session(self) -> Happening:
        if self.sessions and self.heads():
            return SessionEnded(session=self.sessions.pop(), ending="finished", boardings=0, cost_micro_usd=0)
        self.sessions.append(self.ids.next("s"))
        return SessionStarted(session=self.sessions[-1], operator="o", seats=1, policy="cheap", models=(MODEL,))

    def do_ask(self) -> Happening:
        new = Question(
            id=self.ids.next("q"),
            text=self.text(),
            domains=self.some(_NAMES, 2),
            stake=self.dice.choice(["low", "normal", "high"]),
            created_by=MODEL,
            boarding=self.boarding(),
            created_at=NOW,
        )
        self.nodes.append(new.id)
        return QuestionAsked(question=new)

    def do_record(self) -> Happening:
        new = Fact(
            id=self.ids.next("f"),
            text=self.text(),
            entities=self.some(_NAMES, 3),
            occurrences=tuple(self.occurrence() for _ in range(self.dice.randint(1, 2))),
            created_by=MODEL,
            boarding=self.boarding(),
            created_at=NOW,
        )
        self.nodes.append(new.id)
        return FactRecorded(fact=new, placed=self.placement())

    def placement(self) -> Placement | None:
        return self.maybe(Placement(tier="text", reason=self.text(), called="fact", confidence=self.maybe(0.5)))

    def occurrence(self) -> Occurrence:
        return Occurrence(
            source=self.maybe(self.text()),
            observed_at=self.maybe(NOW - timedelta(microseconds=self.dice.randrange(10**15))),
            recorded_at=NOW,
            recorded_by="ingest",
            boarding=self.boarding(),
        )

    def do_observe(self) -> Happening | None:
        fact = self.one("f")
        return fact and FactObserved(node=fact, occurrence=self.occurrence())

    def do_interpret(self) -> Happening:
        facts = [node for node in self.nodes if node[0] == "f"]
        new = Interpretation(
            id=self.ids.next("i"),
            kind=self.dice.choice(["claim", "claim", "decision", "rejected"]),
            text=self.text(),
            level=self.dice.choice([1, 2, 3]),
            domains=self.some(_NAMES, 2),
            facts=self.some(facts, 3),
            asserted_confidence=self.maybe(self.dice.random()),
            confidence=self.unit(),
            velocity=self.dice.choice(["fast", "slow"]),
            created_by=MODEL,
            boarding=self.boarding(),
            created_at=NOW,
        )
        self.nodes.append(new.id)
        return InterpretationAdded(interpretation=new, placed=self.placement())

    def do_link(self) -> Happening | None:
        if len(self.nodes) < 2:
            return None
        src, dst = self.dice.sample(self.nodes, 2)
        new = Edge(
            id=self.ids.next("e"),
            type=self.dice.choice(EDGE_TYPES),
            src=src,
            dst=dst,
            created_by=MODEL,
            boarding=self.boarding(),
            created_at=NOW,
        )
        self.edges.append(new.id)
        return EdgeAdded(edge=new)

    def do_retract(self) -> Happening | None:
        if not self.edges:
            return None
        gone = self.dice.choice(self.edges)
        self.edges.remove(gone)
        return EdgeRetracted(edge=gone, reason="wrong")

    def do_question(self) -> Happening | None:
        node = self.one("q")
        return node and self.dice.choice(
            [
                QuestionResolved(node=node, resolved_by=self.one("i")),
                QuestionReopened(node=node),
                QuestionPinned(node=node, pinned=self.heads()),
                SuspicionDismissed(left=self.one("i") or node, right=node, is_dismissed=self.heads()),
            ]
        )  # fmt: skip

    def do_confidence(self) -> Happening | None:
        node = self.one("i")
        return node and self.dice.choice(
            [
                ConfidenceVoted(node=node, confidence=self.unit(), reason=self.text()),
                ConfidenceRevised(node=node, before=0.5, after=self.unit(), reason="vote"),
                ConfidencesRevised(
                    as_of=NOW,
                    after={each: self.unit() for each in self.nodes if each[0] == "i" and self.heads()},
                    reason="time passed",
                ),
                LevelChanged(node=node, before=1, after=self.dice.choice([1, 2, 3])),
                StatusChanged(
                    node=node,
                    before="active",
                    after=self.dice.choice(["active", "shadow", "deleted"]),
                    reason="decay",
                ),
            ]
        )  # fmt: skip

    def do_settle_layer(self) -> Happening | None:
        node = self.one(self.dice.choice("fi"))
        layer: JudgedLayer = "fact" if node is not None and node[0] == "f" else "interpretation"
        return node and LayerSettled(node=node, layer=layer, tier="model", reason="it was asked")

    def do_supersede(self) -> Happening | None:
        node = self.one(self.dice.choice("qfi"))
        if node is None:
            return None
        if self.heads():
            return NodeRestored(node=node, reason="mistake")
        return NodeSuperseded(node=node, superseded_by=self.one(node[0]) or node)

    def do_redact(self) -> Happening | None:
        node = self.one(self.dice.choice("qfi"))
        return NodeRedacted(node=node) if node and self.heads() else None

    def do_board(self) -> Happening | None:
        question = self.one("q")
        if question is None:
            return None
        shown = self.some(self.nodes, 4)
        self.aboard.append(self.ids.next("b"))
        return BoardingOpened(
            boarding=Boarding(
                id=self.aboard[-1],
                session=self.dice.choice([None, *self.sessions]),
                seat=1,
                question=question,
                model=MODEL,
                mode=self.dice.choice(["organic", "audit"]),
                route=Route(model=MODEL, policy="cheap", reason="the cheapest"),
                shown=tuple(Shown(node=node, confidence=self.maybe(self.dice.random())) for node in shown),
                briefing_tokens=100,
                opened_at=NOW,
            )
        )

    def do_disembark(self) -> Happening | None:
        if not self.aboard:
            return None
        return BoardingEnded(
            boarding=self.aboard.pop(self.dice.randint(0, len(self.aboard) - 1)),
            ending=self.dice.choice(["merged", "swapped", "interrupted"]),
            reason=self.maybe(self.text()),
            usage=self.dice.choice([None, Usage(input_tokens=5), Usage(output_tokens=0)]),
            cost_micro_usd=self.dice.randint(0, 10**9),
            seconds=1.5,
            merged=2,
            rejected=1,
        )

    def do_element(self) -> Happening | None:
        boarding = self.boarding()
        if boarding is None:
            return None
        sent = {"boarding": boarding, "index": 0, "fingerprint": self.dice.choice("abcdef")}
        match self.dice.randint(0, 2):
            case 0:
                node = self.dice.choice([None, *self.nodes])
                ref = self.dice.choice([None, "a", "b"])
                return ElementMerged(**sent, element="claim", ref=ref, node=node)
            case 1:
                text = self.text()
                return ElementRejected(**sent, reason="malformed", detail=f"{text!r} is wrong", sent=text)
            case _:
                self.proposals.append(self.ids.next("p"))
                return ElementHeld(
                    **sent, proposal=self.proposals[-1], element={"text": "held", "links": [1, None]}, why="review"
                )

    def do_propose(self) -> Happening | None:
        node = self.one("i")
        if node is None:
            return None
        self.promotions.append(self.ids.next("p"))
        return PromotionProposed(
            proposal=self.promotions[-1], level=3, members=(node,), text=self.text(), confidence=self.unit(), why="long"
        )

    def do_settle_promotion(self) -> Happening | None:
        if not self.promotions:
            return None
        return PromotionSettled(
            proposal=self.promotions.pop(), ending=self.dice.choice(["accepted", "refused", "withdrawn"])
        )

    def do_settle(self) -> Happening | None:
        if not self.proposals:
            return None
        return ProposalSettled(proposal=self.proposals.pop(), accepted=self.heads())

    def do_pay(self) -> Happening | None:
        boarding, question = self.boarding(), self.one("q")
        if boarding is None or question is None:
            return None
        call = {"boarding": boarding, "model": MODEL, "question": question, "domains": ("storage",)}
        if self.heads():
            return CostReserved(**call, cost_micro_usd=9)
        return CostSettled(**call, reserved_micro_usd=9, cost_micro_usd=self.dice.randint(0, 10**12))


def history(seed: int, size: int) -> list[Draft]:
    """So many drafts that fit one another."""
    told = History(Random(seed))
    return [told.next() for _ in range(size)]


@st.composite
def histories(draw: Any, max_size: int = 40) -> list[Draft]:
    """Histories of up to so many events; they shrink by length."""
    return history(draw(st.integers(0, 2**32)), draw(st.integers(1, max_size)))


def stamped(drafts: list[Draft], after: int = 0) -> list[Event]:
    """The events that the drafts become, a second apart."""
    return [
        Event(
            seq=seq,
            at=NOW + timedelta(seconds=seq),
            by=draft.by,
            boarding=draft.boarding,
            session=draft.session,
            what=draft.what,
        )
        for seq, draft in enumerate(drafts, after + 1)
    ]
