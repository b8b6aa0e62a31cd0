"""A mind without a store: a script of real events, folded into a real graph, that a test moves along by hand."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from perdura_core import acts
from perdura_core.acts import Act, acted
from perdura_core.clock import Clock
from perdura_core.conductor import Errand, SessionOrder
from perdura_core.config import BudgetSettings, ReviewGate, Settings
from perdura_core.epistemics import Verdict
from perdura_core.errors import InputError
from perdura_core.graph import Graph
from perdura_core.retrieval import Coverage, Found, parse_query
from perdura_core.routing import Choice, Comparison, PastRecords, Purse, Quiet, Registry, RouteState, route_state
from perdura_core.upkeep import UpkeepProgress
from perdura_core.vocabulary import (
    Boarding,
    BoardingEnded,
    BoardingOpened,
    BoardingRecord,
    Briefing,
    BriefingNode,
    Card,
    ElementHeld,
    Event,
    Flow,
    MemoryReport,
    ModelId,
    Near,
    Node,
    NodeId,
    Price,
    Progress,
    SessionChanged,
    Stake,
    Standing,
    Suspicion,
    TrackRecord,
    layer_of,
)
from perdura_tui.source import Activity, Opening, Source
from perdura_tui.states.contention import Contention, replay, sample
from perdura_tui.states.lately import Lately, reduce_lately
from perdura_tui.states.questions import Questions, reduce_questions
from perdura_tui.states.settings import Outlook
from perdura_tui.states.status import Session, reduce_session
from perdura_tui.states.tray import Tray, reduce_tray
from perdura_tui.states.workers import Workers, reduce_events
from tests.tui.memories import memory_report
from tests.tui.script import MODELS, Script


class ScriptedSource(Source):
    """A source over a script. Time stands still unless a test moves it."""

    def __init__(self, script: Script, activity: Activity = "running", *, readonly: bool = False) -> None:
        self.script = script
        self.name = "outage.mind"
        self.is_readonly = readonly
        self._graph = Graph()
        self._registry = Registry()
        self._registry.provide("anthropic")
        self._registry.provide("ollama", ["qwen3:8b"])
        self.now = script.now + timedelta(seconds=5)
        self.monotonic_s = 1_000.0
        self.clock = Clock(lambda: self.now, lambda: self.monotonic_s)
        self._activity: Activity = activity
        self.progress: list[Progress] = []
        self.calls: list[tuple[object, ...]] = []
        self.said: str | None = None
        self.absent: set[ModelId] = set()
        """Models that the picker does not know."""
        self.sent: list[Errand] = []
        self.doubted: list[Suspicion] = []
        self.alike: list[Near] = []
        self.codes: dict[NodeId, str] = {}
        self.silence: Quiet | None = None
        self.report = MemoryReport(active=20, shadow=2, let_go=1, flow=Flow(days=30, archived=0, revived=0, let_go=0))
        self.standings: dict[NodeId, Standing] = {}
        self.tended: UpkeepProgress | None = None
        self.gate: ReviewGate = "off"
        self.opened_at = len(script.events)
        self.settings_read = Settings()
        self.ordered = SessionOrder(seats=4, budget_usd=2.0)
        self.graph.apply(script.events)

    @property
    def graph(self) -> Graph:
        return self._graph

    async def opening(self) -> Opening:
        events = self.script.events
        self.graph.apply(events)
        return Opening(
            head=len(events),
            questions=reduce_questions(Questions(), events),
            workers=reduce_events(Workers(), events, self.monotonic_s),
            contention=Contention((), self.graph.contention_all()),
            session=reduce_session(Session(), events),
            lately=reduce_lately(Lately(), events).events,
            tray=reduce_tray(Tray(), events),
        )

    async def history(self) -> Contention | None:
        return Contention(
            tuple(replay(Graph(), self.script.events[: self.opened_at], self.graph.total_boardings())),
            self.graph.contention_all(),
        )

    def drain(self) -> list[Progress]:
        news, self.progress = self.progress, []
        return news

    async def events(self, after: int, limit: int) -> list[Event]:
        news = self.script.events[after : after + limit]
        self.graph.apply(news)
        return news

    @property
    def fault(self) -> str | None:
        return self.said

    async def read_events(
        self, after: int = 0, *, until: int | None = None, limit: int | None = None,
        kinds: Collection[str] | None = None, newest: bool = False,
    ) -> list[Event]:  # fmt: skip
        found = [
            event for event in self.script.events[after:until] if kinds is None or event.kind in kinds
        ]  # fmt: skip
        return found[-limit:] if newest and limit else found[:limit]

    @property
    def registry(self) -> Registry:
        self._registry.apply(self.script.events)
        return self._registry

    async def nodes(self, ids: Collection[NodeId]) -> dict[NodeId, Node]:
        return {node: self.script.nodes[node] for node in ids if node in self.script.nodes}

    async def history_of(self, node: NodeId, limit: int) -> list[Event]:
        return [event for event in self.script.events if f'"{node}"' in event.model_dump_json()][-limit:]

    async def tracks(self, domain: str | None) -> list[TrackRecord]:
        return list(_records(self.graph, domain))

    def rank(self, question: NodeId) -> Sequence[Choice]:
        return [choice for choice in choices(self.graph) if choice.card.id not in self.absent]

    async def boardings(self, ids: Collection[str]) -> dict[str, BoardingRecord]:
        found: dict[str, BoardingRecord] = {}
        for event in self.script.events:
            match event.what:
                case BoardingOpened(boarding=boarding) if boarding.id in ids:
                    found[boarding.id] = BoardingRecord(boarding=boarding)
                case BoardingEnded(boarding=ended) if ended in found:
                    what = event.what
                    found[ended] = found[ended].model_copy(
                        update={
                            "ending": what.ending, "reason": what.reason, "cost_micro_usd": what.cost_micro_usd,
                            "seconds": what.seconds, "merged": what.merged, "rejected": what.rejected,
                        }
                    )  # fmt: skip
                case _:
                    pass
        return found

    async def search(self, words: str, limit: int) -> Sequence[Found]:
        self.calls.append(("search", words))
        query = parse_query(words)
        wanted = query.words.casefold().split()
        found = []
        for node in self.script.nodes.values():
            text = node.text.casefold()
            kinds = {layer_of(node.id), getattr(node, "kind", "")}
            if all(word in text for word in wanted) and (not query.types or query.types & kinds):
                marks = sorted((text.index(word), text.index(word) + len(word)) for word in wanted)
                found.append(Found(node, 1.0, tuple(marks)))
        return found[:limit]

    @property
    def coverage(self) -> Coverage:
        total = len(self.script.nodes)
        return Coverage("hashed", total // 2, total)

    async def memory(self) -> MemoryReport | None:
        return self.report

    async def standing(self, node: NodeId) -> Standing | None:
        return self.standings.get(node)

    @property
    def upkeep(self) -> UpkeepProgress | None:
        return self.tended

    async def keep_up(self) -> None:
        self.calls.append(("keep_up",))
        self.report = memory_report()

    async def promote(self, proposal: str) -> None:
        self.calls.append(("promote", proposal))
        self.report = self.report.model_copy(update={"promotions": ()})

    async def refuse_promotion(self, proposal: str) -> None:
        self.calls.append(("refuse_promotion", proposal))
        self.report = self.report.model_copy(update={"promotions": ()})

    async def told_by(self, boarding: str) -> list[Event]:
        return [event for event in self.script.events if event.boarding == boarding]

    def suspected(self) -> Sequence[Suspicion]:
        return self.doubted

    @property
    def quiet(self) -> Quiet | None:
        return self.silence

    @property
    def likeness_version(self) -> int:
        return len(self.alike) + len(self.doubted)

    def alike_among(self, nodes: Collection[NodeId]) -> tuple[Sequence[Near], Sequence[Suspicion]]:
        return self.alike, self.doubted

    def near(self, node: NodeId) -> Sequence[Near]:
        return [one for one in self.alike if node in (one.left, one.right)]

    def code(self, node: NodeId) -> str | None:
        return self.codes.get(node)

    async def briefing(self, boarding: Boarding) -> Briefing:
        def line(node: NodeId, confidence: float | None) -> BriefingNode:
            layer = {"q": "question", "f": "fact", "i": "interpretation"}[node[0]]
            return BriefingNode.model_validate(
                {"id": node, "layer": layer, "text": self.script.nodes[node].text, "confidence": confidence}
            )

        return Briefing(
            question=line(boarding.question, None),
            nodes=tuple(line(shown.node, shown.confidence) for shown in boarding.shown),
            mode=boarding.mode,
            tokens=boarding.briefing_tokens,
        )

    @property
    def activity(self) -> Activity:
        return "watching" if self.is_readonly else self._activity

    @property
    def aboard(self) -> int:
        return 0 if self._activity == "idle" else len(self.graph.open_boardings())

    def start(self) -> None:
        self.calls.append(("start",))
        self._activity = "running"

    def pause(self) -> None:
        self.calls.append(("pause",))
        self._activity = "paused"

    def resume(self) -> None:
        self.calls.append(("resume",))
        self._activity = "running"

    def step(self) -> None:
        self.calls.append(("step",))

    def swap(self, seat: int, model: ModelId | None) -> None:
        if seat not in (1, 2, 3, 4):
            raise InputError(f"there is no seat {seat}: this session has 4")
        self.calls.append(("swap", seat, model))

    def finish(self) -> None:
        self.calls.append(("finish",))
        self._activity = "finishing"

    def cancel(self) -> None:
        self.calls.append(("cancel",))
        self._activity = "idle"

    async def ask(self, text: str, domains: tuple[str, ...], stake: Stake) -> NodeId:
        self.calls.append(("ask", text, domains, stake))
        return self.script.ask(text, domains, stake)

    async def act(self, act: Act) -> None:
        self.calls.append(("act", act.title))
        self.script.write(acted(act))
        self.graph.apply(self.script.events)

    async def undo(self) -> str:
        told = [event for event in self.script.events if event.kind in acts.ACT_KINDS]
        last = acts.last_act(told)
        if last is None:
            raise InputError("there is nothing to undo: you have not changed this mind yet")
        done = self.script.events[last.seq : last.seq + last.what.events]  # type: ignore[union-attr]
        held = {e.what.proposal: e.what for e in self.script.events if isinstance(e.what, ElementHeld)}
        self.script.write(acts.undo(last, done, held))
        return str(last.what.title)  # type: ignore[union-attr]

    def _held(self, proposal: str) -> ElementHeld:
        told = [event for event in self.script.events if event.kind in acts.REVIEW_KINDS]
        for held in acts.waiting(told):
            if held.proposal == proposal:
                return held
        raise InputError(f"no element waits as {proposal!r}: it was settled, or it never was")

    async def accept(self, proposals: Sequence[str], changes: Mapping[str, Any] | None = None) -> tuple[Event, ...]:
        self.calls.append(("accept", *proposals, *(changes or {}).items()))
        held = [self._held(proposal) for proposal in proposals]
        held[0] = acts.edited(held[0], changes or {})
        sender = (await self.boardings([held[0].boarding]))[held[0].boarding]
        return self.script.write(acts.accept(held, sender, [], self.now, None))

    async def refuse(self, proposal: str, reason: str | None) -> None:
        self.calls.append(("refuse", proposal, reason))
        held = self._held(proposal)
        sender = (await self.boardings([held.boarding]))[held.boarding]
        self.script.write(acts.refuse(held, sender, reason))

    def send(self, errand: Errand) -> None:
        self.calls.append(("send", errand.question, errand.mode, errand.model))
        self.sent.append(errand)

    @property
    def errands(self) -> tuple[Errand, ...]:
        return tuple(self.sent)

    async def compare(self, one: ModelId, other: ModelId, domain: str | None) -> Comparison:
        records = {record.model: record for record in _records(self.graph, domain)}
        node = next(v.id for v in self.graph.vertices("interpretation") if v.created_by == one)
        told = ((one, node, Verdict("operator", "settled_for")),)
        return Comparison(records.get(one), records.get(other), 0.75, told)

    async def past_tracks(self, domain: str | None) -> list[PastRecords]:
        records = tuple(_records(self.graph, domain))
        ends = self.script.events[len(self.script.events) // 2], self.script.events[-1]
        return [PastRecords(event.at, event.seq, records) for event in ends]

    @property
    def review(self) -> ReviewGate:
        return self.gate

    def hold(self, gate: ReviewGate) -> None:
        self.calls.append(("hold", gate))
        self.gate = gate
        self.ordered = self.ordered.model_copy(update={"review": gate})

    @property
    def settings(self) -> Settings:
        return self.settings_read

    @property
    def order(self) -> SessionOrder:
        return self.ordered

    def outlook(self) -> Outlook:
        return Outlook(self.graph, 0, 0, self._state)

    def _state(self, question: NodeId, order: SessionOrder, ahead: Sequence[ModelId]) -> RouteState:
        return route_state(
            self.graph, self.registry, Purse(BudgetSettings()), question, now=self.now, session=None,
            briefing_tokens=6_000, turn=len(ahead) + 1, session_models=ahead, settings=order,
        )  # fmt: skip

    async def change(self, order: SessionOrder) -> None:
        self.calls.append(("change",))
        self.ordered = order
        if self.script.session is not None:
            cap = None if order.budget_usd is None else round(order.budget_usd * 1e6)
            self.script.add(
                SessionChanged(session=self.script.session, seats=order.seats, policy=order.route, budget_micro_usd=cap)
            )

    async def closed(self) -> None:
        self._activity = "idle"


def _records(graph: Graph, domain: str | None) -> Iterator[TrackRecord]:
    for number, model in enumerate(MODELS):
        mine = [
            v for v in graph.vertices("interpretation")
            if v.created_by == model and (domain is None or domain in v.domains)
        ]  # fmt: skip
        if not mine:
            continue
        outcomes = len(mine) * (9 - number)
        mean = 0.48 + 0.055 * ((number * 5) % 7)
        spread = 0.5 / (1 + outcomes) ** 0.5
        yield TrackRecord(
            model=model, domain=domain, reliability=mean, low=max(mean - spread, 0.0), high=min(mean + spread, 1.0),
            outcomes=outcomes, merged=len(mine) + 1, rejected=number % 3, surviving=len(mine),
            cost_micro_usd=0 if model.startswith(("reader", "ollama")) else 5_200 * len(mine), seconds=4.0 + number,
        )  # fmt: skip


def choices(graph: Graph) -> list[Choice]:
    """A ranking with everything in it that a picker has to show."""
    records = {record.model: record for record in _records(graph, None)}
    tiers = {"reader": "local", "ollama": "local", "gemini": "standard"}
    ranked: list[Choice] = []
    for model in MODELS:
        provider = model.split(":")[0]
        tier = "frontier" if "opus" in model else tiers.get(provider, "standard")
        price = 0.0 if tier == "local" else (15.0 if tier == "frontier" else 1.0)
        ranked.append(
            Choice(
                card=Card.model_validate(
                    {"id": model, "tier": tier, "is_language_model": provider != "reader",
                     "prices": (Price(usd_per_mtok_in=price, usd_per_mtok_out=price * 5),)}
                ),
                record=records.get(model),
                cost_micro_usd=round(price * 8_000),
                reason="best record for its price in storage" if "haiku" in model else "able",
                why_not="rests until 14:20: the server asked for a pause" if "gemini" in model else None,
            )
        )  # fmt: skip
    ranked.sort(key=lambda choice: (choice.why_not is not None, "haiku" not in choice.card.id))
    return ranked


def sampled(source: ScriptedSource) -> Contention:
    """Present contention as one sample."""
    return Contention((sample(source.graph, "b0"),), source.graph.contention_all())
