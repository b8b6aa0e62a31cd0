"""The history of one mind, written event by event, for the desk's tests."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from perdura_core.clock import Ids
from perdura_core.graph import Graph
from perdura_core.store.journal import Plan
from perdura_core.vocabulary import (
    Boarding,
    BoardingEnded,
    BoardingOpened,
    ConfidenceRevised,
    CostReserved,
    CostSettled,
    Edge,
    EdgeAdded,
    EdgeType,
    ElementHeld,
    ElementMerged,
    ElementRejected,
    Ending,
    Event,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    InterpretationKind,
    MindCreated,
    ModelId,
    Node,
    NodeId,
    NodeRestored,
    NodeSuperseded,
    Occurrence,
    Phase,
    Progress,
    Question,
    QuestionAsked,
    QuestionResolved,
    Route,
    SessionEnded,
    SessionStarted,
    Shown,
    Stake,
    StatusChanged,
)

START = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)

MODELS = (
    "reader:support", "reader:doubt", "reader:gather", "ollama:qwen3:8b", "anthropic:claude-haiku-5-5",
    "anthropic:claude-opus-5-5", "gemini:gemini-3.8-flash",
)  # fmt: skip

QUESTIONS: tuple[tuple[str, tuple[str, ...], Stake], ...] = (
    ("What caused the outage of 14 March?", ("deploy", "storage"), "high"),
    ("Is the cache safe to keep enabled during a failover?", ("storage",), "normal"),
    ("Which region failed first, and when?", ("network",), "normal"),
    ("How many customers were affected?", ("billing",), "normal"),
    ("Should retries be capped at three for the payment service?", ("billing", "network"), "low"),
    ("Was the on-call engineer paged in time?", ("people",), "normal"),
    ("Do the two post-mortem drafts disagree about the order of events?", ("people", "deploy"), "normal"),
)

CLAIMS = (
    "The deploy at 09:58 preceded the first error by four minutes, so the cache cannot have been the cause.",
    "The first error was logged at 09:51, before the deploy was started.",
    "Cache evictions rose tenfold at 09:50 according to the metrics of region eu-west.",
    "The failover of the primary took 14 minutes, not the 4 that the status page claims.",
    "Retries of the payment service multiplied the load on the database by six.",
    "About 2,300 customers saw failed payments between 09:52 and 10:31.",
    "Fewer than 900 customers were affected, since most requests were served by the replica.",
    "The page was sent at 10:02 and acknowledged at 10:09.",
    "Nobody was paged before 10:15 because the alert was muted during the maintenance window.",
    "The network between the zones was healthy during the whole incident.",
    "Packet loss between zone a and zone b reached 12 % from 09:49 on.",
    "The cache should be disabled before a failover until the eviction storm is understood.",
)

FACTS = (
    ("deploy.log: 09:58:12 release 4711 rolled out to eu-west", "notes/deploy.log#L20"),
    ("First 5xx in the load balancer log at 09:51:40", "notes/lb.log#L3"),
    ("“I think the deploy went out before ten, maybe 9:45?” (chat, Dana)", "notes/chat.md#L112"),
    ("Evictions per second: 310 at 09:49, 3,240 at 09:50", "notes/metrics.md#L31"),
    ("Status page: “service was degraded for four minutes”", "notes/status.md#L8"),
    ("Replica lag stayed under 200 ms until 10:04", "notes/metrics.md#L44"),
    ("Pager log: page 8812 sent 10:02:03, acknowledged 10:09:51", "notes/pager.txt#L2"),
    ("Maintenance window 09:30 to 10:15, alerts of group storage muted", "notes/calendar.ics#L14"),
)


class Script:
    """Writes the history of one mind, event by event."""

    def __init__(self, seed: int = 7) -> None:
        self.random = Random(seed)
        self.events: list[Event] = []
        self.graph = Graph()
        self.now = START
        self.counters: dict[str, int] = {}
        self.nodes: dict[NodeId, Node] = {}
        self.session: str | None = None

    def id(self, prefix: str) -> str:
        self.counters[prefix] = self.counters.get(prefix, 0) + 1
        return f"{prefix}{self.counters[prefix]}"

    def add(self, what: Happening, by: str = "operator", boarding: str | None = None, after_s: float = 1.0) -> Event:
        self.now += timedelta(seconds=after_s)
        event = Event(seq=len(self.events) + 1, at=self.now, by=by, boarding=boarding, session=self.session, what=what)
        self.events.append(event)
        self.graph.apply((event,))
        self._keep(what)
        return event

    def _keep(self, what: Happening) -> None:
        match what:
            case InterpretationAdded(interpretation=added):
                self.nodes[added.id] = added
            case FactRecorded(fact=recorded):
                self.nodes[recorded.id] = recorded
            case NodeSuperseded(node=node, superseded_by=heir):
                self.nodes[node] = self.nodes[node].model_copy(update={"superseded_by": heir})
            case NodeRestored(node=node):
                self.nodes[node] = self.nodes[node].model_copy(update={"superseded_by": None})
            case StatusChanged(node=node, after=status):
                self.nodes[node] = self.nodes[node].model_copy(update={"status": status})
            case ConfidenceRevised(node=node, after=after):
                self.nodes[node] = self.nodes[node].model_copy(update={"confidence": after})
            case _:
                pass

    def write(self, plan: Plan) -> tuple[Event, ...]:
        """What the journal does with a plan."""
        ids = Ids(self.counters)
        drafts = list(plan(self.graph, ids))
        self.counters = ids.counters
        return tuple(self.add(draft.what, draft.by, draft.boarding, after_s=0.1) for draft in drafts)

    def hold(self, boarding: str, model: ModelId, element: dict[str, Any], why: str = "every element waits") -> str:
        proposal = self.id("p")
        held = ElementHeld(
            proposal=proposal, boarding=boarding, index=0, fingerprint=proposal, element=element, why=why
        )
        self.add(held, model, boarding)
        return proposal

    def ask(self, text: str, domains: tuple[str, ...] = (), stake: Stake = "normal") -> NodeId:
        question = Question(
            id=self.id("q"), text=text, domains=domains, stake=stake, created_by="operator", created_at=self.now
        )
        self.nodes[question.id] = question
        self.add(QuestionAsked(question=question))
        return question.id

    def record(self, text: str, source: str | None = None, domains: tuple[str, ...] = ()) -> NodeId:
        sighting = Occurrence(source=source, recorded_at=self.now, recorded_by="ingest")
        fact = Fact(
            id=self.id("f"), text=text, domains=domains, occurrences=(sighting,), created_by="ingest",
            created_at=self.now,
        )  # fmt: skip
        self.nodes[fact.id] = fact
        self.add(FactRecorded(fact=fact), by="ingest")
        return fact.id

    def claim(
        self, text: str, by: str, boarding: str | None, domains: tuple[str, ...] = (), facts: tuple[NodeId, ...] = (),
        confidence: float = 0.7, kind: InterpretationKind = "claim",
    ) -> NodeId:  # fmt: skip
        added = Interpretation(
            id=self.id("i"), kind=kind, text=text, domains=domains, facts=facts, asserted_confidence=confidence,
            confidence=confidence, created_by=by, boarding=boarding, created_at=self.now,
        )  # fmt: skip
        self.nodes[added.id] = added
        self.add(InterpretationAdded(interpretation=added), by, boarding)
        return added.id

    def join(self, type_: EdgeType, src: NodeId, dst: NodeId, by: str, boarding: str | None = None) -> str:
        edge = Edge(
            id=self.id("e"), type=type_, src=src, dst=dst, created_by=by, boarding=boarding, created_at=self.now
        )
        self.add(EdgeAdded(edge=edge), by, boarding, after_s=0.1)
        return edge.id

    def board(
        self, seat: int, question: NodeId, model: ModelId, reason: str = "cheapest able", shown: tuple[Shown, ...] = ()
    ) -> str:
        boarding = Boarding(
            id=self.id("b"), session=self.session, seat=seat, question=question, model=model,
            route=Route(model=model, policy="periodic", reason=reason), shown=shown,
            opened_at=self.now,
        )  # fmt: skip
        self.add(BoardingOpened(boarding=boarding), model, boarding.id)
        cost = 0 if model.startswith(("reader", "ollama")) else 40_000
        self.add(CostReserved(boarding=boarding.id, model=model, question=question, domains=(), cost_micro_usd=cost),
                 "conductor", boarding.id, after_s=0.1)  # fmt: skip
        return boarding.id

    def end(self, boarding: str, model: ModelId, question: NodeId, merged: int, rejected: int = 0,
            ending: Ending = "merged", reason: str | None = None) -> None:  # fmt: skip
        paid = not model.startswith(("reader", "ollama"))
        reserved, cost = (40_000, 3_100 + 900 * merged) if paid else (0, 0)
        self.add(
            CostSettled(
                boarding=boarding, model=model, question=question, domains=(), reserved_micro_usd=reserved,
                cost_micro_usd=cost,
            ), "conductor", boarding, after_s=0.1,
        )  # fmt: skip
        self.add(
            BoardingEnded(
                boarding=boarding, ending=ending, reason=reason, cost_micro_usd=cost, seconds=12.5, merged=merged,
                rejected=rejected,
            ), model, boarding,
        )  # fmt: skip

    def found(self) -> None:
        """A mind with its questions and documents, and nothing done yet."""
        self.add(MindCreated(version="0.1.0"))
        for text, source in FACTS:
            self.record(text, source)
        for text, domains, stake in QUESTIONS:
            self.ask(text, domains, stake)

    def start(self, seats: int = 4, budget_usd: float | None = 2.0) -> None:
        self.session = self.id("s")
        self.add(
            SessionStarted(
                session=self.session, operator="operator", seats=seats, policy="periodic", models=MODELS,
                budget_micro_usd=None if budget_usd is None else round(budget_usd * 1e6),
            )
        )  # fmt: skip

    def work(self, boardings: int) -> None:
        """Boardings that claim, support, dispute and sometimes send nonsense."""
        for number in range(boardings):
            self.one_boarding(1 + number % 4)

    def one_boarding(self, seat: int) -> None:
        dice = self.random
        question = dice.choice(self.graph.open_questions())
        model = dice.choice(MODELS)
        reason = "escalated: every 3rd" if "opus" in model else dice.choice(("cheapest able", "explore", "periodic"))
        boarding = self.board(seat, question.id, model, reason)
        facts = [vertex.id for vertex in self.graph.vertices("fact")]
        merged = rejected = 0
        for _ in range(dice.randint(1, 3)):
            if dice.random() < 0.12:
                self.add(
                    ElementRejected(
                        boarding=boarding, index=merged + rejected, fingerprint=f"{boarding}.{merged + rejected}",
                        reason="unknown_id", detail="'i999' was not in the briefing", sent='{"kind": "claim"}',
                    ), model, boarding,
                )  # fmt: skip
                rejected += 1
                continue
            self._element(boarding, model, question.id, question.domains, dice.sample(facts, k=dice.randint(0, 2)))
            merged += 1
        self.end(boarding, model, question.id, merged, rejected)

    def _element(
        self, boarding: str, model: ModelId, question: NodeId, domains: tuple[str, ...], facts: list[NodeId]
    ) -> None:
        dice = self.random
        claims = [
            v.id for v in self.graph.vertices("interpretation") if question in self.graph.neighbourhood([v.id], 1)
        ]
        number = self.counters.get("i", 0)
        new = self.claim(
            CLAIMS[number % len(CLAIMS)], model, boarding, domains, tuple(facts), round(dice.uniform(0.4, 0.95), 2),
            "decision" if number % 11 == 10 else "claim",
        )  # fmt: skip
        self.join("answers", new, question, model, boarding)
        for fact in facts:
            self.join("supports", fact, new, model, boarding)
        if claims:
            type_: EdgeType = dice.choice(("contradicts", "contradicts", "supports", "refines"))
            self.join(type_, new, dice.choice(claims), model, boarding)
        fingerprint = f"{boarding}.{number}"
        merged = ElementMerged(boarding=boarding, index=number, fingerprint=fingerprint, element="claim", node=new)
        self.add(merged, model, boarding, after_s=0.1)

    def resolve(self, question: NodeId, by: NodeId | None = None) -> None:
        self.add(QuestionResolved(node=question, resolved_by=by))

    def stop(self) -> None:
        if self.session is not None:
            self.add(SessionEnded(session=self.session, ending="finished", boardings=0, cost_micro_usd=0))


def sample_mind(boardings: int = 40) -> Script:
    """A mind in the middle of its work."""
    script = Script()
    script.found()
    script.start()
    script.work(boardings)
    script.resolve("q4", None)
    return script


def told(seat: int, phase: Phase, model: str, question: str, text: str = "", **more: object) -> Progress:
    fields: dict[str, object] = {
        "boarding": f"b9{seat}", "mode": "organic", "reason": "cheapest able", "elapsed_s": 12.4, "output_tokens": 310,
        "cost_micro_usd": 3_100, "merged": 3, "rejected": 1,
    }  # fmt: skip
    return Progress.model_validate(
        {"seat": seat, "phase": phase, "model": model, "question": question, "text": text, **fields, **more}
    )


STREAM = (
    '{"contributions": [{"kind": "claim", "ref": "a", "text": "The deploy at 09:58 preceded the first error by four '
    "minutes, so the cache cannot have been the cause; the log line in deploy.log is the only clock set by NTP, "
    "and the chat message that puts the deploy at 09:45 was written from memory two days later"
)


def aboard() -> list[Progress]:
    """Four seats in four phases."""
    return [
        told(1, "streaming", "anthropic:claude-haiku-5-5", "q1", STREAM, reason="escalated: every 3rd", elapsed_s=5.1,
             output_tokens=90),
        told(1, "streaming", "anthropic:claude-haiku-5-5", "q1", "", reason="escalated: every 3rd"),
        told(2, "waiting", "ollama:qwen3:8b", "q2", elapsed_s=3.0, output_tokens=None, cost_micro_usd=0, merged=0,
             rejected=0),
        told(3, "merging", "reader:doubt", "q7", STREAM.replace("claim", "fact")[:150], elapsed_s=0.4, reason="explore",
             cost_micro_usd=0, merged=4, rejected=0),
        Progress(seat=4, phase="empty", reason="budget held by seat 1: $0.08 left for this question"),
    ]  # fmt: skip
